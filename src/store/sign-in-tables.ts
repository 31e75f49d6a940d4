// The queries for sign-in that better-auth does not make itself: passwords, ending sessions, the one-time setup, and
// failed attempts.
import type { Kysely } from 'kysely';
import type { PlanName } from '../kernel/plans.ts';
import { insertAccount, normalEmail } from './accounts.ts';
import type { Database } from './database.ts';
import { randomText } from './identifiers.ts';
import { isOpen } from './invitations.ts';
import { removeResets, resetPrefix } from './password-resets.ts';
import { locked } from './row-locks.ts';
import type { Schema } from './schema.ts';
import type { Account } from './store.ts';

export type NewAccount = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly plan: PlanName;
  readonly admin?: boolean;
  /** Without one the account cannot sign in with a password. */
  readonly passwordHash?: string;
};

/**
 * The failed attempt number `delayFrom` is the first with a delay after it. The delay doubles with each further one.
 * After `forgetMs` without one, they are forgotten.
 */
export type AttemptPolicy = {
  readonly delayFrom: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  readonly forgetMs: number;
};

/** Of an account, the newest. People sign in at work, at home and on a phone, whose address changes. */
const mostAddresses = 20;

/** better-auth's name for the provider "e-mail and password". */
const withPassword = 'credential';

async function putPassword(db: Kysely<Schema>, accountId: string, hash: string): Promise<void> {
  const now = new Date().toISOString();
  await db
    .insertInto('credentials')
    .values({
      id: `cred_${randomText(16)}`,
      account_id: accountId,
      provider_id: withPassword,
      provider_account_id: accountId,
      password: hash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'provider_account_id']).doUpdateSet({ password: hash, updated_at: now }),
    )
    .execute();
}

async function insertWithPassword(db: Kysely<Schema>, { passwordHash, ...account }: NewAccount): Promise<Account> {
  const made = await insertAccount(db, account);
  if (passwordHash !== undefined) await putPassword(db, made.id, passwordHash);
  return made;
}

export type SignInTables = ReturnType<typeof signInTablesIn>;

