// The index of the cache: which results there are, whose they are, their size, and when they were last used.
import type { Kysely } from 'kysely';
import { inChunks } from './chunks.ts';
import type { Database } from './database.ts';
import { locked, notLocked } from './row-locks.ts';
import type { CacheRow, Schema } from './schema.ts';
import type { CacheEntry, Store } from './store.ts';
import { entriesWith } from './verdict-filter.ts';

const toEntry = (row: CacheRow): CacheEntry => ({
  key: row.key,
  accountId: row.account_id,
  hash: row.hash,
  size: row.size,
  type: row.type,
  meta: row.meta,
  createdAt: row.created_at,
  usedAt: row.used_at,
  maxAgeMs: row.max_age_ms,
  keptUntil: row.kept_until,
  subject: row.subject,
});

const toRow = (entry: CacheEntry): CacheRow => ({
  key: entry.key,
  account_id: entry.accountId,
  hash: entry.hash,
  size: entry.size,
  type: entry.type,
  meta: entry.meta,
  created_at: entry.createdAt,
  used_at: entry.usedAt,
  max_age_ms: entry.maxAgeMs,
  kept_until: entry.keptUntil,
  subject: entry.subject,
});

/** Those of the hashes that no entry uses. */
async function unused(db: Kysely<Schema>, hashes: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('cache_entries').select('hash').distinct().where('hash', 'in', hashes).execute();
  const used = new Set(rows.map((row) => row.hash));
  return hashes.filter((hash) => !used.has(hash));
}

/** Inserts or replaces an entry. Compiled once, for values in the order of a row. */
function writing(db: Kysely<Schema>) {
  const row = toRow({
    key: '',
    accountId: '',
    hash: '',
    size: 0,
    type: '',
    meta: '',
    createdAt: 0,
    usedAt: 0,
    maxAgeMs: null,
    keptUntil: 0,
    subject: null,
  });
  const columns = Object.keys(row) as (keyof CacheRow)[];
  return db
    .insertInto('cache_entries')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .compile();
}

export function cacheIndexIn({ relaxed: db, prepare, dialect }: Database): Store['cache'] {
  const entries = db.selectFrom('cache_entries').selectAll();
  const items = db.selectFrom('cache_entries').select(['key', 'size']);
  const byKey = prepare(entries.where('key', '=', '').compile(), toEntry);
  const write = writing(db);
  const keysIn = (keys: readonly string[]) => db.selectFrom('cache_entries').select('key').where('key', 'in', keys);
  return {
    find: async (key) => (await byKey(key))[0],
    async put(entry) {
      // Not in a transaction: if two callers write the same key at once, a file may be left over; the sweep removes it.
      const [old] = await byKey(entry.key);
      await db.executeQuery({ ...write, parameters: Object.values(toRow(entry)) });
      return old && (await unused(db, [old.hash]))[0];
    },
    async touch(keys, at) {
      // An entry that another process is changing is in use anyway.
      for (const some of inChunks(keys))
        await db
          .updateTable('cache_entries')
          .set({ used_at: at })
          .where('key', 'in', notLocked(keysIn(some), dialect))
          .execute();
    },
    async remove(keys) {
      const freed: string[] = [];
      for (const some of inChunks(keys))
        await db.transaction().execute(async (trx) => {
          const ours = locked(keysIn(some).orderBy('key'), dialect);
          const gone = await trx.deleteFrom('cache_entries').where('key', 'in', ours).returning('hash').execute();
          if (gone.length > 0) freed.push(...(await unused(trx, [...new Set(gone.map((row) => row.hash))])));
        });
      return freed;
    },
    expired: (now, count) => items.where('kept_until', '<=', now).orderBy('kept_until').limit(count).execute(),
    async evictable(accountId, now, count) {
      const own = items.where('account_id', '=', accountId);
      // Only the oldest are read: in one account, on one plan, they expire first.
      const oldest = await own.select(['created_at', 'kept_until']).orderBy('created_at').limit(count).execute();
      const past = oldest.filter((row) => (row.created_at + row.kept_until) / 2 < now);
      if (past.length > 0) return past.map(({ key, size }) => ({ key, size }));
      return own.orderBy('used_at').limit(count).execute();
    },
    async accounts(accountId) {
      const found = db
        .selectFrom('cache_accounts')
        .leftJoin('accounts', 'accounts.id', 'cache_accounts.account_id')
        .select(['account_id as accountId', 'bytes', 'plan'])
        .where('entries', '>', 0);
      return (accountId === undefined ? found : found.where('account_id', '=', accountId)).execute();
    },
    bySubject: (accountId, subject, count) =>
      items.where('account_id', '=', accountId).where('subject', '=', subject).limit(count).execute(),
    async ofAccount(accountId, count, { before, verdict, alive } = {}) {
      let query = entries.where('account_id', '=', accountId);
      if (before !== undefined)
        query = query.where((eb) => eb(eb.refTuple('created_at', 'key'), '<', eb.tuple(before.at, before.id)));
      if (verdict !== undefined) query = query.where(entriesWith(verdict));
      if (alive !== undefined)
        query = query
          .where('created_at', '>', alive.now - alive.ttlMs)
          .where((eb) =>
            eb.or([eb('max_age_ms', 'is', null), eb(eb('created_at', '+', eb.ref('max_age_ms')), '>', alive.now)]),
          );
      return (await query.orderBy('created_at', 'desc').orderBy('key', 'desc').limit(count).execute()).map(toEntry);
    },
    totals: () =>
      db
        .selectFrom('cache_accounts')
        .select((eb) => [
          eb.fn.coalesce(eb.fn.sum<number>('entries'), eb.lit(0)).as('entries'),
          eb.fn.coalesce(eb.fn.sum<number>('bytes'), eb.lit(0)).as('bytes'),
        ])
        .executeTakeFirstOrThrow(),
    hasHash: async (hash) => (await unused(db, [hash])).length === 0,
  };
}
