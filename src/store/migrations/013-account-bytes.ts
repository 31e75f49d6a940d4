// Counts what each account takes in the database: single requests in `usage_accounts`, jobs in `job_accounts`. Triggers count,
// so that no way of writing a row is forgotten. And how many jobs an account has sent within a minute.
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** With what a row and its indexes take beside its texts. */
const requestBytes = (row: string) =>
  `(500 + octet_length(${row}.parameters) + octet_length(${row}.phases) + octet_length(${row}.warnings))`;
const jobTexts = ['request', 'sealed', 'metadata', 'webhook', 'result', 'summary', 'error'];
const jobBytes = (row: string) =>
  `(600 + ${jobTexts.map((column) => `coalesce(octet_length(${row}.${column}), 0)`).join(' + ')})`;

export async function up(db: Kysely<never>, dialect: Dialect): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db);
  await run('create table usage_accounts (account_id text primary key, bytes bigint not null)');
  await run(
    `insert into usage_accounts select account_id, sum(${requestBytes('requests')}) from requests group by account_id`,
  );
  for (const column of ['stored_bytes', 'sent_since', 'sent'])
    await run(`alter table job_accounts add column ${column} bigint not null default 0`);
  // What they counted is part of it.
  for (const column of ['bytes', 'kept_bytes', 'ended']) await run(`alter table job_accounts drop column ${column}`);
  for (const column of ['bytes', 'kept_bytes']) await run(`alter table jobs drop column ${column}`);
  await run(
    `update job_accounts set stored_bytes = (select coalesce(sum(${jobBytes('jobs')}), 0) from jobs where jobs.account_id = job_accounts.account_id)`,
  );
  for (const trigger of dialect === 'postgres' ? postgresTriggers : sqliteTriggers) await run(trigger);
}

const addUsage = (changes: string) =>
  `insert into usage_accounts (account_id, bytes) ${changes} on conflict (account_id) do update set bytes = usage_accounts.bytes + excluded.bytes;`;

/** What is removed with its account has no row any more. */
const add = (table: string, column: string, row: 'new' | 'old', sign: '+' | '-', bytes: string) =>
  `update ${table} set ${column} = ${column} ${sign} ${bytes} where account_id = ${row}.account_id;`;
const addJob = (row: 'new' | 'old', sign: '+' | '-') => add('job_accounts', 'stored_bytes', row, sign, jobBytes(row));

const sqliteTriggers = [
  `create trigger requests_added after insert on requests begin ${addUsage(`values (new.account_id, ${requestBytes('new')})`)} end`,
  `create trigger requests_removed after delete on requests begin ${add('usage_accounts', 'bytes', 'old', '-', requestBytes('old'))} end`,
  `create trigger jobs_added after insert on jobs begin ${addJob('new', '+')} end`,
  `create trigger jobs_removed after delete on jobs begin ${addJob('old', '-')} end`,
  `create trigger jobs_changed after update of ${jobTexts.join(', ')} on jobs begin ${addJob('old', '-')} ${addJob('new', '+')} end`,
];

// One statement for all rows, with the accounts in order, so that parallel writers cannot deadlock.
const sums = (bytes: (row: string) => string, plus?: string, minus?: string) => {
  const parts = [
    ...(plus ? [`select account_id, ${bytes(plus)} from ${plus}`] : []),
    ...(minus ? [`select account_id, -${bytes(minus)} from ${minus}`] : []),
  ];
  return `select account_id, sum(n)::bigint as n from (${parts.join(' union all ')}) as changes (account_id, n) group by account_id having sum(n) <> 0 order by account_id`;
};
const inPostgres = (name: string, event: string, table: string, tables: string, body: string) => [
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  `create trigger ${name} after ${event} on ${table} referencing ${tables} for each statement execute function ${name}()`,
];
/** Row by row, because an update locks them in no order. */
const update = (table: string, column: string, changes: string) =>
  `declare change record; begin for change in ${changes} loop
     update ${table} set ${column} = ${column} + change.n where account_id = change.account_id; end loop; end;`;
const updateJobs = (plus?: string, minus?: string) =>
  update('job_accounts', 'stored_bytes', sums(jobBytes, plus, minus));

const postgresTriggers = [
  ...inPostgres('requests_added', 'insert', 'requests', 'new table as added', addUsage(sums(requestBytes, 'added'))),
  ...inPostgres(
    'requests_removed',
    'delete',
    'requests',
    'old table as removed',
    update('usage_accounts', 'bytes', sums(requestBytes, undefined, 'removed')),
  ),
  ...inPostgres('jobs_added', 'insert', 'jobs', 'new table as added', updateJobs('added')),
  ...inPostgres('jobs_removed', 'delete', 'jobs', 'old table as removed', updateJobs(undefined, 'removed')),
  ...inPostgres(
    'jobs_changed',
    'update',
    'jobs',
    'old table as removed new table as added',
    updateJobs('added', 'removed'),
  ),
];
