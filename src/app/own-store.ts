// Opens the store for a server. A folder with SQLite in it has one server at most: a second one would run the jobs of the
// first again, and count rates apart.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../store/database.ts';
import { type OpenStore, openStore, type StoreOptions } from '../store/open.ts';
import { makeFile } from '../store/sqlite.ts';

export async function openOwnStore(options: StoreOptions): Promise<OpenStore> {
  if (options.databaseUrl !== undefined) return openStore(options);
  // Before the database is opened, which may change its tables: the server that uses it could not be started again.
  const unlock = lock(options.dataDir);
  try {
    const store = await openStore(options);
    return { ...store, close: () => store.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** SQLite's own lock, of a database without tables: one of the operating system, which ends with the process. */
function lock(dataDir: string): () => void {
  const path = join(dataDir, 'server.lock');
  makeFile(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('begin exclusive');
  } catch (cause) {
    file.close();
    if (!/locked/.test(String(cause))) throw unavailable(cause);
    const message = `Another Tintype server uses the data folder ${dataDir}. Stop it, or set another DATA_DIR.`;
    throw new Error(message, { cause });
  }
  return () => file.close();
}
