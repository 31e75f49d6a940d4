// What an error of SQLite means, and waiting for a lock that another process holds.
import { sleep } from '../kernel/deadline.ts';
import { unavailable } from './database.ts';

/** Only a person can change this, so it is not tried again. */
export class CannotWrite extends Error {
  override name = 'CannotWrite';
}

/** Tries until the other process releases its lock. Meanwhile the event loop is free. */
export async function retryWhileLocked<T>(giveUpAt: number, attempt: () => T): Promise<T> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const code = resultCode(error);
      if (ourOwnFault.has(code) || error instanceof CannotWrite) throw error;
      if (!locked.has(code) || performance.now() > giveUpAt) throw unavailable(error);
    }
    await sleep(2 + Math.random() * 10);
  }
}

// https://www.sqlite.org/rescode.html: error (a wrong statement), constraint, mismatch, misuse, range.
const ourOwnFault = new Set([1, 19, 20, 21, 25]);
// busy, locked.
const locked = new Set([5, 6]);

/** The primary code is the low byte of SQLite's extended one. */
const resultCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
