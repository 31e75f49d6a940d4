// tintype shot and tintype og: one picture, without a server and without a key.
import { writeFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import { formatByExtension } from '../kernel/formats.ts';
import type { Table } from '../kernel/parameters.ts';
import { nearestName } from '../kernel/parameters.ts';
import { type Command, type Input, UsageError, type World } from './command.ts';
import { table } from './opened.ts';

const output = { value: 'FILE', doc: 'Where it goes; - is standard output. Its ending chooses the format.' };

export const renderCommands: readonly Command[] = [
  {
    name: 'shot',
    takes: ['URL'],
    options: { output },
    alsoTakes: 'every parameter of /v1/screenshot: --width 800 --fullPage --format webp',
    doc: 'Captures a page into a file.',
    details: async () => described((await import('../capture/parameters.ts')).screenshotParameters),
    async run(input, world) {
      const { screenshotParameters } = await import('../capture/parameters.ts');
      const names = Object.keys(screenshotParameters);
      const unknown = [...input.others.keys()].find((name) => !names.includes(name));
      if (unknown !== undefined) {
        const meant = nearestName(unknown, names);
        throw new UsageError(
          `There is no parameter --${unknown}. ${meant === undefined ? 'See: tintype shot --help' : `Did you mean --${meant}?`}`,
        );
      }
      await render('screenshot', 'url', input.given.URL ?? '', input, world);
    },
  },
  {
    name: 'og',
    takes: ['TEMPLATE'],
    options: { output },
    alsoTakes: "every parameter of /v1/og and every variable of the template: --title 'Hello'",
    doc: 'Makes an Open Graph card into a file.',
    details: async () => described((await import('../og/parameters.ts')).ogParameters),
    run: (input, world) => render('og', 'template', input.given.TEMPLATE ?? '', input, world),
  },
];

async function render(
  kind: 'screenshot' | 'og',
  subject: string,
  value: string,
  { options, others }: Input,
  world: World,
): Promise<void> {
  const file = options.output;
  if (file === undefined) throw new UsageError('Where to? Say it with -o FILE.');
  const format = formatByExtension(extname(file).slice(1));
  const query = new Map([
    [subject, value],
    ...(format === undefined ? [] : ([['format', format]] as const)),
    ...others,
  ]);
  const { oneShot } = await import('../app/one-shot.ts');
  const { bytes, type, warnings, verdict } = await oneShot(world.config(), kind, query);
  for (const warning of warnings) world.note(`Warning: ${warning}`);
  if (verdict?.ok === false) world.note(`Warning: The verdict is ${verdict.codes.join(', ')}.`);
  if (file === '-') return world.writeBytes(bytes);
  makeFolder(dirname(file));
  await writeFile(file, bytes);
  world.note(`${file}: ${type}, ${bytes.length.toLocaleString('en')} bytes.`);
}

// What only an answer over HTTP has.
const notHere = new Set(['url', 'template', 'response', 'api_key', 'fresh', 'key_id', 'expires', 'signature']);

function described(parameters: Table): string {
  const rows = Object.entries(parameters)
    .filter(([name]) => !notHere.has(name))
    .map(([name, { kind, doc }]) => [`  --${name}`, `${doc} Must be ${kind.says}.`]);
  return table(['Parameters:', ''], rows);
}
