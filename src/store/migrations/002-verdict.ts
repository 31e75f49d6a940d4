// What each request's capture was worth: its verdict's codes separated by commas, empty where there are none. Requests
// without a capture, and those of before, have no verdict.
import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('requests').addColumn('verdict', 'text').execute();
}
