// What counts toward the account's renders per minute: every render that took a slot, unless it failed through a fault of
// the service. Failures before the slot (the target's address, a full queue, a time-out in the queue) do not count.
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
  // The client left, but the page was loaded.
  if (error instanceof Cancelled) return true;
  // Any other error that is not a Problem is a defect of the service.
  return error instanceof Problem && !free.includes(error.code);
}
