// Pictures against careful references of real sites and demos: how many differ, and a contact sheet of the worst.
// npm run bench:fidelity -- [--short] [--mode viewport|full|phone] [--only NAME] [--limit N] [--pages DIR]
//   [--repo DIR] [--times N] [--parallel N] [--latency FACTOR] [--timeout MS] [--out DIR] [--save]
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '../setup/find-browser.js';
import { decode, difference } from './fidelity/compare.ts';
import { libraryFolders, packagePages, type SitePage, savedPages, standIns } from './fidelity/install.ts';
import { libraryPageNames } from './fidelity/library-pages.ts';
import { comparedHeight, type Mode, modes } from './fidelity/modes.ts';
import { type Ours, openOurs } from './fidelity/ours.ts';
import { openReferences, type References } from './fidelity/references.ts';
import { list, type Result, summary, varying, worst } from './fidelity/report.ts';
import { serveSite } from './fidelity/server.ts';
import { triple, writeSheet } from './fidelity/sheet.ts';
import { loadNote } from './measure.ts';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    mode: { type: 'string', multiple: true },
    only: { type: 'string', multiple: true },
    limit: { type: 'string' },
    pages: { type: 'string', multiple: true, default: [] },
    repo: { type: 'string', default: join(import.meta.dirname, '..') },
    times: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' },
    latency: { type: 'string', default: '1' },
    timeout: { type: 'string' },
    out: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
});

const folder = join(tmpdir(), 'tintype-fidelity');
const out = resolve(options.out ?? join(folder, 'last'));
const repo = resolve(options.repo);
const latency = Number(options.latency);
const times = Number(options.times);
const wanted = modes.filter(({ name }) => options.mode === undefined || options.mode.includes(name));
if (wanted.length === 0) throw new Error(`--mode is one of ${modes.map(({ name }) => name).join(', ')}`);

await mkdir(join(out, 'pictures'), { recursive: true });
const place = await findBrowser({ browserPath: process.env.BROWSER_PATH, projectDir: join(import.meta.dirname, '..') });
if (!place) throw new Error('There is no browser on this machine: npm run setup');
const pages = chosen(await allPages());
console.log(`${pages.length} pages, ${wanted.length} modes, capture code of ${repo}, ${loadNote()}`);

const started = Date.now();
const references = await openReferences(join(folder, 'references'), place, latency);
const ours = await openOurs(repo, place, Number(options.parallel));
const results: Result[] = [];
try {
  const queue = pages.flatMap((page) => wanted.map((mode) => ({ page, mode })));
  const worker = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const { page, mode } = job;
      const result = await measure(page, mode, ours, references).catch((error: Error) => error);
      if (result instanceof Error) {
        console.log(`${page.name} ${mode.name} is left out: ${result.message.split('\n')[0]}`);
        continue;
      }
      results.push(result);
      const mark = result.error ?? `${(result.share * 100).toFixed(1)} %`;
      console.log(`${String(results.length).padStart(4)}  ${page.name} ${mode.name}: ${mark}`);
    }
  };
  await Promise.all(Array.from({ length: Number(options.parallel) }, worker));
} finally {
  await ours.close();
  await references.close();
}
await report();

async function allPages(): Promise<SitePage[]> {
  const note = (line: string) => console.log(line);
  const packaged = await packagePages(folder, note);
  const own = libraryPageNames.map((name) => ({ name: `library/${name}`, root: folder, path: `@page/${name}.html` }));
  const saved = await Promise.all(options.pages.map((dir) => savedPages(resolve(dir))));
  return [...packaged, ...own, ...saved.flat()];
}

function chosen(all: readonly SitePage[]): readonly SitePage[] {
  const named = all.filter(
    ({ name }) => options.only === undefined || options.only.some((part) => name.includes(part)),
  );
  const count = options.limit ? Number(options.limit) : options.short ? 20 : named.length;
  // Spread over the list, so that a short run has something of each kind.
  return named.filter(
    (_, i) => Math.floor((i * count) / named.length) !== Math.floor(((i - 1) * count) / named.length),
  );
}

async function measure(page: SitePage, mode: Mode, ours: Ours, references: References): Promise<Result> {
  const site = await serveSite(page.root, { libraries: libraryFolders(folder), standIns, latency });
  const url = `${site.origin}/${page.path.split('/').map(encodeURIComponent).join('/').replace('%40', '@')}`;
  const height = mode.fullPage ? comparedHeight : mode.height;
  try {
    const reference = await references.of(page, url, mode);
    const about = { page: page.name, mode: mode.name, moving: reference.moving };
    const query = { ...mode.query, ...(options.timeout && { timeout: options.timeout }) };
    const before = performance.now();
    const captured = await ours.capture(url, query).catch((error: Error) => error);
    const ms = performance.now() - before;
    if (captured instanceof Error)
      return { ...about, share: 1, ms, sizes: '', warnings: [], error: `failed: ${captured.message.slice(0, 100)}` };
    const mine = await decode(captured.bytes, mode.width, height);
    const theirs = await decode(reference.png, mode.width, height);
    const found = difference(mine, theirs, mode.height);
    const { warnings } = captured;
    const base = join(out, 'pictures', `${page.name.replaceAll(/[^\w.-]+/g, '_')}.${mode.name}`);
    let varies = 0;
    for (let run = 2; run <= times; run++) {
      const again = await decode((await ours.capture(url, query)).bytes, mode.width, height);
      if (again.data.equals(mine.data)) continue;
      const changed = difference(again, mine, mode.height);
      if (changed.share <= varies) continue;
      varies = changed.share;
      await writeFile(`${base}.varies.png`, await triple(again, mine, changed));
    }
    if (found.share > 0.005) await writeFile(`${base}.png`, await triple(mine, theirs, found));
    return {
      ...about,
      share: found.share,
      varies,
      ms,
      sizes: `${captured.width}×${captured.height} / ${theirs.width}×${theirs.height}`,
      warnings,
      ...(found.share > 0.005 && { triple: `${base}.png` }),
    };
  } finally {
    site.close();
  }
}

async function report(): Promise<void> {
  const names = wanted.map(({ name }) => name);
  console.log(list(results));
  console.log(summary(results, names));
  if (times > 1) console.log(varying(results, times));
  const sheet = join(out, 'worst.png');
  const entries = worst(results, 24).flatMap(({ triple: picture, page, mode, share }) =>
    picture ? [{ label: `${page} · ${mode} · ${(share * 100).toFixed(1)} %`, triple: picture }] : [],
  );
  await writeSheet(sheet, entries);
  console.log(
    `\n${sheet}: the worst ${entries.length}, as ours | reference | difference. ${Math.round((Date.now() - started) / 1000)} s, ${loadNote()}`,
  );
  await writeFile(join(out, 'results.json'), JSON.stringify(results, undefined, 1));
  if (!options.save) return;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repo, encoding: 'utf8' }).trim();
  const saved = join(import.meta.dirname, 'results', `fidelity-${commit}.json`);
  await mkdir(join(import.meta.dirname, 'results'), { recursive: true });
  await writeFile(
    saved,
    `${JSON.stringify(
      results.map(({ triple: _, ...rest }) => rest),
      undefined,
      1,
    )}\n`,
  );
  console.log(saved);
}
