// Files on disk: DATA_DIR/cache/ab/abcdef…, written to a temporary name and renamed, so that a reader
// sees a whole file or none.
import { randomUUID } from 'node:crypto';
import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import type { Files } from './files.ts';

const hashPattern = /^[0-9a-f]{64}$/;
// A file younger than this may belong to a write whose index row is about to come.
const orphanAgeMs = 60 * 60 * 1000;

const smallBytes = 256 * 1024;

export function createDiskFiles(folder: string): Files {
  const place = (hash: string) => join(folder, hash.slice(0, 2), hash);

  return {
    async write(hash, bytes) {
      const path = place(hash);
      if (isThere(path, bytes.length)) return;
      const temporary = `${path}.${randomUUID()}.tmp`;
      const put = bytes.length <= smallBytes ? putAtOnce : putAside;
      try {
        await put(temporary, path, bytes).catch(async (error) => {
          if (error.code !== 'ENOENT') throw error;
          // The first file of its folder; or an operator has deleted the cache while we run.
          makeFolder(join(folder, hash.slice(0, 2)), 0o700);
          await put(temporary, path, bytes);
        });
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
    },

    read: (hash) =>
      readFile(place(hash)).catch((error) => (error.code === 'ENOENT' ? undefined : Promise.reject(error))),

    remove: (hash) => rm(place(hash), { force: true }),

    async sweep(isKnown) {
      const oldEnough = Date.now() - orphanAgeMs;
      for (const part of await readdir(folder).catch(() => []))
        for (const name of await readdir(join(folder, part)).catch(() => [])) {
          const path = join(folder, part, name);
          const changed = await stat(path).catch(() => undefined);
          if (changed === undefined || changed.mtimeMs > oldEnough) continue;
          if (!hashPattern.test(name) || !(await isKnown(name))) await rm(path, { force: true });
        }
    },
  };
}

/**
 * The same bytes, from before: a page that has not changed is not written anew (to rename a file over another takes two
 * milliseconds on a busy disk). Looks younger from now on, or the sweep might take it for an orphan.
 */
function isThere(path: string, size: number): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.size !== size) return false;
  try {
    const now = Date.now() / 1000;
    utimesSync(path, now, now);
    return true;
  } catch {
    // Removed in this very moment, or not ours to touch: written as if it had not been there.
    return false;
  }
}

const newFile = { flag: 'wx', mode: 0o600 } as const;

/**
 * A small file on this very thread: a tenth of a millisecond, where four ways to the thread pool and back take one. The
 * index is written like this, too, and to the same disk.
 */
async function putAtOnce(temporary: string, path: string, bytes: Buffer): Promise<void> {
  writeFileSync(temporary, bytes, newFile);
  renameSync(temporary, path);
}

async function putAside(temporary: string, path: string, bytes: Buffer): Promise<void> {
  await writeFile(temporary, bytes, newFile);
  await rename(temporary, path);
}
