// Adds the renders of each month, invitations, what administrators did, two-factor sign-in and passkeys. better-auth writes
// two_factors and passkeys; access/auth.ts maps its names to these columns.
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

export async function up(db: Kysely<never>, dialect: Dialect): Promise<void> {
  const date = dialect === 'postgres' ? sql`timestamptz` : sql`text`;
  const { schema } = db;

  // No foreign key: a render may end after its account was removed.
  await schema
    .createTable('quota_months')
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('month', 'bigint', (c) => c.notNull())
    .addColumn('used', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('quota_months_key', ['account_id', 'month'])
    .execute();
  // For the usage of all accounts in one period.
  await schema.createIndex('usage_hours_hour').on('usage_hours').column('hour').execute();

  await schema
    .createTable('invitations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('email', 'text')
    .addColumn('plan', 'text', (c) => c.notNull())
    .addColumn('admin', 'boolean', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();

  // The addresses are copies: the list outlives the accounts.
  await schema
    .createTable('admin_actions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor_id', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('target', 'text')
    .addColumn('details', 'text')
    .execute();
  await schema.createIndex('admin_actions_at').on('admin_actions').column('at').execute();

  await schema
    .alterTable('accounts')
    .addColumn('two_factor', 'boolean', (c) => c.notNull().defaultTo(sql`false`))
    .execute();
  await schema
    .createTable('two_factors')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('backup_codes', 'text', (c) => c.notNull())
    .addColumn('verified', 'boolean')
    .addColumn('failures', 'integer')
    .addColumn('locked_until', date)
    .execute();
  await schema.createIndex('two_factors_account').on('two_factors').column('account_id').execute();

  await schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('device_type', 'text', (c) => c.notNull())
    .addColumn('backed_up', 'boolean', (c) => c.notNull())
    .addColumn('transports', 'text')
    .addColumn('created_at', date)
    .addColumn('aaguid', 'text')
    .execute();
  await schema.createIndex('passkeys_account').on('passkeys').column('account_id').execute();
}
