// Writes the usage records of finished requests in batches, once a second. No request waits for it, and no request fails
// while the database is unavailable.
import { createBatchWriter } from '../kernel/batch-writer.ts';
import type { Log } from '../kernel/log.ts';
import { type Plans, storageOf } from '../kernel/plans.ts';
import type { UsageRecord } from '../render/usage-record.ts';
import type { RequestCount, Store } from '../store/store.ts';

export type Journal = {
  write(record: UsageRecord): void;
  /** Resolves when everything so far is written, so that the usage shown includes the latest requests. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** How much may wait for a database that is unavailable: characters, and about 10,000 records. The oldest are dropped first. */
const keepText = 16 * 1024 * 1024;
const keepCounts = 10_000;
const hourMs = 60 * 60 * 1000;

export function createJournal(usage: Pick<Store['usage'], 'record' | 'count'>, plans: Plans, log: Log): Journal {
  const most = storageOf(plans, 'usage');
  const requests = createBatchWriter<UsageRecord>({
    what: 'Usage',
    write: (records) => usage.record(records, most),
    everyMs: 1000,
    limit: keepText,
    weigh: ({ parameters, warnings, phases }) => 1600 + parameters.length + warnings.length + phases.length,
    log,
  });
  /** By site and hour, since the last write. */
  let counts = new Map<string, { -readonly [K in keyof RequestCount]: RequestCount[K] }>();
  const sums = createBatchWriter<RequestCount>({
    what: 'The number of requests for sites',
    write(waiting) {
      counts = new Map();
      return usage.count(waiting);
    },
    everyMs: 1000,
    limit: keepCounts,
    log,
  });

  function count({ id, accountId, keyId, at, outcome }: UsageRecord): void {
    const name = `${keyId} ${Math.floor(at / hourMs)} ${outcome}`;
    const known = counts.get(name);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const first = { accountId, keyId, at, outcome, count: 1 };
    counts.set(name, first);
    sums.add(id, first);
  }

  return {
    // Anybody may ask for the card of a site, as often as they like.
    write: (record) => (record.isPublic && isRepeatable(record) ? count(record) : requests.add(record.id, record)),
    flush: async () => void (await Promise.all([requests.flush(), sums.flush()])),
    stop: async () => void (await Promise.all([requests.stop(), sums.stop()])),
  };
}

/** A hit, or a client that left before its answer. */
const isRepeatable = ({ outcome, status }: UsageRecord): boolean => outcome === 'hit' || status === 499;
