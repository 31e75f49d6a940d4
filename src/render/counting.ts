// What counts towards the account's renders a minute: every render that took a slot, whatever became of it, unless the
// fault was ours. What is found wrong before (the target's address, a full queue, a time-out in the queue) is free.
import { Cancelled } from '../kernel/deadline.ts';
import { type ErrorCode, Problem } from '../kernel/errors.ts';

const free: readonly ErrorCode[] = [
  'renderer_unavailable',
  'overloaded',
  'shutting_down',
  'storage_unavailable',
  'internal_error',
  // The caller's own condition (`failOn`): such a capture is documented as not counted.
  'capture_rejected',
];

/** Does a render that failed with this error count? */
export function countsAsRender(error: unknown, tookSlot: boolean): boolean {
  if (!tookSlot) return false;
  // The client hung up: the page was loaded all the same.
  if (error instanceof Cancelled) return true;
  // Anything else that is no Problem is a defect of ours.
  return error instanceof Problem && !free.includes(error.code);
}
