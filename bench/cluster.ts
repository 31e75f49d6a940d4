// What a render on another machine takes more than one in the same process, in turns, with the same database and bucket.
// `npm run bench:cluster`
import { type Node, shot, startTopology } from '../test/cluster/topology.ts';
import { colourPage, startSite } from '../test/harness/site.ts';
import { interleave, loadNote, median, quantile, setting, table } from './measure.ts';
import { report } from './report.ts';
import { startOwnServer } from './sides.ts';

const paragraphs = '<p>A page of some paragraphs, a table and a picture, as most pages are.</p>'.repeat(60);
const page = colourPage('#f4f4f4', 'Bench').concat(paragraphs);
const limits = { PLAN_LIMITS: '{"business":{"rendersPerMinute":100000,"rendersAtOnce":64}}' };

let asked = 0;
const site = await startSite({ '/': page });
/** A picture nobody has asked for yet. */
async function render(node: { url: string }, key: string): Promise<Response> {
  const n = ++asked;
  const response = await shot(node, key, {
    url: `${site.url}/`,
    width: 800 + (n % 400),
    height: 600 + Math.floor(n / 400),
  });
  await response.arrayBuffer();
  if (response.status !== 200 || response.headers.get('x-cache') !== 'MISS') throw new Error(`${response.status}`);
  return response;
}

const cluster = await startTopology({ apis: 1, renderers: 1 }, limits);
const api = cluster.apis[0] as Node;
const { key } = await cluster.customer('business');
const alone = await startOwnServer({
  ...limits,
  RENDERS_AT_ONCE: '2',
  DATABASE_URL: cluster.databaseUrl,
  ...cluster.s3.env,
});

try {
  await overhead();
} finally {
  await alone.clean();
  await cluster.remove();
  await site.close();
}

/** The same render, in turns: in one process, and through the queue. */
async function overhead(): Promise<void> {
  const rounds = setting('ROUNDS', 100);
  const sides = [
    { name: 'in one process', once: () => render(alone, key) },
    { name: 'on another machine', once: () => render(api, key) },
  ];
  // The browser throws a page away and makes the next one after a render, with every core at once: what is timed is
  // the way of a request, not how it fares beside that.
  const timings = await interleave(sides, rounds, { warmup: 10, restMs: 200 });
  const [one = [], two = []] = timings.map(({ ms }) => ms);
  // Of neighbours in time.
  const adds = median(two.map((ms, i) => ms - (one[i] ?? 0)));
  report('cluster.render', adds, Object.fromEntries(timings.map(({ name, ms }) => [name, median(ms)])));
  const rows = timings.map(({ name, ms }) => [name, median(ms).toFixed(1), quantile(ms, 0.95).toFixed(1)]);
  console.log(table(`One render (${rounds} rounds, ${loadNote()})`, ['', 'p50 ms', 'p95 ms'], rows));
  console.log(`${adds.toFixed(1)} ms more on another machine (p50)`);
}
