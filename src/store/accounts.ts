// Accounts in the database.
import type { Kysely, Selectable } from 'kysely';
import { Problem } from '../kernel/errors.ts';
import { removeAccount } from './account-removal.ts';
import type { Database } from './database.ts';
import { randomText } from './identifiers.ts';
import { locked } from './row-locks.ts';
import type { AccountRow, Schema } from './schema.ts';
import type { Account, Store } from './store.ts';

export const accountColumns = ['id', 'email', 'name', 'plan', 'admin', 'disabled', 'two_factor', 'created_at'] as const;

export const toAccount = (row: Pick<Selectable<AccountRow>, (typeof accountColumns)[number]>): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  plan: row.plan,
  admin: Boolean(row.admin),
  disabled: Boolean(row.disabled),
  twoFactor: Boolean(row.two_factor),
  createdAt: new Date(row.created_at).getTime(),
});

/** Addresses are stored in lower case: two accounts that differ only in capitals would be confused. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

export async function insertAccount(
  db: Kysely<Schema>,
  account: Parameters<Store['accounts']['create']>[0],
): Promise<Account> {
  const now = new Date().toISOString();
  const email = normalEmail(account.email);
  const row = await db
    .insertInto('accounts')
    .values({
      id: `acc_${randomText(16)}`,
      email,
      name: account.name ?? email.split('@')[0] ?? '',
      plan: account.plan,
      admin: account.admin ?? false,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(accountColumns)
    .executeTakeFirst();
  if (!row) throw new Problem('conflict', { parameter: 'email', message: `There is an account of ${email} already.` });
  return toAccount(row);
}

export function accountsIn(database: Database): Store['accounts'] {
  const { db, dialect } = database;
  const change = async (id: string, values: Partial<Pick<Account, 'plan' | 'disabled' | 'name' | 'admin'>>) => {
    const updated_at = new Date().toISOString();
    await db
      .updateTable('accounts')
      .set({ ...values, updated_at })
      .where('id', '=', id)
      .execute();
  };
  /** Changes an account that may be an administrator's. The administrators are locked, so that two cannot remove each other. */
  const keepingAnAdmin = (id: string, values: Partial<Pick<Account, 'admin' | 'disabled'>>): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const admins = trx.selectFrom('accounts').select('id').where('admin', '=', true).where('disabled', '=', false);
      const ids = (await locked(admins.orderBy('id'), dialect).execute()).map((row) => row.id);
      if (ids.length === 1 && ids[0] === id) return false;
      const updated_at = new Date().toISOString();
      await trx
        .updateTable('accounts')
        .set({ ...values, updated_at })
        .where('id', '=', id)
        .execute();
      return true;
    });
  const one = async (column: 'id' | 'email', value: string) => {
    const row = await db.selectFrom('accounts').select(accountColumns).where(column, '=', value).executeTakeFirst();
    return row && toAccount(row);
  };
  return {
    create: (account) => insertAccount(db, account),
    byId: (id) => one('id', id),
    byEmail: (email) => one('email', normalEmail(email)),
    async list() {
      const rows = await db.selectFrom('accounts').select(accountColumns).orderBy('created_at').orderBy('id').execute();
      return rows.map(toAccount);
    },
    setPlan: (id, plan) => change(id, { plan }),
    setDisabled: async (id, disabled) =>
      disabled ? keepingAnAdmin(id, { disabled }) : change(id, { disabled }).then(() => true),
    setAdmin: async (id, admin) => (admin ? change(id, { admin }).then(() => true) : keepingAnAdmin(id, { admin })),
    setName: (id, name) => change(id, { name }),
    remove: (id) => removeAccount(database, id),
    async adminExists() {
      const row = await db.selectFrom('accounts').select('id').where('admin', '=', true).limit(1).executeTakeFirst();
      return row !== undefined;
    },
  };
}
