// A PostgreSQL of the test's own, from Debian's packages, in a temporary folder, on a free loopback port.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports.ts';

const run = promisify(execFile);

export type Postgres = {
  /** A new, empty database: its URL. */
  createDatabase(): Promise<string>;
  /** Faults: away at once, and back with all its data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Faults: the server takes connections and never answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
};

const root = '/usr/lib/postgresql';
const newest = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined;
const bin = newest === undefined ? undefined : join(root, newest, 'bin');

/**
 * Is there one to start? Where there is none the tests on it are left out, aloud; in CI its absence is a
 * failure, never a skipped test.
 */
export function hasPostgres(): boolean {
  if (bin !== undefined) return true;
  if (process.env.CI === 'true') throw new Error('PostgreSQL is missing. Run: apt-get install postgresql');
  console.warn('PostgreSQL is not installed: the tests on it are left out. Run: apt-get install postgresql');
  return false;
}

export async function startPostgres(): Promise<Postgres> {
  if (bin === undefined) throw new Error('PostgreSQL is not installed.');
  const dir = await mkdtemp(join(tmpdir(), 'tintype-postgres-'));
  const asRoot = process.getuid?.() === 0;
  // It refuses to run as root; Debian's package makes the user postgres.
  const exec = (program: string, ...args: string[]) =>
    asRoot
      ? run('runuser', ['-u', 'postgres', '--', join(bin, program), ...args], { cwd: dir })
      : run(join(bin, program), args, { cwd: dir });
  if (asRoot) {
    const ids = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    chownSync(dir, Number(ids[0].stdout), Number(ids[1].stdout));
  }
  const data = join(dir, 'data');
  const port = await freePort();
  await exec('initdb', '-D', data, '-U', 'tester', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C');
  const options = `-p ${port} -k ${dir} -h 127.0.0.1 -c fsync=off -c max_connections=100 -c shared_buffers=16MB`;
  const control = (...args: string[]) => exec('pg_ctl', '-D', data, '-w', '-t', '30', ...args);
  const start = async () => void (await control('-o', options, '-l', join(dir, 'log'), 'start'));
  const stop = async () => void (await control('-m', 'immediate', 'stop'));
  const signal = async (name: string) => {
    const { stdout } = await run('pgrep', ['-f', `^${join(bin, 'postgres')} -D ${data}`]);
    const main = Number(stdout.split('\n')[0]);
    const children = await run('pgrep', ['-P', String(main)]).catch(() => ({ stdout: '' }));
    for (const pid of [main, ...children.stdout.split('\n').filter(Boolean).map(Number)]) process.kill(pid, name);
  };
  let running = false;
  const postgres: Postgres = {
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await exec('createdb', '-h', dir, '-p', String(port), '-U', 'tester', name);
      return `postgres://tester@127.0.0.1:${port}/${name}`;
    },
    async start() {
      await start();
      running = true;
    },
    async stop() {
      await stop();
      running = false;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async remove() {
      if (running) await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
  await postgres.start();
  return postgres;
}
