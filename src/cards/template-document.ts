// What an account's own template is beside its HTML: a sentence, and for each variable a type, a default, an example. A file
// (`hero.html`) has it as JSON in a comment at its top, and may have the uploaded files there as base64.

import { invalidParameter } from '../kernel/errors.ts';
import { isObject } from '../kernel/is-object.ts';
import { createShapeCheck } from '../kernel/json-body.ts';
import type { Variable, VariableType } from './card-types.ts';
import { checkVariable } from './variables.ts';

export type TemplateAbout = {
  readonly description: string;
  readonly variables: Readonly<Record<string, Variable>>;
  readonly example: Readonly<Record<string, string>>;
};

const longestDescription = 300;
const longestDoc = 200;

/** A text of the caller's; '' if there is none. */
function textIn(fields: Record<string, unknown>, name: string, place: string, longest: number): string {
  const value = fields[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || value.length > longest)
    throw invalidParameter(place, `${place} must be a text of at most ${longest} characters.`);
  return value;
}

/** Puts what the caller says of the variables to what the HTML uses. Variables that the HTML does not use are left out. */
export function describe(
  found: Readonly<Record<string, VariableType>>,
  given: { readonly description?: unknown; readonly variables?: unknown },
): TemplateAbout {
  const { variables: said = {} } = given;
  if (!isObject(said)) throw invalidParameter('variables', 'variables must be an object: {"title": {"default": "…"}}.');
  const variables: Record<string, Variable> = {};
  const example: Record<string, string> = {};
  // In the order in which they are described.
  const names = new Set([...Object.keys(said).filter((name) => Object.hasOwn(found, name)), ...Object.keys(found)]);
  for (const name of names) {
    const type = found[name] ?? 'text';
    const place = `variables.${name}`;
    const own = Object.hasOwn(said, name) ? said[name] : {};
    if (!isObject(own)) throw invalidParameter(place, `${place} must be an object: {"default": "…", "example": "…"}.`);
    const preset = textIn(own, 'default', `${place}.default`, 2000) || (type === 'color' ? '#000000' : '');
    if (preset !== '' && type === 'image_url')
      throw invalidParameter(
        `${place}.default`,
        `${place}.default: an image has no default. Upload one and use its name.`,
      );
    const variable = { type, doc: textIn(own, 'doc', `${place}.doc`, longestDoc) || defaultDoc(name) };
    if (preset !== '') checkVariable(`${place}.default`, preset, variable);
    const shown = textIn(own, 'example', `${place}.example`, 4096);
    if (shown !== '') checkVariable(`${place}.example`, shown, variable);
    variables[name] = { ...variable, ...(preset !== '' && { default: preset }) };
    if (shown !== '') example[name] = shown;
  }
  return { description: textIn({ ...given }, 'description', 'description', longestDescription), variables, example };
}

const defaultDoc = (name: string): string => `The ${name.replace(/_items$/, ' items').replaceAll('_', ' ')}.`;

const begin = '<!--';
const end = '-->';

/** The file of a template: its HTML, with what is said of it at the top. `files` are by name. */
export function toFile(
  { description, variables, example }: TemplateAbout,
  source: string,
  files: ReadonlyMap<string, Buffer> = new Map(),
): string {
  const said = Object.entries(variables).map(([name, { doc, default: preset }]) => {
    const shown = example[name];
    return [name, { doc, ...(preset !== undefined && { default: preset }), ...(shown && { example: shown }) }];
  });
  const contents = [...files].map(([name, bytes]) => [name, bytes.toString('base64')]);
  const about = {
    ...(description && { description }),
    variables: Object.fromEntries(said),
    ...(files.size > 0 && { files: Object.fromEntries(contents) }),
  };
  // Two hyphens would end the comment.
  const json = JSON.stringify(about, null, 2).replaceAll('--', '-\\u002d');
  return `${begin}\n${json}\n${end}\n${source}`;
}

type TemplateFileText = {
  readonly source: string;
  readonly description?: unknown;
  readonly variables?: unknown;
  readonly files?: unknown;
};

/** Reads such a file. Without the comment, all of it is HTML. */
export function fromFile(text: string): TemplateFileText {
  const trimmed = text.replace(/^\ufeff/, '').trimStart();
  if (!trimmed.startsWith(begin)) return { source: text };
  const stop = trimmed.indexOf(end);
  const inside = stop < 0 ? '' : trimmed.slice(begin.length, stop).trim();
  if (!inside.startsWith('{')) return { source: text };
  const about = parseAbout(inside);
  const source = trimmed.slice(stop + end.length).replace(/^\r?\n/, '');
  return { source, description: about.description, variables: about.variables, files: about.files };
}

function parseAbout(json: string): Record<string, unknown> {
  let about: unknown;
  try {
    // A million small values would fill the memory.
    createShapeCheck()(Buffer.from(json));
    about = JSON.parse(json);
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    throw invalidParameter('html', `The comment at the top of the template cannot be read as JSON: ${reason}.`);
  }
  if (!isObject(about)) throw invalidParameter('html', 'The comment at the top of the template must be a JSON object.');
  return about;
}

/** The uploaded files of such a file, decoded. */
export function filesIn(files: unknown): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  if (files === undefined || files === null) return found;
  if (!isObject(files)) throw invalidParameter('files', 'files must be an object: {"logo.png": "base64…"}.');
  for (const [name, content] of Object.entries(files)) {
    if (typeof content !== 'string')
      throw invalidParameter('files', `files: ${name.slice(0, 100)} must be a text in base64.`);
    found.set(name, Buffer.from(content, 'base64'));
  }
  return found;
}
