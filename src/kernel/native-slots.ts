// Limits how much native work (painting, encoding) runs at once. It cannot be stopped: a slot is free again when its work has
// ended, even if nobody waits for it any more.
import type { Deadline } from './deadline.ts';
import { createSemaphore } from './semaphore.ts';

export type InSlot = <T>(deadline: Deadline, work: () => Promise<T>) => Promise<T>;

export function createNativeSlots(slots: number): InSlot {
  const semaphore = createSemaphore(slots);
  return async (deadline, work) => {
    const release = await semaphore.acquire(deadline);
    return deadline.race((async () => work())().finally(release));
  };
}
