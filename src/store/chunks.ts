// Long lists and many rows, handled in parts.
import { setImmediate } from 'node:timers/promises';

/** Rows that one statement of a pruning removes: some milliseconds. */
const pruneAtOnce = 500;

/** Removes rows until a page of them is not full. `remove` returns how many there were. */
export async function removeInPages(remove: (most: number) => Promise<number>, most = pruneAtOnce): Promise<void> {
  while ((await remove(most)) === most)
    // The embedded database writes on this thread: requests that arrived meanwhile are handled first.
    await setImmediate();
}

/** Splits a long list: databases limit the number of values in a statement. */
export function* inChunks<T>(values: readonly T[], size = 500): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
