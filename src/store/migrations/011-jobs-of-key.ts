// A key that is limited to hosts or templates lists only the jobs that were made with it.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index jobs_account_key on jobs (account_id, key_id, id)`.execute(db);
}
