// Evicts from a full cache, and from accounts above the part of their plan. Expired entries go first. Then the largest
// accounts are reduced to a common level; accounts below it lose nothing.
import type { PlanName } from '../kernel/plans.ts';
import type { Store } from '../store/store.ts';

type Index = Pick<Store['cache'], 'expired' | 'evictable' | 'accounts'>;
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

/** Bytes that an account of each plan may keep. */
export type PlanBytes = Readonly<Record<PlanName, number>>;

// Not only to the limit, so that a full account does not evict on every write.
const partOfLimit = 0.95;

/** Is the account above the part of its plan? */
export async function isOver(index: Index, accountId: string, most: PlanBytes): Promise<boolean> {
  const [account] = await index.accounts(accountId);
  return account !== undefined && account.bytes > limitOf(account, most);
}

const limitOf = ({ plan }: { readonly plan: PlanName | null }, most: PlanBytes): number =>
  plan === null ? Number.POSITIVE_INFINITY : most[plan];

/** Reduces the cache to `target` bytes if it has more than `maxBytes`, and each account to the part of its plan. */
export async function evict(index: Index, maxBytes: number, most: PlanBytes, remove: Remove): Promise<void> {
  await removeExpired(index, remove);
  for (;;) {
    const accounts = await index.accounts();
    const sizes = accounts.map(({ bytes }) => bytes);
    const isFull = sizes.reduce((sum, bytes) => sum + bytes, 0) > maxBytes;
    const level = isFull ? fairLevel(sizes, maxBytes * partOfLimit) : Number.POSITIVE_INFINITY;
    let removed = 0;
    for (const account of accounts) {
      const { accountId, bytes } = account;
      const own = limitOf(account, most);
      const keep = Math.min(level, bytes > own ? own * partOfLimit : own);
      if (bytes > keep) removed += await cutDown(index, accountId, bytes - keep, remove);
    }
    if (removed === 0) return;
  }
}

/**
 * The most that each account may keep so that all together keep `target`. What accounts below an equal share do not use
 * is left to the others. Infinite if everything fits.
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
