// The cluster in figures: what the queue adds to a render, what a render and a hit cost each part, and what one, two
// and three render processes with equal shares of the processor make. `npm run bench:cluster -- [overhead] [costs] [scaling]`
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { sleep } from '../src/kernel/deadline.ts';
import { type Node, shot, startTopology, type Topology } from '../test/cluster/topology.ts';
import { treeOf } from '../test/harness/processes.ts';
import { colourPage, startSite } from '../test/harness/site.ts';
import { interleave, loadNote, median, quantile, setting } from './measure.ts';
import { usageOf } from './processes.ts';
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
  const wanted = process.argv.slice(2);
  for (const part of [overhead, costs, scaling]) if (wanted.length === 0 || wanted.includes(part.name)) await part();
} finally {
  await alone.clean();
  await cluster.remove();
  await site.close();
}

/** The same render, in turns: in one process with the same database and bucket, and through the queue. */
async function overhead(): Promise<void> {
  const beside = { alone: [] as number[], queue: [] as number[] };
  const timed = (name: keyof typeof beside, node: { url: string }) => async () => {
    const before = performance.now();
    const response = await render(node, key);
    const total = performance.now() - before;
    beside[name].push(total - madeOf(response));
  };
  const sides = [
    { name: 'in process', once: timed('alone', alone) },
    { name: 'through the queue', once: timed('queue', api) },
  ];
  const rounds = setting('ROUNDS', 100);
  // The browser throws a page away and makes the next one after a render, with every core at once: what is timed is
  // the way of a request, not how it fares beside that.
  const [one, two] = await interleave(sides, rounds, { warmup: 10, restMs: 200 });
  const paired = (two?.ms ?? []).map((ms, i) => ms - (one?.ms[i] ?? 0));
  const adds = median(paired);
  const outside = median(beside.queue.slice(10)) - median(beside.alone.slice(10));
  report('cluster.render', adds);
  console.log(`\n## What the queue adds to a render (${rounds} rounds, ${loadNote()})\n`);
  console.log('| | p50 ms | p95 ms | of it not in the browser, p50 ms |\n|---|---|---|---|');
  for (const [side, rest] of [[one, beside.alone] as const, [two, beside.queue] as const])
    console.log(
      `| ${side?.name} | ${fixed(median(side?.ms ?? []))} | ${fixed(quantile(side?.ms ?? [], 0.95))} | ${fixed(median(rest.slice(10)))} |`,
    );
  console.log(
    `\nBetween neighbours in time: ${fixed(adds)} ms more (p50); outside the browser ${fixed(outside)} ms more.`,
  );
}

/** What the browser, the encoder and the bucket took: the same work on both sides, and the noisiest. */
function madeOf(response: Response): number {
  return [...(response.headers.get('server-timing') ?? '').matchAll(/(\w+);dur=([\d.]+)/g)]
    .filter(([, phase]) => !['start', 'queue', 'cache'].includes(phase ?? ''))
    .reduce((sum, [, , ms]) => sum + Number(ms), 0);
}

