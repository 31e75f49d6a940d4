// Does it stay linear? `npm run bench:growth -- [full canvas resources html content elements jobs]`: full pages, large
// canvases, sub-resources through the guarding proxy, pages sent as HTML, texts, an element among many, and jobs in the queue.
// Each table has the cost of a unit, which stays the same or falls where growth is linear, beside the same work done with less.
import { card, inLanes, runJobs, send } from './job-client.ts';
import { chosenOf, interleave, loadNote, median, setting, table } from './measure.ts';
import { startPages } from './pages.ts';
import { cpuBetween, usageOf } from './processes.ts';
import type { ShotWish } from './sides/answer.js';
import { startFloor, startTintype } from './sides.ts';

type Growth = {
  readonly title: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  /** What it is compared with comes first. */
  readonly sides: readonly {
    readonly name: string;
    readonly pid: number;
    readonly once: (size: number) => Promise<unknown>;
  }[];
  readonly amount: (size: number) => number;
  readonly per: string;
};

const rounds = setting('ROUNDS', 5);
const pages = await startPages();
const floor = await startFloor(2);
const tintype = await startTintype();
// Jobs have a server of their own: they would give way to requests that somebody waits for.
const jobServer = await startTintype();

/** The same picture from both. */
const shots = (wish: (size: number) => ShotWish): Growth['sides'] =>
  [floor, tintype].map((side) => ({
    name: side.name,
    pid: side.pid,
    once: (size: number) => side.capture(wish(size)),
  }));

const documents = new Map<number, string>();
/** The page of this size, to be sent; fetched once. */
async function documentOf(kb: number): Promise<string> {
  const html = documents.get(kb) ?? (await (await fetch(`${pages.url}/document?kb=${kb}`)).text());
  documents.set(kb, html);
  return html;
}

const parts: Record<string, Growth> = {
  full: {
    title: 'Full page',
    unit: 'px',
    sizes: [1000, 2000, 4000, 8000, 16_000, 32_000],
    sides: shots((height) => ({ url: `${pages.url}/tall?height=${height}`, format: 'jpg', fullPage: true })),
    amount: (height) => (1280 * height) / 1e6,
    per: 'megapixel',
  },
  canvas: {
    title: 'Canvas at scale 3',
    unit: 'px a side',
    sizes: [100, 480, 960, 1920, 3840],
    sides: shots((side) => ({
      url: `${pages.url}/tall?height=4000`,
      format: 'jpg',
      width: side,
      height: side,
      deviceScale: 3,
    })),
    amount: (side) => (side * side * 9) / 1e6,
    per: 'megapixel',
  },
  resources: {
    title: 'Sub-resources',
    unit: '',
    // The page itself is a request, too, and 2,000 are the budget of a render.
    sizes: [1, 10, 100, 500, 1000, 1990],
    sides: shots((count) => ({ url: `${pages.url}/many?count=${count}`, format: 'jpg' })),
    amount: (count) => count,
    per: 'resource',
  },
  html: {
    title: 'Page sent as HTML',
    unit: 'KB',
    sizes: [10, 50, 200, 800, 3500],
    sides: [
      {
        name: 'floor, its URL',
        pid: floor.pid,
        once: (kb) => floor.capture({ url: `${pages.url}/document?kb=${kb}`, format: 'jpg' }),
      },
      {
        name: 'Tintype, sent',
        pid: tintype.pid,
        once: async (kb) => {
          const body = { html: await documentOf(kb), format: 'jpg', fresh: true };
          await send(tintype, 200, 'POST', '/v1/screenshot', body);
        },
      },
    ],
    amount: (kb) => kb / 100,
    per: '100 KB',
  },
  content: {
    title: 'Text of a page',
    unit: 'words',
    sizes: [1000, 4000, 15_000, 60_000],
    sides: [
      {
        // Without scrolling for lazy content.
        name: 'floor, innerText',
        pid: floor.pid,
        once: (words) => floor.capture({ url: `${pages.url}/article?words=${words}`, format: 'text' }),
      },
      {
        name: 'Tintype, Markdown',
        pid: tintype.pid,
        once: (words) => {
          const query = new URLSearchParams({ url: `${pages.url}/article?words=${words}`, fresh: 'true' });
          return send(tintype, 200, 'GET', `/v1/content?${query}`);
        },
      },
    ],
    amount: (words) => words / 1000,
    per: '1,000 words',
  },
  elements: {
    title: 'Picture of one element of',
    unit: '',
    sizes: [100, 1000, 5000, 20_000],
    sides: shots((count) => ({ url: `${pages.url}/elements?count=${count}`, format: 'png', selector: 'b' })),
    amount: (count) => count / 1000,
    per: '1,000 elements',
  },
  jobs: {
    title: 'Jobs queued at once',
    unit: '',
    sizes: [1, 10, 100, 1000],
    sides: [
      {
        // As many at once as there are jobs at once on 2 cores.
        name: 'requests, 2 at once',
        pid: tintype.pid,
        once: (count) => inLanes(2, count, () => send(tintype, 200, 'POST', '/v1/og', card())),
      },
      // Small numbers are soon done: looking seldom would be most of what is measured.
      { name: 'jobs', pid: jobServer.pid, once: (count) => runJobs(jobServer, count, Math.ceil(2 + count / 10)) },
    ],
    amount: (count) => count,
    per: 'job',
  },
};

try {
  for (const name of chosenOf(Object.keys(parts))) await grow(parts[name] as Growth);
} finally {
  await Promise.all([floor.close(), tintype.close(), jobServer.close()]);
  pages.close();
}

async function grow({ title, unit, sizes, sides, amount, per }: Growth): Promise<void> {
  const rows: string[][] = [];
  // The first ones of a kind are those in which its code is compiled; that is no part of how it grows.
  const middle = sizes[Math.floor(sizes.length / 2)] ?? 0;
  for (let i = 0; i < 8; i++) for (const side of sides) await side.once(middle);
  for (const size of sizes) {
    const before = sides.map(({ pid }) => usageOf(pid));
    const timings = await interleave(
      sides.map(({ name, once }) => ({ name, once: () => once(size) })),
      rounds,
      { warmup: 1, restMs: 200 },
    );
    const [beside = Number.NaN, ours = Number.NaN] = timings.map(({ ms }) => median(ms));
    const cpu = sides.map(({ pid }, i) => {
      const { node, browser } = cpuBetween(before[i] ?? usageOf(0), usageOf(pid), rounds + 1);
      return node + browser;
    });
    rows.push([
      `${size} ${unit}`,
      ...[beside, ours].map((ms) => ms.toFixed(0)),
      (ours / beside).toFixed(2),
      (ours / amount(size)).toFixed(2),
      ...cpu.map((ms) => ms.toFixed(0)),
      ((cpu[1] ?? Number.NaN) / amount(size)).toFixed(2),
      '▇'.repeat(Math.max(1, Math.round(ours / 100))).slice(0, 60),
    ]);
  }
  const columns = (what: string) => sides.map(({ name }) => `${name}: ${what}`);
  const head = [
    title,
    ...columns('p50 ms'),
    'ratio',
    `ms per ${per}`,
    ...columns('CPU ms'),
    `CPU ms per ${per}`,
    '100 ms',
  ];
  console.log(table(`${title} (${rounds} rounds, ${loadNote()})`, head, rows));
}
