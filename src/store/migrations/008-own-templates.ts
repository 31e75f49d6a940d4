// Adds the accounts' own templates: their versions, and the files that were uploaded with them.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db);
  await run(`create table own_templates (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    name text not null,
    latest integer not null,
    published integer not null,
    created_at bigint not null,
    updated_at bigint not null)`);
  await run('create unique index own_templates_name on own_templates (account_id, name)');

  await run(`create table own_template_versions (
    template_id text not null references own_templates (id) on delete cascade,
    version integer not null,
    source text not null,
    about text not null,
    files text not null,
    created_at bigint not null,
    primary key (template_id, version))`);

  // The bytes are base64, so that an export can be text. Versions name the files they were saved with.
  await run(`create table own_template_files (
    template_id text not null references own_templates (id) on delete cascade,
    name text not null,
    hash text not null,
    kind text not null,
    size integer not null,
    data text not null,
    current integer not null,
    created_at bigint not null,
    primary key (template_id, name, hash))`);
  await run('create index own_template_files_hash on own_template_files (hash)');
}
