// Collects small writes and sends them to the database together: after an interval, or when a quarter of the limit waits.
// Nobody waits for them, and a database that is unavailable for a moment loses none: what could not be written is kept, up
// to the limit, and tried again.
import { BoundedMap } from './bounded-map.ts';
import type { Log } from './log.ts';

export type BatchWriter<T> = {
  /** A later item with the same id replaces an earlier one. */
  add(id: string, item: T): void;
  /** Resolves when everything added so far was written, or could not be. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

type BatchWriterOptions<T> = {
  /** What is written, for the log: "The last use of keys". */
  readonly what: string;
  readonly write: (items: readonly T[]) => Promise<void>;
  readonly everyMs: number;
  /** How much may wait, in items or in their weight. The oldest are dropped first. */
  readonly limit: number;
  readonly weigh?: (item: T) => number;
  readonly log: Log;
};

export function createBatchWriter<T>({
  what,
  write,
  everyMs,
  limit,
  weigh,
  log,
}: BatchWriterOptions<T>): BatchWriter<T> {
  const newBatch = () => new BoundedMap<string, T>(limit, weigh);
  let pending = newBatch();
  let writing = Promise.resolve();
  let failing = false;
  let isFlushing = false;
  let dropped = 0;

  function keep(id: string, item: T): void {
    const most = pending.size + (pending.get(id) === undefined ? 1 : 0);
    pending.set(id, item);
    dropped += most - pending.size;
  }

  async function writePending(): Promise<void> {
    if (pending.size === 0) return;
    const batch = pending;
    pending = newBatch();
    try {
      await write([...batch.values()]);
      failing = false;
      if (dropped > 0) log.warn({ dropped }, `${what}: more came than could be written, and the oldest were dropped`);
      dropped = 0;
    } catch (error) {
      const since = pending;
      pending = batch;
      for (const [id, item] of since.entries()) keep(id, item);
      // Once for each outage.
      log[failing ? 'debug' : 'warn']({ reason: (error as Error).message }, `${what} could not be written yet`);
      failing = true;
    }
  }

  const flush = (): Promise<void> => {
    isFlushing = true;
    writing = writing.then(() => {
      isFlushing = false;
      return writePending();
    });
    return writing;
  };
  const timer = setInterval(flush, everyMs).unref();

  return {
    add(id, item) {
      // Under load, most uses of a key are of one that waits to be written already.
      if (pending.get(id) === item) return;
      keep(id, item);
      if (pending.weight > limit / 4 && !isFlushing && !failing) flush();
    },
    flush,
    stop() {
      clearInterval(timer);
      return flush();
    },
  };
}
