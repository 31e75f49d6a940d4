// Cards of saved pages, to look at: `npm run bench:sites -- --pages DIR --out DIR [--count 50] [--template blog-post]`. Each page is
// DIR/<name>/source.html, as in the tests of mozilla/readability. Writes index.html with each card beside the title and the
// image that were found. Nothing is fetched: an image is shown as its address.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createCardMaker } from '../src/cards/cards.ts';
import { createEgress } from '../src/egress/egress.ts';
import { Deadline } from '../src/kernel/deadline.ts';
import { createLog } from '../src/kernel/log.ts';
import { cardValues } from '../src/sites/mapping.ts';
import type { PageFacts } from '../src/sites/page-facts.ts';
import { readPage } from '../src/sites/reading/read-page.ts';

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string' },
    out: { type: 'string', default: 'gallery/sites' },
    count: { type: 'string', default: '50' },
    template: { type: 'string', default: 'blog-post' },
  },
});
if (options.pages === undefined) throw new Error('--pages DIR is missing: a folder with <name>/source.html');

type Saved = { readonly name: string; readonly bytes: Buffer; readonly url: string };

/** The address that the page itself names; pages without one are made up for tests. */
function addressOf(html: string): string | undefined {
  const [link = ''] =
    /<link[^>]{0,300}rel=["']?canonical["']?[^>]{0,500}>|<meta[^>]{0,100}og:url[^>]{0,500}>/i.exec(html) ?? [];
  return /(?:href|content)=["']?(https?:[^"'\s>]+)/i.exec(link)?.[1];
}

async function savedPages(folder: string): Promise<Saved[]> {
  const names = (await readdir(folder)).sort();
  const pages = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name, 'source.html')).catch(() => undefined);
      const url = bytes && addressOf(bytes.toString('latin1'));
      return bytes === undefined || url === undefined ? [] : [{ name, bytes, url: url.replace(/^http:/, 'https:') }];
    }),
  );
  return pages.flat();
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const row = ({ name, url }: Saved, facts: PageFacts, ms: number) => `<article>
<img src="${escaped(name)}.jpg" width="480" height="252" alt="">
<dl><dt>${escaped(name)} · ${ms.toFixed(0)} ms</dt><dd><b>${escaped(facts.title)}</b></dd><dd>${escaped(facts.description)}</dd>
<dd>${escaped([facts.author, facts.date, facts.siteName, facts.section].filter(Boolean).join(' · '))}</dd>
<dd><small>${escaped(facts.image) || 'no image'}</small></dd><dd><small>${escaped(url)}</small></dd></dl></article>`;

const out = resolve(options.out);
await mkdir(out, { recursive: true });
const pages = (await savedPages(resolve(options.pages))).slice(0, Number(options.count));
const egress = createEgress({ allowPrivate: [] });
const cards = await createCardMaker({ egress, log: createLog('silent') });
const entry = cards.catalogue.find(({ name }) => name === options.template);
if (entry === undefined) throw new Error(`There is no template ${options.template}.`);
const rows: string[] = [];
const found = { title: 0, description: 0, author: 0, date: 0, image: 0 };
let slowest = 0;
for (const page of pages) {
  const startedAt = performance.now();
  const { facts } = readPage(page.bytes, 'text/html', page.url);
  const ms = performance.now() - startedAt;
  slowest = Math.max(slowest, ms);
  for (const part of Object.keys(found) as (keyof typeof found)[]) if (facts[part] !== '') found[part]++;
  const { origin, pathname } = new URL(page.url);
  const shown = cardValues({ origin, mapping: { image: null }, values: {} }, facts, pathname, entry.variables);
  const deadline = new Deadline(60_000);
  const canvas = { width: 960, height: 504, format: 'jpg', quality: 82, template: entry.name } as const;
  const card = await cards.render({ ...canvas, variables: Object.fromEntries(shown) }, deadline);
  deadline.done();
  await writeFile(join(out, `${page.name}.jpg`), card.bytes);
  rows.push(row(page, facts, ms));
}
await writeFile(
  join(out, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Cards of saved pages</title><style>
body{font:13px/1.4 system-ui;margin:16px;display:grid;grid-template-columns:repeat(2,1fr);gap:16px}article{display:flex;gap:12px;min-width:0}
dl{margin:0;min-width:0;overflow-wrap:anywhere}dd{margin:0 0 4px}dt{color:#666}img{flex:none;border:1px solid #ddd}</style>${rows.join('\n')}`,
);
await cards.stop();
await egress.stop();
const summary = Object.entries(found).map(([part, count]) => `${part} ${count}`);
console.log(`${pages.length} pages: ${summary.join(', ')}; the slowest was read in ${slowest.toFixed(0)} ms`);
console.log(`${join(out, 'index.html')}`);
