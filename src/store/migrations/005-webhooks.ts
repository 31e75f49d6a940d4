// Adds webhooks: the secret of each account, the deliveries, and every attempt to send one.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db);
  await run(`create table webhook_secrets (
    account_id text primary key references accounts (id) on delete cascade,
    secret text not null,
    created_at bigint not null,
    previous text,
    previous_until bigint)`);

  // Without a foreign key: a job may end after its account was removed.
  await run(`create table webhook_deliveries (
    id text primary key,
    account_id text not null,
    type text not null,
    subject_id text not null,
    url text not null,
    lane integer not null,
    body text not null,
    state text not null,
    attempts integer not null,
    due_at bigint not null,
    lease text,
    created_at bigint not null)`);
  await run('create unique index webhook_deliveries_subject on webhook_deliveries (type, subject_id)');
  await run('create index webhook_deliveries_account on webhook_deliveries (account_id, created_at, id)');
  await run(`create index webhook_deliveries_tests on webhook_deliveries (account_id, created_at) where type = 'test'`);
  await run('create index webhook_deliveries_created on webhook_deliveries (created_at)');
  // Senders read only these three, however many deliveries have ended.
  const pending = `where state = 'pending'`;
  await run(`create index webhook_deliveries_lane on webhook_deliveries (account_id, lane, due_at) ${pending}`);
  await run(`create index webhook_deliveries_due on webhook_deliveries (due_at) ${pending}`);
  await run('create index webhook_deliveries_lease on webhook_deliveries (account_id, lane) where lease is not null');

  await run(`create table webhook_attempts (
    id text primary key,
    delivery_id text not null references webhook_deliveries (id) on delete cascade,
    at bigint not null,
    status integer,
    error text,
    duration_ms double precision not null,
    answer text not null)`);
  await run('create index webhook_attempts_delivery on webhook_attempts (delivery_id, at)');
}
