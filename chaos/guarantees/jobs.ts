// Jobs are sent while processes are killed every few seconds: none is lost, none ends twice, and every end is reported
// under one id.
import { setTimeout as sleep } from 'node:timers/promises';
import { startTopology, type Topology } from '../../test/cluster/topology.ts';
import { type ServerProcess, startServerProcess, tintype } from '../../test/harness/server-process.ts';
import { type Receiver, startReceiver } from '../../test/webhooks/receiver.ts';
import { type Guarantee, type Length, type Row, row } from '../guarantee.ts';

const jobs = 2000;
const killEveryMs = 5000;
/** While they last: a machine that needs longer for a start and a page than for the time between two would never end. */
const mostKills = 40;
/** After the last kill. A lease, the pauses between tries, and the first two of a webhook's. */
const patienceMs = 10 * 60_000;
const planLimits = JSON.stringify({
  business: { rendersPerMinute: 1e6, rendersAtOnce: 64, keys: 10, jobsQueued: 100_000 },
});

type Seen = { readonly id: string; readonly status: string; readonly endedAt: number | null };

type Service = {
  /** Where a request may be sent now; another one each time, if there are several. */
  url(): string;
  readonly key: string;
  /** Kills something, and starts it again. */
  kill(): Promise<string>;
  close(): Promise<void>;
};

export const jobsOnOneProcess: Guarantee = async (length) => survive('one process, SQLite', await openSingle(), length);

export const jobsInACluster: Guarantee = async (length) =>
  survive('cluster, PostgreSQL, Redis', await openCluster(), length);

async function openSingle(): Promise<Service> {
  const env = { PLAN_LIMITS: planLimits, LOG_LEVEL: 'error' };
  let server: ServerProcess = await startServerProcess(env);
  const { dataDir } = server;
  const beside = { DATA_DIR: dataDir, PLAN_LIMITS: planLimits };
  const account = ['account', 'create', 'chaos@example.test', '--plan', 'business'];
  await tintype([...account, '--password', 'a long pass phrase'], beside);
  const made = await tintype(['key', 'create', 'chaos@example.test', '--name', 'chaos'], beside);
  return {
    url: () => server.url,
    key: made.trim().split('\n').at(-1) ?? '',
    async kill() {
      server.signal('SIGKILL', 'group');
      await server.exited;
      server = await startServerProcess({ ...env, DATA_DIR: dataDir, PORT: new URL(server.url).port });
      return 'the process';
    },
    close: () => server.clean(),
  };
}

async function openCluster(): Promise<Service> {
  const cluster: Topology = await startTopology(
    { apis: 2, renderers: 2 },
    { PLAN_LIMITS: planLimits, LOG_LEVEL: 'error' },
  );
  const { key } = await cluster.customer('business');
  let turn = 0;
  let asked = 0;
  const faults = [
    async () => {
      const [node] = cluster.apis.splice(0, 1);
      node?.signal('SIGKILL', 'group');
      await node?.clean();
      await cluster.addApi(node?.port);
      return 'an api node';
    },
    async () => {
      const [node] = cluster.renderers.splice(0, 1);
      node?.signal('SIGKILL', 'group');
      await node?.clean();
      await cluster.addRenderer();
      return 'a render node';
    },
    async () => {
      await cluster.redis.stop();
      await sleep(1000);
      await cluster.redis.start();
      return 'Redis';
    },
  ];
  return {
    url: () => cluster.apis[asked++ % cluster.apis.length]?.url ?? '',
    key,
    kill: async () => (await faults[turn++ % faults.length]?.()) ?? '',
    close: () => cluster.remove(),
  };
}

async function survive(where: string, service: Service, { scale }: Length): Promise<Row[]> {
  const count = Math.round(jobs * scale);
  const receiver = await startReceiver();
  let isOver = false;
  const kills: string[] = [];
  const killing = (async () => {
    for (let left = Math.ceil(mostKills * scale); left > 0 && !isOver; left--) {
      await sleep(killEveryMs);
      if (!isOver) kills.push(await service.kill());
    }
  })();
  try {
    const accepted = await submitAll(count, service, receiver);
    const last = await watchUntilEnded(accepted, service);
    isOver = true;
    await killing;
    return await judge(where, accepted, last, kills.length, service, receiver);
  } finally {
    isOver = true;
    await killing.catch(() => {});
    await Promise.all([service.close(), receiver.close()]);
  }
}

