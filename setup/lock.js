// @ts-check
// Two set-ups at once (two terminals, `npm start` beside `npm test`) take turns: the second waits and then
// finds nothing left to do.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @template T
 * @param {import('./machine.js').Context} context
 * @param {() => Promise<T>} work
 */
export async function withLock({ projectDir, say }, work) {
  const folder = join(projectDir, '.tintype');
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'setup.lock');
  let told = false;
  for (;;) {
    const owner = take(lock);
    if (owner === undefined) break;
    if (!told) say(`Another set-up is at work here (process ${owner}); waiting for it …`);
    told = true;
    await sleep(300);
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.removeListener('exit', release);
  }
}

/**
 * Takes the lock, or returns which process has it. The lock of a process that has ended does not count.
 * @param {string} lock
 * @returns {string | undefined}
 */
export function take(lock) {
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, `${process.pid} ${startOf(String(process.pid))}`);
  try {
    // A link either succeeds with the content in place or fails because there is one: no process reads an empty lock.
    linkSync(mine, lock);
    return undefined;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  const owner = read(lock);
  if (owner !== undefined && isAlive(owner)) return owner.split(' ')[0];
  return removeStale(lock);
}

/**
 * Moved aside before it is removed: if another process has taken the lock in between, it gets it back.
 * @param {string} lock
 */
function removeStale(lock) {
  const aside = `${lock}.${process.pid}.stale`;
  try {
    renameSync(lock, aside);
    const owner = read(aside);
    if (owner !== undefined && isAlive(owner)) linkSync(aside, lock);
    rmSync(aside, { force: true });
  } catch {
    // Another process was quicker; the next try reads which.
  }
  return take(lock);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} owner */
function isAlive(owner) {
  const [pid = '', start = ''] = owner.split(' ');
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false;
  }
  return startOf(pid) === start;
}

/**
 * When a process began, in ticks since boot: another process may have got its id since (in a container ids begin with 1 at
 * each start). Empty where there is no /proc.
 * @param {string} pid
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold blanks; the start is the 22nd field, the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
