// Opens the store: the database of the settings, its tables brought up to date, and the parts of the store on it.
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Log } from '../kernel/log.ts';
import { accountsIn } from './accounts.ts';
import { keysIn } from './api-keys.ts';
import { cacheIndexIn } from './cache-index.ts';
import { type Dialect, type Engine, patienceMs } from './engine.ts';
import { isUpToDate, migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import type { Schema } from './schema.ts';
import { type SignInTables, signInTablesIn } from './sign-in-tables.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { usageIn } from './usage.ts';
import { valuesIn } from './values.ts';

export type StoreOptions = {
  readonly dataDir: string;
  /** `postgres://…`; without one, SQLite in the folder. */
  readonly databaseUrl?: string | undefined;
  readonly log: Log;
};

export type OpenStore = Store & {
  readonly db: Kysely<Schema>;
  readonly dialect: Dialect;
  readonly signIn: SignInTables;
};

/** The embedded database's file in DATA_DIR. */
export const databaseFile = 'tintype.db';

// Another process may be changing large tables; this one has nothing to do before that is done.
const migrationPatienceMs = 60_000;

export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const engine = await openEngine(options, patienceMs);
  try {
    if (!(await isUpToDate(engine))) {
      const patient = await openEngine(options, migrationPatienceMs);
      await migrate(patient).finally(() => patient.close());
    }
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    db: engine.db,
    dialect: engine.dialect,
    accounts: accountsIn(engine),
    keys: keysIn(engine),
    cache: cacheIndexIn(engine),
    usage: usageIn(engine),
    values: valuesIn(engine),
    signIn: signInTablesIn(engine),
    async ping() {
      await engine.db.selectFrom('service_values').select('name').limit(1).execute();
    },
    close: () => engine.close(),
  };
}

const openEngine = async ({ dataDir, databaseUrl, log }: StoreOptions, patience: number): Promise<Engine> =>
  databaseUrl === undefined
    ? openSqlite(join(dataDir, databaseFile), patience)
    : openPostgres(databaseUrl, patience, log);