async function costs(): Promise<void> {
  const parts = {
    'api node': () => usageOf(api.pid).nodeMs,
    'render node': () => usageOf(cluster.renderers[0]?.pid ?? 0).nodeMs,
    'its browsers': () => usageOf(cluster.renderers[0]?.pid ?? 0).browserMs,
    'Redis itself': () => usageOf(cluster.redis.pid()).nodeMs,
    'the database': () => usageOf(postgresPid(cluster)).nodeMs,
  };
  const redisFigure = (name: string) =>
    Number(
      new RegExp(`${name}:(\\d+)`).exec(
        execFileSync('redis-cli', ['-p', String(cluster.redis.port), 'info']).toString(),
      )?.[1],
    );
  const look = () => Object.entries(parts).map(([name, read]) => [name, read()] as const);
  const measure = async (count: number, work: () => Promise<unknown>) => {
    const before = new Map(look());
    const commands = redisFigure('total_commands_processed');
    const bytes = redisFigure('total_net_input_bytes') + redisFigure('total_net_output_bytes');
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < count / 4; i++) await work();
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    return {
      cpu: new Map(look().map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count])),
      commands: (redisFigure('total_commands_processed') - commands) / count,
      kilobytes: (redisFigure('total_net_input_bytes') + redisFigure('total_net_output_bytes') - bytes) / count / 1000,
      perSecond: count / seconds,
    };
  };
  const hitUrl = { url: `${site.url}/`, width: 333 };
  await (await shot(api, key, hitUrl)).arrayBuffer();
  const idle = await measure(4, () => sleep(5000));
  const renders = await measure(120, () => render(api, key));
  const hits = await measure(8000, async () => (await shot(api, key, hitUrl)).arrayBuffer());
  console.log('\n## What it costs: processor milliseconds\n');
  console.log('| | a render | a hit | a second of doing nothing |\n|---|---|---|---|');
  for (const name of Object.keys(parts))
    console.log(
      `| ${name} | ${fixed(renders.cpu.get(name) ?? 0)} | ${fixed(hits.cpu.get(name) ?? 0, 3)} | ${fixed((idle.cpu.get(name) ?? 0) * idle.perSecond)} |`,
    );
  console.log(
    `| commands of Redis | ${fixed(renders.commands, 1)} | ${fixed(hits.commands, 2)} | ${fixed(idle.commands * idle.perSecond, 1)} |`,
  );
  console.log(
    `| kilobytes through Redis | ${fixed(renders.kilobytes, 1)} | ${fixed(hits.kilobytes, 2)} | ${fixed(idle.kilobytes * idle.perSecond, 1)} |`,
  );
  console.log(`\n${fixed(hits.perSecond, 0)} hits a second on one api node with this client beside it.`);
}

async function scaling(): Promise<void> {
  console.log('\n## Render processes, each with 40 % of a core\n');
  console.log('| render processes | renders a second | times | processor ms of a render |\n|---|---|---|---|');
  let first = 0;
  const groups: string[] = [];
  try {
    for (const count of [1, 2, 3]) {
      while (cluster.renderers.length < count) await cluster.addRenderer();
      for (const [i, node] of cluster.renderers.entries()) if (groups[i] === undefined) groups.push(confine(node, i));
      await sleep(1500);
      const cpuBefore = groups.reduce((sum, group) => sum + used(group), 0);
      const until = performance.now() + 25_000;
      const began = performance.now();
      let made = 0;
      await Promise.all(
        Array.from({ length: 3 * count }, async () => {
          while (performance.now() < until) {
            await render(api, key);
            made++;
          }
        }),
      );
      const rate = made / ((performance.now() - began) / 1000);
      first ||= rate;
      const cpu = (groups.reduce((sum, group) => sum + used(group), 0) - cpuBefore) / made;
      console.log(`| ${count} | ${fixed(rate)} | ${fixed(rate / first)} | ${fixed(cpu, 0)} |`);
    }
  } finally {
    await Promise.all(cluster.renderers.map((node) => node.clean()));
    // Browsers end when the pipe to their server does.
    await sleep(3000);
    for (const group of groups) for (const kind of ['cpu', 'cpuacct']) rmdirSync(`/sys/fs/cgroup/${kind}/${group}`);
  }
}

/** A control group with a quota, the process and its browsers in it. Needs root and cgroup v1's cpu controller. */
function confine(node: Node, index: number): string {
  const group = `tintype-bench-${process.pid}-${index}`;
  for (const kind of ['cpu', 'cpuacct']) mkdirSync(`/sys/fs/cgroup/${kind}/${group}`);
  writeFileSync(`/sys/fs/cgroup/cpu/${group}/cpu.cfs_quota_us`, '40000');
  const tree = treeOf(node.pid);
  for (const kind of ['cpu', 'cpuacct'])
    for (const { pid } of tree) writeFileSync(`/sys/fs/cgroup/${kind}/${group}/cgroup.procs`, String(pid));
  return group;
}
function used(group: string): number {
  return Number(readFileSync(`/sys/fs/cgroup/cpuacct/${group}/cpuacct.usage`, 'utf8')) / 1e6;
}

function postgresPid({ databaseUrl }: Topology): number {
  const { port } = new URL(databaseUrl);
  return Number(execFileSync('sh', ['-c', `pgrep -of "postgres .*-p ${port}"`]).toString());
}

function fixed(value: number, digits = 2): string {
  return value.toFixed(digits);
}
