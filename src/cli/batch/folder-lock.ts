// One run at a time writes into a folder: two would remove each other's rows.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../command.ts';

/** Returns the function that gives the folder free. The lock of a process that was killed does not count. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, '.running');
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid !== process.pid && isAlive(pid))
      throw new Failure(
        `Process ${pid} writes into ${folder}. Wait until it ends. If it is no tintype batch, remove ${file}.`,
      );
    writeFileSync(file, String(process.pid));
  }
  return () => rmSync(file, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user may not be signalled, but exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
