// How long a card takes: Tintype over HTTP with the cache passed by, against the floor (Takumi and sharp alone, the same
// card by hand), against the same card from an HTML template, and against what people would use instead. Then the event loop under load, and memory over many cards.
// `npm run bench:og -- [--no-peers] [--short] [--renders=10000] [png jpg webp]`, BENCH_ROUNDS for the rounds.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { starters } from '../src/templates/starters.ts';
import { get } from '../test/harness/http-client.ts';
import { interleave, isShort, loadNote, median, quantile, setting, table } from './measure.ts';
import { titleOf } from './og-sides/card.js';
import { cpuBetween, usageOf } from './processes.ts';
import { report } from './report.ts';
import type { ShotWish } from './sides/answer.js';
import { type CaptureSide, startSide, startTintype } from './sides.ts';

const run = promisify(execFile);
const rounds = setting('ROUNDS', 40);
// A server has more code than a script, and takes more cards until all of it is compiled.
const warmup = setting('WARM_UP', 240);
const args = process.argv.slice(2);
const renders = Number(args.find((arg) => arg.startsWith('--renders='))?.split('=')[1] ?? 500);
const formats = (['png', 'jpg', 'webp'] as const).filter((format) => args.includes(format));
const here = join(import.meta.dirname, 'og-sides');

const server = await startTintype();
let round = 0;
/** The card of the floor and the peers, as the template that it is taken from draws it. */
async function askTintype(format: string, template = 'blog-post'): Promise<void> {
  const query = new URLSearchParams({
    template,
    title: titleOf(round++),
    description: 'Three years of broken fonts, endless banners and one very patient queue.',
    author: 'Editorial team',
    date: '12 March 2026',
    category: 'Engineering',
    format,
    fresh: 'true',
  });
  const { status, body } = await get(`${server.url}/v1/og?${query}`, { 'x-api-key': server.key });
  if (status !== 200) throw new Error(`Tintype: ${status} ${body}`);
}

const tintype: CaptureSide = { ...server, shoot: ({ format }) => askTintype(format) };
/** The same card from the starter of this template, saved as a template of the account. */
const fromHtml: CaptureSide = {
  ...server,
  name: 'Tintype, HTML template',
  shoot: ({ format }) => askTintype(format, 'my/blog-post'),
  close: async () => {},
};
await saveStarter('blog-post');
const floor = await startSide('floor (Takumi + sharp)', join(here, 'floor.ts'));
const chromium = isShort ? [] : [await startSide('headless Chromium, warm', join(here, 'chromium.ts'))];
const peers = args.includes('--no-peers') ? [] : await startPeers();
const sides = [floor, tintype, fromHtml, ...peers, ...chromium];
try {
  for (const format of formats.length > 0 ? formats : (['png', 'jpg', 'webp'] as const)) await compare(format);
  await underLoad();
  if (!isShort) await memory(renders);
} finally {
  await Promise.all(sides.map((side) => side.close()));
}

async function compare(format: 'png' | 'jpg' | 'webp'): Promise<void> {
  const wish = { format } as ShotWish;
  const before = sides.map(({ pid }) => usageOf(pid));
  const timings = await interleave(
    sides.map((side) => ({ name: side.name, once: () => side.shoot(wish) })),
    rounds,
    { warmup },
  );
  const base = median(timings[0]?.ms ?? []);
  const ours = median(timings[1]?.ms ?? []);
  const rows = timings.map(({ name, ms }, i) => {
    // CPU time says more than the clock where others share the machine.
    const cpu = cpuBetween(before[i] ?? usageOf(0), usageOf(sides[i]?.pid ?? 0), rounds + warmup);
    return [
      name,
      median(ms).toFixed(1),
      quantile(ms, 0.95).toFixed(1),
      (median(ms) / base).toFixed(2),
      (median(ms) / ours).toFixed(2),
      (cpu.node + cpu.browser).toFixed(1),
    ];
  });
  const head = ['side', 'p50 ms', 'p95 ms', '× floor', '× Tintype', 'CPU ms'];
  console.log(table(`one card of 1200 × 630, ${format} (${rounds} rounds, ${loadNote()})`, head, rows));
  const html = median(timings[2]?.ms ?? []);
  report(`card.${format}`, ours / base);
  if (format === 'png') {
    report('card.time', ours);
    report('card.html', html / ours);
    const vercel = timings.find(({ name }) => name === '@vercel/og');
    if (vercel) report('card.vercel', median(vercel.ms) / ours);
  }
  console.log(`HTML template: ${(html / ours).toFixed(2)} × the built-in one (goal: at most 1.5)\n`);
}

async function saveStarter(name: string): Promise<void> {
  const html = (await starters()).find((starter) => starter.name === name)?.file;
  const answer = await fetch(`${server.url}/v1/templates/${name}`, {
    method: 'PUT',
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    body: JSON.stringify({ html }),
  });
  if (!answer.ok) throw new Error(`Tintype: ${answer.status} ${await answer.text()}`);
}

