// Removes an account with all its rows.
import { type Kysely, sql } from 'kysely';
import { removeInPages } from './chunks.ts';
import type { Database, Dialect } from './database.ts';
import { removeJobs } from './job-rows.ts';
import { removeResets } from './password-resets.ts';
import { notLocked } from './row-locks.ts';
import type { Schema } from './schema.ts';

/** Somebody waits, and PostgreSQL blocks nobody meanwhile. */
const rowsAtOnce = { postgres: 2000, sqlite: 500 };

export async function removeAccount(database: Database, id: string): Promise<void> {
  await removeMostRows(database, id);
  await database.db.transaction().execute(async (trx) => {
    await removeResets(trx, id);
    // First: writing usage locks it before the sums of the hours.
    await trx.deleteFrom('usage_accounts').where('account_id', '=', id).execute();
    await removeInOrder(trx, database.dialect, id);
    for (const table of [
      'cache_entries',
      'cache_accounts',
      'requests',
      'quota_months',
      'batches',
      'job_accounts',
      'idempotency_keys',
      'api_keys',
      'two_factors',
      'passkeys',
      // Before the sessions, as when a password is changed: in another order the two could deadlock.
      'credentials',
      'sessions',
      'webhook_secrets',
    ] as const)
      await trx.deleteFrom(table).where('account_id', '=', id).execute();
    await trx.deleteFrom('accounts').where('id', '=', id).execute();
  });
}

/** Rows of which others lock several, too, and their order there. JavaScript sorts by the characters, as does "C". */
const lockedInOrder = [
  { table: 'jobs', key: ['id'], order: 'id' },
  { table: 'usage_hours', key: ['account_id', 'hour', 'key_id'], order: 'key_id collate "C", hour' },
  { table: 'webhook_deliveries', key: ['id'], order: 'id collate "C"' },
];

async function removeInOrder(trx: Kysely<Schema>, dialect: Dialect, id: string): Promise<void> {
  for (const { table, key, order } of lockedInOrder) {
    const [from, columns] = [sql.table(table), sql.join(key.map((column) => sql.ref(column)))];
    const inOrder = dialect === 'postgres' ? sql.raw(`order by ${order} for update`) : sql``;
    await sql`delete from ${from} where (${columns}) in
      (select ${columns} from ${from} where account_id = ${id} ${inOrder})`.execute(trx);
  }
}

/**
 * Empties the tables in which an account may have millions of rows: one statement for all of them would exceed the time of
 * a query, or block the event loop on SQLite. Rows in use are left to the transaction: waiting for one could deadlock.
 */
async function removeMostRows({ relaxed, dialect }: Database, id: string): Promise<void> {
  for (const [table, ...columns] of [
    ['cache_entries', 'key'],
    ['requests', 'id'],
    ['usage_hours', 'account_id', 'hour', 'key_id'],
    ['webhook_deliveries', 'id'],
  ] as const) {
    const from = sql.table(table);
    const key = sql.join(columns.map((column) => sql.ref(column)));
    const skip = dialect === 'postgres' ? sql`for update skip locked` : sql``;
    await removeInPages(async (most) => {
      const { numAffectedRows } = await sql`delete from ${from} where (${key}) in
        (select ${key} from ${from} where account_id = ${id} limit ${sql.lit(most)} ${skip})`.execute(relaxed);
      return Number(numAffectedRows ?? 0n);
    }, rowsAtOnce[dialect]);
  }
  // Only those that have ended: should the removal end here, the counts of the account still agree with its jobs.
  const ended = relaxed.selectFrom('jobs').select('id').where('account_id', '=', id).where('ended_at', 'is not', null);
  await removeInPages(async (most) => {
    const some = notLocked(ended.limit(most), dialect);
    return (await relaxed.transaction().execute((trx) => removeJobs(trx, some))).count;
  }, rowsAtOnce[dialect]);
}
