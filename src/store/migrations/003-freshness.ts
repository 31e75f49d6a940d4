// Adds the time until which an entry is kept, and the number and size of each account's entries, which triggers update:
// summing a million entries for every eviction would block everything else.
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** For existing entries: twice the longest TTL of the plans. */
const keptMs = 2 * 60 * 24 * 60 * 60 * 1000;

export async function up(db: Kysely<never>, dialect: Dialect): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db);
  await run('alter table cache_entries add column kept_until bigint not null default 0');
  await run(`update cache_entries set kept_until = created_at + coalesce(max_age_ms, ${keptMs})`);
  await run('create index cache_entries_kept on cache_entries (kept_until)');
  await run('create index cache_entries_account_used on cache_entries (account_id, used_at)');
  await run('drop index cache_entries_used');
  await run('drop index cache_entries_created');

  await run(
    'create table cache_accounts (account_id text primary key, entries bigint not null, bytes bigint not null)',
  );
  await run(
    'insert into cache_accounts select account_id, count(*), sum(size) from cache_entries group by account_id order by account_id',
  );
  for (const trigger of dialect === 'postgres' ? postgresTriggers : sqliteTriggers) await run(trigger);
}

const add = (row: 'new' | 'old', sign: '+' | '-') =>
  `insert into cache_accounts (account_id, entries, bytes) values (${row}.account_id, ${sign}1, ${sign}${row}.size)
   on conflict (account_id) do update set entries = entries + excluded.entries, bytes = bytes + excluded.bytes;`;

const sqliteTriggers = [
  `create trigger cache_entries_added after insert on cache_entries begin ${add('new', '+')} end`,
  `create trigger cache_entries_removed after delete on cache_entries begin ${add('old', '-')} end`,
  // Not when only its last use changes, which is the most frequent update.
  `create trigger cache_entries_replaced after update of account_id, size on cache_entries
   begin ${add('old', '-')} ${add('new', '+')} end`,
];

const none = 'select account_id, 0, 0::bigint from cache_accounts where false';
const added = 'select account_id, 1, size from added';
const removed = 'select account_id, -1, -size from removed';

// One statement for all rows, with the accounts in order, so that parallel deletions cannot deadlock.
const counting = (name: string, plus: string, minus: string) => `
create function ${name}() returns trigger language plpgsql as $$
begin
  insert into cache_accounts (account_id, entries, bytes)
  select account_id, sum(n), sum(size) from (${plus} union all ${minus}) as changes (account_id, n, size)
  group by account_id having sum(n) <> 0 or sum(size) <> 0 order by account_id
  on conflict (account_id) do update
  set entries = cache_accounts.entries + excluded.entries, bytes = cache_accounts.bytes + excluded.bytes;
  return null;
end $$`;

const trigger = (name: string, event: string, tables: string) =>
  `create trigger ${name} after ${event} on cache_entries referencing ${tables} for each statement execute function ${name}()`;

const postgresTriggers = [
  counting('cache_entries_added', added, none),
  trigger('cache_entries_added', 'insert', 'new table as added'),
  counting('cache_entries_removed', none, removed),
  trigger('cache_entries_removed', 'delete', 'old table as removed'),
  counting('cache_entries_replaced', added, removed),
  trigger('cache_entries_replaced', 'update', 'old table as removed new table as added'),
];
