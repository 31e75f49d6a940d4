// The tokens for new passwords, in a table that better-auth uses for its own.
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

export const resetPrefix = 'new-password:';
const isReset = sql<boolean>`identifier like ${`${resetPrefix}%`}`;

/** In a transaction that changes more: first, because the use of a token locks it first. */
export async function removeResets(db: Kysely<Schema>, accountId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', accountId).where(isReset).execute();
}
