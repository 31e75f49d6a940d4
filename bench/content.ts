// Pages as text beside Readability and Turndown on the raw HTML: `npm run bench:content -- --pages DIR`. DIR has a folder for
// each page with source.html and expected.html, like the test pages of mozilla/readability. Then the time beside that of a
// screenshot, and the hidden texts of test/content/hidden.

import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hiddenKinds, pageOf, wordsOf } from '../test/content/hidden/kinds.ts';
import { servePictures } from '../test/content/hidden/pictures.ts';
import { openReadingHarness } from '../test/content/reading-harness.ts';
import { openRawReader } from './content/raw-reader.ts';
import { f1, wordsOfMarkdown } from './content/words.ts';
import { interleave, loadNote, median, setting, table } from './measure.ts';

const at = process.argv.indexOf('--pages');
const folder = at > 0 ? process.argv[at + 1] : undefined;
if (folder === undefined) throw new Error('Say where the pages are: npm run bench:content -- --pages DIR');
const names = (await readdir(folder)).sort().slice(0, setting('PAGES', 10_000));

const harness = await openReadingHarness();
servePictures(harness.site);
const raw = await openRawReader();
const server = createServer(async (request, response) => {
  const name = names.find((each) => request.url === `/${each}/`);
  if (name === undefined) return void response.writeHead(404).end();
  response.setHeader('content-type', 'text/html; charset=utf-8').end(await readFile(join(folder, name, 'source.html')));
}).listen(0, '127.0.0.1');
const address = (name: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}/`;

type Row = { readonly name: string; readonly ours: number; readonly withTitle: number; readonly peer: number };

/** The extractor gives the headline beside the text; ours begins with it. It is only counted where the expected text has it. */
function withoutTitle(markdown: string, headings: ReadonlySet<string>): string {
  const [whole = '', text = ''] = /^# (.+)\n\n/.exec(markdown) ?? [];
  return headings.has(text.toLowerCase()) ? markdown : markdown.slice(whole.length);
}

async function compare(name: string): Promise<Row | undefined> {
  const [source, expected] = await Promise.all(
    ['source.html', 'expected.html'].map((file) => readFile(join(folder as string, name, file), 'utf8')),
  );
  const { content } = await harness.read(address(name));
  if (!content) return undefined;
  const wanted = await raw.wordsOfHtml(expected ?? '');
  const score = async (markdown: string) => f1(await wordsOfMarkdown(raw, markdown), wanted.words);
  return {
    name,
    ours: await score(withoutTitle(content, wanted.headings)),
    withTitle: await score(content),
    peer: await score(await raw.read(source ?? '', address(name))),
  };
}

try {
  const rows: Row[] = [];
  const blank: string[] = [];
  for (const name of names) {
    const row = await compare(name).catch((error: Error) => void console.log(`${name}: ${error.message}`));
    if (row) rows.push(row);
    else blank.push(name);
  }
  const mean = (some: readonly Row[], key: 'ours' | 'withTitle' | 'peer') =>
    some.reduce((sum, row) => sum + row[key], 0) / some.length;
  const line = (name: string, some: readonly Row[]) => [
    name,
    some.length,
    mean(some, 'ours').toFixed(4),
    mean(some, 'withTitle').toFixed(4),
    mean(some, 'peer').toFixed(4),
    (mean(some, 'ours') / mean(some, 'peer')).toFixed(4),
  ];
  const quarters = [0, 1, 2, 3].map((quarter) =>
    rows.slice(Math.floor((quarter * rows.length) / 4), Math.floor(((quarter + 1) * rows.length) / 4)),
  );
  console.log(
    table(
      `F1 of the words against expected.html (${loadNote()})`,
      ['pages by name', 'pages', 'Tintype', 'with its headline', 'Readability + Turndown', 'ratio'],
      [...quarters.map((some, i) => line(`quarter ${i + 1}`, some)), line('all', rows)],
    ),
  );
  if (blank.length > 0)
    console.log(`Not compared, because the browser shows no text or the page fails: ${blank.join(', ')}`);
  const worse = rows.filter(({ ours, peer }) => ours < peer - 0.02).sort((a, b) => a.ours - a.peer - (b.ours - b.peer));
  console.log(
    table(
      'Pages that are worse by more than 0.02',
      ['page', 'Tintype', 'peer'],
      worse.map(({ name, ours, peer }) => [name, ours.toFixed(3), peer.toFixed(3)]),
    ),
  );

  const timed = rows.filter((_, i) => i % Math.ceil(rows.length / 12) === 0);
  const times: [string, number, number, number][] = [];
  for (const { name } of timed) {
    const timings = await interleave(
      [
        { name: 'text', once: () => harness.read(address(name)) },
        { name: 'screenshot', once: () => harness.capture(address(name)) },
        { name: 'full page', once: () => harness.capture(address(name), { fullPage: true }) },
      ],
      setting('ROUNDS', 10),
      { warmup: 1 },
    ).catch((error: Error) => void console.log(`${name} is not timed: ${error.message}`));
    if (!timings) continue;
    const [text, view, whole] = timings;
    times.push([name, median(text?.ms ?? []), median(view?.ms ?? []), median(whole?.ms ?? [])]);
  }
  const cells = times.map(([name, text, view, whole]) => [
    name,
    ...[text, view, whole, text - view, text - whole].map((ms) => ms.toFixed(0)),
  ]);
  const middle = (of: (row: (typeof times)[number]) => number) => median(times.map(of)).toFixed(0);
  console.log(
    table(
      `ms a page, p50 (${loadNote()})`,
      ['page', 'text', 'screenshot', 'full page', 'text − screenshot', 'text − full page'],
      [
        ...cells,
        [
          'median',
          middle((row) => row[1]),
          middle((row) => row[2]),
          middle((row) => row[3]),
          middle(([, text, view]) => text - view),
          middle(([, text, , whole]) => text - whole),
        ],
      ],
    ),
  );

  let leaks = 0;
  let lost = 0;
  for (const [i, kind] of hiddenKinds.entries()) {
    const { hidden, visible } = wordsOf(i);
    const { content, links } = await harness.read(`<!doctype html><meta charset="utf-8">${pageOf(kind, i)}`);
    const text = JSON.stringify([content, links]);
    if (text.includes(hidden) || /[\u{E0000}-\u{E01EF}]/u.test(text)) console.log(`leaks: ${kind.name} (${++leaks})`);
    if (!text.includes(visible)) console.log(`lost: ${kind.name} (${++lost})`);
  }
  console.log(`\n${leaks} of ${hiddenKinds.length} hidden texts leak; ${lost} visible texts beside them are lost.`);
} finally {
  server.closeAllConnections();
  server.close();
  await raw.close();
  await harness.close();
}
