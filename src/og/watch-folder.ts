// Calls back when files of a folder change, once for changes that come together.
import { watch } from 'node:fs';
import { sleep } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';

/** An editor writes a file in several steps. */
const pauseMs = 120;

export function watchFolder(folder: string, changed: () => Promise<unknown>, log: Log): { stop(): void } {
  const ended = new AbortController();
  let isDirty = false;
  let isRunning = false;
  const run = async () => {
    while (isDirty && !ended.signal.aborted) {
      await sleep(pauseMs);
      isDirty = false;
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
  try {
    const watcher = watch(folder, { recursive: true, persistent: false, signal: ended.signal }, note);
    watcher.on('error', (error) => {
      if (!ended.signal.aborted) log.warn({ err: error, folder }, 'changes of the folder are not seen any more');
    });
  } catch (error) {
    log.warn({ err: error, folder }, 'changes of the folder are not seen');
  }
  return { stop: () => ended.abort() };
}
