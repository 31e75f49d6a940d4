// Writes that somebody waits for, several in one transaction: whatever arrives while one is written goes with the next.
import { setImmediate } from 'node:timers/promises';

type Waiter<T, R> = { readonly item: T; readonly promise: PromiseWithResolvers<R> };

/** `write` gets items whose weights together are at most `most`, or a single one, and returns an answer for each. */
export function createGroupWriter<T, R>(options: {
  readonly write: (items: readonly T[]) => Promise<readonly R[]>;
  readonly weigh: (item: T) => number;
  readonly most: number;
}): (item: T) => Promise<R> {
  const { write, weigh, most } = options;
  const waiting: Waiter<T, R>[] = [];
  let isWriting = false;

  function takeGroup(): Waiter<T, R>[] {
    let weight = 0;
    const tooMuch = waiting.findIndex(({ item }, at) => {
      weight += weigh(item);
      return at > 0 && weight > most;
    });
    return waiting.splice(0, tooMuch < 0 ? waiting.length : tooMuch);
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // Requests that arrived together are read in the same turn of the event loop.
      await setImmediate();
      const group = takeGroup();
      try {
        const answers = await write(group.map(({ item }) => item));
        for (const [at, { promise }] of group.entries()) promise.resolve(answers[at] as R);
      } catch (error) {
        for (const { promise } of group) promise.reject(error);
      }
    }
    isWriting = false;
  }

  return (item) => {
    const promise = Promise.withResolvers<R>();
    waiting.push({ item, promise });
    if (!isWriting) void writeAll();
    return promise.promise;
  };
}
