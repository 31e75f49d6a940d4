// Opens the store: connects to the configured database, migrates its tables, and creates the parts of the store. Or only
// inspects the database.
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Log } from '../kernel/log.ts';
import { accountsIn } from './accounts.ts';
import { keysIn } from './api-keys.ts';
import { auditIn } from './audit.ts';
import { cacheIndexIn } from './cache-index.ts';
import { type Database, type Dialect, patienceMs } from './database.ts';
import { invitationsIn } from './invitations.ts';
import { jobsIn } from './jobs.ts';
import { isUpToDate, migrate } from './migrate.ts';
import { ownTemplatesIn } from './own-templates.ts';
import { openPostgres } from './postgres.ts';
import { quotaIn } from './quota.ts';
import type { Schema } from './schema.ts';
import { type SignInTables, signInTablesIn } from './sign-in-tables.ts';
import { type SiteStore, sitesIn } from './sites.ts';
import { makeShrinkable, openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { usageIn } from './usage.ts';
import { valuesIn } from './values.ts';
import { type WebhookStore, webhooksIn } from './webhooks.ts';

export type StoreOptions = {
  readonly dataDir: string;
  /** `postgres://…`; without one, SQLite in the folder. */
  readonly databaseUrl?: string | undefined;
  readonly log: Log;
  /** Milliseconds that a query may take; 2,000 if not given. */
  readonly patience?: number | undefined;
};

export type OpenStore = Store & {
  readonly db: Kysely<Schema>;
  readonly dialect: Dialect;
  readonly signIn: SignInTables;
  readonly webhooks: WebhookStore;
  readonly sites: SiteStore;
};

/** The embedded database's file in DATA_DIR. */
export const databaseFile = 'tintype.db';

// Another process may be migrating large tables, and this one has to wait for it.
const migrationPatienceMs = 60_000;

export async function openStore(options: StoreOptions): Promise<OpenStore> {
  let database = await openDatabase(options);
  try {
    if (!(await isUpToDate(database))) {
      const patient = await openDatabase({ ...options, patience: migrationPatienceMs });
      await migrate(patient).finally(() => patient.close());
      if (database.dialect === 'sqlite') {
        await database.close();
        shrinkable(options);
        database = await openDatabase(options);
      }
    }
  } catch (error) {
    // It may be closed already.
    await database.close().catch(() => {});
    throw error;
  }
  return {
    db: database.db,
    dialect: database.dialect,
    accounts: accountsIn(database),
    keys: keysIn(database),
    cache: cacheIndexIn(database),
    usage: usageIn(database),
    quota: quotaIn(database),
    invitations: invitationsIn(database),
    audit: auditIn(database),
    jobs: jobsIn(database),
    ownTemplates: ownTemplatesIn(database),
    values: valuesIn(database),
    signIn: signInTablesIn(database),
    webhooks: webhooksIn(database),
    sites: sitesIn(database),
    ping: () => ping(database),
    close: () => database.close(),
  };
}

function shrinkable({ dataDir, log }: StoreOptions): void {
  try {
    makeShrinkable(join(dataDir, databaseFile));
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the database file was not rewritten, and will not shrink');
  }
}

/** What a start would find. This changes nothing: a server of an older version may be using the database. */
export async function inspectDatabase(options: StoreOptions): Promise<'current' | 'older' | 'empty'> {
  const database = await openDatabase(options);
  try {
    const isCurrent = await isUpToDate(database);
    await ping(database);
    return isCurrent ? 'current' : 'older';
  } catch (error) {
    if (isTableMissing(error)) return 'empty';
    throw error;
  } finally {
    await database.close();
  }
}

/** Reads a table that every version has. */
async function ping({ db }: Database): Promise<void> {
  await db.selectFrom('service_values').select('name').limit(1).execute();
}

const isTableMissing = (error: unknown): boolean =>
  (error as { code?: string }).code === '42P01' || (error as Error).message.startsWith('no such table');

const openDatabase = async ({ dataDir, databaseUrl, log, patience = patienceMs }: StoreOptions): Promise<Database> =>
  databaseUrl === undefined
    ? openSqlite(join(dataDir, databaseFile), patience)
    : openPostgres(databaseUrl, patience, log);
