// A cluster on one machine: a real PostgreSQL and Redis, an S3 server, and Tintype as processes of bin/tintype.
import { createKey } from '../../src/access/keys.ts';
import { createLog } from '../../src/kernel/log.ts';
import { type PlanName, plans } from '../../src/kernel/plans.ts';
import { type OpenStore, openStore } from '../../src/store/open.ts';
import { freePort } from '../harness/ports.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { type RedisServer, startRedis } from '../harness/redis.ts';
import { type S3Server, startS3 } from '../harness/s3.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { query } from '../harness/service.ts';

export type Node = ServerProcess & { readonly port: number };

export type Topology = {
  readonly postgres: Postgres;
  readonly redis: RedisServer;
  readonly s3: S3Server;
  readonly databaseUrl: string;
  readonly store: OpenStore;
  /** Those that run; whoever starts or ends one keeps the lists right. */
  readonly apis: Node[];
  readonly renderers: Node[];
  addApi(port?: number): Promise<Node>;
  addRenderer(): Promise<Node>;
  /** A new account on this plan: its key. */
  customer(plan: PlanName): Promise<{ key: string; keyId: string; accountId: string }>;
  remove(): Promise<void>;
};

let customers = 0;

export async function startTopology(
  counts: { apis: number; renderers: number },
  env: Record<string, string> = {},
): Promise<Topology> {
  const [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()]);
  const databaseUrl = await postgres.createDatabase();
  const store = await openStore({ dataDir: '/nonexistent', databaseUrl, log: createLog('silent') });
  const common = { REDIS_URL: redis.url, RENDERS_AT_ONCE: '2', SHUTDOWN_SECONDS: '20', ...env };
  const apis: Node[] = [];
  const renderers: Node[] = [];

  async function add(nodes: Node[], role: Record<string, string>, port?: number): Promise<Node> {
    const own = port ?? (await freePort());
    const started = await startServerProcess({ ...common, ...role, PORT: String(own) });
    const node = { ...started, url: `http://127.0.0.1:${own}`, port: own };
    nodes.push(node);
    return node;
  }
  const addApi = (port?: number) => add(apis, { ROLE: 'api', DATABASE_URL: databaseUrl, ...s3.env }, port);
  const addRenderer = () => add(renderers, { ROLE: 'render' });

  const started = await Promise.allSettled([
    ...Array.from({ length: counts.apis }, () => addApi()),
    ...Array.from({ length: counts.renderers }, () => addRenderer()),
  ]);
  const topology: Topology = {
    postgres,
    redis,
    s3,
    databaseUrl,
    store,
    apis,
    renderers,
    addApi,
    addRenderer,
    async customer(plan) {
      const account = await store.accounts.create({ email: `node-${process.pid}-${++customers}@example.test`, plan });
      const made = await createKey(store, { accountId: account.id, name: 'test', limit: plans[plan].keys });
      return { key: made.secret, keyId: made.key.id, accountId: account.id };
    },
    async remove() {
      await Promise.all([...apis, ...renderers].map((node) => node.clean()));
      await store.close();
      await Promise.all([postgres.remove(), redis.remove(), s3.remove()]);
    },
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed === undefined) return topology;
  await topology.remove();
  throw (failed as PromiseRejectedResult).reason;
}

export const shot = (
  node: { url: string },
  key: string,
  parameters: Record<string, string | number | boolean>,
  init: RequestInit = {},
): Promise<Response> =>
  fetch(`${node.url}/v1/screenshot?${query(parameters)}`, { ...init, headers: { 'x-api-key': key } });
