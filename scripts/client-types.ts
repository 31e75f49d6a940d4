// `npm run docs`: writes the types of clients/typescript from the tables in the code, the built-in templates and the schemas of
// the OpenAPI document. test/docs compares the file with the output.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { screenshotParameters } from '../src/capture/parameters.ts';
import type { CatalogueEntry, Variable } from '../src/cards/card-types.ts';
import { ogParameters } from '../src/cards/parameters.ts';
import { loadTemplates } from '../src/cards/template-folder.ts';
import { contentParameters } from '../src/content/parameters.ts';
import { jobListParameters } from '../src/http/jobs.ts';
import { openapi } from '../src/http/openapi.ts';
import { isDescribedElsewhere } from '../src/http/openapi-body.ts';
import { errorTable } from '../src/kernel/errors.ts';
import { cardFormats, formats } from '../src/kernel/formats.ts';
import type { Kind } from '../src/kernel/kinds.ts';
import type { Parameter, Table } from '../src/kernel/parameters.ts';
import { planNames, plans } from '../src/kernel/plans.ts';
import { verdictCodes } from '../src/kernel/verdict.ts';

export const clientTypesFile = join(import.meta.dirname, '../clients/typescript/src/generated.ts');

type Json = { readonly [name: string]: unknown };

const quoted = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`;
const union = (names: readonly string[]): string => names.map(quoted).join(' | ');
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name));
const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`;

// Parameters

/** Given as a list, too; the client joins it. */
const types: Readonly<Record<string, string>> = { failOn: "'any' | VerdictCode | readonly VerdictCode[]" };

function typeOf(name: string, { schema, json, jsonLength: [least, most] = [1, 4] }: Kind<unknown>): string {
  const own = types[name] ?? schemaType(schema);
  if (json !== 'numbers') return own;
  const tuples = Array.from({ length: most - least + 1 }, (_, more) => tuple(least + more));
  return [own, ...tuples].join(' | ');
}

const tuple = (length: number): string => `readonly [${Array.from({ length }, () => 'number').join(', ')}]`;

function describe({ doc, default: value, plan }: Parameter): string {
  const notes = [
    plan && `${plans[plan].label} plan or higher.`,
    value !== undefined && `Default: ${JSON.stringify(value)}.`,
  ];
  return [doc, ...notes].filter(Boolean).join(' ');
}

type Wanted = (name: string, parameter: Parameter) => boolean;

const fields = (table: Table, wanted: Wanted): string =>
  Object.entries(table)
    .filter(([name, parameter]) => !isDescribedElsewhere(name) && wanted(name, parameter))
    .flatMap(([name, parameter]) => [
      comment(describe(parameter)),
      `readonly ${key(name)}${parameter.required ? '' : '?'}: ${typeOf(name, parameter.kind)}${parameter.required ? '' : ' | undefined'};`,
    ])
    .join('\n');

const object = (name: string, about: string, body: string): string =>
  `${comment(about)}\nexport type ${name} = {\n${body}\n};`;

const sources = ['url', 'html', 'markdown'];
/** They shape a picture, and do nothing or are refused with format=pdf. */
const ofPictures = new Set(
  'format fullPage quality clip selector padding omitBackground resizeWidth resizeHeight fit'.split(' '),
);
const isSource = (name: string) => sources.includes(name);

/** Exactly one of them. */
const sourceType = (names: readonly string[], table: Table): string =>
  names
    .map((given) => {
      const others = names.filter((name) => name !== given).map((name) => `readonly ${name}?: undefined;`);
      const doc = given === 'url' ? 'The page. It must be public.' : (table[given]?.doc ?? '');
      return `{\n${comment(doc)}\nreadonly ${given}: string;\n${others.join('\n')}\n}`;
    })
    .join(' | ');

const requests = (): string[] => [
  `${comment('What is captured: exactly one of these.')}\nexport type CaptureSource = ${sourceType(sources, screenshotParameters)};`,
  `${comment('What is read: exactly one of these.')}\nexport type ContentSource = ${sourceType(['url', 'html'], contentParameters)};`,
  object(
    'ScreenshotOptions',
    'How a picture of a page is taken.',
    `${comment('The output format. Default: "png".')}
readonly format?: ${union(Object.keys(formats).filter((name) => name !== 'pdf'))} | undefined;
${fields(
  screenshotParameters,
  (name, { onlyFormat }) => name !== 'format' && !isSource(name) && onlyFormat === undefined,
)}`,
  ),
  object(
    'PdfOptions',
    'How a PDF of a page is printed.',
    fields(screenshotParameters, (name) => !isSource(name) && !ofPictures.has(name)),
  ),
  object(
    'ContentOptions',
    'How the text of a page is read.',
    fields(contentParameters, (name) => !isSource(name)),
  ),
  object(
    'OgOptions',
    'The shape of a card.',
    fields(ogParameters, (name) => name !== 'template'),
  ),
  `${comment('These are taken from a body only, and cannot be in a link.')}
export type BodyOnly = ${union(Object.keys(screenshotParameters).filter((name) => (screenshotParameters as Table)[name]?.onlyBody))};`,
  object(
    'JobListOptions',
    'Which jobs are listed.',
    fields(jobListParameters, () => true),
  ),
];

