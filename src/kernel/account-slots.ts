// Limits how many callers of each account do something at once, so that one account leaves room for the others; and, if wanted,
// how many of all accounts do.
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

type Options = {
  /** How many callers of all accounts; any number if it is not given. */
  readonly ofAll?: number;
  /** How many callers of an account may work and wait. One more gets 503 with `message`. */
  readonly most?: number;
  readonly message?: string;
};

export function createAccountSlots(
  ofOne: number,
  { ofAll = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY, message = '' }: Options = {},
): InAccountSlot {
  const all = createSemaphore(ofAll);
  const accounts = new Map<string, { readonly semaphore: Semaphore; callers: number }>();
  return async (accountId, deadline, work) => {
    const own = accounts.get(accountId) ?? { semaphore: createSemaphore(ofOne), callers: 0 };
    if (own.callers >= most) throw new Problem('overloaded', { retryAfter: 1, message });
    accounts.set(accountId, own);
    own.callers++;
    try {
      const release = await own.semaphore.acquire(deadline);
      try {
        const releaseAll = await all.acquire(deadline);
        return await work().finally(releaseAll);
      } finally {
        release();
      }
    } finally {
      own.callers--;
      if (own.callers === 0) accounts.delete(accountId);
    }
  };
}
