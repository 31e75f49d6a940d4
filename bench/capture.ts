// How long a picture takes over HTTP with the cache passed by, beside what people would use instead: playwright-core with
// a new context in a warm browser, and Browserless. All of them take turns.
// `npm run bench:capture -- [--no-peers] [ordinary] [plain] [NAME of a page …] [view] [full] [pdf]`
// `ordinary`: the pages of ordinary.ts; `plain`: a small page without scripts, and a heavy one. `--no-peers` leaves all peers
// out but playwright. Each table takes as many rounds as BENCH_SECONDS allow, or BENCH_ROUNDS.
import { sleep } from '../src/kernel/deadline.ts';
import { type CaptureGoalName, type Goal, goals } from './goals.ts';
import { chosenOf, loadNote, median, setting, shuffled, table } from './measure.ts';
import { firstPages, furtherPages, ordinaryPages } from './ordinary.ts';
import { startPages } from './pages.ts';
import { startBrowserless } from './peers.ts';
import { report } from './report.ts';
import type { ShotWish } from './sides/answer.js';
import { type CaptureSide, startPlaywright, startTintype } from './sides.ts';

const shots = {
  view: { format: 'png' },
  full: { format: 'jpg', fullPage: true },
  pdf: { format: 'pdf' },
} satisfies Record<string, Omit<ShotWish, 'url'>>;
type Shot = keyof typeof shots;

/** Contexts are thrown away and made behind a picture. Uneven, because browsers draw 60 times a second. */
const rest = () => sleep(120 + Math.random() * 50);

const plainPages = ['small', 'heavy'];
const groups = { ordinary: Object.keys(ordinaryPages), plain: plainPages };
const every = [...groups.ordinary, ...groups.plain];
const wanted = (Object.keys(groups) as (keyof typeof groups)[]).filter((name) => process.argv.includes(name));
const chosenPages = wanted.length > 0 ? wanted.flatMap((name) => groups[name]) : chosenOf(every);
const chosenShots = chosenOf(Object.keys(shots) as Shot[]);

const pages = await startPages();
const tintype = await startTintype();
const sides: CaptureSide[] = [tintype, await startPlaywright()];
try {
  if (!process.argv.includes('--no-peers')) {
    const browserless = await startBrowserless();
    if (typeof browserless === 'string') console.log(browserless);
    else sides.push(browserless);
  }
  await warmUp();
  const [first, further, plain] = [Object.keys(firstPages), Object.keys(furtherPages), plainPages];
  await compare('Ordinary pages', first, 60);
  await compare('Ordinary pages, further kinds', further, 110);
  await compare('A small page without scripts, and a heavy one', plain, 40);
} finally {
  await Promise.all(sides.map((side) => side.close()));
  pages.close();
}

type Times = Map<string, number[]>;
function keyOf(page: string, shot: Shot, side: CaptureSide): string {
  return `${page} ${shot} ${side.name}`;
}

function wishOf(page: string, shot: Shot): ShotWish {
  const path = page in ordinaryPages ? `ordinary/${page}` : page;
  // The heavy page has pictures that load when they are scrolled to: the others get them, too.
  return { url: `${pages.url}/${path}`, ...shots[shot], ...(page === 'heavy' && { patient: true }) };
}

/** A server, and its browsers' compiled code, take this many pictures until they are as fast as they get. */
async function warmUp(): Promise<void> {
  for (let round = 0; round < setting('WARM_UP', 6); round++)
    for (const shot of chosenShots)
      for (const side of sides) {
        await side.capture(wishOf('no-script', shot));
        await rest();
      }
}

/** Whole rounds over all pages, so that a slow minute of the machine meets all of them. */
async function compare(title: string, names: readonly string[], usualSeconds: number): Promise<void> {
  const measured = names.filter((name) => chosenPages.includes(name));
  if (measured.length === 0) return;
  const seconds = setting('SECONDS', Math.max(20, (usualSeconds * measured.length) / names.length));
  const rounds = setting('ROUNDS', Number.POSITIVE_INFINITY);
  const times: Times = new Map();
  const rests = new Map<string, number[]>();
  const end = performance.now() + seconds * 1000;
  let done = 0;
  // At least one, and no more than make a difference.
  const isEnough = () => (Number.isFinite(rounds) ? done >= rounds : done >= 1 && performance.now() >= end);
  while (!isEnough() && done < 30) {
    for (const page of measured)
      for (const shot of chosenShots)
        for (const side of shuffled(sides)) {
          const key = keyOf(page, shot, side);
          const started = performance.now();
          const seen = await side.capture(wishOf(page, shot));
          times.set(key, [...(times.get(key) ?? []), performance.now() - started]);
          if (seen?.restMs !== undefined && shot === 'view') rests.set(page, [...(rests.get(page) ?? []), seen.restMs]);
          await rest();
        }
    done++;
  }
  show(`${title} (median of ${done} rounds in turns, ms, ${loadNote()})`, measured, times);
  for (const page of ['listener', 'three-seconds'] as const)
    if (rests.has(page)) {
      report(`rest.${page}`, median(rests.get(page) ?? []));
      console.log(`From the load to rest, ${page}: ${median(rests.get(page) ?? []).toFixed(0)} ms`);
    }
}

function show(title: string, measured: readonly string[], times: Times): void {
  const rows = measured.map((page) => [
    page,
    ...chosenShots.flatMap((shot) => {
      const of = sides.map((side) => median(times.get(keyOf(page, shot, side)) ?? []));
      const [ours = Number.NaN, playwright = Number.NaN] = of;
      const name = `capture.${page}.${shot}` as CaptureGoalName;
      const goal: Goal = goals[name];
      const named = Object.fromEntries(sides.map((side, i) => [side.name, of[i] ?? Number.NaN]));
      report(name, ours / playwright, named);
      const ratio = ours / playwright;
      return [of.map((ms) => ms.toFixed(0)).join(' / '), `${ratio.toFixed(2)}${ratio > goal.value ? ' !' : ''}`];
    }),
  ]);
  const head = ['page', ...chosenShots.flatMap((shot) => [shot, '×'])];
  console.log(table(title, head, rows));
  console.log(`${sides.map(({ name }) => name).join(' / ')}; ×: Tintype ÷ playwright-core; !: missed (bench/goals.ts)`);
}
