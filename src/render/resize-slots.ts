// Limits how many pictures are resized at once, in all, and to one of each account, so that an account with huge pictures
// delays nobody else. A slot is free again when its work has ended, even if nobody waits for it any more.
import { createAccountSlots } from '../kernel/account-slots.ts';
import type { Deadline } from '../kernel/deadline.ts';

export type InResizeSlot = <T>(accountId: string, deadline: Deadline, work: () => Promise<T>) => Promise<T>;

/** Of one account. */
const mostWaiting = 100;

export function createResizeSlots(atOnce: number): InResizeSlot {
  const inSlot = createAccountSlots(1, {
    ofAll: atOnce,
    most: 1 + mostWaiting,
    message: 'Too many pictures of this account are waiting to be resized. Try again shortly.',
  });
  return (accountId, deadline, work) => deadline.race(inSlot(accountId, deadline, work));
}
