// Writes the usage records of finished requests in batches, once a second. No request waits for it, and no request fails
// while the database is unavailable.
import { createBatchWriter } from '../kernel/batch-writer.ts';
import type { Log } from '../kernel/log.ts';
import type { RequestRecord, Store } from '../store/store.ts';

export type Journal = {
  write(record: RequestRecord): void;
  /** Resolves when everything so far is written, so that the usage shown includes the latest requests. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** How much may wait for a database that is unavailable: characters, and about 10,000 records. The oldest are dropped first. */
const keepText = 16 * 1024 * 1024;

export function createJournal(usage: Pick<Store['usage'], 'record'>, log: Log): Journal {
  const writer = createBatchWriter<RequestRecord>({
    what: 'Usage',
    write: (records) => usage.record(records),
    everyMs: 1000,
    limit: keepText,
    weigh: ({ parameters, warnings, phases }) => 1600 + parameters.length + warnings.length + phases.length,
    log,
  });
  return {
    write: (record) => writer.add(record.id, record),
    flush: writer.flush,
    stop: writer.stop,
  };
}
