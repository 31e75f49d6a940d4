// The sides of a capture benchmark, each a process of its own, so that what it takes can be told from what others take.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { get } from '../test/harness/http-client.ts';
import { type ServerProcess, startServerProcess, tintype } from '../test/harness/server-process.ts';
import type { ShotWish } from './sides/answer.js';

/** `restMs`: from the load to rest, where the side tells it. */
export type Captured = { readonly restMs: number | undefined };

export type CaptureSide = {
  readonly name: string;
  readonly pid: number;
  capture(wish: ShotWish): Promise<Captured | undefined>;
  close(): Promise<void>;
};

type Reply = { id: number; error?: string };

/** A side that is driven by messages; see sides/answer.js. */
export async function startSide(
  name: string,
  script: string,
  options: { args?: string[]; env?: Record<string, string>; cwd?: string } = {},
): Promise<CaptureSide> {
  const child: ChildProcess = fork(script, options.args ?? [], {
    ...(options.cwd && { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', process.env.BENCH_DEBUG ? 'inherit' : 'ignore', 'ipc'],
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  let id = 0;
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it was ready`)));
  });
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply));
  child.once('exit', () => {
    for (const [id, tell] of waiting) tell({ id, error: 'its process ended' });
  });
  return {
    name,
    pid: child.pid ?? 0,
    async capture(wish) {
      const mine = ++id;
      const reply = await new Promise<Reply>((resolve) => {
        if (!child.connected) return resolve({ id: mine, error: 'its process ended' });
        waiting.set(mine, resolve);
        child.send({ id: mine, wish });
      });
      waiting.delete(mine);
      if (reply.error !== undefined) throw new Error(`${name}: ${reply.error}`);
      return undefined;
    },
    async close() {
      if (!child.connected) return;
      const gone = new Promise((done) => child.once('exit', done));
      child.disconnect();
      await gone;
    },
  };
}

export const startPlaywright = (): Promise<CaptureSide> =>
  startSide('playwright-core', join(import.meta.dirname, 'sides/playwright.ts'));

/** No limit of a plan may stand in the way of a benchmark. */
const limits = JSON.stringify({ business: { rendersPerMinute: 1e6, rendersAtOnce: 64 } });

/** Tintype as a person runs it: a server in a process of its own, asked over HTTP with a key, the cache passed by. */
export async function startTintype(
  env: Record<string, string> = {},
): Promise<CaptureSide & { url: string; key: string }> {
  const server = await startOwnServer({ PLAN_LIMITS: limits, ...env });
  const key = await createKey(server.dataDir);
  return {
    name: 'Tintype',
    pid: server.pid,
    url: server.url,
    key,
    capture: (wish) => captureByTintype(server.url, key, wish),
    close: () => server.clean(),
  };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A server that does not outlive the benchmark, however that ends. */
export async function startOwnServer(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServerProcess(env);
  const end = () => server.signal('SIGKILL', 'group');
  process.once('exit', end);
  server.exited.then(() => process.off('exit', end));
  return server;
}

export async function createKey(dataDir: string): Promise<string> {
  const env = { DATA_DIR: dataDir };
  const email = `bench-${process.pid}-${Date.now()}@example.test`;
  await tintype(['account', 'create', email, '--plan', 'business', '--password', 'a long enough password'], env);
  return (await tintype(['key', 'create', email, '--name', 'bench'], env)).trim().split('\n').at(-1) ?? '';
}

async function captureByTintype(url: string, key: string, { patient, ...wish }: ShotWish): Promise<Captured> {
  const query = new URLSearchParams({ fresh: 'true' });
  for (const [name, value] of Object.entries(wish)) query.set(name, String(value));
  const { status, headers, body } = await get(`${url}/v1/screenshot?${query}`, { 'x-api-key': key });
  if (status !== 200) throw new Error(`Tintype: ${status} ${body}`);
  const rest = /\bsettle;dur=([\d.]+)/.exec(String(headers['server-timing'] ?? ''))?.[1];
  return { restMs: rest === undefined ? undefined : Number(rest) };
}
