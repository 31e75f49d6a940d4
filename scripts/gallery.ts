// `npm run gallery`: every fixture with and without blocking, on one page (gallery/index.html, not committed).
// With `-- built-in` it uses the built-in short list instead of the fetched ones.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fewAtATime, listSources, openCleanHarness, type Query } from '../test/clean/clean-harness.ts';
import { fixturesIn, titleOf } from '../test/clean/fixture-site.ts';

const projectDir = join(import.meta.dirname, '..');
const out = join(projectDir, 'gallery');

type Part = { folder: string; title: string; before: Query; after: Query };

// The slowest banner has appeared by then.
const delay = 700;
const parts: Part[] = [
  { folder: 'banners', title: 'Cookie banners', before: { delay }, after: { delay, blockCookies: true } },
  {
    folder: 'kept-back',
    title: 'Cookie banners that were not used for tuning',
    before: { delay },
    after: { delay, blockCookies: true },
  },
  {
    folder: 'ads',
    title: 'Advertisements and chat widgets',
    before: { fullPage: true },
    after: { fullPage: true, blockAds: true },
  },
  {
    folder: 'untouched',
    title: 'Pages that must not be touched',
    before: {},
    after: { blockAds: true, blockCookies: true },
  },
  {
    folder: 'kept-back-untouched',
    title: 'Pages that must not be touched, not used for tuning',
    before: {},
    after: { blockAds: true, blockCookies: true },
  },
];

const lists = listSources.find(({ source }) => source === (process.argv[2] ?? 'fetched')) ?? listSources[0];
if (!lists) throw new Error('There are no lists.');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const harness = await openCleanHarness(lists.dir);

async function capture(part: Part, name: string, when: 'before' | 'after'): Promise<string> {
  const file = `${part.folder}-${name}-${when}.webp`;
  const { bytes, warnings } = await harness.capture(harness.site.url(part.folder, name), {
    ...part[when],
    format: 'webp',
  });
  writeFileSync(join(out, file), bytes);
  return `<figure><img src="${file}" alt="${when}" loading="lazy"><figcaption>${[when, ...warnings].map(escapeHtml).join(' · ')}</figcaption></figure>`;
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const sections: string[] = [];
for (const part of parts) {
  const names = fixturesIn(part.folder);
  const rows = await fewAtATime(names, async (name) => {
    const shots = [await capture(part, name, 'before'), await capture(part, name, 'after')];
    return `<article id="${part.folder}-${name}"><h3>${name}</h3><p>${escapeHtml(titleOf(part.folder, name))}</p><div>${shots.join('')}</div></article>`;
  });
  if (rows.length > 0) sections.push(`<section><h2>${part.title}</h2>${rows.join('\n')}</section>`);
  console.log(`${part.title}: ${names.length}`);
}
await harness.stop();

writeFileSync(
  join(out, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tintype: gallery of fixtures</title>
<style>
  body { margin: 0 auto; max-width: 1400px; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1c2733; background: #f6f7f9; }
  section { display: grid; grid-template-columns: repeat(auto-fill, minmax(640px, 1fr)); gap: 24px; } h2 { grid-column: 1 / -1; }
  article { background: #fff; border-radius: 8px; padding: 16px; } h3, p { margin: 0; } p { color: #5a6775; }
  article div { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; margin-top: 12px; }
  figure { margin: 0; } img { width: 100%; border: 1px solid #d5dbe1; } figcaption { color: #5a6775; font-size: 13px; }
</style>
<h1>Before and after, with the ${lists.source} lists</h1>
${sections.join('\n')}
</html>`,
);
console.log(`Open ${join('gallery', 'index.html')}`);
