// API keys in the database. Only the hash of a key is stored.

import { accountColumns, toAccount } from './accounts.ts';
import { inChunks } from './chunks.ts';
import type { Database } from './database.ts';
import { locked, notLocked } from './row-locks.ts';
import type { KeyRow } from './schema.ts';
import type { Account, ApiKey, Store } from './store.ts';

const keyColumns = [
  'id',
  'account_id',
  'name',
  'first',
  'last',
  'created_at',
  'last_used_at',
  'revoked_at',
  'expires_at',
  'allowed_hosts',
  'allowed_templates',
] as const;

const toKey = (row: Pick<KeyRow, (typeof keyColumns)[number]>): ApiKey => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  first: row.first,
  last: row.last,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  expiresAt: row.expires_at,
  allowedHosts: row.allowed_hosts === null ? null : JSON.parse(row.allowed_hosts),
  allowedTemplates: row.allowed_templates === null ? null : JSON.parse(row.allowed_templates),
});

export function keysIn(database: Database): Store['keys'] {
  const { db, relaxed, dialect, prepare } = database;

  type Joined = KeyRow & { [K in (typeof accountColumns)[number] as `account__${K}`]: never };
  const withAccount = db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(keyColumns.map((column) => `api_keys.${column}` as const))
    .select('api_keys.signing_secret')
    .select((eb) => accountColumns.map((column) => eb.ref(`accounts.${column}`).as(`account__${column}`)))
    .$castTo<Joined>();
  const accountOf = (row: Joined): Account =>
    toAccount({
      id: row.account__id,
      email: row.account__email,
      name: row.account__name,
      plan: row.account__plan,
      admin: row.account__admin,
      disabled: row.account__disabled,
      two_factor: row.account__two_factor,
      created_at: row.account__created_at,
    });
  const withItsAccount = (row: Joined) => ({ key: toKey(row), account: accountOf(row) });
  const byHash = prepare(withAccount.where('api_keys.hash', '=', '').compile(), withItsAccount);
  const byId = prepare(withAccount.where('api_keys.id', '=', '').compile(), (row) => ({
    ...withItsAccount(row),
    signingSecret: row.signing_secret,
  }));

  return {
    create: (key, limit) =>
      db.transaction().execute(async (trx) => {
        // One at a time for each account; otherwise two requests could both find room for the last key.
        await locked(trx.selectFrom('accounts').select('id').where('id', '=', key.accountId), dialect).execute();
        const now = Date.now();
        const { active } = await trx
          .selectFrom('api_keys')
          .select((eb) => eb.fn.countAll<number>().as('active'))
          .where('account_id', '=', key.accountId)
          .where('revoked_at', 'is', null)
          .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
          .executeTakeFirstOrThrow();
        if (active >= limit) return undefined;
        const row = await trx
          .insertInto('api_keys')
          .values({
            id: key.id,
            account_id: key.accountId,
            name: key.name,
            hash: key.hash,
            first: key.first,
            last: key.last,
            signing_secret: key.signingSecret,
            created_at: now,
            last_used_at: null,
            revoked_at: null,
            expires_at: key.expiresAt ?? null,
            allowed_hosts: key.allowedHosts ? JSON.stringify(key.allowedHosts) : null,
            allowed_templates: key.allowedTemplates ? JSON.stringify(key.allowedTemplates) : null,
          })
          .returning(keyColumns)
          .executeTakeFirstOrThrow();
        return toKey(row);
      }),
    findByHash: async (hash) => (await byHash(hash))[0],
    findForSigning: async (id) => (await byId(id))[0],
    async list(accountId) {
      const keys = db.selectFrom('api_keys').select(keyColumns).where('account_id', '=', accountId);
      return (await keys.orderBy('created_at').orderBy('id').execute()).map(toKey);
    },
    async rename(accountId, id, name) {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ name })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async revoke(id, accountId) {
      let query = db.updateTable('api_keys').set({ revoked_at: Date.now() });
      query = query.where('id', '=', id).where('revoked_at', 'is', null);
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      return (await query.executeTakeFirst()).numUpdatedRows > 0n;
    },
    async touch(ids, at) {
      // Several machines note the same keys at the same time.
      for (const some of inChunks(ids)) {
        const ours = notLocked(relaxed.selectFrom('api_keys').select('id').where('id', 'in', some), dialect);
        await relaxed.updateTable('api_keys').set({ last_used_at: at }).where('id', 'in', ours).execute();
      }
    },
  };
}
