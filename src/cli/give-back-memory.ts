import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Starting takes memory that is never used again, and V8 keeps it until a load comes. One collection gives it back: 70 MB of
 * 300 (npm run bench:cold-start). It takes about 100 ms, so it is done once, when all is loaded.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  // "last-resort" also makes the heap as small as it can be.
  runInNewContext('gc({ type: "major", execution: "sync", flavor: "last-resort" })');
}
