// A Redis of Debian's package on a free port, with a folder of its own and an append-only file as in production.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';

export type RedisServer = {
  readonly url: string;
  readonly port: number;
  pid(): number;
  /** Faults: away at once (kill -9), and back with what it had written. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Faults: takes connections and never answers. */
  freeze(): void;
  thaw(): void;
  flush(): void;
  /** Changes a setting. */
  set(name: string, value: string): void;
  /** All that was ever written to it, as its append-only file has it. */
  contents(): string;
  remove(): Promise<void>;
};

export async function startRedis(): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'tintype-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const command = (...args: string[]) =>
    execFileSync('redis-cli', ['-p', String(port), ...args], { stdio: 'pipe', timeout: 2000 }).toString();

  async function start(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'yes'];
    child = spawn('redis-server', options, { stdio: 'ignore' });
    for (let tries = 0; ; tries++) {
      try {
        if (command('ping').startsWith('PONG')) return;
      } catch (error) {
        if (tries > 100) throw error;
      }
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  const stop = async () => {
    const gone = new Promise((done) => child?.once('exit', done));
    child?.kill('SIGKILL');
    await gone;
    child = undefined;
  };

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => child?.pid ?? 0,
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    flush: () => void command('flushall'),
    set: (name, value) => void command('config', 'set', name, value),
    contents() {
      const folder = join(dir, 'appendonlydir');
      return readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('');
    },
    async remove() {
      if (child) await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
