// Turns of the event loop for work of several milliseconds on the main thread, one for each that waits: many that are ready
// at the same moment would block it together.
import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

export function ownTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
