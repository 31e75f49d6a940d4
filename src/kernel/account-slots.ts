// Limits how many callers of each account do something at once, so that one account leaves room for the others.
import type { Deadline } from './deadline.ts';
import { Problem } from './errors.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Runs the work when the account has a free slot. The slot is free again when the work has ended. */
export type InAccountSlot = <T>(
  accountId: string,
  /** For the wait only. */
  deadline: Deadline | undefined,
  work: () => Promise<T>,
) => Promise<T>;

/** `most`: how many callers of an account may work and wait. One more gets 503 with `message`. */
type Bound = { readonly most: number; readonly message: string };

export function createAccountSlots(atOnce: number, bound?: Bound): InAccountSlot {
  const accounts = new Map<string, { readonly semaphore: Semaphore; callers: number }>();
  return async (accountId, deadline, work) => {
    const own = accounts.get(accountId) ?? { semaphore: createSemaphore(atOnce), callers: 0 };
    if (bound !== undefined && own.callers >= bound.most)
      throw new Problem('overloaded', { retryAfter: 1, message: bound.message });
    accounts.set(accountId, own);
    own.callers++;
    try {
      const release = await own.semaphore.acquire(deadline);
      return await work().finally(release);
    } finally {
      own.callers--;
      if (own.callers === 0) accounts.delete(accountId);
    }
  };
}
