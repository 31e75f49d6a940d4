// Limits how many callers do something at once. The others wait in order, each no longer than its own deadline.
import type { Deadline } from './deadline.ts';

export type Release = () => void;

/** A caller that waits for its turn. */
export type Waiter = { readonly turn: PromiseWithResolvers<void> };

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
  const waiters = new Set<Waiter>();
  const release = () => {
    const [next] = waiters;
    if (next) {
      waiters.delete(next);
      next.turn.resolve();
    } else free++;
  };
  return {
    async acquire(deadline) {
      deadline?.throwIfOver();
      if (free > 0) free--;
      else await waitForTurn(waiters, { turn: Promise.withResolvers() }, deadline, release);
      return once(release);
    },
    get waiting() {
      return waiters.size;
    },
    close(reason) {
      for (const waiter of waiters) waiter.turn.reject(reason);
    },
  };
}

/** `giveBack` is called with a turn that comes at the same moment as the deadline: the next caller gets it. */
export async function waitForTurn<W extends Waiter>(
  waiters: Set<W>,
  waiter: W,
  deadline: Deadline | undefined,
  giveBack: () => void,
): Promise<void> {
  waiters.add(waiter);
  try {
    await (deadline?.race(waiter.turn.promise) ?? waiter.turn.promise);
  } catch (error) {
    if (!waiters.delete(waiter)) giveBack();
    throw error;
  }
}

export function once(release: Release): Release {
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}
