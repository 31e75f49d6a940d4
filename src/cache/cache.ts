// The cache of results: the index is in the store, the bytes are in files, and the recent ones in memory too. Its size
// is bounded (see eviction.ts). The reader decides how old an entry may be, by the plan of that moment.
import { createBatchWriter } from '../kernel/batch-writer.ts';
import { resultHash } from '../kernel/content-hash.ts';
import type { Log } from '../kernel/log.ts';
import type { CacheEntry, Store } from '../store/store.ts';
import { evict, isOver, type PlanBytes, removeExpired } from './eviction.ts';
import type { Files } from './files.ts';
import { createMemoryCache } from './memory-cache.ts';
import { createRemovals, type Removals } from './removals.ts';

export type Cache = {
  find(key: string): Promise<CacheEntry | undefined>;
  /**
   * The entry's bytes, with their hash verified; undefined if they are gone or damaged, and then the entry is removed.
   */
  read(entry: CacheEntry): Promise<Buffer | undefined>;
  /** False if it could not be stored; the reason is in the log. Never throws. */
  put(entry: Omit<CacheEntry, 'usedAt'>, bytes: Buffer): Promise<boolean>;
  remove(keys: readonly string[]): Promise<void>;
  /** Empties the cache, or one account's part of it. */
  purge(accountId?: string): Promise<number>;
  /** Removes the account's entries of one subject. Returns how many. */
  removeSubject(accountId: string, subject: string): Promise<number>;
  /** Changes whenever results of this account and subject are removed by purge or removeSubject, on any machine. */
  readonly lastRemoval: Removals['last'];
  totals(): Totals & { memoryBytes: number };
  /** A message from another machine that shares the cache. */
  onMessage(message: CacheMessage): void;
  stop(): Promise<void>;
};

type Totals = { entries: number; bytes: number };

export type CacheMessage = {
  /** Hashes that no entry uses any more. */
  readonly forgotten?: readonly string[];
  /** The size of the cache now. */
  readonly totals?: Totals;
  /** The size of an entry that was just added. */
  readonly added?: number;
};

/** The other machines that share the cache. One at a time cleans it up and tells the others. */
export type CachePeers = {
  /** True for one machine, once in this time. */
  isTurn(name: string, everyMs: number): Promise<boolean>;
  /** Does the work unless another machine is doing it; then false. */
  exclusively(name: string, work: () => Promise<void>): Promise<boolean>;
  broadcast(message: CacheMessage): void;
  readonly removals: Removals;
};

type CacheDependencies = {
  index: Store['cache'];
  files: Files;
  maxBytes: number;
  /** Of one account. */
  mostOfAccount: PlanBytes;
  memoryBytes: number;
  log: Log;
  peers?: CachePeers | undefined;
};

const alone = (): CachePeers => ({
  isTurn: async () => true,
  exclusively: (_, work) => work().then(() => true),
  broadcast: () => {},
  removals: createRemovals(),
});
const dayMs = 24 * 60 * 60 * 1000;
const removedAtOnce = 200;

