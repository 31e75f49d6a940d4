// A browser's profile folder: it lives in the temporary folder, belongs to the user the browser runs as, and
// names the process that made it, so that what a killed server left is found and removed.
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const prefix = 'tintype-browser-';

/** The process and when it started: a process id alone is given out again, in a container at every start. */
function processName(pid: number): string | undefined {
  try {
    // Field 22 of /proc/PID/stat; the command name before it may contain anything, but ends with the last ")".
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return undefined;
  }
}

const ownName = processName(process.pid) ?? `${process.pid}-0`;

export async function createProfile(folder: string, owner?: { uid: number; gid: number }): Promise<string> {
  const path = await mkdtemp(join(folder, `${prefix}${ownName}-`));
  await chmod(path, 0o700);
  if (owner) await chown(path, owner.uid, owner.gid);
  return path;
}

/** A dying browser may still write into it for a moment, so the removal is tried again. */
export const removeProfile = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });

/** Removes the profiles of servers that are no more. Gives back how many there were. */
export async function removeStaleProfiles(folder: string): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder)) {
    const match = /^tintype-browser-(\d+)-(\d+)-/.exec(name);
    if (!match) continue;
    const running = processName(Number(match[1]));
    if (running === `${match[1]}-${match[2]}` || (running !== undefined && match[2] === '0')) continue;
    await removeProfile(join(folder, name)).catch(() => {});
    removed++;
  }
  return removed;
}
