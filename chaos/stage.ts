// What every promise is tried on: a server process with generous plans, the hostile site, and a client that keeps time.
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

export type Stage = {
  readonly server: ServerProcess;
  readonly site: Site;
  /** A key of an account of its own. */
  newKey(): Promise<string>;
  /** Asks for a page of the hostile site; status 0 is no answer at all. */
  shot(key: string, path: string, query?: string, signal?: AbortSignal): Promise<Answer>;
  metric(name: string): Promise<number>;
  close(): Promise<void>;
};

const generous = Object.fromEntries(
  ['free', 'business'].map((plan) => [plan, { rendersPerMinute: 1e6, rendersAtOnce: 64, keys: 1000 }]),
);

export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const site = await startHostileSite();
  const server = await startServerProcess({ PLAN_LIMITS: JSON.stringify(generous), LOG_LEVEL: 'warn', ...env });
  const beside = { DATA_DIR: server.dataDir, PLAN_LIMITS: JSON.stringify(generous) };
  let accounts = 0;

  return {
    server,
    site,
    async newKey() {
      const email = `chaos-${++accounts}@example.test`;
      await tintype(['account', 'create', email, '--plan', 'business', '--password', 'a long pass phrase'], beside);
      return (await tintype(['key', 'create', email, '--name', 'chaos'], beside)).trim().split('\n').at(-1) ?? '';
    },
    async shot(key, path, query = '', signal) {
      const url = `${server.url}/v1/screenshot?url=${encodeURIComponent(site.url + path)}${query}`;
      const started = performance.now();
      const answered = (status: number, cache: string | null, code: string): Answer => ({
        status,
        cache,
        ms: performance.now() - started,
        code,
      });
      try {
        const { status, headers, body } = await get(url, { 'x-api-key': key }, signal);
        const code = status === 200 ? '' : String((JSON.parse(body.toString()) as { code: string }).code);
        return answered(status, headers['x-cache']?.toString() ?? null, code);
      } catch {
        return answered(0, null, 'no answer');
      }
    },
    async metric(name) {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return text
        .split('\n')
        .filter((line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    async close() {
      server.signal('SIGTERM');
      await server.exited;
      await Promise.all([server.clean(), site.close()]);
    },
  };
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
