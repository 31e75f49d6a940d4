// What the parts of the job store have in common: rows as records, and the counts of accounts and batches.
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { BatchRecord, JobCounts, JobRecord, JobWebhooks } from './job-types.ts';
import type { BatchRow, JobRow, Schema } from './schema.ts';
import { addDelivery } from './webhooks.ts';

export const jobColumns = [
  'id',
  'account_id',
  'key_id',
  'batch_id',
  'batch_index',
  'kind',
  'request',
  'subject',
  'metadata',
  'webhook',
  'status',
  'created_at',
  'attempts',
  'failures',
  'started_at',
  'ended_at',
  'result',
  'error',
  'cache_key',
] as const;

export const toJob = (row: Pick<Selectable<JobRow>, (typeof jobColumns)[number]>): JobRecord => ({
  id: row.id,
  accountId: row.account_id,
  keyId: row.key_id,
  batchId: row.batch_id,
  batchIndex: row.batch_index,
  kind: row.kind,
  request: row.request,
  subject: row.subject,
  metadata: row.metadata,
  webhook: row.webhook,
  status: row.status,
  createdAt: row.created_at,
  attempts: row.attempts,
  failures: row.failures,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  result: row.result,
  error: row.error,
  cacheKey: row.cache_key,
});

/** The request of a job that was too long to be kept. */
const droppedRequest = '{"given":[],"sealed":[],"dropped":true}';
/** Characters of a request that a list reads, and that are kept when a job ends: an account has many such jobs. */
const longestRequest = 2048;

export const keptRequest = sql<string>`case when length(request) > ${sql.lit(longestRequest)} then ${sql.lit(droppedRequest)} else request end`;

/** Jobs have ended: their account has fewer to run, and more that are kept. */
export async function leaveAccount(
  db: Kysely<Schema>,
  accountId: string,
  from: 'queued' | 'running',
  count: number,
): Promise<void> {
  await db
    .updateTable('job_accounts')
    .set((eb) => ({
      [from]: eb(from, '-', count),
    }))
    .where('account_id', '=', accountId)
    .execute();
}

/** Jobs of the batch have ended; with the last of them, the batch has. */
export async function endedInBatch(
  db: Kysely<Schema>,
  batchId: string,
  count: number,
  webhooks: JobWebhooks,
  now: number,
): Promise<void> {
  const row = await db
    .updateTable('batches')
    .set((eb) => ({
      remaining: eb('remaining', '-', count),
      ended_at: sql<number | null>`case when remaining = ${count} then cast(${now} as bigint) else ended_at end`,
    }))
    .where('id', '=', batchId)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined || row.ended_at === null || row.webhook === null) return;
  await addDelivery(db, {
    accountId: row.account_id,
    type: 'batch.done',
    subjectId: batchId,
    url: row.webhook,
    body: webhooks.batch(toBatch(row, await countsOf(db, batchId))),
    at: now,
  });
}

export const toBatch = (row: Selectable<BatchRow>, counts: JobCounts): BatchRecord => ({
  id: row.id,
  accountId: row.account_id,
  webhook: row.webhook,
  createdAt: row.created_at,
  size: row.size,
  endedAt: row.ended_at,
  counts,
});

export async function countsOf(db: Kysely<Schema>, batchId: string): Promise<JobCounts> {
  const rows = await db
    .selectFrom('jobs')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('batch_id', '=', batchId)
    .groupBy('status')
    .execute();
  const counts = { queued: 0, running: 0, done: 0, failed: 0, canceled: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** Removes these jobs. Returns how many, and the batches they were of. */
export async function removeJobs(
  trx: Kysely<Schema>,
  ids: SelectQueryBuilder<Schema, 'jobs', { id: string }>,
): Promise<{ readonly count: number; readonly batchIds: readonly string[] }> {
  const rows = await trx.deleteFrom('jobs').where('id', 'in', ids).returning('batch_id').execute();
  const batchIds = new Set(rows.map(({ batch_id }) => batch_id).filter((id) => id !== null));
  return { count: rows.length, batchIds: [...batchIds] };
}
