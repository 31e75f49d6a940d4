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
/** Of ended jobs, to make room: somebody waits for it. */
const removedAtOnce = 100;
const mostRemoved = 2000;
const minuteMs = 60_000;

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
  const state = await lockAccount(db, accountId, dialect);
  if (idempotency !== undefined) {
    const known = await knownKey(db, accountId, idempotency.key, now);
    if (known !== undefined) return { outcome: 'known', ...known };
  }
  const added = sum(jobs);
  if (state.queued + jobs.length > most.queued) return { outcome: 'full', queued: state.queued };
  const since = now - state.sent_since;
  const isSameMinute = since >= 0 && since < minuteMs;
  const sent = (isSameMinute ? state.sent : 0) + jobs.length;
  if (isSameMinute && sent > most.aMinute) return { outcome: 'too fast', retryMs: minuteMs - since };
  if (!(await makeRoom(db, accountId, most.bytes - added, dialect))) return { outcome: 'no room' };
  if (idempotency !== undefined) await noteKey(db, submission, idempotency, now);
  await addToAccount(db, accountId, jobs.length, { sent, sent_since: isSameMinute ? state.sent_since : now }, now);
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
  const counts = db.selectFrom('job_accounts').select(['queued', 'sent', 'sent_since']);
  const row = locked(counts.where('account_id', '=', accountId), dialect);
  const found = await row.executeTakeFirst();
  if (found !== undefined) return found;
  const none = { queued: 0, running: 0, served_at: 0, ready_at: 0 };
  await db
    .insertInto('job_accounts')
    .values({ account_id: accountId, ...none })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Locked here too: another transaction may have inserted it meanwhile.
  return row.executeTakeFirstOrThrow();
}

async function addToAccount(
  db: Kysely<Schema>,
  accountId: string,
  count: number,
  sending: { readonly sent: number; readonly sent_since: number },
  now: number,
) {
  await db
    .updateTable('job_accounts')
    .set((eb) => ({
      ...sending,
      queued: eb('queued', '+', count),
      // It may have waited for a later time, at which a job is tried again.
      ready_at: sql<number>`case when ready_at > cast(${now} as bigint) then cast(${now} as bigint) else ready_at end`,
    }))
    .where('account_id', '=', accountId)
    .execute();
}

/** Removes jobs that have ended until the account's have at most so many bytes. False if too few have ended. */
async function makeRoom(db: Kysely<Schema>, accountId: string, most: number, dialect: Dialect): Promise<boolean> {
  const bytes = db.selectFrom('job_accounts').select('stored_bytes').where('account_id', '=', accountId);
  for (let removed = 0; ; removed += removedAtOnce) {
    const { stored_bytes } = await bytes.executeTakeFirstOrThrow();
    if (stored_bytes <= most) return true;
    if (removed === mostRemoved || !(await removeOldest(db, accountId, removedAtOnce, dialect))) return false;
    await setImmediate();
  }
}

/** Removes the account's jobs that ended first, and batches that have none left. False if none has ended. */
async function removeOldest(db: Kysely<Schema>, accountId: string, count: number, dialect: Dialect): Promise<boolean> {
  const oldest = db
    .selectFrom('jobs')
    .select('id')
    .where('account_id', '=', accountId)
    .where('ended_at', 'is not', null)
    .orderBy('ended_at')
    .limit(count);
  // The account is locked already: waiting for a job that another transaction removes could deadlock.
  const { count: removed, batchIds } = await removeJobs(db, notLocked(oldest, dialect));
  if (batchIds.length === 0) return removed > 0;
  await db
    .deleteFrom('batches')
    .where('id', 'in', batchIds)
    .where('ended_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.batch_id', '=', 'batches.id'))),
    )
    .execute();
  return true;
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
  error: null,
  cache_key: null,
});
