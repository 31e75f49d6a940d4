// Calls back when files of a folder change, once for changes that come together.
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';

/** An editor writes a file in several steps. */
const pauseMs = 120;
const mostFolders = 200;
/** How often a folder that is missing is looked for. */
const missingMs = 1000;

export function watchFolder(folder: string, changed: () => Promise<unknown>, log: Log): { stop(): void } {
  // Each folder has a watcher: Node's recursive one does not see a file any more that was replaced by renaming another.
  const watchers = new Map<string, FSWatcher>();
  let isStopped = false;
  let isDirty = false;
  let isRunning = false;
  const run = async () => {
    while (isDirty && !isStopped) {
      await sleep(pauseMs);
      isDirty = false;
      await watchAll();
      await changed().catch((error) => log.error({ err: error, folder }, 'the folder cannot be read'));
    }
    isRunning = false;
  };
  const note = () => {
    isDirty = true;
    if (isRunning) return;
    isRunning = true;
    void run();
  };
  const unwatch = (path: string) => {
    watchers.get(path)?.close();
    watchers.delete(path);
  };
  /** Also if it is watched: if the folder was replaced by another of its name, its watcher sees nothing any more. */
  const watchOne = (path: string) => {
    unwatch(path);
    if (isStopped) return;
    try {
      const watcher = watch(path, { persistent: false }, note);
      watchers.set(path, watcher);
      watcher.on('error', (error) => {
        unwatch(path);
        // A folder that was removed is no mistake.
        if (path === folder) log.warn({ err: error, folder }, 'changes of the folder are not seen any more');
      });
    } catch (error) {
      if (path === folder) log.warn({ err: error, folder }, 'changes of the folder are not seen');
    }
  };
  async function watchAll(): Promise<void> {
    const found = new Set(await foldersIn(folder));
    for (const path of watchers.keys()) if (!found.has(path)) unwatch(path);
    for (const path of found) watchOne(path);
    if (!watchers.has(folder)) void awaitFolder();
  }
  const isThere = () =>
    stat(folder).then(
      () => true,
      () => false,
    );
  /** A folder that was removed may come back. */
  async function awaitFolder(): Promise<void> {
    if (await isThere()) return;
    while (!isStopped && !(await isThere())) await sleep(missingMs);
    if (!isStopped) note();
  }

  watchOne(folder);
  void watchAll();
  return {
    stop() {
      isStopped = true;
      for (const path of [...watchers.keys()]) unwatch(path);
    },
  };
}

/** The folder itself and those in it. */
async function foldersIn(folder: string): Promise<string[]> {
  const found = [folder];
  for (const path of found) {
    const inside = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of inside)
      if (entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name) && found.length < mostFolders)
        found.push(join(path, entry.name));
  }
  return found;
}
