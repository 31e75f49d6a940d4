import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Starting takes memory that is never used again, and V8 keeps it until a load comes. One collection gives it back: 70 MB of
 * 300 (npm run bench:cold-start). It takes about 50 ms, so it is done once, when all is loaded.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}
