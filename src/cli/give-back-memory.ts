import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Starting takes memory that is never used again, and V8 keeps it until a load comes. After a small collection it frees
 * the rest by itself within ten seconds, in small steps: 50 MB of 245 (npm run bench:cold-start).
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc({ type: "minor", execution: "sync" })');
}
