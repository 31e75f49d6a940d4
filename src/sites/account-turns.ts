// Limits how much of something one account does at once, so that its requests wait for each other and not others for them.
import type { Deadline } from '../kernel/deadline.ts';
import { createSemaphore, type Semaphore } from '../kernel/semaphore.ts';

export type AccountTurns = <T>(accountId: string, deadline: Deadline, work: () => Promise<T>) => Promise<T>;

export function createAccountTurns(permits: number): AccountTurns {
  const accounts = new Map<string, { readonly semaphore: Semaphore; users: number }>();
  return async (accountId, deadline, work) => {
    const own = accounts.get(accountId) ?? { semaphore: createSemaphore(permits), users: 0 };
    accounts.set(accountId, own);
    own.users++;
    try {
      const release = await own.semaphore.acquire(deadline);
      return await work().finally(release);
    } finally {
      if (--own.users === 0) accounts.delete(accountId);
    }
  };
}
