// Runs of jobs: whose turn it is, leases, and the one end of a job. Transactions lock the job first, then its account,
// then its batch, so that they cannot deadlock.
import { type Kysely, sql } from 'kysely';
import { type PlanName, planNames } from '../kernel/plans.ts';
import type { Database } from './database.ts';
import { endedInBatch, jobColumns, keptRequest, leaveAccount, toJob } from './job-rows.ts';
import { correctTimes, farMs, postpone, postponeIdle, requeue } from './job-turns.ts';
import type { JobEnd, JobStore } from './job-types.ts';
import { locked, notLocked } from './row-locks.ts';
import type { JobRow, Schema } from './schema.ts';
import { addDelivery } from './webhooks.ts';

type Runs = Pick<JobStore, 'nextAccount' | 'claim' | 'postpone' | 'renew' | 'putBack' | 'takeBack' | 'end'>;

/** Commits need not wait for the disk: after a power cut, a job that ended a moment before runs again. */
export function jobRunsIn({ relaxed: db, dialect }: Database): Runs {
  return {
    async nextAccount(atOnce, now) {
      const limits = planNames.map((plan) => sql`when ${plan} then ${sql.lit(Math.max(1, Math.floor(atOnce[plan])))}`);
      const row = await db
        .selectFrom('job_accounts')
        .innerJoin('accounts', 'accounts.id', 'job_accounts.account_id')
        .select(['account_id', 'accounts.plan', 'queued'])
        .where('queued', '>', 0)
        .where('ready_at', '<=', now)
        .where(sql<boolean>`running < case accounts.plan ${sql.join(limits, sql` `)} else 1 end`)
        .orderBy('served_at')
        .limit(1)
        .executeTakeFirst();
      return row && { accountId: row.account_id, plan: row.plan, queued: row.queued };
    },

    claim: (accountId, token, leaseUntil, now) =>
      db.transaction().execute(async (trx) => {
        const first = trx
          .selectFrom('jobs')
          .select('id')
          .where('account_id', '=', accountId)
          .where('status', '=', 'queued')
          .orderBy('run_after')
          .orderBy('id')
          .limit(1);
        const next = notLocked(first, dialect);
        const due = next.where('run_after', '<=', now);
        const row = await trx
          .updateTable('jobs')
          .set((eb) => ({
            status: 'running',
            attempts: eb('attempts', '+', 1),
            lease_token: token,
            lease_until: leaseUntil,
            started_at: now,
          }))
          .where('id', '=', (eb) => eb.selectFrom(due.as('due')).select('due.id'))
          .returning([...jobColumns, 'sealed'])
          .executeTakeFirst();
        if (row === undefined) {
          await postponeIdle(trx, accountId, next.clearSelect().select('run_after'), now);
          return undefined;
        }
        await trx
          .updateTable('job_accounts')
          .set((eb) => ({ queued: eb('queued', '-', 1), running: eb('running', '+', 1), served_at: now }))
          .where('account_id', '=', accountId)
          .execute();
        return { ...toJob(row), token, sealed: row.sealed };
      }),

    postpone: (account, until) => postpone(db, account, until),

    async renew(jobs, leaseUntil) {
      if (jobs.length === 0) return [];
      const ids = jobs.map(({ id }) => id);
      const tokens = jobs.map(({ token }) => token);
      const held = db.selectFrom('jobs').select('id').where('id', 'in', ids).where('lease_token', 'in', tokens);
      const rows = await db
        .updateTable('jobs')
        .set({ lease_until: leaseUntil })
        .where('id', 'in', locked(held.orderBy('id'), dialect))
        .where('lease_token', 'in', tokens)
        .returning('lease_token')
        .execute();
      return rows.map(({ lease_token }) => lease_token ?? '');
    },

    putBack: ({ id, token }, counts, runAfter) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('jobs')
          .set((eb) => ({
            ...idle,
            status: 'queued',
            run_after: runAfter,
            attempts: eb('attempts', '-', counts === 'as nothing' ? 1 : 0),
            failures: eb('failures', '+', counts === 'as failure' ? 1 : 0),
          }))
          .where('id', '=', id)
          .where('lease_token', '=', token)
          .where('status', '=', 'running')
          .returning('account_id')
          .executeTakeFirst();
        if (row !== undefined) await requeue(trx, row.account_id, 1, runAfter);
        return row !== undefined;
      }),

    async takeBack(now, all) {
      const count = await db.transaction().execute(async (trx) => {
        let abandoned = trx.selectFrom('jobs').select('id').where('status', '=', 'running');
        if (all === undefined)
          abandoned = abandoned.where((eb) =>
            eb.or([eb('lease_until', '<', now), eb('lease_until', '>', now + farMs)]),
          );
        const rows = await trx
          .updateTable('jobs')
          .set({
            ...idle,
            status: 'queued',
            // A job that ends the process whenever it runs must not do so all the time.
            run_after: sql<number>`case when attempts < 2 then cast(${now} as bigint) else cast(${now} as bigint) + attempts * attempts * 1000 end`,
          })
          .where('id', 'in', notLocked(abandoned, dialect))
          .returning('account_id')
          .execute();
        const byAccount = new Map<string, number>();
        for (const { account_id } of rows) byAccount.set(account_id, (byAccount.get(account_id) ?? 0) + 1);
        for (const [accountId, count] of [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1)))
          await requeue(trx, accountId, count, now);
        return rows.length;
      });
      await correctTimes(db, now);
      return count;
    },

    end: ({ id, token }, how, webhooks, now, most) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('jobs')
          .set({ ...idle, sealed: null, request: keptRequest, status: how.status, ended_at: now, ...outcomeOf(how) })
          .where('id', '=', id)
          .where('lease_token', '=', token)
          .where('status', '=', 'running')
          .returning([...jobColumns, 'summary'])
          .executeTakeFirst();
        if (row === undefined) return false;
        await leaveAccount(trx, row.account_id, 'running', 1);
        if (row.summary !== null && most !== undefined) await boundResult(trx, row, most);
        const job = toJob(row);
        if (job.webhook !== null)
          await addDelivery(trx, {
            accountId: job.accountId,
            type: how.status === 'done' ? 'job.done' : 'job.failed',
            subjectId: job.id,
            url: job.webhook,
            body: webhooks.job(job, row.summary),
            at: now,
          });
        if (job.batchId !== null) await endedInBatch(trx, job.batchId, 1, webhooks, now);
        return true;
      }),
  };
}

const idle = { lease_token: null, lease_until: null } as const;

const outcomeOf = (how: JobEnd) =>
  how.status === 'done'
    ? {
        result: how.result,
        summary: how.summary,
        cache_key: how.cacheKey,
      }
    : { error: how.error };

/** If the jobs of the account have all the bytes of its plan, only the summary of a long result is kept. */
async function boundResult(
  db: Kysely<Schema>,
  { id, account_id }: Pick<JobRow, 'id' | 'account_id'>,
  most: Readonly<Record<PlanName, number>>,
): Promise<void> {
  const account = await db
    .selectFrom('job_accounts')
    .innerJoin('accounts', 'accounts.id', 'job_accounts.account_id')
    .select(['stored_bytes', 'plan'])
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  if (account === undefined || account.stored_bytes <= most[account.plan]) return;
  await db
    .updateTable('jobs')
    .set((eb) => ({ result: eb.ref('summary') }))
    .where('id', '=', id)
    .execute();
}
