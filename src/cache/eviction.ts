// Evicts from a full cache. Expired entries go first. Then the largest accounts are reduced to a common level; accounts
// below it lose nothing.
import type { Store } from '../store/store.ts';

type Index = Pick<Store['cache'], 'expired' | 'evictable' | 'accounts' | 'totals'>;
type Remove = (keys: readonly string[]) => Promise<void>;

// Each batch is one transaction, and SQLite writes on the main thread.
const batch = 25;

export async function removeExpired(index: Index, remove: Remove): Promise<void> {
  for (;;) {
    const expired = await index.expired(Date.now(), batch);
    if (expired.length === 0) return;
    await remove(expired.map(({ key }) => key));
  }
}

/** Reduces the cache to `target` bytes. */
export async function evict(index: Index, target: number, remove: Remove): Promise<void> {
  await removeExpired(index, remove);
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
 * The most that each account may keep so that all together keep `target`. What accounts below an equal share do not use is
 * left to the others. Infinite if everything fits.
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
    for (const { key, size } of await index.evictable(accountId, Date.now(), batch)) {
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
