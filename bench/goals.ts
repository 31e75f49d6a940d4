// What the benchmarks should measure: one row for each figure of docs/performance.md. bench/run.ts prints it beside the result.
export type Goal = {
  readonly words: string;
  readonly unit: string;
  readonly value: number;
  readonly direction: 'at most' | 'at least';
  /** In the unit of the figure: a smaller change is noise, however large a share of a small figure it is. */
  readonly noise?: number;
};

const atMost = (value: number, unit: string, words: string, noise?: number): Goal => ({
  words,
  unit,
  value,
  direction: 'at most',
  ...(noise !== undefined && { noise }),
});
const atLeast = (value: number, unit: string, words: string): Goal => ({ words, unit, value, direction: 'at least' });

export const goals = {
  'capture.small.png': atMost(1.1, '× floor', 'small page, png'),
  'capture.small.jpg': atMost(1.1, '× floor', 'small page, jpg'),
  'capture.small.webp': atMost(1.1, '× floor', 'small page, webp'),
  'capture.small.full': atMost(1.1, '× floor', 'small page, full-page png'),
  'capture.small.pdf': atMost(1.2, '× floor', 'small page, PDF'),
  'capture.small.element': atMost(1.1, '× the view', 'small page, element'),
  'capture.small.html': atMost(1.1, '× its URL', 'small page, sent as HTML'),
  'capture.heavy.png': atMost(1.1, '× floor', 'heavy page, png'),
  'capture.heavy.jpg': atMost(1.1, '× floor', 'heavy page, jpg'),
  'capture.heavy.webp': atMost(1.1, '× floor', 'heavy page, webp'),
  'capture.heavy.full': atMost(1.1, '× floor', 'heavy page, full-page png'),
  'capture.heavy.pdf': atMost(1.1, '× floor', 'heavy page, PDF'),
  'capture.heavy.element': atMost(1.1, '× the view', 'heavy page, element'),
  'capture.heavy.html': atMost(1.1, '× its URL', 'heavy page, sent as HTML'),
  'default.small.png': atMost(1.1, '× floor, default flags', 'small page, png'),
  'default.small.jpg': atMost(1.1, '× floor, default flags', 'small page, jpg'),
  'default.small.webp': atMost(1.1, '× floor, default flags', 'small page, webp'),
  'default.small.full': atMost(1.1, '× floor, default flags', 'small page, full-page png'),
  'default.small.pdf': atMost(1.2, '× floor, default flags', 'small page, PDF'),
  'default.heavy.png': atMost(1.1, '× floor, default flags', 'heavy page, png'),
  'default.heavy.jpg': atMost(1.1, '× floor, default flags', 'heavy page, jpg'),
  'default.heavy.webp': atMost(1.1, '× floor, default flags', 'heavy page, webp'),
  'default.heavy.full': atMost(1.1, '× floor, default flags', 'heavy page, full-page png'),
  'default.heavy.pdf': atMost(1.1, '× floor, default flags', 'heavy page, PDF'),
  'peer.small.png': atMost(1, '× fastest peer', 'small page, png'),
  'peer.small.jpg': atMost(1, '× fastest peer', 'small page, jpg'),
  'peer.small.webp': atMost(1, '× fastest peer', 'small page, webp'),
  'peer.small.full': atMost(1, '× fastest peer', 'small page, full-page png'),
  'peer.small.pdf': atMost(1, '× fastest peer', 'small page, PDF'),
  'peer.heavy.png': atMost(1, '× fastest peer', 'heavy page, png'),
  'peer.heavy.jpg': atMost(1, '× fastest peer', 'heavy page, jpg'),
  'peer.heavy.webp': atMost(1, '× fastest peer', 'heavy page, webp'),
  'peer.heavy.full': atMost(1, '× fastest peer', 'heavy page, full-page png'),
  'peer.heavy.pdf': atMost(1, '× fastest peer', 'heavy page, PDF'),
  'throughput.small': atLeast(0.95, "× floor's best", 'captures a second, small page'),
  'throughput.heavy': atLeast(0.95, "× floor's best", 'captures a second, heavy page'),
  'throughput.small.default': atLeast(0.95, '× that of default flags', 'captures a second, small page'),
  'throughput.heavy.default': atLeast(0.95, '× that of default flags', 'captures a second, heavy page'),
  'throughput.small.cpu': atMost(1.1, '× floor', 'CPU of a capture, small page'),
  'throughput.heavy.cpu': atMost(1.1, '× floor', 'CPU of a capture, heavy page'),
  'tall.time': atMost(1.3, '× floor', 'full page of 30,000 px, png'),
  'tall.memory': atMost(400, 'MB', 'full page of 30,000 px, png: memory above idle'),
  'hit.60KB': atLeast(0.85, '× bare node:http', 'hits of 60 KB'),
  'hit.1MB': atLeast(0.85, '× bare node:http', 'hits of 1 MB'),
  'hit.304': atLeast(0.85, '× bare node:http', 'hits that are a 304'),
  'hit.million': atLeast(0.85, '× bare node:http', 'hits of 60 KB, a million entries'),
  'hit.p99': atMost(5, 'ms', 'hits at 1,000 a second, p99', 1),
  'variant.small': atMost(15, 'ms', '400 px variant of a cached picture, small page'),
  'variant.heavy': atMost(15, 'ms', '400 px variant of a cached picture, heavy page'),
  'card.time': atMost(25, 'ms', 'the slowest built-in template, png over HTTP, p50'),
  'card.vercel': atLeast(2.5, '× as fast', 'png card, against @vercel/og'),
  'card.chromium': atLeast(2, '× as fast', 'png card, against headless Chromium'),
  'card.throughput': atLeast(1.4, '× one at a time', 'cards a second, 8 at once'),
  'card.loop': atMost(50, 'ms', 'event loop under 8 cards at once, p99', 5),
  'start.ready': atMost(1500, 'ms', 'second start, ready'),
  'start.picture': atMost(300, 'ms', 'second start, from ready to the first picture', 30),
  'start.memory': atMost(450, 'MB', 'idle server and browsers'),
  'jobs.accepted': atLeast(500, 'a second', 'jobs accepted one by one'),
  'jobs.overhead': atMost(5, 'ms', 'CPU of a job above that of a request', 1),
  'jobs.flood': atMost(1.2, '× without', 'p95 of requests beside a flood of jobs'),
  'queue.render': atMost(4, 'ms', 'what the queue between machines adds to a render', 1),
  'queue.outside': atMost(4, 'ms', 'the same, outside the browser', 1),
} satisfies Record<string, Goal>;

export type FigureName = keyof typeof goals;
