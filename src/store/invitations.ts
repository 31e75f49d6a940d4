// Open invitations. One that is accepted or withdrawn is deleted.
import { type Selectable, sql } from 'kysely';
import type { Database } from './database.ts';
import type { InvitationRow } from './schema.ts';
import type { Invitation, Store } from './store.ts';

const columns = ['id', 'email', 'plan', 'admin', 'created_by', 'created_at', 'expires_at'] as const;

const toInvitation = (row: Pick<Selectable<InvitationRow>, (typeof columns)[number]>): Invitation => ({
  id: row.id,
  email: row.email,
  plan: row.plan,
  admin: Boolean(row.admin),
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/**
 * Not expired, and from somebody who is still an administrator: otherwise a demoted one could come back by a link made
 * before.
 */
export const isOpen = (now: number) =>
  sql<boolean>`expires_at > ${now} and exists (
    select 1 from accounts where accounts.id = created_by and accounts.admin = ${sql.lit(true)} and accounts.disabled = ${sql.lit(false)}
  )`;

/** More than an administrator keeps open. */
const mostListed = 500;

export function invitationsIn({ db }: Database): Store['invitations'] {
  return {
    async create({ tokenHash, createdBy, createdAt, expiresAt, ...rest }) {
      const times = { created_by: createdBy, created_at: createdAt, expires_at: expiresAt };
      await db
        .insertInto('invitations')
        .values({ ...rest, ...times, token_hash: tokenHash })
        .execute();
    },
    async find(tokenHash, now) {
      const open = db.selectFrom('invitations').select(columns).where(isOpen(now));
      const row = await open.where('token_hash', '=', tokenHash).executeTakeFirst();
      return row && toInvitation(row);
    },
    async list(now) {
      const open = db.selectFrom('invitations').select(columns).where(isOpen(now));
      return (await open.orderBy('created_at', 'desc').limit(mostListed).execute()).map(toInvitation);
    },
    async remove(id) {
      const row = await db.deleteFrom('invitations').where('id', '=', id).returning(columns).executeTakeFirst();
      return row && toInvitation(row);
    },
    async prune(now) {
      await db.deleteFrom('invitations').where('expires_at', '<=', now).execute();
    },
  };
}
