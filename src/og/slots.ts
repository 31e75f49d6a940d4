// Limits how many cards are painted at once. Native work cannot be stopped: a slot is free again when its work has ended,
// even if nobody waits for it any more.
import type { Deadline } from '../kernel/deadline.ts';
import { createSemaphore } from '../kernel/semaphore.ts';

export type InSlot = <T>(deadline: Deadline, work: () => Promise<T>) => Promise<T>;

export function createSlots(slots: number): InSlot {
  const semaphore = createSemaphore(slots);
  return async (deadline, work) => {
    const release = await semaphore.acquire(deadline);
    return deadline.race((async () => work())().finally(release));
  };
}
