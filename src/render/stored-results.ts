// Cache entries as results: what is stored for a caller, and how long it may still be served.
import type { Cache } from '../cache/cache.ts';
import { ttlMs } from '../kernel/plans.ts';
import { badKeyOf, keptMs, staleForMs, staleWarning } from './freshness.ts';
import type { Order, Result } from './render.ts';
import { readMeta } from './result.ts';

type Entry = NonNullable<Awaited<ReturnType<Cache['find']>>>;

export type StoredResults = {
  /** The good result: as it is if it is young enough for this caller, or as a stale one. */
  good(order: Order): Promise<{ young: Result | undefined; stale(code: string): Promise<Result | undefined> }>;
  /** An error page, a blank one or a bot wall of the last minute. */
  bad(order: Order): Promise<Result | undefined>;
  /** Good or bad, if it is young enough. */
  young(order: Order): Promise<Result | undefined>;
  /** By its key alone, whoever asks. */
  byKey(key: string): Promise<Result | undefined>;
};

export function createStoredResults(cache: Cache): StoredResults {
  async function read(entry: Entry, lifeMs: number, freshForMs: number): Promise<Result | undefined> {
    const bytes = freshForMs > 0 ? await cache.read(entry) : undefined;
    if (bytes === undefined) return undefined;
    const { key, hash, type, createdAt } = entry;
    return {
      key,
      hash,
      type,
      bytes,
      meta: readMeta(entry.meta),
      cache: 'HIT',
      createdAt,
      cachedAt: createdAt,
      stored: true,
      freshForMs,
      expiresAt: createdAt + lifeMs,
      phases: {},
    };
  }

  async function readYoung(entry: Entry | undefined, { plan, maxAgeMs }: Order): Promise<Result | undefined> {
    if (entry === undefined) return undefined;
    const lifeMs = Math.min(ttlMs(plan), entry.maxAgeMs ?? Number.POSITIVE_INFINITY);
    return read(entry, lifeMs, entry.createdAt + Math.min(lifeMs, maxAgeMs) - Date.now());
  }

  async function readStale(entry: Entry | undefined, { plan }: Order, code: string): Promise<Result | undefined> {
    if (entry === undefined || entry.maxAgeMs !== null || entry.createdAt + keptMs(plan) < Date.now()) return undefined;
    const result = await read(entry, ttlMs(plan), staleForMs);
    if (result === undefined) return undefined;
    const warnings = [...result.meta.warnings, staleWarning(result.createdAt, code)];
    return { ...result, meta: { ...result.meta, warnings }, stale: code };
  }

  const bad = async (order: Order) => readYoung(await cache.find(badKeyOf(order.key)), order);

  return {
    async good(order) {
      const entry = await cache.find(order.key);
      return { young: await readYoung(entry, order), stale: (code) => readStale(entry, order, code) };
    },

    bad,

    young: async (order) => (await readYoung(await cache.find(order.key), order)) ?? (await bad(order)),

    async byKey(key) {
      const entry = await cache.find(key);
      const lifeMs = entry?.maxAgeMs ?? Number.POSITIVE_INFINITY;
      return entry && read(entry, lifeMs, entry.createdAt + lifeMs - Date.now());
    },
  };
}