/** The same number of cards one at a time and 8 at once, in turns. */
async function underLoad(): Promise<void> {
  const levels = [1, 8];
  const seen = new Map(levels.map((atOnce) => [atOnce, [] as Loaded[]]));
  for (let round = 0; round < 3; round++)
    for (const atOnce of levels) seen.get(atOnce)?.push(await cardsAtOnce(atOnce, rounds * 4));
  const middle = (atOnce: number, what: keyof Loaded) =>
    median((seen.get(atOnce) ?? []).map((measured) => measured[what]));
  const rows = levels.map((atOnce) => [
    atOnce,
    middle(atOnce, 'rate').toFixed(1),
    (middle(atOnce, 'rate') / middle(1, 'rate')).toFixed(2),
    middle(atOnce, 'p50').toFixed(0),
    middle(atOnce, 'p99').toFixed(0),
    middle(atOnce, 'loopP50').toFixed(1),
    middle(atOnce, 'loopP99').toFixed(1),
    middle(atOnce, 'loopMax').toFixed(1),
  ]);
  const head = ['at once', 'cards/s', '× one', 'p50 ms', 'p99 ms', 'loop p50 ms', 'loop p99 ms', 'loop max ms'];
  console.log(table(`throughput and event loop of the server (png, ${loadNote()})`, head, rows));
  report('card.throughput', middle(8, 'rate') / middle(1, 'rate'));
  report('card.loop', middle(8, 'loopP99'));
}

type Loaded = { rate: number; p50: number; p99: number; loopP50: number; loopP99: number; loopMax: number };

/** With the server's own measure of its event loop, over nothing but this load: every reading begins a new one. */
async function cardsAtOnce(atOnce: number, count: number): Promise<Loaded> {
  const lag = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const value = (name: string) =>
      Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]);
    return { p50: value('p50') * 1000, p99: value('p99') * 1000, max: value('max') * 1000 };
  };
  await lag();
  const times: number[] = [];
  const one = async () => {
    for (let i = 0; i < count / atOnce; i++) {
      const started = performance.now();
      await askTintype('png');
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, one));
  const rate = times.length / ((performance.now() - started) / 1000);
  const { p50, p99, max } = await lag();
  return { rate, p50: median(times), p99: quantile(times, 0.99), loopP50: p50, loopP99: p99, loopMax: max };
}

/** Memory of the server process while it makes cards, each with other words. */
async function memory(count: number): Promise<void> {
  const rows: (string | number)[][] = [];
  const steps = 5;
  const look = (done: number) => rows.push([done, (usageOf(server.pid).nodeBytes / 1e6).toFixed(0)]);
  for (let step = 0; step <= steps; step++) {
    look(Math.round((count / steps) * step));
    if (step === steps) break;
    for (let i = 0; i < count / steps; i += 8) await Promise.all(Array.from({ length: 8 }, () => askTintype('png')));
  }
  console.log(table('memory of the server, Node part', ['cards', 'MB'], rows));
}

/** From npm, in a folder that goes when the benchmark ends; those that do not run here are said to. */
async function startPeers(): Promise<CaptureSide[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-og-peers-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // 1.0.0 to 1.0.3 of @vercel/og lack a file of their own (hb.wasm) and do not start.
  const packages = ['@vercel/og@0.11.1', 'sharp', '@fontsource/inter', '@fontsource/source-serif-4'];
  if (!isShort) packages.push('satori', '@resvg/resvg-js');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder });
  await cp(join(import.meta.dirname, 'sides/answer.js'), join(folder, 'answer.js'));
  for (const file of ['card.js', 'peer-fonts.js', 'satori.js', 'vercel-og.js'])
    await cp(join(here, file), join(folder, file));
  const started: CaptureSide[] = [];
  for (const [name, file] of [
    ...(isShort ? [] : [['satori + resvg', 'satori.js'] as const]),
    ['@vercel/og', 'vercel-og.js'] as const,
  ])
    await startSide(name, join(folder, file), { cwd: folder })
      .then(async (side) => {
        await side.shoot({ format: 'png' } as ShotWish);
        started.push(side);
      })
      .catch((error) => console.log(`${name} does not run here: ${error.message}`));
  const [first, ...rest] = started;
  // The folder goes with the last one that uses it.
  if (!first) await rm(folder, { recursive: true, force: true });
  return first
    ? [
        {
          ...first,
          close: async () => {
            await first.close();
            await Promise.all(rest.map((side) => side.close()));
            await rm(folder, { recursive: true, force: true, maxRetries: 5 });
          },
        },
        ...rest.map((side) => ({ ...side, close: async () => {} })),
      ]
    : [];
}
