// One template as files: `hero.html`, and beside it the folder `hero` with its images and fonts. The built-in templates, the
// operator's folder and whoever keeps own templates in git have them in this form.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Template } from './card-types.ts';
import { checkFile, kindOfFile } from './checked-file.ts';
import { type Place, placeIn, TemplateFault } from './html/html-template-types.ts';
import { longestTemplate, readTemplate } from './html/read-html.ts';
import { describe, fromFile } from './template-document.ts';
import { nameExpects, templateName } from './template-name.ts';
import { versionOf } from './template-version.ts';

/** With what is said of the template at its top. */
const longestText = 4 * longestTemplate;
const mostFiles = 20;
const filesMs = 20_000;

/** A mistake in a template file, with its place if that is known. */
export class TemplateFileFault extends Error {
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Without the name of the file. */
  readonly reason: string;
  constructor(path: string, what: string, reason: string, place?: Place, cause?: Error) {
    const at = place === undefined ? '' : `:${place.line}:${place.column}`;
    super(`The template file ${path}${at} ${what}: ${reason}`, { cause });
    this.file = basename(path);
    this.line = place?.line;
    this.column = place?.column;
    this.reason = reason;
  }
}

/** Throws a TemplateFileFault. */
export async function readTemplateFile(folder: string, name: string): Promise<Template> {
  const path = join(folder, `${name}.html`);
  const fault = (reason: string, place?: Place) => new TemplateFileFault(path, 'is not valid', reason, place);
  if (!templateName.test(name)) throw fault(`its name must be ${nameExpects}.`);
  if ((await stat(path)).size > longestText) throw fault(`it has more than ${longestText / 1024} KB.`);
  const text = await readFile(path, 'utf8');
  const { html, tree, about } = readDocument(text, fault);
  const files = await readFiles(join(folder, name), (file, reason) => fault(`${name}/${file}: ${reason}`));
  const missing = tree.files.find((file) => !files.some((each) => each.name === file));
  if (missing !== undefined)
    throw fault(`it shows ${missing}, which is not in the folder ${name}.`, placeIn(text, text.indexOf(missing)));
  const used = files.filter(({ name: file, kind }) => kind === 'font' || tree.files.includes(file));
  return { name, ...about, path, text, html, tree, files: used, version: await versionOf(text, used) };
}

/** The names of the templates in a folder. */
export const templatesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.name.endsWith('.html') && !entry.isDirectory())
    .map((entry) => entry.name.slice(0, -'.html'.length))
    .sort();

/** The images and fonts in the folder of a template. Other files are left alone. */
async function fileNamesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isTemplateFile).sort();
}

function isTemplateFile(name: string): boolean {
  try {
    kindOfFile(name);
    return true;
  } catch {
    return false;
  }
}

function readDocument(text: string, fault: (reason: string, place?: Place) => Error) {
  try {
    const { source: html, ...said } = fromFile(text);
    try {
      const tree = readTemplate(html);
      return { html, tree, about: describe(tree.variables, said) };
    } catch (error) {
      if (error instanceof TemplateFault) throw fault(error.message, inFile({ text, html }, error.place));
      throw error;
    }
  } catch (error) {
    if (error instanceof Problem) throw fault(error.message, placeOfProblem(text, error));
    throw error;
  }
}

/** A place in the HTML as a place in the file: what is said at the top comes before it. */
export function inFile({ text, html }: Pick<Template, 'text' | 'html'>, { line, column }: Place): Place {
  const before = text.slice(0, text.length - html.length).split('\n').length - 1;
  return { line: line + before, column };
}

/** A mistake in what is said at the top: that of the JSON, or the variable it is about. */
function placeOfProblem(text: string, { message, parameter = '' }: Problem): Place {
  const [, line, column] = /\(line (\d{1,7}) column (\d{1,7})\)/.exec(message) ?? [];
  const start = placeIn(text, text.indexOf('{'));
  if (line !== undefined) return { line: start.line + Number(line) - 1, column: Number(column) };
  const shown = shownIn(message);
  if (shown !== undefined) return placeIn(text, text.indexOf(shown.text) + shown.offset);
  const [, variable] = /^variables\.(\w{1,64})/.exec(parameter) ?? [];
  const at = variable === undefined ? -1 : text.indexOf(`"${variable}"`);
  return at < 0 ? start : placeIn(text, at);
}

/** Some messages of JSON.parse show the text around the mistake: ten characters before it, if there are as many. */
function shownIn(message: string): { readonly text: string; readonly offset: number } | undefined {
  const begin = message.indexOf(', ', message.indexOf('Unexpected token')) + 2;
  const end = message.lastIndexOf('"', message.indexOf(' is not valid JSON'));
  const open = message.indexOf('"', begin);
  if (begin < 2 || open < 0 || end <= open) return undefined;
  return { text: message.slice(open + 1, end), offset: message.startsWith('...', begin) ? 10 : 0 };
}

export type FolderFile = Template['files'][number];

/** The images and fonts in the folder of a template, checked, and as a server would keep them. */
export async function readFiles(folder: string, fault: (file: string, reason: string) => Error): Promise<FolderFile[]> {
  const names = await fileNamesIn(folder);
  if (names.length > mostFiles) throw fault('', `a template has ${mostFiles} files at most.`);
  const deadline = new Deadline(filesMs, 'The file');
  try {
    return await Promise.all(
      names.map(async (name) => {
        const bytes = await readFile(join(folder, name));
        // A font that the engine cannot read is found when the template is painted.
        const file = await checkFile(name, bytes, { checkFont: async () => {} }, deadline).catch((error: Error) => {
          throw fault(basename(name), error.message);
        });
        return { name, kind: file.kind, hash: file.hash, bytes: file.bytes };
      }),
    );
  } finally {
    deadline.done();
  }
}
