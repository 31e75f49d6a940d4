// A whole Tintype on a free port with a data folder of its own: the real browser, the real database.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { start } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Resolver, TextRecordResolver } from '../../src/egress/egress-types.ts';
import { createLog } from '../../src/kernel/log.ts';
import { type PlanName, plans } from '../../src/kernel/plans.ts';
import type { Account, Store } from '../../src/store/store.ts';
import { type Place, quietHere, startOnCluster } from './cluster-service.ts';

export type Customer = { account: Account; key: string; keyId: string; signingSecret: string };

export type Service = {
  readonly url: string;
  readonly store: Store;
  readonly dataDir: string;
  /** Every log line so far; `quiet` waits until what was done is there. */
  readonly logLines: string[];
  quiet(): Promise<void>;
  /** The usage of this account, once that of this answer is written. */
  usageUpTo(answer: Response, account: Account): ReturnType<Store['usage']['recent']>;
  /** The figures of /metrics, of all nodes together. */
  metrics(): Promise<string>;
  readonly printed: string[];
  /** A new account on this plan with a key. */
  customer(plan: PlanName): Promise<Customer>;
  /** GET with the key in the header. */
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Response>;
  /** POST with this object as JSON, or this text as it is. */
  post(path: string, body: unknown, key?: string, headers?: Record<string, string>): Promise<Response>;
  /** GET /v1/screenshot with these parameters. */
  shot(
    parameters: Record<string, string | number | boolean>,
    key: string,
    headers?: Record<string, string>,
  ): Promise<Response>;
  stop(): Promise<void>;
};

let customers = 0;

/** On a cluster where the suite runs on one (the project cluster-spec of vitest.config.ts); else in this process. */
export async function startService(
  env: Record<string, string> = {},
  resolver?: Resolver,
  textRecords?: TextRecordResolver,
): Promise<Service> {
  const cluster = inject('cluster');
  const place = await (cluster === undefined
    ? startHere(env, resolver, textRecords)
    : startOnCluster(cluster, env, resolver));
  const get: Service['get'] = (path, key, headers = {}) =>
    fetch(place.next() + path, {
      headers: { ...(key !== undefined && { 'x-api-key': key }), ...headers },
      redirect: 'manual',
    });
  return {
    url: place.url,
    store: place.store,
    dataDir: place.dataDir,
    get logLines() {
      return place.logLines();
    },
    get printed() {
      return place.printed();
    },
    quiet: place.quiet,
    async usageUpTo(answer, { id }) {
      const recent = () => place.store.usage.recent(id, { count: 500 });
      const requestId = answer.headers.get('x-request-id');
      // It is written a second later.
      await expect
        .poll(async () => (await recent()).map((record) => record.id), { timeout: 10_000 })
        .toContain(requestId);
      return recent();
    },
    metrics: place.metrics,
    get,
    post: (path, body, key, headers = {}) =>
      fetch(place.next() + path, {
        method: 'POST',
        headers: {
          ...(key !== undefined && { 'x-api-key': key }),
          'content-type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    shot: (parameters, key, headers) => get(`/v1/screenshot?${query(parameters)}`, key, headers),
    async customer(plan) {
      const account = await place.store.accounts.create({
        email: `customer-${process.pid}-${++customers}@example.test`,
        plan,
      });
      const made = await createKey(place.store, { accountId: account.id, name: 'test', limit: plans[plan].keys });
      return { account, key: made.secret, keyId: made.key.id, signingSecret: made.signingSecret };
    },
    stop: place.stop,
  };
}

async function startHere(
  env: Record<string, string>,
  resolver?: Resolver,
  textRecords?: TextRecordResolver,
): Promise<Place> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'tintype-test-')));
  const logLines: string[] = [];
  const printed: string[] = [];
  const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ...env });
  const running = await start(config, {
    log: createLog('debug', (line) => void logLines.push(line)),
    print: (line) => void printed.push(line),
    ...(resolver && { resolver }),
    ...(textRecords && { textRecords }),
  });
  return {
    url: running.url,
    next: () => running.url,
    store: running.store,
    dataDir,
    logLines: () => logLines,
    printed: () => printed,
    quiet: quietHere,
    metrics: async () => (await fetch(`${running.url}/metrics`)).text(),
    async stop() {
      await running.stop();
      if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const query = (parameters: Record<string, string | number | boolean>): string =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

export type ErrorAnswer = { error: string; code: string; parameter?: string; requiredPlan?: string; requestId: string };

export const errorOf = async (response: Response): Promise<ErrorAnswer> => (await response.json()) as ErrorAnswer;

/** The metadata object of `response=json`. */
export type ScreenshotMeta = {
  url: string;
  imageUrl: string;
  width: number;
  height: number;
  format: string;
  size: number;
  renderTime: number;
  cachedAt: number | null;
  pages?: number;
  page: { status: number; finalUrl: string; title: string };
  warnings: string[];
};

export const metaOf = async (response: Response): Promise<ScreenshotMeta> => {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as ScreenshotMeta;
};
