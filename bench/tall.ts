// Full pages that are tall: Tintype over HTTP against the floor, in time and in memory of server and browsers above idle.
// `npm run bench:tall -- [text photos] [png jpg webp]`
import { sleep } from '../src/kernel/deadline.ts';
import { chosenOf, interleave, loadNote, median, setting, table } from './measure.ts';
import { startPages } from './pages.ts';
import { cpuBetween, peakDuring, type Usage, usageOf } from './processes.ts';
import { report } from './report.ts';
import type { ShotWish } from './sides/answer.js';
import { startFloor, startTintype } from './sides.ts';

const rounds = setting('ROUNDS', 5);
const looks = setting('LOOKS', 3);
const paths: Record<string, string> = { text: 'tall', photos: 'photos' };
// A webp has at most 16,383 pixels a side.
const heights: Record<string, number> = { png: 30_000, jpg: 30_000, webp: 16_000 };

/** The spare browser and the slots are made behind the first pictures: memory counts as idle when it has stopped to grow. */
async function idleUsage(pid: number): Promise<Usage> {
  for (let before = usageOf(pid), looks = 0; ; looks++) {
    await sleep(3000);
    const now = usageOf(pid);
    if (looks === 10 || now.nodeBytes + now.browserBytes < before.nodeBytes + before.browserBytes + 5e6) return now;
    before = now;
  }
}

const pages = await startPages();
const tintype = await startTintype();
const sides = [await startFloor(), tintype];
try {
  for (let i = 0; i < 5; i++)
    for (const side of sides) await side.capture({ url: `${pages.url}/small`, format: 'png' });
  const idle = await Promise.all(sides.map(({ pid }) => idleUsage(pid)));
  for (const page of chosenOf(Object.keys(paths)))
    for (const format of chosenOf(Object.keys(heights))) await compare(page, format);

  async function compare(page: string, format: string): Promise<void> {
    const height = heights[format];
    const wish = {
      url: `${pages.url}/${paths[page]}?height=${height}`,
      format,
      fullPage: true,
      timeout: 60_000,
    } as ShotWish;
    for (const side of sides) await side.capture(wish);
    const before = sides.map(({ pid }) => usageOf(pid));
    const timings = await interleave(
      sides.map((side) => ({ name: side.name, once: () => side.capture(wish) })),
      rounds,
      { warmup: 0, restMs: 400 },
    );
    const cpus = sides.map(({ pid }, i) => cpuBetween(before[i] ?? usageOf(0), usageOf(pid), rounds));
    const floor = median(timings[0]?.ms ?? []);
    const rows: string[][] = [];
    for (const [i, side] of sides.entries()) {
      const ms = median(timings[i]?.ms ?? []);
      const { nodeBytes = 0, browserBytes = 0 } = idle[i] ?? {};
      // Memory is looked at apart from the clock: looking takes time.
      let peak = { node: 0, browser: 0 };
      for (let look = 0; look < looks; look++) {
        const most = await peakDuring(side.pid, () => side.capture(wish));
        const above = { node: most.nodeBytes - nodeBytes, browser: most.browserBytes - browserBytes };
        if (above.node + above.browser > peak.node + peak.browser) peak = above;
      }
      const mb = [peak.node + peak.browser, peak.browser, peak.node].map((bytes) => (bytes / 1e6).toFixed(0));
      const cpu = [cpus[i]?.browser, cpus[i]?.node].map((value) => (value ?? 0).toFixed(0));
      if (side === tintype && page === 'text' && format === 'png') {
        report('tall.time', ms / floor);
        report('tall.memory', (peak.node + peak.browser) / 1e6);
      }
      rows.push([side.name, ms.toFixed(0), (ms / floor).toFixed(2), ...cpu, ...mb]);
    }
    const head = ['side', 'p50 ms', '× floor', 'browser CPU ms', 'Node CPU ms', 'peak MB', 'browser MB', 'Node MB'];
    console.log(
      table(`${page} of ${height} px, ${format} (${rounds} rounds, ${loadNote()}; MB above idle)`, head, rows),
    );
  }
} finally {
  await Promise.all(sides.map((side) => side.close()));
  pages.close();
}
