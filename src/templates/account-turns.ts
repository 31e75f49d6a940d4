// Templates of one account are painted one at a time, because the painting processes are shared.
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createSemaphore, type Semaphore } from '../kernel/semaphore.ts';

const mostWaiting = 32;

export function createTurns() {
  const turns = new Map<string, { readonly semaphore: Semaphore; users: number }>();
  return async <T>(accountId: string, deadline: Deadline, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(accountId) ?? { semaphore: createSemaphore(1), users: 0 };
    if (turn.users >= mostWaiting)
      throw new Problem('overloaded', {
        message: 'Too many templates of this account are being painted.',
        retryAfter: 1,
      });
    turns.set(accountId, turn);
    turn.users++;
    try {
      const release = await turn.semaphore.acquire(deadline);
      return await work().finally(release);
    } finally {
      if (--turn.users === 0) turns.delete(accountId);
    }
  };
}
