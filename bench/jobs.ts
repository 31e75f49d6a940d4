// `npm run bench:jobs`: what jobs cost on one process with SQLite: how many are accepted a second, what a job takes over the
// same render by a request that waits, memory with a long queue, and the p95 of waiting requests beside a flood of jobs.
import { sleep } from '../src/kernel/deadline.ts';
import { type ServerProcess, startServerProcess, tintype } from '../test/harness/server-process.ts';
import { type Account, card, inLanes, runJobs, send } from './job-client.ts';
import { chosenOf, loadNote, median, quantile, setting, table } from './measure.ts';
import { type Usage, usageOf } from './processes.ts';

const sections = ['accept', 'overhead', 'memory', 'flood'] as const;
const chosen = chosenOf(sections);
type Started = { readonly server: ServerProcess; readonly account: Account; readonly other: Account };

/** `rate` is in renders a minute: 1 keeps jobs in the queue. */
async function start(rate: number): Promise<Started> {
  const limits = { rendersPerMinute: rate, rendersAtOnce: 16, keys: 10, jobsQueued: 100_000 };
  const env = { PLAN_LIMITS: JSON.stringify({ business: limits }), LOG_LEVEL: 'error' };
  const server = await startServerProcess(env);
  const beside = { DATA_DIR: server.dataDir };
  const accounts: Account[] = [];
  for (const email of ['one@example.test', 'two@example.test']) {
    await tintype(['account', 'create', email, '--plan', 'business', '--password', 'a long pass phrase'], beside);
    const created = await tintype(['key', 'create', email, '--name', 'bench'], beside);
    accounts.push({ url: server.url, key: created.trim().split('\n').at(-1) ?? '' });
  }
  const [account, other] = accounts as [Account, Account];
  return { server, account, other };
}

let serial = 0;
const page = (more = {}) => ({
  html: `<h1>Page ${++serial}</h1><p>${'Some words. '.repeat(300)}`,
  width: 600,
  ...more,
});

async function measure(server: ServerProcess, work: () => Promise<void>) {
  const before: Usage = usageOf(server.pid);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  return { seconds, cpuMs: usageOf(server.pid).nodeMs - before.nodeMs };
}

async function accept(): Promise<void> {
  const { server, account } = await start(1);
  const count = setting('JOBS', 5000);
  const submit = () => send(account, 202, 'POST', '/v1/jobs', { kind: 'og', request: card() });
  await inLanes(32, 300, submit);
  const single = await measure(server, () => inLanes(32, count, submit));
  const batches = count / 500;
  const batch = async () => {
    const requests = Array.from({ length: 500 }, () => ({ kind: 'og', request: card() }));
    await send(account, 202, 'POST', '/v1/batches', { requests });
  };
  const batched = await measure(server, () => inLanes(2, batches, batch));
  const row = (name: string, { seconds, cpuMs }: typeof single) => [
    name,
    (count / seconds).toFixed(0),
    (cpuMs / count).toFixed(2),
  ];
  console.log(
    table(
      'Accepted on SQLite, each on the disk before its 202 (goal: 500 a second)',
      ['', 'jobs a second', 'ms of processor a job'],
      [row('single jobs, 32 clients', single), row('batches of 500, 2 clients', batched)],
    ),
  );
  await server.clean();
}

async function overhead(): Promise<void> {
  const { server, account } = await start(1_000_000);
  const count = setting('CARDS', 200);
  const waited = () => send(account, 200, 'POST', '/v1/og', card());
  await inLanes(2, 20, waited);
  const rounds = { waited: [] as number[], queued: [] as number[] };
  for (let round = 0; round < setting('ROUNDS', 5); round++) {
    rounds.waited.push((await measure(server, () => inLanes(2, count, waited))).cpuMs / count);
    rounds.queued.push((await measure(server, () => runJobs(account, count, 200))).cpuMs / count);
  }
  const [alone, job] = [median(rounds.waited), median(rounds.queued)];
  console.log(
    table(
      'Processor time of a card in the Node process, median of the rounds (goal: a job takes at most 5 ms more)',
      ['', 'ms'],
      [
        ['a request that waits', alone.toFixed(1)],
        ['a job', job.toFixed(1)],
        ['more', (job - alone).toFixed(1)],
      ],
    ),
  );
  await server.clean();
}

async function memory(): Promise<void> {
  const { server, account } = await start(1);
  const megabytes = () => Math.round(usageOf(server.pid).nodeBytes / 1e6);
  const rows: [string, number, string][] = [['none', megabytes(), '']];
  const total = setting('QUEUED', 100_000);
  for (let queued = 0; queued < total; queued += 500) {
    const requests = Array.from({ length: 500 }, () => ({ kind: 'og', request: card() }));
    await send(account, 202, 'POST', '/v1/batches', { requests });
    if ((queued + 500) % (total / 4) !== 0) continue;
    await sleep(2000);
    const started = performance.now();
    await inLanes(1, 20, () => send(account, 200, 'GET', '/v1/jobs?limit=20'));
    rows.push([String(queued + 500), megabytes(), ((performance.now() - started) / 20).toFixed(1)]);
  }
  console.log(table('Memory of the Node process by jobs that wait', ['jobs', 'MB', 'ms for a list of 20'], rows));
  await server.clean();
}

async function flood(): Promise<void> {
  const { server, account, other } = await start(1_000_000);
  const times = { without: [] as number[], beside: [] as number[] };
  const seconds = setting('SECONDS', 20);
  const ask = async (into: number[]) => {
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      const started = performance.now();
      await send(account, 200, 'POST', '/v1/screenshot', page());
      into.push(performance.now() - started);
      // Somebody reads what they got.
      await sleep(100 + Math.random() * 200);
    }
  };
  await ask([]);
  let ended = 0;
  for (let round = 0; round < setting('ROUNDS', 5); round++) {
    await ask(times.without);
    const requests = Array.from({ length: 500 }, () => ({ kind: 'screenshot', request: page() }));
    const { id } = JSON.parse(await send(other, 202, 'POST', '/v1/batches', { requests })) as { id: string };
    await sleep(2000);
    await ask(times.beside);
    await send(other, 200, 'DELETE', `/v1/batches/${id}`);
    const after = await send(other, 200, 'GET', `/v1/batches/${id}`);
    ended += (JSON.parse(after) as { counts: { done: number } }).counts.done;
    await sleep(3000);
  }
  const row = (name: string, ms: readonly number[]) => [
    name,
    ms.length,
    median(ms).toFixed(0),
    quantile(ms, 0.95).toFixed(0),
  ];
  const ratio = quantile(times.beside, 0.95) / quantile(times.without, 0.95);
  console.log(
    table(
      `Waiting requests, one after the other, beside a flood of jobs (goal: p95 at most 20 % more; ${ended} jobs ended)`,
      ['', 'requests', 'p50 ms', 'p95 ms'],
      [
        row('no jobs', times.without),
        row('a flood of jobs', times.beside),
        ['ratio of the p95', '', '', ratio.toFixed(2)],
      ],
    ),
  );
  await server.clean();
}

const all = { accept, overhead, memory, flood };
for (const name of chosen) {
  console.log(`… ${name} (${loadNote()})`);
  await all[name as keyof typeof all]();
}
console.log(loadNote());
process.exit(0);
