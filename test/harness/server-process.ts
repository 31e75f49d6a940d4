// Tintype as a person runs it: a process of its own, started by bin/tintype, stopped by signals.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const command = join(import.meta.dirname, '../../bin/tintype');
const run = promisify(execFile);

// Not the whole environment: vitest puts settings of its own there, BASE_URL for one.
const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
const plainEnv = { PATH, HOME, TMPDIR, LOG_LEVEL: 'info' };

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Everything it wrote so far, both streams. */
  output(): string;
  /** Sends a signal to the process, or to its whole group. */
  signal(name: NodeJS.Signals, to?: 'process' | 'group'): void;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  /** Ends it whatever happens, and removes its data folder. */
  clean(): Promise<void>;
};

/** Runs bin/tintype with these arguments; gives back what it printed. */
export const tintype = async (args: readonly string[], env: Record<string, string>): Promise<string> =>
  (await run(command, args, { env: { ...plainEnv, ...env } })).stdout;

export async function startServerProcess(env: Record<string, string> = {}): Promise<ServerProcess> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'tintype-process-')));
  const child = spawn(command, ['serve'], {
    // A group of its own, so that a test can signal the group as a terminal or npm does.
    detached: true,
    env: { ...plainEnv, PORT: '0', DATA_DIR: dataDir, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Put together when somebody asks: a server under load writes a megabyte a second, and joining it as it comes would
  // take the processor from what is measured.
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  const output = () => Buffer.concat(said).toString();
  const exited = new Promise<number | string>((done) =>
    child.on('exit', (code, signal) => done(code ?? signal ?? 'gone')),
  );
  const url = await readyUrl(child, output, exited).catch(async (error) => {
    if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    dataDir,
    output,
    signal: (name, to = 'process') => void process.kill(to === 'group' ? -pid : pid, name),
    exited,
    async clean() {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It is gone already.
      }
      await exited;
      if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function readyUrl(child: ChildProcess, output: () => string, exited: Promise<number | string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const url = /ready at (http:\/\/\S+)/.exec(output())?.[1];
      if (url === undefined) return;
      child.stdout?.off('data', look);
      resolve(url);
    };
    child.stdout?.on('data', look);
    exited.then((code) => reject(new Error(`tintype serve ended with ${code}:\n${output()}`)));
  });
}
