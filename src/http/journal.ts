// Writes the usage records of finished requests in batches, once a second. No request waits for it, and no request fails
// while the database is unavailable.
import type { Log } from '../kernel/log.ts';
import type { RequestRecord, Store } from '../store/store.ts';

export type Journal = {
  write(record: RequestRecord): void;
  /** Resolves when everything so far is written, so that the usage shown includes the latest requests. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** Records kept while the database is unavailable: their number, and the characters of all of them. The oldest go first. */
const keepMax = 10_000;
const keepText = 16 * 1024 * 1024;
const retentionMs = 90 * 24 * 60 * 60 * 1000;

export function createJournal(usage: Store['usage'], log: Log): Journal {
  let pending: RequestRecord[] = [];
  let text = 0;
  let writing = Promise.resolve();

  function keepBound(): void {
    let from = 0;
    while (pending.length - from > keepMax || text > keepText) text -= sizeOf(pending[from++]);
    if (from > 0) pending = pending.slice(from);
  }

  async function writeAll(): Promise<void> {
    if (pending.length === 0) return;
    const batch = pending;
    const batchText = text;
    pending = [];
    text = 0;
    try {
      await usage.record(batch);
    } catch (error) {
      pending = batch.concat(pending);
      text += batchText;
      keepBound();
      log.debug({ err: error }, 'usage records not written; trying again');
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(writeAll);
    return writing;
  };

  const flushTimer = setInterval(flush, 1000).unref();
  const pruneTimer = setInterval(
    () =>
      usage
        .prune(Date.now() - retentionMs)
        .catch((error) => log.debug({ err: error }, 'old usage records not removed')),
    60 * 60 * 1000,
  ).unref();

  return {
    write(record) {
      pending.push(record);
      text += sizeOf(record);
      keepBound();
    },
    flush,
    async stop() {
      clearInterval(flushTimer);
      clearInterval(pruneTimer);
      await flush();
    },
  };
}

const sizeOf = (record: RequestRecord | undefined): number =>
  record === undefined ? 0 : record.parameters.length + record.warnings.length + record.phases.length;
