// tintype shot, tintype og and tintype content: one image or text without a server and without a key.
import { rm, stat, writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import { formatByExtension, formatNames } from '../kernel/formats.ts';
import type { Endpoint } from '../render/validated-request.ts';
import { type Command, type CommandIo, type CommandOptions, Failure, type Input, UsageError } from './command.ts';
import { loginOptions, readLogin } from './login-options.ts';
import { operatorTemplates } from './operator-templates.ts';
import { readText } from './read-text.ts';
import { type Made, openRenderPlace, placeOptions } from './render-place.ts';
import { withSpinner } from './spinner.ts';
import { variablesHelp } from './templates.ts';

/** Where it is rendered, and what is printed. */
const commonOptions: CommandOptions = {
  ...placeOptions,
  json: { doc: 'Prints what was made as JSON on standard output.' },
};

const output = {
  value: 'FILE',
  isRequired: true,
  doc: 'The file to write; - is standard output. Its extension sets the format.',
} as const;

export const renderCommands: readonly Command[] = [
  {
    name: 'shot',
    takes: ['[URL]'],
    options: {
      output,
      html: { value: 'FILE', doc: 'Captures this HTML file instead of a URL; - is standard input.' },
      markdown: { value: 'FILE', doc: 'Captures this Markdown file instead of a URL; - is standard input.' },
      ...loginOptions,
      ...commonOptions,
    },
    parameters: {
      except: ['url', 'html', 'markdown', 'headers', 'cookies', 'basicAuth'],
      doc: 'every parameter of /v1/screenshot: --width 800 --fullPage --format webp',
      table: async () => (await import('../capture/parameters.ts')).screenshotParameters,
    },
    doc: 'Captures a page into a file.',
    async run(input, io) {
      checkOutput(input);
      const source = await readSource('shot', ['html', 'markdown'], input, io);
      await render('screenshot', new Map([source, ...(await readLogin(input, io))]), input, io);
    },
  },
  {
    name: 'og',
    takes: ['TEMPLATE'],
    options: { output, ...commonOptions },
    parameters: {
      except: ['template'],
      doc: "every parameter of /v1/og and every variable of the template: --title 'Hello'",
      table: async () => (await import('../cards/parameters.ts')).ogParameters,
      others: async (io) => {
        const templates = await operatorTemplates(io);
        return [...templates.values()].flatMap(({ variables }) => Object.keys(variables));
      },
    },
    doc: 'Renders an Open Graph image into a file.',
    helpAbout: variablesHelp,
    run: (input, io) => render('og', new Map([['template', input.given.TEMPLATE ?? '']]), input, io),
  },
  {
    name: 'content',
    takes: ['[URL]'],
    options: {
      output: { value: 'FILE', doc: 'The file to write; standard output if it is not given.' },
      html: { value: 'FILE', doc: 'Reads this HTML file instead of a URL; - is standard input.' },
      ...loginOptions,
      ...commonOptions,
    },
    parameters: {
      except: ['url', 'html', 'headers', 'cookies', 'basicAuth'],
      doc: 'every parameter of /v1/content: --format text --selector article',
      table: async () => (await import('../content/parameters.ts')).contentParameters,
    },
    doc: 'Reads a page as text.',
    async run(input, io) {
      const source = await readSource('content', ['html'], input, io);
      const query = new Map([source, ...(await readLogin(input, io)), ...input.parameters]);
      await write(await renderOnce(io, input, 'content', query), input, input.options.output ?? '-', io);
    },
  },
];

/** Exactly one of URL and the options that name a file. */
async function readSource(
  command: string,
  files: readonly ('html' | 'markdown')[],
  { given, options }: Input,
  io: CommandIo,
): Promise<[name: string, value: string]> {
  const all = ['URL', ...files.map((name) => `--${name} FILE`)];
  const list = (word: string) => `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`;
  const sources = [['url', given.URL] as const, ...files.map((name) => [name, options[name]] as const)];
  const [source, second] = sources.filter(([, value]) => value !== undefined);
  if (source === undefined)
    throw new UsageError(`URL is missing. Give a ${list('or')}. See: tintype ${command} --help`);
  if (second !== undefined) throw new UsageError(`Give one of ${list('and')}, not two.`);
  const [name, value = ''] = source;
  return [name, name === 'url' ? value : await readText(value, io)];
}

function checkOutput({ options }: Input): string {
  if (options.output === undefined) throw new UsageError('The output file is missing: -o FILE.');
  return options.output;
}

async function render(
  kind: 'screenshot' | 'og',
  source: ReadonlyMap<string, string>,
  input: Input,
  io: CommandIo,
): Promise<void> {
  const file = checkOutput(input);
  const extension = extname(file).slice(1);
  const format = formatByExtension(extension);
  if (format === undefined && extension !== '' && !input.parameters.has('format'))
    throw new UsageError(`${file}: there is no format ${extension}. Formats: ${formatNames.join(', ')}.`);
  const query = new Map([
    ...source,
    ...(format === undefined ? [] : ([['format', format]] as const)),
    ...input.parameters,
  ]);
  await write(await renderOnce(io, input, kind, query), input, file, io);
}

async function write(made: Made, { options }: Input, file: string, io: CommandIo): Promise<void> {
  const { bytes, type, width, height, pages, page, warnings, verdict } = made;
  if (options.json && file === '-')
    throw new UsageError('--json and the result would both go to standard output; give -o FILE.');
  if (!options.json) {
    for (const warning of warnings) io.note(`Warning: ${warning}`);
    if (verdict?.ok === false) io.note(`Warning: The verdict is ${verdict.codes.join(', ')}.`);
  }
  if (file === '-') return io.writeBytes(bytes);
  makeFolder(dirname(file));
  await writeFile(file, bytes).catch((error) => cannotWrite(file, error));
  const size = width ? { width, height } : {};
  if (options.json)
    io.print(JSON.stringify({ file, type, size: bytes.length, ...size, pages, page, verdict, warnings }, null, 2));
  else io.note(`${file}: ${type}, ${bytes.length.toLocaleString('en')} bytes.`);
}

/** On a full disk no half file remains that looks like a result. */
async function cannotWrite(file: string, { message, syscall }: NodeJS.ErrnoException): Promise<never> {
  if (syscall === 'write' && (await stat(file)).isFile()) await rm(file);
  throw new Failure(`${file} cannot be written: ${message}`);
}

async function renderOnce(
  io: CommandIo,
  input: Input,
  endpoint: Endpoint,
  query: ReadonlyMap<string, string>,
): Promise<Made> {
  const place = await openRenderPlace(input, io);
  try {
    return await withSpinner(io, (onStep) => place.render(endpoint, query, { onStep }));
  } finally {
    await place.stop();
  }
}
