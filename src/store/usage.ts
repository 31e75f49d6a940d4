// Usage: single requests for a limited time, and sums by hour forever.
import { setImmediate } from 'node:timers/promises';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { PlanName } from '../kernel/plans.ts';
import { inChunks, removeInPages } from './chunks.ts';
import type { Database } from './database.ts';
import { notLocked } from './row-locks.ts';
import type { RequestRow, Schema } from './schema.ts';
import type { Batch } from './sqlite-writes.ts';
import type { RequestRecord, Store, UsageOutcome } from './store.ts';
import { requestsWith } from './verdict-filter.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const toRecord = (row: RequestRow): RequestRecord => ({
  id: row.id,
  accountId: row.account_id,
  keyId: row.key_id,
  at: row.at,
  endpoint: row.endpoint,
  status: row.status,
  outcome: row.outcome,
  code: row.code,
  renderMs: row.render_ms,
  totalMs: row.total_ms,
  parameters: row.parameters,
  phases: row.phases,
  warnings: row.warnings,
  cacheKey: row.cache_key,
  verdict: row.verdict,
});

const toRow = (record: RequestRecord): RequestRow => ({
  id: record.id,
  account_id: record.accountId,
  key_id: record.keyId,
  at: record.at,
  endpoint: record.endpoint,
  status: record.status,
  outcome: record.outcome,
  code: record.code,
  render_ms: record.renderMs,
  total_ms: record.totalMs,
  parameters: record.parameters,
  phases: record.phases,
  warnings: record.warnings,
  cache_key: record.cacheKey,
  verdict: record.verdict,
});

type Hour = Schema['usage_hours'];
const column: Record<UsageOutcome, 'renders' | 'hits' | 'errors'> = { render: 'renders', hit: 'hits', error: 'errors' };

const hourOf = (accountId: string, keyId: string, at: number, counts: Partial<Hour> = {}): Hour => ({
  ...{ account_id: accountId, key_id: keyId, hour: Math.floor(at / hourMs) * hourMs, renders: 0, hits: 0, errors: 0 },
  ...counts,
});
const nameOf = ({ account_id, key_id, hour }: Hour): string => `${account_id} ${key_id} ${hour}`;

/** Sorted, so that two machines that add to the same hours cannot deadlock. */
const inOrder = (hours: readonly Hour[]): Hour[] => hours.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

function sumsOf(requests: readonly RequestRecord[]): Hour[] {
  const sums = new Map<string, Hour>();
  for (const { accountId, keyId, at, outcome } of requests) {
    const hour = hourOf(accountId, keyId, at);
    const sum = sums.get(nameOf(hour)) ?? hour;
    sum[column[outcome]] += 1;
    sums.set(nameOf(hour), sum);
  }
  return inOrder([...sums.values()]);
}

const columns = {
  id: 'text',
  account_id: 'text',
  key_id: 'text',
  at: 'bigint',
  endpoint: 'text',
  status: 'integer',
  outcome: 'text',
  code: 'text',
  render_ms: 'double precision',
  total_ms: 'double precision',
  parameters: 'text',
  phases: 'text',
  warnings: 'text',
  cache_key: 'text',
  verdict: 'text',
} as const satisfies Record<keyof RequestRow, string>;

const names = Object.keys(columns) as (keyof RequestRow)[];

type Insert = (db: Kysely<Schema>, rows: readonly RequestRow[]) => Promise<{ id: string }[]>;

/** For PostgreSQL: all rows as one JSON value, in one round trip. Returns the rows that were new. */
const insertTogether: Insert = async (db, rows) => {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  const { rows: written } = await sql<{ id: string }>`
    insert into requests (${sql.raw(names.join(', '))})
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as sent (${sql.raw(typed.join(', '))})
    on conflict (id) do nothing returning id`.execute(db);
  return written;
};

/** For SQLite: row by row, with a statement compiled once. Other ways take two to three times as long. */
function insertOneByOne(db: Kysely<Schema>): Insert {
  const places = names.map(() => '?').join(', ');
  const statement = `insert into requests (${names.join(', ')}) values (${places}) on conflict (id) do nothing`;
  const query = sql.raw(statement).compile(db);
  return async (trx, rows) => {
    const batch: Batch = { ...query, rows: rows.map((row) => names.map((name) => row[name])) };
    const { rows: written } = await trx.executeQuery<string[]>(batch);
    return written.map(([id = '']) => ({ id }));
  };
}

/** Down to this part, so that not every record removes another. */
const roomFor = 0.95;
const removedAtOnce = 500;

async function write(db: Kysely<Schema>, insert: Insert, requests: readonly RequestRecord[]): Promise<void> {
  // A batch whose commit was not confirmed is sent again, and counts once.
  const fresh = new Set((await insert(db, requests.map(toRow))).map((row) => row.id));
  await addSums(db, sumsOf(requests.filter((request) => fresh.has(request.id))));
}

async function addSums(db: Kysely<Schema>, hours: readonly Hour[]): Promise<void> {
  for (const sum of hours)
    await db
      .insertInto('usage_hours')
      .values(sum)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'hour', 'key_id']).doUpdateSet((eb) => ({
          renders: eb('usage_hours.renders', '+', sum.renders),
          hits: eb('usage_hours.hits', '+', sum.hits),
          errors: eb('usage_hours.errors', '+', sum.errors),
        })),
      )
      .execute();
}

