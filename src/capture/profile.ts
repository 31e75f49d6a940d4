// A browser's profile folder. It is in the temporary folder, belongs to the user the browser runs as, and has the process
// that made it in its name, so that the profiles of a killed server can be found and removed.
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const prefix = 'tintype-browser-';

/** The process id and start time: ids alone are reused, in a container at every start. */
function processName(pid: number): string | undefined {
  try {
    // Field 22 of /proc/PID/stat. The command name before it may contain any character, but ends at the last ")".
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return undefined;
  }
}

const ownName = processName(process.pid) ?? `${process.pid}-0`;

/** At once, so that the process cannot end between this and the start of the browser. */
export function createProfile(folder: string, owner?: { uid: number; gid: number }): string {
  const path = mkdtempSync(join(folder, `${prefix}${ownName}-`));
  chmodSync(path, 0o700);
  if (owner) chownSync(path, owner.uid, owner.gid);
  return path;
}

/** Retried, because a dying browser may still write into it for a moment. */
const withRetries = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 };

export const removeProfile = (path: string): Promise<void> => rm(path, withRetries);

/** While the process ends, when nothing can wait. What remains is removed by the next start. */
export function removeProfileNow(path: string): void {
  try {
    rmSync(path, withRetries);
  } catch {
    // A process of the browser is still writing.
  }
}

/** Removes the profiles of servers that no longer run. Returns how many. */
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
