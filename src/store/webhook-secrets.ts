// The secrets that sign an account's webhooks, as they are stored: encrypted.
import type { Database } from './database.ts';

export type WebhookSecretRow = {
  readonly secret: string;
  readonly createdAt: number;
  /** The one before the last rotation, which is valid until then. */
  readonly previous: string | null;
  readonly previousUntil: number | null;
};

export type WebhookSecretRows = {
  find(accountId: string): Promise<WebhookSecretRow | undefined>;
  /** Stores the secret if the account has none. */
  createIfAbsent(accountId: string, secret: string, at: number): Promise<void>;
  /** Replaces the secret `from`, without a previous one. Nothing happens if it was replaced already. */
  replace(accountId: string, from: string, secret: string, at: number): Promise<void>;
  /** Replaces the secret; the present one becomes the previous. */
  rotate(accountId: string, secret: string, at: number, previousUntil: number): Promise<void>;
};

export function secretsIn({ db }: Database): WebhookSecretRows {
  const insert = (accountId: string, secret: string, at: number) =>
    db
      .insertInto('webhook_secrets')
      .values({ account_id: accountId, secret, created_at: at, previous: null, previous_until: null });
  return {
    async find(accountId) {
      const row = await db
        .selectFrom('webhook_secrets')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return (
        row && {
          secret: row.secret,
          createdAt: row.created_at,
          previous: row.previous,
          previousUntil: row.previous_until,
        }
      );
    },
    async createIfAbsent(accountId, secret, at) {
      await insert(accountId, secret, at)
        .onConflict((conflict) => conflict.column('account_id').doNothing())
        .execute();
    },
    async replace(accountId, from, secret, at) {
      await db
        .updateTable('webhook_secrets')
        .set({ secret, created_at: at, previous: null, previous_until: null })
        .where('account_id', '=', accountId)
        .where('secret', '=', from)
        .execute();
    },
    async rotate(accountId, secret, at, previousUntil) {
      await insert(accountId, secret, at)
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet((eb) => ({
            previous: eb.ref('webhook_secrets.secret'),
            previous_until: previousUntil,
            secret,
            created_at: at,
          })),
        )
        .execute();
    },
  };
}