export async function createCache(dependencies: CacheDependencies): Promise<Cache> {
  const { index, files, maxBytes, mostOfAccount, memoryBytes, log, peers } = dependencies;
  const { isTurn, exclusively, broadcast, removals } = peers ?? alone();
  const memory = createMemoryCache(memoryBytes);
  const touches = createBatchWriter<string>({
    what: 'The last use of cached results',
    write: (keys) => index.touch(keys, Date.now()),
    everyMs: 2000,
    limit: 100_000,
    log,
  });
  // What other machines write is noticed at the upkeep only.
  const upkeepMs = peers === undefined ? 10 * 60 * 1000 : 60 * 1000;
  let totals = await index.totals();
  let evicting: Promise<void> | undefined;

  async function remove(keys: readonly string[]): Promise<void> {
    const forgotten = await index.remove(keys);
    if (forgotten.length > 0) broadcast({ forgotten });
    for (const hash of forgotten) {
      memory.delete(hash);
      await files.remove(hash).catch((error) => log.warn({ err: error }, 'a cached file could not be removed'));
    }
  }

  /** Removes what `next` gives until that is nothing. Returns how many. */
  async function removeAll(next: () => Promise<readonly Pick<CacheEntry, 'key'>[]>): Promise<number> {
    for (let removed = 0; ; ) {
      const entries = await next();
      if (entries.length === 0) return removed;
      await remove(entries.map(({ key }) => key));
      removed += entries.length;
    }
  }

  async function makeRoom(): Promise<void> {
    // Otherwise entries that were used a moment ago could be evicted as the least recently used.
    await touches.flush();
    await evict(index, maxBytes, mostOfAccount, remove);
    totals = await index.totals();
    broadcast({ totals });
  }

  /** Set when an account has more than its plan allows. */
  let someoneIsOver = true;
  const keepBound = () => {
    if (totals.bytes <= maxBytes && !someoneIsOver) return;
    someoneIsOver = false;
    evicting ??= exclusively('cache-bound', makeRoom).then(
      (ours) => {
        evicting = undefined;
        // Entries may have been added meanwhile. If another machine evicted, that machine checks again.
        if (ours) keepBound();
      },
      (error) => {
        evicting = undefined;
        log.warn({ err: error }, 'the cache could not be reduced to its maximum size');
      },
    );
  };

  const count = (bytes: number) => {
    totals = { entries: totals.entries + 1, bytes: totals.bytes + bytes };
    keepBound();
  };

  async function upkeep(): Promise<void> {
    if (!(await isTurn('cache-upkeep', upkeepMs / 2))) return;
    await removeExpired(index, remove);
    totals = await index.totals();
    broadcast({ totals });
    // A plan may have changed.
    someoneIsOver = true;
    keepBound();
  }

  type ReadFile = { readonly bytes: Buffer; readonly isWhole: boolean } | undefined;
  async function readFile(hash: string): Promise<ReadFile> {
    const bytes = await files.read(hash);
    return bytes && { bytes, isWhole: (await resultHash(bytes)) === hash };
  }
  /** Several requests for one file read it once. */
  const reading = new Map<string, Promise<ReadFile>>();
  const readOnce = (hash: string): Promise<ReadFile> => {
    const read = reading.get(hash) ?? readFile(hash).finally(() => reading.delete(hash));
    reading.set(hash, read);
    return read;
  };

  const accountsWithEntries = async () => (await index.accounts()).map(({ accountId }) => accountId);

  async function sweep(): Promise<void> {
    if (await isTurn('cache-sweep', dayMs)) await files.sweep(index.hasHash);
  }

  const quietly = (work: () => Promise<void>) => () =>
    work().catch((error) => log.warn({ err: error }, 'upkeep of the cache failed; it will be retried'));
  const upkeepTimer = setInterval(quietly(upkeep), upkeepMs).unref();
  const sweepTimer = setInterval(quietly(sweep), dayMs).unref();
  const atStart = quietly(sweep)();
  keepBound();

  return {
    find: (key) => index.find(key),

    async read(entry) {
      touches.add(entry.key, entry.key);
      const kept = memory.get(entry.hash);
      if (kept !== undefined) return kept;
      let read: ReadFile;
      try {
        read = await readOnce(entry.hash);
      } catch (error) {
        // The file may only be unavailable for now, so the entry stays.
        log.warn({ err: error }, 'a cached file could not be read');
        return undefined;
      }
      if (read?.isWhole) {
        memory.set(entry.hash, read.bytes);
        return read.bytes;
      }
      if (read !== undefined) {
        log.warn({ hash: entry.hash }, 'a cached file is damaged; the result is rendered again');
        // Even if other entries share it: an existing file would not be written again.
        await files.remove(entry.hash).catch(() => {});
      }
      await remove([entry.key]).catch(() => {});
      return undefined;
    },

    async put(entry, bytes) {
      try {
        await files.write(entry.hash, bytes);
        const replaced = await index.put({ ...entry, usedAt: entry.createdAt });
        if (replaced !== undefined && replaced !== entry.hash) {
          memory.delete(replaced);
          broadcast({ forgotten: [replaced] });
          await files.remove(replaced).catch((error) => log.warn({ err: error }, 'a cached file could not be removed'));
        }
      } catch (error) {
        log.warn({ err: error }, 'a result could not be stored; it is returned uncached');
        return false;
      }
      memory.set(entry.hash, bytes);
      someoneIsOver ||= await isOver(index, entry.accountId, mostOfAccount).catch(() => false);
      // All machines get the message, this one too.
      if (peers === undefined) count(entry.size);
      else broadcast({ added: entry.size });
      return true;
    },

    remove,

    async purge(accountId) {
      await removals.note(accountId);
      let removed = 0;
      for (const id of accountId === undefined ? await accountsWithEntries() : [accountId])
        removed += await removeAll(() => index.ofAccount(id, removedAtOnce));
      totals = await index.totals();
      broadcast({ totals });
      return removed;
    },

    async removeSubject(accountId, subject) {
      await removals.note(accountId, subject);
      return removeAll(() => index.bySubject(accountId, subject, removedAtOnce));
    },

    lastRemoval: removals.last,

    totals: () => ({ ...totals, memoryBytes: memory.bytes }),

    onMessage({ forgotten, totals: newTotals, added }) {
      for (const hash of forgotten ?? []) memory.delete(hash);
      totals = newTotals ?? totals;
      if (added !== undefined) count(added);
    },

    async stop() {
      clearInterval(upkeepTimer);
      clearInterval(sweepTimer);
      await Promise.all([atStart, evicting]);
      await touches.stop();
    },
  };
}
