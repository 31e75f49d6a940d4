// One Chromium process: started in its sandbox, controlled through a pipe, killed as a process group.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { Deadline, sleep } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { browserFlags } from './browser-flags.ts';
import { type CdpSession, Connection } from './cdp.ts';
import { createProfile, removeProfile, removeProfileNow } from './profile.ts';
import { ServiceProcesses } from './service-processes.ts';
import { noUnprivilegedUser, type Owner, startFailure } from './start-failure.ts';

/** Where a browser is, as the set-up found it. */
export type BrowserPlace = {
  /** The binary itself: with a wrapper script, we would watch and kill the script. */
  readonly path: string;
  /** Its environment: the paths of libraries and of a fonts.conf. */
  readonly env?: Readonly<Record<string, string>>;
  /** `off` only where the operator has set BROWSER_SANDBOX=off. */
  readonly sandbox?: 'on' | 'off';
};

export type Browser = {
  readonly version: string;
  readonly sandbox: boolean;
  readonly pid: number;
  readonly connection: Connection;
  readonly session: CdpSession;
  readonly services: ServiceProcesses;
  /** Kills it with all its child processes, and removes its profile. */
  kill(): Promise<void>;
};

type Mode = { readonly owner: Owner | undefined; readonly sandbox: boolean; readonly flags: typeof browserFlags };

/** A start takes 0.1–0.4 s; with a cold disk or on a busy machine some seconds. */
const startMs = 15_000;

let warned = false;

/** With their profiles. A process that ends without a stop, as when its port is in use, takes its browsers with it. */
const running = new Map<ChildProcess, string>();
process.once('exit', () => {
  for (const [child, profile] of running) {
    killGroup(child);
    removeProfileNow(profile);
  }
});

/**
 * Starts the browser in its sandbox and never as root. If that is not possible it does not start: a page that breaks out
 * of the renderer would have the rights of this server. BROWSER_SANDBOX=off starts it without a sandbox.
 */
export async function launchBrowser(
  place: BrowserPlace,
  folder: string,
  log: Log,
  flags: typeof browserFlags = browserFlags,
): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? nobody() : undefined;
  if (place.sandbox !== 'off') {
    // Chromium has no sandbox for root, so the browser runs as the user nobody.
    if (isRoot && owner === undefined) throw noUnprivilegedUser();
    return start(place, folder, { owner, sandbox: true, flags });
  }
  if (!warned)
    log.warn(
      "BROWSER_SANDBOX=off: the browser runs WITHOUT its sandbox. A page that breaks out of the renderer has this user's rights.",
    );
  warned = true;
  const without = (as: Owner | undefined) => start(place, folder, { owner: as, sandbox: false, flags });
  return owner === undefined ? without(undefined) : without(owner).catch(() => without(undefined));
}

function nobody(): Owner | undefined {
  try {
    const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m);
    return line ? { uid: Number(line[1]), gid: Number(line[2]) } : undefined;
  } catch {
    return undefined;
  }
}

async function start(place: BrowserPlace, folder: string, mode: Mode): Promise<Browser> {
  const profile = createProfile(folder, mode.owner);
  const child = spawn(place.path, mode.flags(profile, mode.sandbox), {
    // A group and session of its own: Ctrl-C in the server's terminal does not reach it, and one signal kills all of it.
    detached: true,
    // Node changes the user itself, so the process id is the browser's and not that of a wrapper.
    ...mode.owner,
    cwd: profile,
    env: { LANG: 'en_US.UTF-8', ...place.env, HOME: profile, TMPDIR: profile },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  lowerPriority(child);
  const said = lastLines(child);
  const exited = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
    child.on('error', () => resolve());
  });
  const connection = new Connection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  exited.then(() => connection.close());

  running.set(child, profile);

  let gone: Promise<void> | undefined;
  const kill = () => {
    gone ??= (async () => {
      killGroup(child);
      connection.close();
      await Promise.race([exited, sleep(2000)]);
      await removeProfile(profile).catch(() => {});
      running.delete(child);
    })();
    return gone;
  };
  // However it ends, its processes and its profile are removed.
  connection.browser.signal.addEventListener('abort', () => void kill(), { once: true });

  const deadline = new Deadline(startMs);
  try {
    const version = await deadline.race(connection.browser.send('Browser.getVersion'));
    return {
      version: version.product.split('/')[1] ?? version.product,
      sandbox: mode.sandbox,
      pid: child.pid ?? 0,
      connection,
      session: connection.browser,
      services: new ServiceProcesses(child.pid ?? 0),
      kill,
    };
  } catch {
    const late = deadline.remaining() === 0;
    await kill();
    throw startFailure({ path: place.path, folder, owner: mode.owner }, said(), late);
  } finally {
    deadline.done();
  }
}

/** The last lines of its stderr, for the error message. */
function lastLines(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-2000);
  });
  child.on('error', (error) => {
    text += error.message;
  });
  return () => text.trim().split('\n').slice(-3).join(' ');
}

/**
 * Pages must not delay cache hits and refusals on a busy machine, so the browser runs at a lower priority than the
 * server. Its child processes inherit it.
 */
const browserNiceness = 10;
function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, browserNiceness);
  } catch {
    // The process has already ended; `start` reports why.
  }
  try {
    // Where the kernel schedules by session (sched_autogroup), niceness only counts inside one session. This sets the
    // niceness of the session.
    writeFileSync(`/proc/${child.pid}/autogroup`, String(browserNiceness));
  } catch {
    // This kernel has no autogroups.
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
