// One Chromium process: started with its sandbox, talked to through a pipe, ended as a whole group.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { Deadline, sleep } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { browserFlags } from './browser-flags.ts';
import { type CdpSession, Connection } from './cdp.ts';
import { Helpers } from './helpers.ts';
import { createProfile, removeProfile } from './profile.ts';
import { noUnprivilegedUser, type Owner, startFailure } from './start-failure.ts';

/** Where a browser is, as the set-up found it. */
export type BrowserPlace = {
  /** The program itself: a shell script in front of it would be the process we watch and kill. */
  readonly path: string;
  /** What it needs beside its binary: libraries, a fonts.conf. */
  readonly env?: Readonly<Record<string, string>>;
  /** `off`: the operator has said so in words (BROWSER_SANDBOX). */
  readonly sandbox?: 'on' | 'off';
};

export type Browser = {
  readonly version: string;
  readonly sandbox: boolean;
  readonly pid: number;
  readonly connection: Connection;
  readonly session: CdpSession;
  readonly helpers: Helpers;
  /** Ends it and everything it started, and removes its profile. */
  kill(): Promise<void>;
};

type Mode = { readonly owner: Owner | undefined; readonly sandbox: boolean };

/** Launch to ready took 0.1–0.4 s; a cold disk or a busy machine may need some seconds. */
const startMs = 15_000;

let toldAloud = false;

/**
 * In its sandbox, and never as root. Where that cannot be, it does not start: a page that breaks out of the renderer
 * would have the rights of this server. Only BROWSER_SANDBOX=off starts it without.
 */
export async function launchBrowser(place: BrowserPlace, folder: string, log: Log): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? nobody() : undefined;
  if (place.sandbox !== 'off') {
    // Chromium refuses its sandbox to root: there the browser gets an ordinary user's rights.
    if (isRoot && owner === undefined) throw noUnprivilegedUser();
    return start(place, folder, { owner, sandbox: true });
  }
  if (!toldAloud)
    log.warn(
      "BROWSER_SANDBOX=off: the browser runs WITHOUT its sandbox. A page that breaks out of the renderer has this user's rights.",
    );
  toldAloud = true;
  const without = (as: Owner | undefined) => start(place, folder, { owner: as, sandbox: false });
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
  const profile = await createProfile(folder, mode.owner);
  const child = spawn(place.path, browserFlags(profile, mode.sandbox), {
    // Its own group and session: a Ctrl-C meant for the server does not take it along, and one signal ends it whole.
    detached: true,
    // Node drops the rights itself, so the process id is the browser's and no wrapper's.
    ...mode.owner,
    cwd: profile,
    env: { LANG: 'en_US.UTF-8', ...place.env, HOME: profile, TMPDIR: profile },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  giveWay(child);
  const said = lastWords(child);
  const exited = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
    child.on('error', () => resolve());
  });
  const connection = new Connection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  exited.then(() => connection.close());

  let gone: Promise<void> | undefined;
  const kill = () => {
    gone ??= (async () => {
      killGroup(child);
      connection.close();
      await Promise.race([exited, sleep(2000)]);
      await removeProfile(profile).catch(() => {});
    })();
    return gone;
  };
  // However it ends, nothing of it is left.
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
      helpers: new Helpers(child.pid ?? 0),
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

/** The last lines of what it wrote, for the error's text. */
function lastWords(child: ChildProcess): () => string {
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
 * The server comes first on a busy machine: a hit or a refusal must not wait for pages that are being drawn. What the
 * browser starts inherits it.
 */
const browserNiceness = 10;
function giveWay(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, browserNiceness);
  } catch {
    // It is gone already, and says so itself.
  }
  try {
    // Where the kernel schedules by session (sched_autogroup), niceness counts only inside one; this is the session's own.
    writeFileSync(`/proc/${child.pid}/autogroup`, String(browserNiceness));
  } catch {
    // This kernel has none.
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
