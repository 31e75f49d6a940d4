// Adds the sites whose pages get cards, and what is known about each page.
import type { Kysely } from 'kysely';

export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('sites')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('template', 'text', (c) => c.notNull())
    .addColumn('fixed_values', 'text', (c) => c.notNull())
    .addColumn('mapping', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addColumn('verified_at', 'bigint')
    .addColumn('verified_by', 'text')
    .addColumn('checked_at', 'bigint')
    .addColumn('lost_at', 'bigint')
    .execute();
  await schema.createIndex('sites_account').on('sites').columns(['account_id', 'origin']).unique().execute();
  await schema.createIndex('sites_checked').on('sites').column('checked_at').execute();

  await schema
    .createTable('site_pages')
    .addColumn('site_id', 'text', (c) => c.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('facts', 'text', (c) => c.notNull())
    .addColumn('read_at', 'bigint', (c) => c.notNull())
    .addColumn('card_key', 'text')
    .addPrimaryKeyConstraint('site_pages_key', ['site_id', 'path'])
    .execute();
  await schema.createIndex('site_pages_read').on('site_pages').columns(['site_id', 'read_at']).execute();
}
