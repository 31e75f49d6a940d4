// Files on disk: DATA_DIR/cache/ab/abcdef…. A file is written under a temporary name and renamed, so that a reader sees
// all of it or nothing.
import { randomUUID } from 'node:crypto';
import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import type { Files } from './files.ts';

const hashPattern = /^[0-9a-f]{64}$/;
// A younger file may belong to a write whose index row does not exist yet.
const orphanAgeMs = 60 * 60 * 1000;

const smallBytes = 256 * 1024;

export function createDiskFiles(folder: string): Files {
  const place = (hash: string) => join(folder, hash.slice(0, 2), hash);

  return {
    async write(hash, bytes) {
      const path = place(hash);
      if (isThere(path, bytes.length)) return;
      const temporary = `${path}.${randomUUID()}.tmp`;
      const put = bytes.length <= smallBytes ? putSync : putAsync;
      try {
        await put(temporary, path, bytes).catch(async (error) => {
          if (error.code !== 'ENOENT') throw error;
          // The first file in its folder, or an operator has deleted the cache meanwhile.
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
 * Is the file there already? Then a page that has not changed is not written again: renaming a file over another takes two
 * milliseconds on a busy disk. Its time is updated; otherwise the sweep might take it for an orphan.
 */
function isThere(path: string, size: number): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.size !== size) return false;
  try {
    const now = Date.now() / 1000;
    utimesSync(path, now, now);
    return true;
  } catch {
    // Removed meanwhile, or owned by another user: the file is written.
    return false;
  }
}

const newFile = { flag: 'wx', mode: 0o600 } as const;

/**
 * Writes a small file on the main thread: a tenth of a millisecond, against one for four round trips to the thread pool. The
 * index is written this way too, to the same disk.
 */
async function putSync(temporary: string, path: string, bytes: Buffer): Promise<void> {
  writeFileSync(temporary, bytes, newFile);
  renameSync(temporary, path);
}

async function putAsync(temporary: string, path: string, bytes: Buffer): Promise<void> {
  await writeFile(temporary, bytes, newFile);
  await rename(temporary, path);
}