/** Every tenth is a page, the others are cards. Whoever gets no answer sends again, with the same idempotency key. */
async function submitAll(count: number, service: Service, receiver: Receiver): Promise<Set<string>> {
  const accepted = new Set<string>();
  let next = 0;
  const client = async () => {
    while (next < count) {
      const at = next++;
      const job =
        at % 10 === 0
          ? { kind: 'screenshot', request: { html: `<h1>Page ${at}</h1>`, width: 300, height: 200 } }
          : { kind: 'og', request: { template: 'quote', title: `Card ${at}`, width: 300, height: 200 } };
      const body = JSON.stringify({ ...job, webhook: receiver.url, metadata: { at } });
      for (;;) {
        const reply = await ask(service, '/v1/jobs', {
          method: 'POST',
          body,
          headers: { 'idempotency-key': `job ${at}` },
        });
        if (reply?.status === 202) {
          accepted.add((reply.body as Seen).id);
          break;
        }
        await sleep(200);
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, client));
  return accepted;
}

type Reply = { readonly status: number; readonly body: unknown };

async function ask(
  service: Service,
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<Reply | undefined> {
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json', ...init.headers };
  try {
    const response = await fetch(service.url() + path, { ...init, headers, signal: AbortSignal.timeout(10_000) });
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined;
  }
}

async function listAll(service: Service): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (let after = ''; ; ) {
    const reply = await ask(service, `/v1/jobs?limit=100${after === '' ? '' : `&after=${after}`}`);
    if (reply?.status !== 200) {
      await sleep(200);
      continue;
    }
    const { jobs: page, next } = reply.body as { jobs: Seen[]; next: string | null };
    for (const job of page) seen.set(job.id, job);
    if (next === null) return seen;
    after = next;
  }
}

/** `changed`: how often a job that had ended was seen with another end. */
type Watched = { readonly seen: ReadonlyMap<string, Seen>; readonly changed: number };

async function watchUntilEnded(accepted: ReadonlySet<string>, service: Service): Promise<Watched> {
  const ends = new Map<string, string>();
  const giveUpAt = performance.now() + patienceMs;
  let changed = 0;
  for (;;) {
    const seen = await listAll(service);
    let open = 0;
    for (const id of accepted) {
      const job = seen.get(id);
      if (job === undefined || job.endedAt === null) open++;
      else {
        // Addresses differ by the node that was asked.
        const end = `${job.status} ${job.endedAt}`;
        if (ends.has(id) && ends.get(id) !== end) changed++;
        ends.set(id, end);
      }
    }
    if (open === 0 || performance.now() > giveUpAt) return { seen, changed };
    await sleep(1000);
  }
}

async function judge(
  where: string,
  accepted: ReadonlySet<string>,
  { seen, changed }: Watched,
  kills: number,
  service: Service,
  receiver: Receiver,
): Promise<Row[]> {
  const reports = () => {
    const byJob = new Map<string, { ids: Set<string>; bodies: Set<string> }>();
    for (const { id, body } of receiver.received) {
      const { data } = JSON.parse(body) as { data: Seen };
      const known = byJob.get(data.id) ?? { ids: new Set(), bodies: new Set() };
      byJob.set(data.id, known);
      known.ids.add(id);
      known.bodies.add(body);
    }
    return byJob;
  };
  const giveUpAt = performance.now() + patienceMs;
  while ([...accepted].some((id) => !reports().has(id)) && performance.now() < giveUpAt) await sleep(1000);
  const byJob = reports();
  const final = await listAll(service);
  const lost = [...accepted].filter((id) => (seen.get(id)?.endedAt ?? null) === null).length;
  const twice =
    changed + [...byJob.values()].filter(({ bodies }) => bodies.size > 1).length + (final.size - accepted.size);
  const failed = [...final.values()].filter(({ status }) => status === 'failed').length;
  const unreported = [...accepted].filter((id) => !byJob.has(id)).length;
  const otherIds = [...byJob.values()].filter(({ ids }) => ids.size > 1).length;
  const of = `of ${accepted.size} jobs, ${kills} kills`;
  return [
    row(`${where}: jobs lost`, `${lost} ${of}`, '0', lost === 0),
    row(`${where}: jobs that ended twice`, `${twice} ${of}`, '0', twice === 0),
    row(`${where}: jobs that failed`, `${failed} ${of}`, '0', failed === 0),
    row(`${where}: ends that were not reported`, `${unreported} ${of}`, '0', unreported === 0),
    row(`${where}: ends under several webhook-ids`, `${otherIds} ${of}`, '0', otherIds === 0),
  ];
}