// Templates

const variableTypes: Readonly<Record<Variable['type'], string>> = {
  text: 'string | number',
  color: 'string',
  image_url: 'string',
  items: 'readonly string[] | string',
};

const variableDoc = ({ type, doc, default: value }: Variable): string => {
  const kinds = { color: 'A color.', image_url: 'An https address.', items: 'A list.', text: '' };
  return [doc, kinds[type], value && `Default: ${value}.`].filter(Boolean).join(' ');
};

const templateTypes = (catalogue: readonly CatalogueEntry[]): string => `/**
 * The variables of each built-in template. Add the templates of your own server to it:
 * \`declare module '@tintype/client' { interface TemplateVariables { 'team-card': { title?: string } } }\`
 */
export interface TemplateVariables {
${catalogue
  .map(
    ({ name, description, variables }) => `${comment(description)}
${key(name)}: {
${Object.entries(variables)
  .map(
    ([variable, about]) =>
      `${comment(variableDoc(about))}\nreadonly ${key(variable)}?: ${variableTypes[about.type]} | undefined;`,
  )
  .join('\n')}
};`,
  )
  .join('\n')}
}`;

// Responses

/** The names of response schemas in the client. Bodies of requests are made from the tables above. */
const responses: Readonly<Record<string, string>> = {
  Verdict: 'Verdict',
  Screenshot: 'ScreenshotMetadata',
  Card: 'OgMetadata',
  Content: 'ContentMetadata',
  Usage: 'Usage',
  AcceptedJob: 'AcceptedJob',
  AcceptedBatch: 'AcceptedBatch',
  Error: 'ErrorBody',
  OutputFormat: 'OutputFormat',
  CardFormat: 'CardFormat',
  TextFormat: 'TextFormat',
};

/** Lists of names that have a type of their own. */
const named = new Map([
  [String(Object.keys(errorTable)), 'ErrorCode'],
  [String(verdictCodes), 'VerdictCode'],
  [String(planNames), 'PlanName'],
]);

function schemaType(schema: Json): string {
  if (typeof schema.$ref === 'string') return responses[schema.$ref.split('/').at(-1) ?? ''] ?? 'unknown';
  const list = named.get(String(schema.enum));
  if (list !== undefined) return list;
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => (value === null ? 'null' : quoted(String(value)))).join(' | ');
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(schemaType).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => schemaType({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
    case 'string':
      return schema.type;
    case 'array':
      return `readonly (${schemaType(schema.items as Json)})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties, required = [], additionalProperties }: Json): string {
  if (properties === undefined)
    return `{ readonly [name: string]: ${additionalProperties ? schemaType(additionalProperties as Json) : 'unknown'} }`;
  const lines = Object.entries(properties as Record<string, Json>).flatMap(([name, schema]) => [
    ...(typeof schema.description === 'string' ? [comment(schema.description)] : []),
    `readonly ${key(name)}${(required as string[]).includes(name) ? '' : '?'}: ${schemaType(schema)};`,
  ]);
  return `{\n${lines.join('\n')}\n}`;
}

const responseTypes = (schemas: Readonly<Record<string, Json>>): string[] =>
  Object.entries(responses).map(([schema, name]) => {
    const found = schemas[schema];
    if (found === undefined) throw new Error(`OpenAPI has no schema ${schema}.`);
    const about = typeof found.description === 'string' ? `${comment(found.description)}\n` : '';
    return `${about}export type ${name} = ${schemaType(found)};`;
  });

/** The file, formatted as all others. */
export async function clientTypes(): Promise<string> {
  const biome = join(import.meta.dirname, '../node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', `--stdin-file-path=${clientTypesFile}`];
  return execFileSync(process.execPath, args, { input: await written(), encoding: 'utf8' });
}

async function written(): Promise<string> {
  const catalogue = [...(await loadTemplates()).values()];
  const { components } = openapi('https://shots.example.com', catalogue) as unknown as {
    components: { schemas: Readonly<Record<string, Json>> };
  };
  return [
    '// Written by `npm run docs` from the tables of the server: parameters, templates, errors, responses. Edit those.',
    `export type PlanName = ${union(planNames)};`,
    `${comment('The stable codes of errors.')}\nexport type ErrorCode = ${union(Object.keys(errorTable))};`,
    `${comment('What suggests that a capture does not show the page.')}\nexport type VerdictCode = ${union(verdictCodes)};`,
    ...requests(),
    templateTypes(catalogue),
    ...responseTypes(components.schemas),
    `export const cardMediaTypes: Readonly<Record<CardFormat, string>> = { ${cardFormats.map((name) => `${name}: ${quoted(formats[name].mediaType)}`).join(', ')} };`,
    `/** The size of a card whose width and height are not given. */
export const cardSize = { width: ${ogParameters.width.default}, height: ${ogParameters.height.default} } as const;`,
    '',
  ].join('\n\n');
}

if (process.argv[1] === import.meta.filename) writeFileSync(clientTypesFile, await clientTypes());
