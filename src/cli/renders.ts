// tintype shot and tintype og: render one image without a server and without a key.
import { writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import { formatByExtension } from '../kernel/formats.ts';
import { type Command, type CommandIo, type Input, UsageError } from './command.ts';

const output = { value: 'FILE', doc: 'The file to write; - is standard output. Its extension sets the format.' };

export const renderCommands: readonly Command[] = [
  {
    name: 'shot',
    takes: ['URL'],
    options: { output },
    parameters: {
      subject: 'url',
      doc: 'every parameter of /v1/screenshot: --width 800 --fullPage --format webp',
      table: async () => (await import('../capture/parameters.ts')).screenshotParameters,
    },
    doc: 'Captures a page into a file.',
    run: (input, io) => render('screenshot', ['url', input.given.URL ?? ''], input, io),
  },
  {
    name: 'og',
    takes: ['TEMPLATE'],
    options: { output },
    parameters: {
      subject: 'template',
      doc: "every parameter of /v1/og and every variable of the template: --title 'Hello'",
      table: async () => (await import('../og/parameters.ts')).ogParameters,
      others: async (io) => {
        const { loadTemplates } = await import('../og/template-files.ts');
        const templates = await loadTemplates(io.config().templatesDir);
        return [...templates.values()].flatMap(({ variables }) => Object.keys(variables));
      },
    },
    doc: 'Renders an Open Graph image into a file.',
    run: (input, io) => render('og', ['template', input.given.TEMPLATE ?? ''], input, io),
  },
];

async function render(
  kind: 'screenshot' | 'og',
  subject: readonly [name: string, value: string],
  { options, parameters }: Input,
  io: CommandIo,
): Promise<void> {
  const file = options.output;
  if (file === undefined) throw new UsageError('The output file is missing: -o FILE.');
  const format = formatByExtension(extname(file).slice(1));
  const query = new Map([subject, ...(format === undefined ? [] : ([['format', format]] as const)), ...parameters]);
  const { oneShot } = await import('../app/one-shot.ts');
  const { bytes, type, warnings, verdict } = await oneShot(io.config(), kind, query);
  for (const warning of warnings) io.note(`Warning: ${warning}`);
  if (verdict?.ok === false) io.note(`Warning: The verdict is ${verdict.codes.join(', ')}.`);
  if (file === '-') return io.writeBytes(bytes);
  makeFolder(dirname(file));
  await writeFile(file, bytes);
  io.note(`${file}: ${type}, ${bytes.length.toLocaleString('en')} bytes.`);
}
