// Adds jobs and batches; for each account the number of its jobs, so that nothing has to count them; and the
// idempotency keys of the last day.
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

export async function up(db: Kysely<never>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`;

  // No foreign keys, as for the cache: a render may end after its account was removed.
  await schema
    .createTable('jobs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('batch_id', 'text')
    .addColumn('batch_index', 'integer')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('request', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('sealed', bytes)
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('metadata', 'text')
    .addColumn('webhook', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('run_after', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('lease_token', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('result', 'text')
    .addColumn('summary', 'text')
    .addColumn('kept_bytes', 'bigint', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('cache_key', 'text')
    .execute();
  for (const index of [
    `jobs_next on jobs (account_id, run_after, id) where status = 'queued'`,
    `jobs_waiting on jobs (created_at) where status = 'queued'`,
    `jobs_leases on jobs (lease_until) where status = 'running'`,
    'jobs_account on jobs (account_id, id)',
    'jobs_account_status on jobs (account_id, status, id)',
    'jobs_account_kind on jobs (account_id, kind, id)',
    'jobs_batch on jobs (batch_id, id) where batch_id is not null',
    'jobs_ended on jobs (ended_at) where ended_at is not null',
    'jobs_account_ended on jobs (account_id, ended_at) where ended_at is not null',
  ])
    await sql.raw(`create index ${index}`).execute(db);

  await schema
    .createTable('batches')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('webhook', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .addColumn('remaining', 'integer', (c) => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  await schema.createIndex('batches_account').on('batches').columns(['account_id', 'id']).execute();
  await schema.createIndex('batches_ended').on('batches').column('ended_at').execute();

  await schema
    .createTable('job_accounts')
    .addColumn('account_id', 'text', (c) => c.primaryKey())
    .addColumn('queued', 'integer', (c) => c.notNull())
    .addColumn('running', 'integer', (c) => c.notNull())
    .addColumn('ended', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('kept_bytes', 'bigint', (c) => c.notNull())
    .addColumn('served_at', 'bigint', (c) => c.notNull())
    .addColumn('ready_at', 'bigint', (c) => c.notNull())
    .execute();
  await sql.raw('create index job_accounts_next on job_accounts (served_at) where queued > 0').execute(db);

  await schema
    .createTable('idempotency_keys')
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_id', 'name'])
    .execute();
  await schema.createIndex('idempotency_keys_created').on('idempotency_keys').column('created_at').execute();
}
