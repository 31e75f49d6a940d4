// Limits how many callers do something at once. The others wait in order, each no longer than its own deadline.
import type { Deadline } from './deadline.ts';

export type Release = () => void;

export type Semaphore = {
  /** Resolves when a permit is free, with the function that gives it back. Calling that twice does nothing more. */
  acquire(deadline?: Deadline): Promise<Release>;
  /** How many callers wait for a permit. */
  readonly waiting: number;
  /** Rejects everyone who waits. */
  close(reason: unknown): void;
};

export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  const waiters = new Set<PromiseWithResolvers<void>>();
  const release = () => {
    const [next] = waiters;
    if (next) {
      waiters.delete(next);
      next.resolve();
    } else free++;
  };
  const releaseOnce = (): Release => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };
  return {
    async acquire(deadline) {
      deadline?.throwIfOver();
      if (free > 0) {
        free--;
        return releaseOnce();
      }
      const waiter = Promise.withResolvers<void>();
      waiters.add(waiter);
      try {
        await (deadline?.race(waiter.promise) ?? waiter.promise);
      } catch (error) {
        // The permit may arrive at the same moment as the deadline: then the next caller gets it.
        if (!waiters.delete(waiter)) release();
        throw error;
      }
      return releaseOnce();
    },
    get waiting() {
      return waiters.size;
    },
    close(reason) {
      for (const waiter of waiters) waiter.reject(reason);
    },
  };
}
