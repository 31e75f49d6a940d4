// What every promise is tried on: a server process with generous plans, the hostile site, and a client that keeps time.

import type { PlanName } from '../src/kernel/plans.ts';
import { startTopology } from '../test/cluster/topology.ts';
import { get } from '../test/harness/http-client.ts';
import { type ServerProcess, startServerProcess, tintype } from '../test/harness/server-process.ts';
import type { Site } from '../test/harness/site.ts';
import { startHostileSite } from './hostile-site.ts';

export type Answer = {
  readonly status: number;
  readonly cache: string | null;
  readonly ms: number;
  readonly code: string;
};

export type Service = {
  readonly server: ServerProcess;
  readonly site: Site;
  /** A key of an account of its own. */
  newKey(plan?: PlanName): Promise<string>;
  /** Asks for a page of the hostile site; status 0 is no answer at all. */
  shot(key: string, path: string, query?: string, signal?: AbortSignal): Promise<Answer>;
  /** A card with this title, which is rendered if it is a new one. */
  card(key: string, title: string): Promise<Answer>;
  metric(name: string): Promise<number>;
  close(): Promise<void>;
};

const generous = Object.fromEntries(
  ['free', 'business'].map((plan) => [plan, { rendersPerMinute: 1e6, rendersAtOnce: 64, keys: 1000 }]),
);

export async function startService(env: Record<string, string> = {}): Promise<Service> {
  const site = await startHostileSite();
  const settings = { PLAN_LIMITS: JSON.stringify(generous), LOG_LEVEL: 'warn', ...env };
  const server = await startServerProcess(settings);
  const beside = { DATA_DIR: server.dataDir, PLAN_LIMITS: settings.PLAN_LIMITS };
  let accounts = 0;
  return {
    server,
    site,
    async newKey(plan = 'business') {
      const email = `chaos-${++accounts}@example.test`;
      await tintype(['account', 'create', email, '--plan', plan, '--password', 'a long pass phrase'], beside);
      return (await tintype(['key', 'create', email, '--name', 'chaos'], beside)).trim().split('\n').at(-1) ?? '';
    },
    ...clientOf(server.url, site),
    metric: (name) => sumOfMetric([server.url], name),
    async close() {
      server.signal('SIGTERM');
      await server.exited;
      await Promise.all([server.clean(), site.close()]);
    },
  };
}

/** The same with a machine that takes requests and one that renders, on PostgreSQL, Redis and an S3 server. */
export async function startClusterService(env: Record<string, string> = {}): Promise<Service> {
  const site = await startHostileSite();
  const settings = { PLAN_LIMITS: JSON.stringify(generous), LOG_LEVEL: 'warn', ...env };
  const cluster = await startTopology({ apis: 1, renderers: 1 }, settings);
  const server = cluster.apis[0] as ServerProcess;
  return {
    server,
    site,
    newKey: async (plan = 'business') => (await cluster.customer(plan)).key,
    ...clientOf(server.url, site),
    metric: (name) =>
      sumOfMetric(
        cluster.renderers.map(({ url }) => url),
        name,
      ),
    async close() {
      await cluster.remove();
      await site.close();
    },
  };
}

function clientOf(url: string, site: Site): Pick<Service, 'shot' | 'card'> {
  async function ask(key: string, path: string, signal?: AbortSignal): Promise<Answer> {
    const started = performance.now();
    const answered = (status: number, cache: string | null, code: string): Answer => ({
      status,
      cache,
      ms: performance.now() - started,
      code,
    });
    try {
      const { status, headers, body } = await get(url + path, { 'x-api-key': key }, signal);
      const code = status === 200 ? '' : String((JSON.parse(body.toString()) as { code: string }).code);
      return answered(status, headers['x-cache']?.toString() ?? null, code);
    } catch {
      return answered(0, null, 'no answer');
    }
  }

  return {
    shot: (key, path, query = '', signal) =>
      ask(key, `/v1/screenshot?url=${encodeURIComponent(site.url + path)}${query}`, signal),
    card: (key, title) => ask(key, `/v1/og?template=blog-post&title=${encodeURIComponent(title)}`),
  };
}

async function sumOfMetric(urls: readonly string[], name: string): Promise<number> {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** `lanes` clients in a row each, until the time is over. */
export async function keepBusy(lanes: number, ms: number, once: (turn: number) => Promise<unknown>): Promise<void> {
  const until = performance.now() + ms;
  let turn = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) await once(turn++);
    }),
  );
}
