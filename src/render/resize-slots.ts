// Limits how many pictures are resized at once, in all, and to one of each account, so that an account with huge pictures
// delays nobody else. A slot is free again when its work has ended, even if nobody waits for it any more.
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createSemaphore, type Semaphore } from '../kernel/semaphore.ts';

export type InResizeSlot = <T>(accountId: string, deadline: Deadline, work: () => Promise<T>) => Promise<T>;

/** Of one account. */
const mostWaiting = 100;

export function createResizeSlots(atOnce: number): InResizeSlot {
  const all = createSemaphore(atOnce);
  const ofAccounts = new Map<string, { readonly one: Semaphore; users: number }>();

  return async (accountId, deadline, work) => {
    const own = ofAccounts.get(accountId) ?? { one: createSemaphore(1), users: 0 };
    if (own.one.waiting >= mostWaiting)
      throw new Problem('overloaded', {
        retryAfter: 1,
        message: 'Too many pictures of this account are waiting to be resized. Try again shortly.',
      });
    ofAccounts.set(accountId, own);
    own.users++;
    const ended: (() => void)[] = [
      () => {
        own.users--;
        if (own.users === 0) ofAccounts.delete(accountId);
      },
    ];
    const end = () => {
      for (const each of ended) each();
    };
    try {
      ended.unshift(await own.one.acquire(deadline));
      ended.unshift(await all.acquire(deadline));
    } catch (error) {
      end();
      throw error;
    }
    return deadline.race(work().finally(end));
  };
}
