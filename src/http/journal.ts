// Finished requests on their way into the account's usage. They are written in batches, a second
// later: nobody waits for it, and a database that is away for a moment costs no request.
import { createBatchWriter } from '../kernel/batch-writer.ts';
import type { Log } from '../kernel/log.ts';
import type { RequestRecord, Store } from '../store/store.ts';

export type Journal = {
  write(record: RequestRecord): void;
  /** Resolves when everything so far is written: who looks at the usage sees what was just asked for. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** How much may wait for a database that is unavailable: characters, and about 10,000 records. The oldest are dropped first. */
const keepText = 16 * 1024 * 1024;
const retentionMs = 90 * 24 * 60 * 60 * 1000;

export function createJournal(usage: Store['usage'], log: Log): Journal {
  const writer = createBatchWriter<RequestRecord>({
    what: 'Usage',
    write: (records) => usage.record(records),
    everyMs: 1000,
    limit: keepText,
    weigh: ({ parameters, warnings, phases }) => 1600 + parameters.length + warnings.length + phases.length,
    log,
  });
  const pruneTimer = setInterval(
    () => usage.prune(Date.now() - retentionMs).catch((error) => log.debug({ err: error }, 'old usage not removed')),
    60 * 60 * 1000,
  ).unref();

  return {
    write: (record) => writer.add(record.id, record),
    flush: writer.flush,
    stop() {
      clearInterval(pruneTimer);
      return writer.stop();
    },
  };
}
