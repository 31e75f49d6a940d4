// Accepts jobs: several submissions in one transaction, because every commit waits for the disk.
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { inChunks } from './chunks.ts';
import type { Database } from './database.ts';
import type { Acceptance, JobStore, NewJob, Submission } from './job-types.ts';
import type { JobRow, Schema } from './schema.ts';

/** An idempotency key is valid for a day. */
export const keyMs = 24 * 60 * 60 * 1000;
/** Rows of one statement: a few milliseconds on SQLite, which writes on this thread. */
const rowsAtOnce = 50;

export function jobAcceptanceIn({ db }: Database): Pick<JobStore, 'accept' | 'knownKey'> {
  return {
    async accept(submissions, now) {
      // By account: two machines that lock the same accounts in another order would deadlock.
      const ordered = [...submissions.entries()].sort(([, a], [, b]) => (a.accountId < b.accountId ? -1 : 1));
      return db.transaction().execute(async (trx) => {
        const outcomes: Acceptance[] = [];
        for (const [at, submission] of ordered) outcomes[at] = await acceptOne(trx, submission, now);
        return outcomes;
      });
    },
    knownKey: (accountId, key, now) => knownKey(db, accountId, key, now),
  };
}

async function acceptOne(db: Kysely<Schema>, submission: Submission, now: number): Promise<Acceptance> {
  const { accountId, jobs, batch, idempotency } = submission;
  // First: it locks the account's row, so that submissions of one account come one after the other.
  const full = await addToAccount(db, submission, now);
  if (full !== undefined) return full;
  if (idempotency !== undefined) {
    const known = await takeKey(db, submission, now);
    if (known !== undefined) return known;
  }
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

const bytesOf = ({ request, sealed }: NewJob): number => Buffer.byteLength(request) + (sealed?.length ?? 0);

const sum = (jobs: readonly NewJob[]): number => jobs.reduce((bytes, job) => bytes + bytesOf(job), 0);

/** Adds the jobs to the account's row, unless they would be too many. */
async function addToAccount(
  db: Kysely<Schema>,
  { accountId, jobs, most }: Submission,
  now: number,
): Promise<Acceptance | undefined> {
  const [queued, bytes] = [jobs.length, sum(jobs)];
  const add = async () => {
    const { numUpdatedRows } = await db
      .updateTable('job_accounts')
      .set((eb) => ({
        queued: eb('queued', '+', queued),
        bytes: eb('bytes', '+', bytes),
        // It may have waited for a later time, at which a job is tried again.
        ready_at: sql<number>`case when ready_at > cast(${now} as bigint) then cast(${now} as bigint) else ready_at end`,
      }))
      .where('account_id', '=', accountId)
      .where('queued', '<=', most.queued - queued)
      .where('bytes', '<=', most.bytes - bytes)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };
  if (await add()) return undefined;
  const row = { account_id: accountId, queued: 0, running: 0, bytes: 0, kept_bytes: 0, served_at: 0, ready_at: 0 };
  const created = await db
    .insertInto('job_accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (created.numInsertedOrUpdatedRows === 1n && (await add())) return undefined;
  const held = db.selectFrom('job_accounts').select(['queued', 'bytes']).where('account_id', '=', accountId);
  return { outcome: 'full', ...(await held.executeTakeFirstOrThrow()) };
}

/** Notes the idempotency key. If it was used before, nothing is added, and what it was used for is returned. */
async function takeKey(
  db: Kysely<Schema>,
  { accountId, jobs, batch, idempotency }: Submission,
  now: number,
): Promise<Acceptance | undefined> {
  if (idempotency === undefined) return undefined;
  const { key: name, hash } = idempotency;
  const known = await knownKey(db, accountId, name, now);
  if (known !== undefined) {
    await db
      .updateTable('job_accounts')
      .set((eb) => ({ queued: eb('queued', '-', jobs.length), bytes: eb('bytes', '-', sum(jobs)) }))
      .where('account_id', '=', accountId)
      .execute();
    return { outcome: 'known', ...known };
  }
  const row = { hash, subject_id: batch?.id ?? jobs[0]?.id ?? '', created_at: now };
  await db
    .insertInto('idempotency_keys')
    .values({ account_id: accountId, name, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet(row))
    .execute();
  return undefined;
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
  sealed: job.sealed,
  bytes: bytesOf(job),
  metadata: job.metadata,
  webhook: job.webhook,
  status: 'queued',
  created_at: now,
  run_after: now,
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
