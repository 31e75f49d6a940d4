// How long a card takes: Tintype over HTTP with the cache passed by, beside @vercel/og with the same card, warm, in turns.
// `npm run bench:og`, BENCH_ROUNDS for the rounds.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const folder = await mkdtemp(join(tmpdir(), 'tintype-og-peer-'));
const sides: CaptureSide[] = [];
try {
  const server = await startTintype();
  let round = 0;
  const query = new URLSearchParams({
    template: 'blog-post',
    description: 'Three years of broken fonts, endless banners and one very patient queue.',
    author: 'Editorial team',
    date: '12 March 2026',
    category: 'Engineering',
    fresh: 'true',
  });
  sides.push({
    ...server,
    async capture() {
      query.set('title', titleOf(round++));
      const { status, body } = await get(`${server.url}/v1/og?${query}`, { 'x-api-key': server.key });
      if (status !== 200) throw new Error(`Tintype: ${status} ${body}`);
      return undefined;
    },
  });
  sides.push(await startVercelOg());
  const wish = { format: 'png' } as ShotWish;
  const timings = await interleave(
    sides.map((side) => ({ name: side.name, once: () => side.capture(wish) })),
    rounds,
    { warmup },
  );
  const [ours = Number.NaN, vercel = Number.NaN] = timings.map(({ ms }) => median(ms));
  const rows = timings.map(({ name, ms }) => [
    name,
    median(ms).toFixed(1),
    quantile(ms, 0.95).toFixed(1),
    (median(ms) / ours).toFixed(2),
  ]);
  const head = ['side', 'p50 ms', 'p95 ms', '× Tintype'];
  console.log(table(`One png card of 1200 × 630 (${rounds} rounds, ${loadNote()})`, head, rows));
  const named = Object.fromEntries(timings.map(({ name, ms }) => [name, median(ms)]));
  report('card.time', ours, named);
  report('card.vercel', vercel / ours, named);
} finally {
  await Promise.all(sides.map((side) => side.close()));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** From npm, in a folder that goes when the benchmark ends. 1.0.0 to 1.0.3 lack a file of their own (hb.wasm). */
async function startVercelOg(): Promise<CaptureSide> {
  await install(folder, ['@vercel/og@0.11.1', 'sharp', '@fontsource/inter', '@fontsource/source-serif-4']);
  await cp(join(import.meta.dirname, 'sides/answer.js'), join(folder, 'answer.js'));
  for (const file of ['card.js', 'peer-fonts.js', 'vercel-og.js'])
    await cp(join(import.meta.dirname, 'og-sides', file), join(folder, file));
  return startSide('@vercel/og', join(folder, 'vercel-og.js'), { cwd: folder });
}
