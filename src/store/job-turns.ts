// When an account has its next turn.
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** An account that seems to have jobs, and has none that can be locked, is looked at again after this time. */
const idleMs = 200;
/** A time that lies farther ahead was written before the clock went back. */
export const farMs = 10 * 60 * 1000;

export async function postpone(
  db: Kysely<Schema>,
  { accountId, queued }: { readonly accountId: string; readonly queued: number },
  until: number,
): Promise<void> {
  await db
    .updateTable('job_accounts')
    .set({ ready_at: until })
    .where('account_id', '=', accountId)
    .where('queued', '=', queued)
    .execute();
}

/** Nothing of the account may run now. `next` reads when its next job may. */
export async function postponeIdle(
  db: Kysely<Schema>,
  accountId: string,
  next: SelectQueryBuilder<Schema, 'jobs', { run_after: number }>,
  now: number,
): Promise<void> {
  // Before `next`: a job that is accepted in between changes the number.
  const account = db.selectFrom('job_accounts').select('queued').where('account_id', '=', accountId);
  const queued = (await account.executeTakeFirst())?.queued ?? 0;
  const at = (await next.executeTakeFirst())?.run_after ?? now + idleMs;
  if (at > now + farMs)
    await db
      .updateTable('jobs')
      .set({ run_after: 0 })
      .where('account_id', '=', accountId)
      .where('status', '=', 'queued')
      .where('run_after', '>', now + farMs)
      .execute();
  await postpone(db, { accountId, queued }, at > now + farMs ? now : at);
}

/** Times lie at most minutes ahead, unless the clock went back after they were written. */
export async function correctTimes(db: Kysely<Schema>, now: number): Promise<void> {
  for (const column of ['ready_at', 'served_at'] as const)
    await db
      .updateTable('job_accounts')
      .set({ [column]: now })
      .where(column, '>', now + farMs)
      .execute();
}

/** The account's jobs wait again; it has its next turn at this time at the latest. */
export async function requeue(db: Kysely<Schema>, accountId: string, count: number, at: number): Promise<void> {
  await db
    .updateTable('job_accounts')
    .set((eb) => ({
      running: eb('running', '-', count),
      queued: eb('queued', '+', count),
      ready_at: sql<number>`case when ready_at > cast(${at} as bigint) then cast(${at} as bigint) else ready_at end`,
    }))
    .where('account_id', '=', accountId)
    .execute();
}
