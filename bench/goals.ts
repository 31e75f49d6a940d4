// What the benchmarks should measure: the goals of a user, and one row for each figure of docs/performance.md.
import { type firstPages, type furtherPages, type OrdinaryPage, ordinaryPages } from './ordinary.ts';

export type Goal = {
  /** The table of docs/performance.md that the figure stands in. */
  readonly bench: 'capture' | 'network' | 'batch' | 'card' | 'hit' | 'cluster' | 'start';
  readonly words: string;
  readonly unit: string;
  readonly value: number;
  readonly direction: 'at most' | 'at least';
  /** In the unit of the figure: a smaller change is noise, however large a share of a small figure it is. */
  readonly noise?: number;
};

type Shot = 'view' | 'full' | 'pdf';
type OrdinaryName = keyof typeof firstPages | keyof typeof furtherPages;
export type CaptureGoalName = `capture.${OrdinaryName | 'small' | 'heavy'}.${Shot}`;

const atMost = (bench: Goal['bench'], value: number, unit: string, words: string, noise?: number): Goal => ({
  bench,
  words,
  unit,
  value,
  direction: 'at most',
  ...(noise !== undefined && { noise }),
});
const atLeast = (bench: Goal['bench'], value: number, unit: string, words: string): Goal => ({
  bench,
  words,
  unit,
  value,
  direction: 'at least',
});

const shotWords = { view: 'viewport, png', full: 'full page, jpg', pdf: 'PDF' } satisfies Record<Shot, string>;
const withScripts = { view: 0.9, full: 1, pdf: 1.3 } satisfies Record<Shot, number>;
/** playwright-core does not scroll, so it misses what waits for that. */
const waitsForScrolling = { view: 0.9, full: 2, pdf: 2 } satisfies Record<Shot, number>;
const plain = { view: 0.7, full: 0.7, pdf: 1.1 } satisfies Record<Shot, number>;

const limitsOf = ({ hasScript = true, waits = false }: OrdinaryPage): Record<Shot, number> =>
  !hasScript ? plain : waits ? waitsForScrolling : withScripts;

const capturesOf = (page: string, words: string, limits: Record<Shot, number>): [string, Goal][] =>
  (Object.keys(shotWords) as Shot[]).map((shot) => [
    `capture.${page}.${shot}`,
    atMost('capture', limits[shot], '× playwright-core', `${words}: ${shotWords[shot]}`),
  ]);

const captureGoals = Object.fromEntries([
  ...Object.entries(ordinaryPages).flatMap(([name, page]) => capturesOf(name, page.words, limitsOf(page))),
  ...capturesOf('small', 'small page without scripts', plain),
  ...capturesOf('heavy', 'heavy page: 700 nodes, 40 pictures, two fonts', plain),
]) as Record<CaptureGoalName, Goal>;

const otherGoals = {
  'rest.listener': atMost('capture', 60, 'ms', 'from the load to rest, nothing scheduled', 10),
  'rest.three-seconds': atMost('capture', 250, 'ms', 'from the load to rest, 3 s of timers and animations', 25),
  'network.rate': atLeast('network', 0.9, '× the possible rate', 'pages behind a network, 24 callers'),
  'batch.idle': atLeast('batch', 0.9, '× the rate of 24 callers', 'a batch on an idle machine'),
  'batch.beside': atLeast('batch', 0.6, '× the rate of 24 callers', 'a batch beside one request a second'),
  'batch.caller': atMost('batch', 1, '× (2 × idle + 50 ms)', 'p95 of that request', 0.1),
  'card.time': atMost('card', 25, 'ms', 'the slowest built-in template, png over HTTP, p50'),
  'card.vercel': atLeast('card', 2.5, '× as fast as @vercel/og', 'png card over HTTP'),
  'card.chromium': atLeast('card', 2, '× as fast as headless Chromium', 'png card over HTTP'),
  'card.throughput': atLeast('card', 1.4, '× one at a time', 'cards a second, 8 at once'),
  'hit.p99': atMost('hit', 10, 'ms', 'hits at 500 a second with a million entries, p99', 1),
  'cluster.render': atMost('cluster', 5, 'ms', 'a render on another machine, p50, more than in one process', 1),
  'start.ready': atMost('start', 1500, 'ms', 'second start, ready'),
  'start.memory': atMost('start', 450, 'MB', 'idle server and browsers'),
} satisfies Record<string, Goal>;

export type FigureName = CaptureGoalName | keyof typeof otherGoals;
export const goals: Readonly<Record<FigureName, Goal>> = { ...captureGoals, ...otherGoals };

export const isMet = ({ direction, value: wanted }: Goal, value: number): boolean =>
  direction === 'at most' ? value <= wanted : value >= wanted;
