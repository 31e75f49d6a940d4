// Cleaning pages of advertisements and cookie banners: the entry point of this folder.
import type { Log } from '../../kernel/log.ts';
import { startRun } from './clean-run.ts';
import type { Cleaner } from './clean-types.ts';
import { type Lists, loadLists, readListState } from './lists.ts';

/** How often a running server checks for newer lists from `tintype lists update`. */
const lookAgainMs = 60_000;

/** `dir`: the folder of `updateLists`. Without lists in it, the built-in list is used. */
export function createCleaner({ dir, log }: { dir: string; log?: Log }): Cleaner {
  let lists: Promise<Lists>;
  let source: Lists['source'] | undefined;
  let fetchedAt: number | undefined;
  let lookedAt = 0;

  function load(): Promise<Lists> {
    lookedAt = performance.now();
    fetchedAt = readListState(dir).fetchedAt;
    return loadLists(dir).then((loaded) => {
      source = loaded.source;
      log?.debug({ lists: source }, 'filter lists loaded');
      return loaded;
    });
  }

  lists = load();
  return {
    get lists() {
      return source === 'built-in' ? { source } : readListState(dir);
    },
    async prepare(page, wants) {
      if (performance.now() - lookedAt > lookAgainMs) {
        lookedAt = performance.now();
        if (readListState(dir).fetchedAt !== fetchedAt) lists = load();
      }
      return startRun(page, wants, await lists, log);
    },
  };
}
