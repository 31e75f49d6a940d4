// Accepts jobs: several submissions in one transaction, because every commit waits for the disk.
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { inChunks } from './chunks.ts';
import type { Database, Dialect } from './database.ts';
import { removeJobs } from './job-rows.ts';
import type { Acceptance, JobStore, NewJob, Submission } from './job-types.ts';
import { locked, notLocked } from './row-locks.ts';
import type { JobRow, Schema } from './schema.ts';

/** An idempotency key is valid for a day. */
export const keyMs = 24 * 60 * 60 * 1000;
/** Rows of one statement: a few milliseconds on SQLite, which writes on this thread. */
const rowsAtOnce = 50;
/** More than are added, so that the number of jobs that have ended falls to its limit. */
const removeAtLeast = 20;

export function jobAcceptanceIn({ db, dialect }: Database): Pick<JobStore, 'accept' | 'knownKey'> {
  return {
    async accept(submissions, now) {
      // By account: two machines that lock the same accounts in another order would deadlock.
      const ordered = [...submissions.entries()].sort(([, a], [, b]) => (a.accountId < b.accountId ? -1 : 1));
      return db.transaction().execute(async (trx) => {
        const outcomes: Acceptance[] = [];
        for (const [at, submission] of ordered) outcomes[at] = await acceptOne({ db: trx, dialect }, submission, now);
        return outcomes;
      });
    },
    knownKey: (accountId, key, now) => knownKey(db, accountId, key, now),
  };
}

async function acceptOne(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  submission: Submission,
  now: number,
): Promise<Acceptance> {
  const { accountId, jobs, batch, idempotency, most } = submission;
  // First, so that submissions of one account come one after the other.
  const { queued, bytes, ended } = await lockAccount(db, accountId, dialect);
  if (idempotency !== undefined) {
    const known = await knownKey(db, accountId, idempotency.key, now);
    if (known !== undefined) return { outcome: 'known', ...known };
  }
  const added = sum(jobs);
  if (queued + jobs.length > most.queued || bytes + added > most.bytes) return { outcome: 'full', queued, bytes };
  if (idempotency !== undefined) await noteKey(db, submission, idempotency, now);
  await addToAccount(db, accountId, jobs.length, added, now);
  const excess = Math.min(ended - most.ended, 2 * jobs.length + removeAtLeast);
  if (excess > 0) await removeOldest(db, accountId, excess, dialect);
  if (batch !== undefined)
    await db
      .insertInto('batches')
      .values({
        id: batch.id,
        account_id: accountId,
        webhook: batch.webhook,
        created_at: now,
        size: jobs.length,
        remaining: jobs.length,
        ended_at: null,
      })
      .execute();
  for (const some of inChunks([...jobs.entries()], rowsAtOnce)) {
    await db
      .insertInto('jobs')
      .values(some.map(([index, job]) => toRow(job, submission, index, now)))
      .execute();
    if (jobs.length > rowsAtOnce) await setImmediate();
  }
  return { outcome: 'accepted', at: now };
}

const bytesOf = ({ request, sealed, metadata, webhook }: NewJob): number =>
  Buffer.byteLength(request + (metadata ?? '') + (webhook ?? '')) + (sealed?.length ?? 0);

const sum = (jobs: readonly NewJob[]): number => jobs.reduce((bytes, job) => bytes + bytesOf(job), 0);

/** The account's row, which no other transaction changes until this one ends. */
async function lockAccount(db: Kysely<Schema>, accountId: string, dialect: Dialect) {
  const counts = db.selectFrom('job_accounts').select(['queued', 'bytes', 'ended']).where('account_id', '=', accountId);
  const row = locked(counts, dialect);
  const found = await row.executeTakeFirst();
  if (found !== undefined) return found;
  const none = { queued: 0, running: 0, ended: 0, bytes: 0, kept_bytes: 0, served_at: 0, ready_at: 0 };
  await db
    .insertInto('job_accounts')
    .values({ account_id: accountId, ...none })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Locked here too: another transaction may have inserted it meanwhile.
  return row.executeTakeFirstOrThrow();
}

async function addToAccount(db: Kysely<Schema>, accountId: string, count: number, bytes: number, now: number) {
  await db
    .updateTable('job_accounts')
    .set((eb) => ({
      queued: eb('queued', '+', count),
      bytes: eb('bytes', '+', bytes),
      // It may have waited for a later time, at which a job is tried again.
      ready_at: sql<number>`case when ready_at > cast(${now} as bigint) then cast(${now} as bigint) else ready_at end`,
    }))
    .where('account_id', '=', accountId)
    .execute();
}

/** Removes the account's jobs that ended first, and batches that have none left. */
async function removeOldest(db: Kysely<Schema>, accountId: string, count: number, dialect: Dialect): Promise<void> {
  const oldest = db
    .selectFrom('jobs')
    .select('id')
    .where('account_id', '=', accountId)
    .where('ended_at', 'is not', null)
    .orderBy('ended_at')
    .limit(count);
  // The account is locked already: waiting for a job that another transaction removes could deadlock.
  const { batchIds } = await removeJobs(db, notLocked(oldest, dialect));
  if (batchIds.length === 0) return;
  await db
    .deleteFrom('batches')
    .where('id', 'in', batchIds)
    .where('ended_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.batch_id', '=', 'batches.id'))),
    )
    .execute();
}

async function noteKey(
  db: Kysely<Schema>,
  { accountId, jobs, batch }: Submission,
  { key: name, hash }: NonNullable<Submission['idempotency']>,
  now: number,
): Promise<void> {
  const row = { hash, subject_id: batch?.id ?? jobs[0]?.id ?? '', created_at: now };
  await db
    .insertInto('idempotency_keys')
    .values({ account_id: accountId, name, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet(row))
    .execute();
}

async function knownKey(db: Kysely<Schema>, accountId: string, name: string, now: number) {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['subject_id', 'hash'])
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('created_at', '>', now - keyMs)
    .executeTakeFirst();
  return row && { id: row.subject_id, hash: row.hash };
}

const toRow = (job: NewJob, { accountId, batch }: Submission, index: number, now: number): JobRow => ({
  id: job.id,
  account_id: accountId,
  key_id: job.keyId,
  batch_id: batch?.id ?? null,
  batch_index: batch === undefined ? null : index,
  kind: job.kind,
  request: job.request,
  subject: job.subject,
  sealed: job.sealed,
  bytes: bytesOf(job),
  metadata: job.metadata,
  webhook: job.webhook,
  status: 'queued',
  created_at: now,
  // At once: also if the clock goes back.
  run_after: 0,
  attempts: 0,
  failures: 0,
  lease_token: null,
  lease_until: null,
  started_at: null,
  ended_at: null,
  result: null,
  summary: null,
  kept_bytes: 0,
  error: null,
  cache_key: null,
});
