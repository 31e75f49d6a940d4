// Both databases for the same tests: `describe.each(databases)('on $name', ({ open }) => …)`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../src/kernel/log.ts';
import { type OpenStore, openStore, type StoreOptions } from '../../src/store/open.ts';
import { hasPostgres, type Postgres, startPostgres } from './postgres.ts';

export type TestDatabase = {
  readonly options: StoreOptions;
  /** Opens a store on it; every store is closed by `remove`. */
  open(more?: Partial<StoreOptions>): Promise<OpenStore>;
  remove(): Promise<void>;
};

export type DatabaseKind = {
  readonly name: 'SQLite' | 'PostgreSQL';
  create(): Promise<TestDatabase>;
  end(): Promise<void>;
};

const log = createLog('silent');

const sqlite: DatabaseKind = { name: 'SQLite', create: () => testDatabase(undefined), async end() {} };

let server: Promise<Postgres> | undefined;
const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  async create() {
    server ??= startPostgres();
    return testDatabase(await (await server).createDatabase());
  },
  async end() {
    await (await server)?.remove();
    server = undefined;
  },
};

export const databases: readonly DatabaseKind[] = hasPostgres() ? [sqlite, postgres] : [sqlite];

async function testDatabase(databaseUrl: string | undefined): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tintype-store-'));
  const options = { dataDir, databaseUrl, log };
  const opened: OpenStore[] = [];
  return {
    options,
    async open(more = {}) {
      const store = await openStore({ ...options, ...more });
      opened.push(store);
      return store;
    },
    async remove() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
