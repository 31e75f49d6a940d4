// The parameters and the templates, as data for the dashboard's forms and galleries.
import type { FastifyInstance } from 'fastify';
import { groupOf, groupTitles } from '../../capture/parameter-groups.ts';
import { screenshotParameters } from '../../capture/parameters.ts';
import type { CardMaker, CatalogueEntry } from '../../cards/card-types.ts';
import { cardTimeoutMs } from '../../cards/cards.ts';
import { ogParameters } from '../../cards/parameters.ts';
import { contentParameters } from '../../content/parameters.ts';
import { Deadline } from '../../kernel/deadline.ts';
import { Problem } from '../../kernel/errors.ts';
import { notInUrl, type Parameter, type Table } from '../../kernel/parameters.ts';
import type { ParametersView, ParameterView, TemplateView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { registerOn } from './route.ts';

// Only signed links have these; they are no fields of a form.
const linkNames = new Set(['key_id', 'expires', 'signature']);

export function registerCatalogue(app: FastifyInstance, { cards, version }: DashboardDependencies): void {
  const route = registerOn(app);
  let kept: { readonly revision: number; readonly templates: TemplateView[] } | undefined;
  const pictures = new Map<string, Promise<Buffer>>();
  /** Made again when a file of TEMPLATES_DIR has changed. */
  const templates = (): TemplateView[] => {
    const { revision } = cards;
    if (kept?.revision !== revision) {
      pictures.clear();
      const address = revision === 0 ? version : `${version}-${revision}`;
      kept = { revision, templates: cards.catalogue.map((entry) => templateView(entry, address)) };
    }
    return kept.templates;
  };
  const parameters: Omit<ParametersView, 'templates'> = {
    groups: groupTitles,
    screenshot: parameterViews(screenshotParameters),
    content: parameterViews(contentParameters),
    og: parameterViews(ogParameters),
  };

  route('GET /api/parameters', async () => ({ ...parameters, templates: templates() }));
  route('GET /api/templates', async () => ({ templates: templates() }));

  route('GET /api/templates/:name/picture', async (request, reply) => {
    templates();
    const entry = cards.catalogue.find(({ name }) => name === request.params.name);
    if (entry === undefined) throw new Problem('not_found', { message: 'There is no template of that name.' });
    let picture = pictures.get(entry.name);
    if (picture === undefined) {
      picture = paintExample(cards, entry, entry.example);
      pictures.set(entry.name, picture);
      picture.catch(() => pictures.delete(entry.name));
    }
    return reply
      .type('image/webp')
      .header('cache-control', 'public, max-age=86400')
      .send(await picture);
  });
}

/** Renders the template's example, without its images if they cannot be fetched. */
export async function paintExample(
  cards: Pick<CardMaker, 'render'>,
  { name, variables }: CatalogueEntry,
  example: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const canvas = { template: name, width: 1200, height: 630, format: 'webp', quality: 88 } as const;
  const paint = async (values: Readonly<Record<string, string>>) => {
    const deadline = new Deadline(cardTimeoutMs);
    try {
      return (await cards.render({ ...canvas, variables: values }, deadline)).bytes;
    } finally {
      deadline.done();
    }
  };
  const plain = Object.fromEntries(
    Object.entries(example).filter(([variable]) => variables[variable]?.type !== 'image_url'),
  );
  const hasPictures = Object.keys(plain).length < Object.keys(example).length;
  return hasPictures ? paint(example).catch(() => paint(plain)) : paint(example);
}

const parameterViews = (table: Table): ParameterView[] =>
  Object.entries(table)
    .filter(([name]) => !linkNames.has(name))
    .map(([name, parameter]) => parameterView(name, parameter));

function parameterView(name: string, parameter: Parameter): ParameterView {
  const { kind, doc, required, plan, onlyFormat, onlyBody, example } = parameter;
  const { type, enum: options, minimum, maximum, maxLength } = kind.schema;
  return {
    name,
    input: kind.input,
    expects: kind.expects,
    doc,
    group: groupOf(name, parameter),
    json: jsonTypes[String(type)] ?? 'string',
    notInUrl: onlyBody === undefined ? null : notInUrl(name, onlyBody),
    isSecret: onlyBody === 'secret',
    required: required ?? false,
    default: parameter.default === undefined ? null : String(parameter.default),
    plan: plan ?? null,
    onlyFormat: onlyFormat ?? null,
    options: Array.isArray(options) ? options : null,
    min: typeof minimum === 'number' ? minimum : null,
    max: typeof maximum === 'number' ? maximum : null,
    maxLength: typeof maxLength === 'number' ? maxLength : null,
    example: example ?? null,
  };
}

const jsonTypes: Readonly<Record<string, ParameterView['json']>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'object',
};

const templateView = ({ name, description, variables, example }: CatalogueEntry, version: string): TemplateView => ({
  name,
  description,
  variables: Object.entries(variables).map(([variable, { type, doc, default: value }]) => ({
    name: variable,
    type,
    doc,
    default: value ?? null,
  })),
  example,
  picture: `/api/templates/${encodeURIComponent(name)}/picture?v=${encodeURIComponent(version)}`,
});
