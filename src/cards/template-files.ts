// Loads the template files: ours from this folder, the operator's from TEMPLATES_DIR. All are validated at the start,
// so that a mistake is an error then, and not a broken card later.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FileTemplate, HtmlFileTemplate, Template, Variable } from './card-types.ts';
import { ogReservedNames } from './parameters.ts';
import { nameExpects, templateName } from './template-name.ts';
import { checkVariable, isItemsName } from './variables.ts';

/**
 * A hash of everything that the look of a card depends on: the template file, our design files, and the engine's
 * version.
 */
export const versionOf = (template: FileTemplate): string => versions.get(template) ?? '';
const versions = new WeakMap<FileTemplate, string>();

const ownFolder = fileURLToPath(new URL('./templates', import.meta.url));
const types = ['text', 'color', 'image_url', 'items'];

/** Reads `<name>.html` in this folder, and the files of the folder `<name>`. Throws a TemplateFileFault. */
export type HtmlReader = (folder: string, name: string) => Promise<HtmlFileTemplate & { readonly text: string }>;

/** A mistake in a template file, with its place if that is known. */
export class TemplateFileFault extends Error {
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Without the name of the file. */
  readonly reason: string;
  constructor(
    path: string,
    what: string,
    reason: string,
    place: { line?: number; column?: number } = {},
    cause?: unknown,
  ) {
    const { line, column } = place;
    const at = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`;
    super(`The template file ${path}${at} ${what}: ${reason}`, { cause });
    this.file = basename(path);
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}

/** All templates by name. A template of the operator replaces ours of the same name. Without `readHtml`, HTML files are left out. */
export async function loadTemplates(templatesDir?: string, readHtml?: HtmlReader): Promise<Map<string, FileTemplate>> {
  const templates = await loadFolder(ownFolder);
  if (templatesDir === undefined) return templates;
  const folder = resolve(templatesDir);
  const added = await loadFolder(folder, readHtml).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      throw new Error(`TEMPLATES_DIR is ${folder}, which is not a folder.`);
    throw error;
  });
  return new Map([...templates, ...added]);
}

export type Reload = {
  readonly readHtml: HtmlReader;
  /** Throws if the template cannot paint its example. */
  readonly tryOut: (template: FileTemplate) => Promise<void>;
  readonly onFault: (fault: Error) => void;
};

/** The templates after files have changed. What has a mistake stays as it was. */
export async function reloadTemplates(
  templatesDir: string,
  before: ReadonlyMap<string, FileTemplate>,
  { readHtml, tryOut, onFault }: Reload,
): Promise<Map<string, FileTemplate>> {
  const templates = await loadFolder(ownFolder);
  const folder = resolve(templatesDir);
  const base = await designVersion();
  for (const file of await filesIn(folder, readHtml)) {
    const known = before.get(nameOf(file));
    try {
      const template = await loadFile(folder, file, base, readHtml, known);
      if (template !== known) await tryOut(template);
      templates.set(template.name, template);
    } catch (error) {
      onFault(error as Error);
      if (known) templates.set(known.name, known);
    }
  }
  return templates;
}

async function loadFolder(folder: string, readHtml?: HtmlReader): Promise<Map<string, FileTemplate>> {
  const templates = new Map<string, FileTemplate>();
  const base = await designVersion();
  for (const file of await filesIn(folder, readHtml)) {
    const template = await loadFile(folder, file, base, readHtml);
    if (templates.has(template.name)) throw new Error(`${folder} has two templates that are called ${template.name}.`);
    templates.set(template.name, template);
  }
  return templates;
}

const nameOf = (file: string): string => file.replace(/\.[^.]+$/, '');

const filesIn = async (folder: string, readHtml: HtmlReader | undefined): Promise<string[]> =>
  (await readdir(folder))
    .filter((file) => (readHtml ? /\.(ts|js|mjs|html)$/ : /\.(ts|js|mjs)$/).test(file) && !/\.(d|test)\.ts$/.test(file))
    .sort();

/** A hash of what all templates share: the files of this folder, and the engine's version. */
async function designVersion(): Promise<string> {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('templates') && !file.endsWith('.test.ts'),
  );
  const { dependencies } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const sources = await Promise.all(files.sort().map((file) => readFile(join(folder, file))));
  return digest(dependencies['@takumi-rs/core'], ...sources);
}

function digest(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** `known` is given back if the file has not changed since it was loaded. */
async function loadFile(
  folder: string,
  file: string,
  base: string,
  readHtml: HtmlReader | undefined,
  known?: FileTemplate,
): Promise<FileTemplate> {
  const isHtml = file.endsWith('.html') && readHtml !== undefined;
  const html = isHtml ? await readHtml(folder, nameOf(file)) : undefined;
  const path = join(folder, file);
  const version = html
    ? digest(base, html.text, ...html.html.files.flatMap(({ name, hash }) => [name, hash]))
    : digest(base, await readFile(path));
  if (known && versionOf(known) === version) return known;
  // Node keeps a module that it has loaded under its address: an edited file needs another one.
  const template = html ?? (await importFile(path, nameOf(file), folder === ownFolder ? '' : `?${version}`));
  versions.set(template, version);
  return template;
}

async function importFile(path: string, fileName: string, query: string): Promise<Template> {
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(path).href + query);
  } catch (cause) {
    const { message } = cause as Error;
    throw new TemplateFileFault(path, 'cannot be loaded', message, await placeOf(cause as Error, path), cause);
  }
  const wrong = faultOf(module.default, fileName);
  if (wrong !== undefined) throw new TemplateFileFault(path, 'is not valid', wrong);
  return module.default as Template;
}

/** Where a file failed: from the stack if it ran, else from a parser that says where it stopped. */
async function placeOf({ stack = '' }: Error, path: string): Promise<{ line?: number; column?: number }> {
  const at = stack.indexOf(basename(path));
  const [, line, column] = /^[^\s():]{1,300}:(\d{1,7}):(\d{1,7})/.exec(at < 0 ? '' : stack.slice(at)) ?? [];
  if (line !== undefined) return { line: Number(line), column: Number(column) };
  try {
    stripTypeScriptTypes(await readFile(path, 'utf8'));
  } catch (error) {
    const lines = ((error as Error).stack ?? '').split('\n');
    const found = Number(/:(\d{1,7})$/.exec(lines[0] ?? '')?.[1]);
    const caret = lines.find((each) => /^ *\^+ *$/.test(each))?.indexOf('^');
    if (found > 0) return { line: found, ...(caret !== undefined && { column: caret + 1 }) };
  }
  return {};
}

/** The first mistake in a template, as a sentence. */
function faultOf(value: unknown, fileName: string): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it has no default export that is an object.';
  const template = value as Partial<Template>;
  if (typeof template.name !== 'string' || !templateName.test(template.name)) return `name must be ${nameExpects}.`;
  if (template.name !== fileName) return `name is "${template.name}", but the file is called "${fileName}".`;
  if (typeof template.description !== 'string' || template.description.trim() === '')
    return 'description must be a sentence that says what the card is for.';
  if (typeof template.picture !== 'function') return 'picture must be a function that gives the tree of nodes.';
  if (typeof template.variables !== 'object' || template.variables === null)
    return 'variables must be an object; {} if there are none.';
  for (const [name, variable] of Object.entries(template.variables)) {
    const fault = variableFault(name, variable);
    if (fault !== undefined) return `variables.${name}: ${fault}`;
  }
  if (typeof template.example !== 'object' || template.example === null)
    return 'example must be an object with values of its variables; it is the picture in the gallery.';
  return exampleFault(template as Template);
}

function variableFault(name: string, variable: Partial<Variable> | null): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name)) return 'a name is letters, digits and _, beginning with a letter.';
  if (ogReservedNames.has(name)) return 'this name is a parameter of the endpoint.';
  if (typeof variable !== 'object' || variable === null) return 'must be an object { type, doc }.';
  if (!types.includes(variable.type ?? '')) return `type must be one of ${types.join(', ')}.`;
  if (isItemsName(name) !== (variable.type === 'items'))
    return 'a variable is of type items exactly when its name ends in _items.';
  if (typeof variable.doc !== 'string' || variable.doc.trim() === '') return 'doc must be a sentence.';
  if (variable.maxLength !== undefined && !(Number.isInteger(variable.maxLength) && variable.maxLength > 0))
    return 'maxLength must be a whole number above 0.';
  if (variable.default === undefined)
    return variable.type === 'color' ? 'a color needs a default, so that the card is complete without it.' : undefined;
  if (typeof variable.default !== 'string') return 'default must be a string, written as a caller would write it.';
  if (variable.type === 'image_url') return 'an image has no default.';
  return valueFault(name, variable.default, variable as Variable);
}

function exampleFault({ example, variables }: Template): string | undefined {
  for (const [name, value] of Object.entries(example)) {
    const variable = variables[name];
    if (!variable) return `example.${name} is not one of its variables.`;
    if (typeof value !== 'string') return `example.${name} must be a string.`;
    const fault = valueFault(name, value, variable);
    if (fault !== undefined) return `example: ${fault}`;
  }
  return undefined;
}

function valueFault(name: string, value: string, variable: Variable): string | undefined {
  try {
    checkVariable(name, value, variable);
  } catch (error) {
    return (error as Error).message;
  }
}
