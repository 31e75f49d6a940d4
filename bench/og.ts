// How long a card takes: Tintype over HTTP with the cache passed by, against the same card from an account's own template,
// which has a process of its own, and against what people would use instead. Then every template, throughput, the event loop under load, and memory over many cards.
// `npm run bench:og -- [--no-peers] [--short] [--renders=10000] [png jpg webp]`, BENCH_ROUNDS for the rounds.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { builtInTemplates } from '../src/cards/template-folder.ts';
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
const vercelOg = '@vercel/og';
const chromiumName = 'headless Chromium, warm';

const server = await startTintype();
let round = 0;
/** The card of the peers, as the template that it is taken from draws it. */
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

const tintype: CaptureSide = { ...server, capture: ({ format }) => askTintype(format) };
/** The same card from a template of the account that has the text of the built-in one. */
const ownTemplate: CaptureSide = {
  ...server,
  name: 'Tintype, own template',
  capture: ({ format }) => askTintype(format, 'my/blog-post'),
  close: async () => {},
};
await saveOwn('blog-post');
const chromium = isShort ? [] : [await startSide(chromiumName, join(here, 'chromium.ts'))];
const peers = args.includes('--no-peers') ? [] : await startPeers();
const sides = [tintype, ownTemplate, ...peers, ...chromium];
try {
  for (const format of formats.length > 0 ? formats : (['png', 'jpg', 'webp'] as const)) await compare(format);
  await everyTemplate();
  await throughput(8);
  if (!isShort) await memory(renders);
} finally {
  await Promise.all(sides.map((side) => side.close()));
}

async function compare(format: 'png' | 'jpg' | 'webp'): Promise<void> {
  const wish = { format } as ShotWish;
  const before = sides.map(({ pid }) => usageOf(pid));
  const timings = await interleave(
    sides.map((side) => ({ name: side.name, once: () => side.capture(wish) })),
    rounds,
    { warmup },
  );
  const ours = median(timings[0]?.ms ?? []);
  const rows = timings.map(({ name, ms }, i) => {
    // CPU time says more than the clock where others share the machine.
    const cpu = cpuBetween(before[i] ?? usageOf(0), usageOf(sides[i]?.pid ?? 0), rounds + warmup);
    return [
      name,
      median(ms).toFixed(1),
      quantile(ms, 0.95).toFixed(1),
      (median(ms) / ours).toFixed(2),
      (cpu.node + cpu.browser).toFixed(1),
    ];
  });
  const head = ['side', 'p50 ms', 'p95 ms', '× Tintype', 'CPU ms'];
  console.log(table(`one card of 1200 × 630, ${format} (${rounds} rounds, ${loadNote()})`, head, rows));
  if (format === 'png')
    for (const [goal, side, least] of [
      ['card.vercel', vercelOg, 2.5],
      ['card.chromium', chromiumName, 2],
    ] as const) {
      const found = timings.find(({ name }) => name === side);
      if (found === undefined) continue;
      const ratio = median(found.ms) / ours;
      report(goal, ratio);
      console.log(`${side} takes ${ratio.toFixed(2)} × as long as Tintype (goal: at least ${least})`);
    }
  console.log('');
}

async function saveOwn(name: string): Promise<void> {
  const html = (await builtInTemplates()).get(name)?.text;
  const answer = await fetch(`${server.url}/v1/templates/${name}`, {
    method: 'PUT',
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    body: JSON.stringify({ html }),
  });
  if (!answer.ok) throw new Error(`Tintype: ${answer.status} ${await answer.text()}`);
}

/** The example of every template as png, each time with another title. */
async function everyTemplate(): Promise<void> {
  const templates = [...(await builtInTemplates()).values()];
  const once = async (name: string, example: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ ...example, template: name, fresh: 'true', site: `Tintype ${round++}` });
    const { status, body } = await get(`${server.url}/v1/og?${query}`, { 'x-api-key': server.key });
    if (status !== 200) throw new Error(`Tintype: ${status} ${body}`);
  };
  const timings = await interleave(
    templates.map(({ name, example }) => ({ name, once: () => once(name, example) })),
    rounds,
    { warmup: 5 },
  );
  const slowest = Math.max(...timings.map(({ ms }) => median(ms)));
  report('card.time', slowest);
  const rows = timings.map(({ name, ms }) => [name, median(ms).toFixed(1), quantile(ms, 0.95).toFixed(1)]);
  console.log(table(`every template, png of 1200 × 630 (${loadNote()})`, ['template', 'p50 ms', 'p95 ms'], rows));
  console.log(`the slowest: ${slowest.toFixed(1)} ms (goal: at most 25)\n`);
}

/** Cards a second, one at a time and many at once, in turns; and the server's own measure of its event loop under the latter. */
async function throughput(atOnce: number): Promise<void> {
  const rates = { one: [] as number[], many: [] as number[] };
  const times: number[] = [];
  const lags: Lag[] = [];
  for (let turn = 0; turn < 3; turn++) {
    rates.one.push(await rateOf(1, []));
    // Every reading begins a new one.
    await eventLoopLag();
    rates.many.push(await rateOf(atOnce, times));
    lags.push(await eventLoopLag());
  }
  const ratio = median(rates.many) / median(rates.one);
  const worst = (name: keyof Lag) => Math.max(...lags.map((lag) => lag[name]));
  report('card.throughput', ratio);
  report('card.loop', worst('p99'));
  const row = [
    atOnce,
    median(rates.many).toFixed(1),
    median(times).toFixed(0),
    quantile(times, 0.99).toFixed(0),
    worst('p50').toFixed(1),
    worst('p99').toFixed(1),
    worst('max').toFixed(1),
  ];
  const head = ['at once', 'cards/s', 'p50 ms', 'p99 ms', 'loop p50 ms', 'loop p99 ms', 'loop max ms'];
  console.log(table(`the server under load (png, ${loadNote()})`, head, [row]));
  console.log(
    `${atOnce} at once: ${ratio.toFixed(2)} × the ${median(rates.one).toFixed(1)} cards/s of one at a time (goal: at least 1.4)`,
  );
}

/** Cards a second of so many clients. */
async function rateOf(clients: number, times: number[]): Promise<number> {
  const cards = rounds * 4;
  let left = cards;
  const client = async () => {
    while (left-- > 0) {
      const started = performance.now();
      await askTintype('png');
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return cards / ((performance.now() - started) / 1000);
}

type Lag = { readonly p50: number; readonly p99: number; readonly max: number };

async function eventLoopLag(): Promise<Lag> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const value = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]);
  return { p50: value('p50'), p99: value('p99'), max: value('max') };
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
    [vercelOg, 'vercel-og.js'] as const,
  ])
    await startSide(name, join(folder, file), { cwd: folder })
      .then(async (side) => {
        await side.capture({ format: 'png' } as ShotWish);
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
