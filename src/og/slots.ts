// How many cards are painted at once. Native work cannot be stopped: a slot is free again when its work has really
// ended, also where nobody waits for it any more.
import type { Deadline } from '../kernel/deadline.ts';

export type InSlot = <T>(deadline: Deadline, work: () => Promise<T>) => Promise<T>;

export function createSlots(slots: number): InSlot {
  let free = slots;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  const acquire = (deadline: Deadline) =>
    new Promise<void>((resolve, reject) => {
      if (free > 0) {
        free--;
        return resolve();
      }
      const enter = () => {
        deadline.signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(deadline.signal.reason);
      };
      waiting.push(enter);
      deadline.signal.addEventListener('abort', leave, { once: true });
    });
  return async (deadline, work) => {
    deadline.throwIfOver();
    await acquire(deadline);
    return deadline.race((async () => work())().finally(release));
  };
}
