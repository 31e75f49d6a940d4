// How long a card takes: Tintype over HTTP with the cache passed by, beside @vercel/og and headless Chromium with the same card, warm,
// in turns. Then every built-in template, and cards a second. `npm run bench:og`, BENCH_ROUNDS for the rounds.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInTemplates } from '../src/cards/template-folder.ts';
import { get } from '../test/harness/http-client.ts';
import { interleave, loadNote, median, quantile, setting, table } from './measure.ts';
import { titleOf } from './og-sides/card.js';
import { install } from './peers.ts';
import { report } from './report.ts';
import type { ShotWish } from './sides/answer.js';
import { type CaptureSide, startSide, startTintype } from './sides.ts';

const rounds = setting('ROUNDS', 60);
// A server has more code than a script, and takes more cards until all of it is compiled.
const warmup = setting('WARM_UP', 200);
const wish = { format: 'png' } as ShotWish;
const blogPost = {
  description: 'Three years of broken fonts, endless banners and one very patient queue.',
  author: 'Editorial team',
  date: '12 March 2026',
  category: 'Engineering',
};

const folder = await mkdtemp(join(tmpdir(), 'tintype-og-peer-'));
const server = await startTintype();
const sides: CaptureSide[] = [
  {
    ...server,
    async capture() {
      await ask('blog-post', blogPost);
      return undefined;
    },
  },
];
let round = 0;
try {
  sides.push(
    await startVercelOg(),
    await startSide('headless Chromium', join(import.meta.dirname, 'og-sides/chromium.ts')),
  );
  await compare();
  await everyTemplate();
  await throughput(8);
} finally {
  await Promise.all(sides.map((side) => side.close()));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function ask(template: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const query = new URLSearchParams({ ...variables, template, title: titleOf(round++), fresh: 'true' });
  const { status, body } = await get(`${server.url}/v1/og?${query}`, { 'x-api-key': server.key });
  if (status !== 200) throw new Error(`Tintype: ${status} ${body}`);
}

async function compare(): Promise<void> {
  const timings = await interleave(
    sides.map((side) => ({ name: side.name, once: () => side.capture(wish) })),
    rounds,
    { warmup },
  );
  const [ours = Number.NaN, vercel = Number.NaN, chromium = Number.NaN] = timings.map(({ ms }) => median(ms));
  const rows = timings.map(({ name, ms }) => [
    name,
    median(ms).toFixed(1),
    quantile(ms, 0.95).toFixed(1),
    (median(ms) / ours).toFixed(2),
  ]);
  const head = ['side', 'p50 ms', 'p95 ms', '× Tintype'];
  console.log(table(`One png card of 1200 × 630 (${rounds} rounds, ${loadNote()})`, head, rows));
  const named = Object.fromEntries(timings.map(({ name, ms }) => [name, median(ms)]));
  report('card.vercel', vercel / ours, named);
  report('card.chromium', chromium / ours, named);
}

/** The example of every template, each time with another title. */
async function everyTemplate(): Promise<void> {
  const templates = [...(await builtInTemplates()).values()];
  const timings = await interleave(
    templates.map(({ name, example }) => ({ name, once: () => ask(name, example) })),
    rounds,
    { warmup: 5 },
  );
  report('card.time', Math.max(...timings.map(({ ms }) => median(ms))));
  const rows = timings.map(({ name, ms }) => [name, median(ms).toFixed(1), quantile(ms, 0.95).toFixed(1)]);
  console.log(table(`Every template as png (${rounds} rounds, ${loadNote()})`, ['template', 'p50 ms', 'p95 ms'], rows));
}

/** Cards a second, one at a time and many at once, in turns. */
async function throughput(atOnce: number): Promise<void> {
  const rates = { one: [] as number[], many: [] as number[] };
  for (let turn = 0; turn < 3; turn++) {
    rates.one.push(await rateOf(1));
    rates.many.push(await rateOf(atOnce));
  }
  const [one, many] = [median(rates.one), median(rates.many)];
  report('card.throughput', many / one);
  console.log(`${atOnce} at once: ${many.toFixed(1)} cards a second; one at a time: ${one.toFixed(1)}\n`);
}

async function rateOf(clients: number): Promise<number> {
  const cards = rounds * 4;
  let left = cards;
  const client = async () => {
    while (left-- > 0) await ask('blog-post', blogPost);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return cards / ((performance.now() - started) / 1000);
}

/** From npm, in a folder that goes when the benchmark ends. 1.0.0 to 1.0.3 lack a file of their own (hb.wasm). */
async function startVercelOg(): Promise<CaptureSide> {
  await install(folder, ['@vercel/og@0.11.1', 'sharp', '@fontsource/inter', '@fontsource/source-serif-4']);
  await cp(join(import.meta.dirname, 'sides/answer.js'), join(folder, 'answer.js'));
  for (const file of ['card.js', 'peer-fonts.js', 'vercel-og.js'])
    await cp(join(import.meta.dirname, 'og-sides', file), join(folder, file));
  return startSide('@vercel/og', join(folder, 'vercel-og.js'), { cwd: folder });
}
