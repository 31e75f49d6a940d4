// Lets so many in at once; the others wait in their order, each as long as its own deadline.
import type { Deadline } from './deadline.ts';

export type Gate = {
  /** Resolves when there is room, with the function that gives the place back. */
  enter(deadline: Deadline): Promise<() => void>;
  /** Sends everybody who waits away. */
  close(reason: unknown): void;
};

export function openGate(places: number): Gate {
  let free = places;
  const waiting = new Set<PromiseWithResolvers<void>>();
  const leave = () => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next.resolve();
    } else free++;
  };
  const leaveOnce = () => {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
  return {
    async enter(deadline) {
      deadline.throwIfOver();
      if (free > 0) {
        free--;
        return leaveOnce();
      }
      const turn = Promise.withResolvers<void>();
      waiting.add(turn);
      try {
        await deadline.race(turn.promise);
      } catch (error) {
        // The turn may have come in the same moment as the end: then the place goes to the next.
        if (!waiting.delete(turn)) leave();
        throw error;
      }
      return leaveOnce();
    },
    close(reason) {
      for (const turn of waiting) turn.reject(reason);
      waiting.clear();
    },
  };
}
