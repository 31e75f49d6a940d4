// Jobs and batches in the database: how they are accepted and run is in files of their own.
import { type Kysely, sql } from 'kysely';
import { removeInPages } from './chunks.ts';
import type { Database, Dialect } from './database.ts';
import { jobAcceptanceIn, keyMs } from './job-acceptance.ts';
import {
  countsOf,
  endedInBatch,
  jobColumns,
  keptRequest,
  leaveAccount,
  removeJobs,
  toBatch,
  toJob,
} from './job-rows.ts';
import { jobRunsIn } from './job-runs.ts';
import type { BatchRecord, JobRecord, JobStore, JobWebhooks } from './job-types.ts';
import { locked, notLocked } from './row-locks.ts';
import type { Schema } from './schema.ts';

/** Characters of metadata that a canceled job keeps: whoever cancels jobs may make any number of them. */
const longestMetadata = 1024;

export function jobsIn(database: Database): JobStore {
  const { db, relaxed, dialect } = database;

  async function find(trx: Kysely<Schema>, accountId: string, id: string): Promise<JobRecord | undefined> {
    const job = trx.selectFrom('jobs').select(jobColumns).where('id', '=', id).where('account_id', '=', accountId);
    const row = await job.executeTakeFirst();
    return row && toJob(row);
  }

  async function batch(trx: Kysely<Schema>, accountId: string, id: string): Promise<BatchRecord | undefined> {
    const found = trx.selectFrom('batches').selectAll().where('id', '=', id).where('account_id', '=', accountId);
    const row = await found.executeTakeFirst();
    return row && toBatch(row, await countsOf(trx, id));
  }

  return {
    ...jobAcceptanceIn(database),
    ...jobRunsIn(database),
    find: (accountId, id) => find(db, accountId, id),
    batch: (accountId, id) => batch(db, accountId, id),

    async list(accountId, { count, status, kind, batchId, keyId, after }) {
      let query = db
        .selectFrom('jobs')
        .select(jobColumns.filter((column) => column !== 'result' && column !== 'request'))
        .select(keptRequest.as('request'))
        .select((eb) => eb.fn.coalesce('summary', 'result').as('result'))
        .where('account_id', '=', accountId);
      if (status !== undefined) query = query.where('status', '=', status);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (keyId !== undefined) query = query.where('key_id', '=', keyId);
      // Within a batch, the ids are in the order of the requests.
      if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
      if (after !== undefined) query = query.where('id', batchId === undefined ? '<' : '>', after);
      query = query.orderBy('id', batchId === undefined ? 'desc' : 'asc');
      return (await query.limit(count).execute()).map(toJob);
    },

    async batches(accountId, count, after) {
      let query = db.selectFrom('batches').selectAll().where('account_id', '=', accountId);
      if (after !== undefined) query = query.where('id', '<', after);
      const rows = await query.orderBy('id', 'desc').limit(count).execute();
      return Promise.all(rows.map(async (row) => toBatch(row, await countsOf(db, row.id))));
    },

    cancel: (accountId, id, webhooks, now) =>
      db.transaction().execute(async (trx) => {
        await cancelQueued(trx, dialect, accountId, { id }, webhooks, now);
        return find(trx, accountId, id);
      }),

    cancelBatch: (accountId, id, webhooks, now) =>
      db.transaction().execute(async (trx) => {
        await cancelQueued(trx, dialect, accountId, { batch_id: id }, webhooks, now);
        return batch(trx, accountId, id);
      }),

    async load(accountId) {
      const row = db.selectFrom('job_accounts').select(['queued', 'running']).where('account_id', '=', accountId);
      return (await row.executeTakeFirst()) ?? { queued: 0, running: 0 };
    },

    async totals() {
      const sums = await db
        .selectFrom('job_accounts')
        .select((eb) => [
          eb.fn.sum<number | null>('queued').as('queued'),
          eb.fn.sum<number | null>('running').as('running'),
        ])
        .executeTakeFirstOrThrow();
      const oldest = db.selectFrom('jobs').select((eb) => eb.fn.min('created_at').as('at'));
      const { at } = await oldest.where('status', '=', 'queued').executeTakeFirstOrThrow();
      return { queued: sums.queued ?? 0, running: sums.running ?? 0, oldestAt: at };
    },

    async prune(endedBefore, now) {
      const some = (table: 'jobs' | 'batches', most: number) =>
        notLocked(relaxed.selectFrom(table).select('id').where('ended_at', '<', endedBefore).limit(most), dialect);
      await removeInPages(
        async (most) => (await relaxed.transaction().execute((trx) => removeJobs(trx, some('jobs', most)))).count,
      );
      await removeInPages(async (most) => {
        const batches = relaxed.deleteFrom('batches').where('id', 'in', some('batches', most));
        return Number((await batches.executeTakeFirst()).numDeletedRows);
      });
      for (const table of ['jobs', 'batches', 'job_accounts'] as const) await removeOrphans(database, table);
      await removeInPages(async (most) => {
        const removed = await sql`delete from idempotency_keys where (account_id, name) in (
          select account_id, name from idempotency_keys where created_at <= ${sql.val(now - keyMs)} limit ${sql.lit(most)})`.execute(
          relaxed,
        );
        return Number(removed.numAffectedRows ?? 0n);
      });
    },
  };
}

async function cancelQueued(
  trx: Kysely<Schema>,
  dialect: Dialect,
  accountId: string,
  which: { readonly id: string } | { readonly batch_id: string },
  webhooks: JobWebhooks,
  now: number,
): Promise<void> {
  const [column, value] = Object.entries(which)[0] as ['id' | 'batch_id', string];
  const queued = trx
    .selectFrom('jobs')
    .select('id')
    .where(column, '=', value)
    .where('account_id', '=', accountId)
    .where('status', '=', 'queued');
  const rows = await trx
    .updateTable('jobs')
    .set({
      status: 'canceled',
      sealed: null,
      ended_at: now,
      request: keptRequest,
      metadata: sql<
        string | null
      >`case when length(metadata) > ${sql.lit(longestMetadata)} then null else metadata end`,
    })
    .where('id', 'in', locked(queued.orderBy('id'), dialect))
    .returning('batch_id')
    .execute();
  if (rows.length === 0) return;
  await leaveAccount(trx, accountId, 'queued', rows.length);
  const batchId = rows[0]?.batch_id ?? null;
  if (batchId !== null) await endedInBatch(trx, batchId, rows.length, webhooks, now);
}

/** Removes what was accepted while its account was being removed. */
async function removeOrphans({ db, relaxed }: Database, table: 'jobs' | 'batches' | 'job_accounts'): Promise<void> {
  const from = sql.table(table);
  // From account to account in the index: its cost does not depend on how many rows one has.
  const { rows } = await sql<{ id: string }>`
    with recursive owners (id) as (
      select min(account_id) from ${from}
      union all
      select (select min(t.account_id) from ${from} as t where t.account_id > owners.id) from owners where owners.id is not null)
    select id from owners where id is not null and not exists (select 1 from accounts where accounts.id = owners.id)`.execute(
    db,
  );
  const key = table === 'job_accounts' ? 'account_id' : 'id';
  for (const { id } of rows)
    await removeInPages(async (most) => {
      const { numAffectedRows } = await sql`delete from ${from} where ${sql.ref(key)} in
        (select ${sql.ref(key)} from ${from} where account_id = ${id} limit ${sql.lit(most)})`.execute(relaxed);
      return Number(numAffectedRows ?? 0);
    });
}
