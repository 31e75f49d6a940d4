// What leaves a full cache. What is of no use to anybody goes first. Then whoever keeps more than a fair share gives:
// the largest accounts are cut down to one level, and who is below it loses nothing.
import type { Store } from '../store/store.ts';

type Index = Pick<Store['cache'], 'useless' | 'leastWanted' | 'accounts' | 'totals'>;
type Remove = (keys: readonly string[]) => Promise<void>;

// Each is one transaction, and SQLite writes on the thread that answers requests.
const batch = 25;

export async function removeUseless(index: Index, remove: Remove): Promise<void> {
  for (;;) {
    const useless = await index.useless(Date.now(), batch);
    if (useless.length === 0) return;
    await remove(useless.map(({ key }) => key));
  }
}

/** Brings the cache down to `target` bytes. */
export async function evict(index: Index, target: number, remove: Remove): Promise<void> {
  await removeUseless(index, remove);
  for (;;) {
    const accounts = await index.accounts();
    const level = fairLevel(
      accounts.map(({ bytes }) => bytes),
      target,
    );
    const above = accounts.filter(({ bytes }) => bytes > level);
    let removed = 0;
    for (const { accountId, bytes } of above) removed += await cutDown(index, accountId, bytes - level, remove);
    if (removed === 0) return;
  }
}

/**
 * The most that each may keep so that all of them together keep `target`: who wants less than an equal share leaves the
 * rest to the others. Infinite if all of it fits.
 */
export function fairLevel(sizes: readonly number[], target: number): number {
  let rest = target;
  let left = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size > rest / left) return rest / left;
    rest -= size;
    left--;
  }
  return Number.POSITIVE_INFINITY;
}

async function cutDown(index: Index, accountId: string, excess: number, remove: Remove): Promise<number> {
  let removed = 0;
  for (let rest = excess; rest > 0; ) {
    const going: string[] = [];
    for (const { key, size } of await index.leastWanted(accountId, Date.now(), batch)) {
      if (rest <= 0) break;
      rest -= size;
      going.push(key);
    }
    if (going.length === 0) break;
    await remove(going);
    removed += going.length;
  }
  return removed;
}
