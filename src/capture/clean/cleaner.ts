// Cleaning pages of advertisements and cookie banners: the entry point of this folder.
import type { Log } from '../../kernel/log.ts';
import type { Cleaner } from './clean-types.ts';
import { readListState } from './list-state.ts';
import type { Lists } from './lists.ts';

/** How often a running server checks for newer lists from `tintype lists update`. */
const lookAgainMs = 60_000;

/** `dir`: the folder of `updateLists`. Without lists in it, the built-in list is used. */
export function createCleaner({ dir, log }: { dir: string; log?: Log }): Cleaner {
  let lists: Promise<Lists> | undefined;
  let source: Lists['source'] | undefined;
  let fetchedAt: number | undefined;
  let lookedAt = 0;

  async function load(): Promise<Lists> {
    lookedAt = performance.now();
    fetchedAt = readListState(dir).fetchedAt;
    // Most pages are captured as they are: the engine is loaded for the first that is not.
    const { loadLists } = await import('./lists.ts');
    const loaded = await loadLists(dir);
    source = loaded.source;
    log?.debug({ lists: source }, 'filter lists loaded');
    return loaded;
  }

  return {
    get lists() {
      return source === 'built-in' ? { source } : readListState(dir);
    },
    async prepare(page, wants) {
      if (lists !== undefined && performance.now() - lookedAt > lookAgainMs) {
        lookedAt = performance.now();
        if (readListState(dir).fetchedAt !== fetchedAt) lists = load();
      }
      lists ??= load();
      const { startRun } = await import('./clean-run.ts');
      return startRun(page, wants, await lists, log);
    },
  };
}
