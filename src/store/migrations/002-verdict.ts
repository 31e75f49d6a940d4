// Adds the verdict of each request's capture: its codes separated by commas, empty if there are none. Requests without a
// capture, and older ones, have no verdict.
import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('requests').addColumn('verdict', 'text').execute();
}