export function signInTablesIn({ db, dialect }: Database) {
  return {
    create: (account: NewAccount): Promise<Account> =>
      db.transaction().execute((trx) => insertWithPassword(trx, account)),

    /**
     * Creates the first administrator. Deletes the named value if it still is `value`, and creates the account, both or
     * neither. undefined if the value is gone, or if there is an administrator already.
     */
    createFirstAdmin: (name: string, value: string, account: NewAccount): Promise<Account | undefined> =>
      db.transaction().execute(async (trx) => {
        const taken = trx.deleteFrom('service_values').where('name', '=', name).where('value', '=', value);
        if ((await taken.executeTakeFirst()).numDeletedRows === 0n) return undefined;
        const admins = trx.selectFrom('accounts').select('id').where('admin', '=', true).limit(1);
        if ((await admins.execute()).length > 0) return undefined;
        return insertWithPassword(trx, { ...account, admin: true });
      }),

    /** Deletes the invitation of this token and creates the account, both or neither. Undefined if it is gone. */
    acceptInvitation: (tokenHash: string, now: number, account: NewAccount): Promise<Account | undefined> =>
      db.transaction().execute(async (trx) => {
        const open = trx.deleteFrom('invitations').where('token_hash', '=', tokenHash).where(isOpen(now));
        if ((await open.executeTakeFirst()).numDeletedRows === 0n) return undefined;
        return insertWithPassword(trx, account);
      }),

    /** A token for a new password. It replaces the account's earlier one. */
    createReset: (tokenHash: string, accountId: string, expiresAt: number): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const now = new Date().toISOString();
        await removeResets(trx, accountId);
        await trx
          .insertInto('verifications')
          .values({
            id: randomText(16),
            identifier: resetPrefix + tokenHash,
            value: accountId,
            expires_at: new Date(expiresAt).toISOString(),
            created_at: now,
            updated_at: now,
          })
          .execute();
      }),

    /** Deletes the token, sets the password and ends all sessions. False if the token is gone or has expired. */
    consumeReset: (tokenHash: string, now: number, passwordHash: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('verifications')
          .where('identifier', '=', resetPrefix + tokenHash)
          .where('expires_at', '>', new Date(now).toISOString())
          .returning('value')
          .executeTakeFirst();
        if (row === undefined) return false;
        await putPassword(trx, row.value, passwordHash);
        await trx.deleteFrom('sessions').where('account_id', '=', row.value).execute();
        return true;
      }),

    /** Removes the second factor of an account. Its password alone signs in again. */
    removeTwoFactor: (accountId: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('two_factors').where('account_id', '=', accountId).execute();
        await trx.updateTable('accounts').set({ two_factor: false }).where('id', '=', accountId).execute();
      }),

    async passwordHash(accountId: string): Promise<string | undefined> {
      const credentials = db.selectFrom('credentials').select('password').where('account_id', '=', accountId);
      return (await credentials.where('provider_id', '=', withPassword).executeTakeFirst())?.password ?? undefined;
    },

    /** Sets the password, and ends all sessions except the one of this token, and the link for a lost password. */
    setPassword: (accountId: string, hash: string, exceptToken = ''): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await removeResets(trx, accountId);
        await putPassword(trx, accountId, hash);
        const others = trx.deleteFrom('sessions').where('account_id', '=', accountId);
        await others.where('token', '!=', exceptToken).execute();
      }),

    async endSession(token: string): Promise<void> {
      await db.deleteFrom('sessions').where('token', '=', token).execute();
    },

    async endSessions(accountId: string): Promise<void> {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).execute();
    },

    /**
     * Counts an attempt before it is made, so that parallel ones are counted too. Returns 0, or the milliseconds to
     * wait.
     */
    attempt: (subject: string, policy: AttemptPolicy, now: number): Promise<number> =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('sign_in_attempts')
          .values({ subject, failures: 0, last_at: now, blocked_until: 0 })
          .onConflict((conflict) => conflict.column('subject').doNothing())
          .execute();
        const query = trx.selectFrom('sign_in_attempts').selectAll().where('subject', '=', subject);
        const row = await locked(query, dialect).executeTakeFirstOrThrow();
        if (row.blocked_until > now) return row.blocked_until - now;
        const failures = (now - row.last_at > policy.forgetMs ? 0 : row.failures) + 1;
        const delay =
          failures < policy.delayFrom ? 0 : policy.firstDelayMs * 2 ** Math.min(failures - policy.delayFrom, 30);
        await trx
          .updateTable('sign_in_attempts')
          .set({ failures, last_at: now, blocked_until: now + Math.min(delay, policy.longestDelayMs) })
          .where('subject', '=', subject)
          .execute();
        return 0;
      }),

    /** The attempt was successful and does not count. */
    async takeBack(subject: string): Promise<void> {
      await db
        .updateTable('sign_in_attempts')
        .set((eb) => ({ failures: eb('failures', '-', 1), blocked_until: 0 }))
        .where('subject', '=', subject)
        .where('failures', '>', 0)
        .execute();
    },

    async forgive(subject: string): Promise<void> {
      await db.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute();
    },

    /** Has the account of this e-mail address signed in from here? */
    async knowsAddress(email: string, address: string): Promise<boolean> {
      const known = db
        .selectFrom('sign_in_addresses')
        .innerJoin('accounts', 'accounts.id', 'sign_in_addresses.account_id')
        .select('address')
        .where('accounts.email', '=', normalEmail(email))
        .where('address', '=', address);
      return (await known.executeTakeFirst()) !== undefined;
    },

    rememberAddress: (accountId: string, address: string, now: number): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('sign_in_addresses')
          .values({ account_id: accountId, address, last_at: now })
          .onConflict((conflict) => conflict.columns(['account_id', 'address']).doUpdateSet({ last_at: now }))
          .execute();
        const ofAccount = trx.selectFrom('sign_in_addresses').select('address').where('account_id', '=', accountId);
        const kept = ofAccount.orderBy('last_at', 'desc').limit(mostAddresses);
        const others = trx.deleteFrom('sign_in_addresses').where('account_id', '=', accountId);
        await others.where('address', 'not in', kept).execute();
      }),

    /** Deletes expired sessions and verifications, old attempts, and addresses that were not used since. */
    async prune(now: number, attemptsBefore: number, addressesBefore: number): Promise<void> {
      const time = new Date(now).toISOString();
      await db.deleteFrom('sessions').where('expires_at', '<', time).execute();
      await db.deleteFrom('verifications').where('expires_at', '<', time).execute();
      await db.deleteFrom('sign_in_attempts').where('last_at', '<', attemptsBefore).execute();
      await db.deleteFrom('sign_in_addresses').where('last_at', '<', addressesBefore).execute();
    },
  };
}
