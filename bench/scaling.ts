// Extrapolates the measured cost of one request to clusters of up to 100 render nodes: the first bottleneck, the api nodes
// needed, and how long renders wait. Its random numbers have a fixed seed. It starts nothing and takes some seconds. npm run bench:scaling (docs/scaling.md explains it; -- --write puts the tables there)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pass, seeded } from './queueing.ts';

/** Processor milliseconds, as bench/cluster.ts costs prints them. Put new figures here, and the tables into the page. */
const measured = {
  render: { api: 13, node: 11.4, browsers: 195, redis: 2.4, postgres: 1.25 },
  /** Redis: to ask how an account's rate stands, which a node does at most once a second for an account. */
  hit: { api: 0.97, postgres: 0.55, redis: 0.05 },
  /** Of Redis, for a node that does nothing, in a second: its sign of life, its look into the queue. */
  idleNode: { redis: 2 },
};

/** What was not measured but chosen: a cluster as somebody would build it. */
const assumed = {
  coresOfRenderNode: 2,
  /** RENDERS_AT_ONCE. */
  slotsOfRenderNode: 3,
  /** How long a page waits for its own servers, using no processor here. 0, as in the benchmark. */
  pageWaitMs: 0,
  /** Redis runs commands on one core, however many it has. */
  redisCores: 1,
  postgresCores: 8,
  /** An api node is one process, and as busy as autoscaling.yaml lets it be. */
  apiBusy: 0.6,
  queueMax: 200,
  /** Accounts that ask for something in any one second. */
  accounts: 200,
  pictureBytes: 150_000,
  /** Hits whose bytes are not in the node's memory. */
  coldHits: 0.2,
  /** A bucket behind 10 Gbit/s. */
  storeBytesPerSecond: 1.25e9,
  /** How much renders differ: standard deviation over mean. */
  spread: 0.7,
  /** A command that Redis does not answer by then is a 503 (cluster/link.ts). */
  redisPatienceMs: 1500,
};

type Model = { measured: typeof measured; assumed: typeof assumed };
type Load = { renderNodes: number; hitRate: number; rendersPerSecond: number };

const rendersPerNode = ({ measured: { render }, assumed: a }: Model): number => {
  const cpuMs = render.node + render.browsers;
  return Math.min((1000 * a.coresOfRenderNode) / cpuMs, (1000 * a.slotsOfRenderNode) / (cpuMs + a.pageWaitMs));
};

/** What of each part is in use: 1 is all of it. */
function demandOn({ measured: m, assumed: a }: Model, { renderNodes, hitRate, rendersPerSecond: renders }: Load) {
  const hits = (renders * hitRate) / (1 - hitRate);
  const apiNodes = Math.max(1, Math.ceil((renders * m.render.api + hits * m.hit.api) / (1000 * a.apiBusy)));
  const ratesAsked = Math.min(hits, a.accounts * apiNodes);
  const redisMs = renders * m.render.redis + ratesAsked * m.hit.redis + (renderNodes + apiNodes) * m.idleNode.redis;
  const storeBytes = (renders + hits * a.coldHits) * a.pictureBytes;
  return {
    apiNodes,
    requests: renders + hits,
    storeBytes,
    parts: {
      'render nodes': renders / (renderNodes * rendersPerNode({ measured: m, assumed: a })),
      Redis: redisMs / (1000 * a.redisCores),
      PostgreSQL: (renders * m.render.postgres + hits * m.hit.postgres) / (1000 * a.postgresCores),
      'the bucket': storeBytes / a.storeBytesPerSecond,
    },
  };
}

const fullest = (parts: Readonly<Record<string, number>>): [string, number] =>
  Object.entries(parts).reduce((most, each) => (each[1] > most[1] ? each : most));

/** Renders a second at which the first part has nothing left. */
function capacityOf(model: Model, renderNodes: number, hitRate: number): number {
  let [low, high] = [0, renderNodes * rendersPerNode(model)];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    const [, use] = fullest(demandOn(model, { renderNodes, hitRate, rendersPerSecond: middle }).parts);
    if (use > 1) high = middle;
    else low = middle;
  }
  return low;
}

const simulated = 40_000;

