// Adds the subject of cached results, so that an account can remove those of one page or template. Results that were stored
// before have none.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw('alter table cache_entries add column subject text').execute(db);
  await sql.raw('create index cache_entries_subject on cache_entries (account_id, subject)').execute(db);
}
