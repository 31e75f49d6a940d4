// Adds the last version of each template that was removed: a new one of its name goes on from there, so that `@3` never
// shows another card.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table removed_templates (
    account_id text not null references accounts (id) on delete cascade,
    name text not null,
    latest integer not null,
    removed_at bigint not null,
    primary key (account_id, name))`.execute(db);
}
