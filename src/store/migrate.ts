// Migrates the tables to this version. Several processes may start at once: one migrates under a lock, in a transaction
// that also records the migration; the others wait and find it done.
import { type Kysely, sql } from 'kysely';
import { Problem } from '../kernel/errors.ts';
import type { Database, Dialect } from './database.ts';
import * as first from './migrations/001-first.ts';
import * as verdict from './migrations/002-verdict.ts';
import * as freshness from './migrations/003-freshness.ts';
import * as jobs from './migrations/004-jobs.ts';
import * as webhooks from './migrations/005-webhooks.ts';
import * as subject from './migrations/006-subject.ts';
import * as administration from './migrations/007-administration.ts';
import * as ownTemplates from './migrations/008-own-templates.ts';
import * as sites from './migrations/009-sites.ts';
import * as removedTemplates from './migrations/010-removed-templates.ts';
import * as jobsOfKey from './migrations/011-jobs-of-key.ts';
import * as signInAddresses from './migrations/012-sign-in-addresses.ts';
import * as accountBytes from './migrations/013-account-bytes.ts';
import type { Schema } from './schema.ts';

type Migration = { readonly name: string; readonly up: (db: Kysely<never>, dialect: Dialect) => Promise<void> };

/** The order never changes. A new migration is added at the end; an old one is never edited. */
const migrations: readonly Migration[] = [
  { name: '001-first', up: first.up },
  { name: '002-verdict', up: verdict.up },
  { name: '003-freshness', up: freshness.up },
  { name: '004-jobs', up: jobs.up },
  { name: '005-webhooks', up: webhooks.up },
  { name: '006-subject', up: subject.up },
  { name: '007-administration', up: administration.up },
  { name: '008-own-templates', up: ownTemplates.up },
  { name: '009-sites', up: sites.up },
  { name: '010-removed-templates', up: removedTemplates.up },
  { name: '011-jobs-of-key', up: jobsOfKey.up },
  { name: '012-sign-in-addresses', up: signInAddresses.up },
  { name: '013-account-bytes', up: accountBytes.up },
];

/** Identifies Tintype among all users of advisory locks on a PostgreSQL server. */
const lockId = 845_216_031;

/** True if there is nothing to migrate. Throws if a newer Tintype made the database. */
export async function isUpToDate({ db }: Database): Promise<boolean> {
  try {
    return pending(await doneIn(db)).length === 0;
  } catch (error) {
    // An error means an empty database, unless the database does not answer.
    if (error instanceof Problem || error instanceof NewerDatabase) throw error;
    return false;
  }
}

export async function migrate({ db, dialect }: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // SQLite's transactions take the write lock when they begin.
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${lockId})`.execute(trx);
    await trx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute();
    for (const migration of pending(await doneIn(trx))) {
      await migration.up(trx as unknown as Kysely<never>, dialect);
      await trx.insertInto('migrations').values({ name: migration.name, at: Date.now() }).execute();
    }
  });
}

const doneIn = async (db: Kysely<Schema>): Promise<string[]> =>
  (await db.selectFrom('migrations').select('name').execute()).map((row) => row.name);

function pending(done: readonly string[]): Migration[] {
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown !== undefined) throw new NewerDatabase(unknown);
  return migrations.filter((migration) => !done.includes(migration.name));
}

class NewerDatabase extends Error {
  constructor(name: string) {
    super(`The database was made by a newer Tintype (it has "${name}"). Start that version, or restore a backup.`);
    this.name = 'NewerDatabase';
  }
}