const sums = <O>(query: SelectQueryBuilder<Schema, 'usage_hours', O>) =>
  query.select((eb) => [
    eb.fn.sum<number>('renders').as('renders'),
    eb.fn.sum<number>('hits').as('hits'),
    eb.fn.sum<number>('errors').as('errors'),
  ]);

export function usageIn({ db, relaxed, dialect }: Database): Store['usage'] {
  const insert = dialect === 'postgres' ? insertTogether : insertOneByOne(relaxed);

  /** Removes the oldest requests of those of the accounts that have more than their plan allows. */
  async function keepBound(accountIds: readonly string[], most: Readonly<Record<PlanName, number>>): Promise<void> {
    const bytesOf = db
      .selectFrom('usage_accounts')
      .innerJoin('accounts', 'accounts.id', 'usage_accounts.account_id')
      .select(['account_id', 'bytes', 'plan'])
      .where('account_id', 'in', accountIds);
    for (const { account_id, bytes, plan } of await bytesOf.execute())
      for (let left = bytes; left > most[plan] * (left === bytes ? 1 : roomFor); left = await bytesIn(account_id)) {
        const own = relaxed.selectFrom('requests').select('id').where('account_id', '=', account_id);
        const oldest = notLocked(own.orderBy('at').orderBy('id').limit(removedAtOnce), dialect);
        const { numDeletedRows } = await relaxed.deleteFrom('requests').where('id', 'in', oldest).executeTakeFirst();
        if (numDeletedRows === 0n) break;
        await setImmediate();
      }
  }

  const bytesIn = async (accountId: string): Promise<number> => {
    const row = db.selectFrom('usage_accounts').select('bytes').where('account_id', '=', accountId);
    return (await row.executeTakeFirst())?.bytes ?? 0;
  };

  return {
    async record(requests, most) {
      // In ten turns at most: a server that is busy has few turns, and more requests come with each.
      for (const some of inChunks(requests, Math.max(50, Math.ceil(requests.length / 10)))) {
        await relaxed.transaction().execute((trx) => write(trx, insert, some));
        // The embedded database writes on this thread: requests that arrived meanwhile are handled first.
        await setImmediate();
      }
      if (most !== undefined) await keepBound([...new Set(requests.map(({ accountId }) => accountId))], most);
    },
    async count(counts) {
      const sums = counts.map(({ accountId, keyId, at, outcome, count }) =>
        hourOf(accountId, keyId, at, { [column[outcome]]: count }),
      );
      await relaxed.transaction().execute((trx) => addSums(trx, inOrder(sums)));
    },
    async buckets(accountId, { from, to, by, keyId }) {
      const size = by === 'hour' ? hourMs : dayMs;
      const bucket = sql<number>`hour - hour % ${sql.lit(size)}`;
      let query = sums(db.selectFrom('usage_hours').select(bucket.as('at')))
        .where('account_id', '=', accountId)
        .where('hour', '>=', Math.floor(from / size) * size)
        .where('hour', '<', to);
      if (keyId !== undefined) query = query.where('key_id', '=', keyId);
      return query.groupBy(bucket).orderBy(bucket).execute();
    },
    async byKey(accountId, from) {
      const rows = await sums(db.selectFrom('usage_hours').select('key_id'))
        .where('account_id', '=', accountId)
        .where('hour', '>=', Math.floor(from / hourMs) * hourMs)
        .groupBy('key_id')
        .orderBy('key_id')
        .execute();
      return rows.map(({ key_id, ...counts }) => ({ keyId: key_id, ...counts }));
    },
    async byAccount(from) {
      const rows = await sums(db.selectFrom('usage_hours').select('account_id'))
        .where('hour', '>=', Math.floor(from / hourMs) * hourMs)
        .groupBy('account_id')
        .execute();
      return rows.map(({ account_id, ...counts }) => ({ accountId: account_id, ...counts }));
    },
    async recent(accountId, { count, before, keyId, outcome, verdict }) {
      let query = db.selectFrom('requests').selectAll().where('account_id', '=', accountId);
      if (before !== undefined)
        query = query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(before.at, before.id)));
      if (keyId !== undefined) query = query.where('key_id', '=', keyId);
      if (outcome !== undefined) query = query.where('outcome', '=', outcome);
      if (verdict !== undefined) query = query.where(requestsWith(verdict));
      return (await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(count).execute()).map(toRecord);
    },
    async renderTimes(accountId, from, keyId) {
      let renders = db
        .selectFrom('requests')
        .where('account_id', '=', accountId)
        .where('at', '>=', from)
        .where('outcome', '=', 'render')
        .where('render_ms', 'is not', null);
      if (keyId !== undefined) renders = renders.where('key_id', '=', keyId);
      const { count } = await renders.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      if (count === 0) return undefined;
      // Nearest rank: the smallest time that at least this share of the renders did not exceed.
      const at = async (share: number) => {
        const rank = renders.select('render_ms').orderBy('render_ms').limit(1);
        const row = await rank.offset(Math.ceil(share * count) - 1).executeTakeFirst();
        return row?.render_ms ?? 0;
      };
      return { p50: await at(0.5), p95: await at(0.95) };
    },
    prune: (before) =>
      removeInPages(async (most) => {
        const some = relaxed.selectFrom('requests').select('id').where('at', '<', before).limit(most);
        const old = relaxed.deleteFrom('requests').where('id', 'in', notLocked(some, dialect));
        return Number((await old.executeTakeFirst()).numDeletedRows);
      }),
  };
}