/** Renders through database, queue and slots one after the other; hits take their part of the first two beside them. */
function waitsOf(model: Model, load: Load) {
  const { measured: m, assumed: a } = model;
  const random = seeded(1);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const sigma = Math.sqrt(Math.log(1 + a.spread ** 2));
  const logNormal = (mean: number) => mean * Math.exp(sigma * normal() - sigma ** 2 / 2);
  const { parts } = demandOn(model, load);
  const slots = load.renderNodes * a.slotsOfRenderNode;
  // A part that is also busy with hits serves a render more slowly.
  const slowed = (use: number, ms: number, cores: number) =>
    ms / Math.max(0.01, 1 - (use - (load.rendersPerSecond * ms) / (1000 * cores)));
  const database = slowed(parts.PostgreSQL, m.render.postgres, a.postgresCores);
  const queue = slowed(parts.Redis, m.render.redis, a.redisCores);
  const render = (1000 * a.slotsOfRenderNode) / rendersPerNode(model);
  const stations = [
    pass({ servers: a.postgresCores, serviceMs: () => exponential(database) }),
    pass({ servers: a.redisCores, serviceMs: () => exponential(queue), patienceMs: a.redisPatienceMs }),
    pass({ servers: slots, serviceMs: () => logNormal(render), room: slots + a.queueMax }),
  ];
  const arrivals: { now: number; waited: number; refused: boolean }[] = [];
  for (let i = 0, now = 0; i < simulated; i++) {
    now += exponential(1000 / load.rendersPerSecond);
    arrivals.push({ now, waited: 0, refused: false });
  }
  for (const station of stations)
    for (const each of arrivals.filter(({ refused }) => !refused).sort((x, y) => x.now - y.now)) {
      const served = station(each.now);
      each.refused = served === undefined;
      each.waited += (served?.begins ?? each.now) - each.now;
      each.now = served?.ends ?? each.now;
    }
  // The empty cluster of the beginning is left out.
  const seen = arrivals.slice(simulated / 10);
  const waits = seen
    .filter(({ refused }) => !refused)
    .map(({ waited }) => waited)
    .sort((x, y) => x - y);
  const at = (share: number) => waits[Math.floor(waits.length * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), refused: seen.filter(({ refused }) => refused).length / seen.length };
}

const model: Model = { measured, assumed };
const lines: string[] = [];
const row = (...cells: readonly (string | number)[]) => lines.push(`| ${cells.join(' | ')} |`);
const whole = (value: number) => Math.round(value).toLocaleString('en');
const percent = (share: number) => `${Math.round(share * 100)} %`;
const time = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

for (const hitRate of [0, 0.8, 0.95]) {
  lines.push('', `### ${percent(hitRate)} hits`, '');
  row(
    'render nodes',
    'renders/s',
    'requests/s',
    'bottleneck',
    'Redis',
    'PostgreSQL',
    'bucket MB/s',
    'api nodes',
    'wait at 70 %: p50, p95',
    'at 100 %: p50, p95',
    'refused',
  );
  row(...Array.from({ length: 11 }, () => '---'));
  for (const renderNodes of [1, 2, 3, 10, 30, 100]) {
    const rendersPerSecond = capacityOf(model, renderNodes, hitRate);
    const full = { renderNodes, hitRate, rendersPerSecond };
    const { parts, apiNodes, requests, storeBytes } = demandOn(model, full);
    const calm = waitsOf(model, { ...full, rendersPerSecond: 0.7 * rendersPerSecond });
    const busy = waitsOf(model, full);
    row(
      renderNodes,
      whole(rendersPerSecond),
      whole(requests),
      fullest(parts)[0],
      percent(parts.Redis),
      percent(parts.PostgreSQL),
      whole(storeBytes / 1e6),
      apiNodes,
      `${time(calm.p50)}, ${time(calm.p95)}`,
      `${time(busy.p50)}, ${time(busy.p95)}`,
      `${(busy.refused * 100).toFixed(1)} %`,
    );
  }
}

/** The first number of render nodes for which something else has less than they could use. */
function limitOf(model: Model, hitRate: number): string {
  for (let renderNodes = 1; renderNodes <= 2000; renderNodes++) {
    const rendersPerSecond = renderNodes * rendersPerNode(model);
    const { parts, apiNodes } = demandOn(model, { renderNodes, hitRate, rendersPerSecond });
    const [name, use] = fullest({ ...parts, 'render nodes': 0 });
    if (use > 1) return `${renderNodes - 1} (${name}; ${apiNodes} api nodes)`;
  }
  return 'over 2,000';
}

lines.push('', '### How many render nodes the rest can keep busy', '');
row('if', 'renders/s of a node', '0 % hits', '80 %', '95 %');
row('---', '---', '---', '---', '---');
const { render } = measured;
const cases: Record<string, Model> = {
  'as measured': model,
  'Redis did a render in half the time': {
    assumed,
    measured: { ...measured, render: { ...render, redis: render.redis / 2 } },
  },
  'Redis did it in a quarter': { assumed, measured: { ...measured, render: { ...render, redis: render.redis / 4 } } },
  'PostgreSQL had 2 cores': { measured, assumed: { ...assumed, postgresCores: 2 } },
  'pages were heavy (580 ms)': { assumed, measured: { ...measured, render: { ...render, node: 80, browsers: 500 } } },
  'pages waited 1 s for their servers': { measured, assumed: { ...assumed, pageWaitMs: 1000 } },
  'pages waited 1 s, 13 slots a node': { measured, assumed: { ...assumed, pageWaitMs: 1000, slotsOfRenderNode: 13 } },
};
for (const [name, each] of Object.entries(cases))
  row(name, rendersPerNode(each).toFixed(1), limitOf(each, 0), limitOf(each, 0.8), limitOf(each, 0.95));

const page = join(import.meta.dirname, '../docs/scaling.md');
if (process.argv.includes('--write'))
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(
      /(<!-- tables -->\n)[\s\S]*(<!-- end -->)/,
      (_, begin, end) => `${begin}${lines.join('\n')}\n\n${end}`,
    ),
  );
else console.log(lines.join('\n'));
