// The embedded database: node:sqlite under Kysely. One connection writes, one caller after the other; a second one only
// reads, so that the reads of every request neither wait behind a write nor see half of one. Only commits of accounts
// and keys wait for the disk, because the event loop waits with them.
import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { makeFolder } from '../kernel/folders.ts';
import { type Checkpoints, startCheckpoints } from './checkpoints.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';
import { createCachedReads } from './sqlite-reads.ts';
import { CannotWrite, retryWhileLocked } from './sqlite-retry.ts';
import { createWriteQueue, type Durability, type WriteQueue } from './sqlite-writes.ts';

export async function openSqlite(file: string, patience: number): Promise<Database> {
  const giveUpAt = performance.now() + patience;
  const writer = await retryWhileLocked(giveUpAt, () => {
    makeFile(file);
    return connect(file);
  });
  const reader = await retryWhileLocked(giveUpAt, () => new DatabaseSync(file, { timeout: 0, readOnly: true }));
  const reads = createCachedReads(reader, writer);
  // Started by the first relaxed write: a command that lives for a moment and writes one row needs no thread.
  let checkpoints: Checkpoints | undefined;
  const writeQueue = createWriteQueue(writer, reads.noteWrite, () => {
    checkpoints ??= startCheckpoints(file, writer);
  });
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writeQueue, 'full', patience) });
  const relaxed = new Kysely<Schema>({ dialect: sqliteDialect(writeQueue, 'normal', patience) });
  return {
    dialect: 'sqlite',
    db,
    relaxed,
    prepare<Row, T>(query: CompiledQuery<Row>, toValue: (row: Row) => T) {
      let read: ReturnType<typeof reads.prepare<Row, T>> | undefined;
      return (...values) =>
        retryWhileLocked(performance.now() + patience, () => {
          read ??= reads.prepare(query.sql, toValue);
          return read(values);
        });
    },
    async close() {
      await Promise.all([db.destroy(), relaxed.destroy(), checkpoints?.stop()]);
      reader.close();
      writer.close();
    },
  };
}

/** Errors that only a person can correct. */
const permanent = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
]);

/**
 * Makes a file of DATA_DIR, if it is missing. SQLite would make it readable for everybody; its -wal and -shm take the mode
 * of the file. A file that exists is not opened: by POSIX, closing it would end every lock that this process has on it.
 */
export function makeFile(file: string): void {
  try {
    makeFolder(dirname(file), 0o700);
    if (existsSync(file)) accessSync(file, constants.W_OK);
    else closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!permanent.has(code)) throw error;
    throw new CannotWrite(
      `DATA_DIR is ${dirname(file)}, and Tintype cannot write there (${code}). Set DATA_DIR to a folder of the user that runs Tintype.`,
    );
  }
}

function connect(file: string): DatabaseSync {
  // timeout 0: SQLite would block the event loop while it waits for a lock; `retryWhileLocked` does not.
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    // Only where there is no table yet; see `makeShrinkable`.
    database.exec('pragma auto_vacuum = incremental');
    database.exec('pragma journal_mode = wal');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Rewrites a database of an earlier version once, so that what is removed later can be given back to the disk. Needs as much
 * free space as the database has; without it, the database stays as it is.
 */
export function makeShrinkable(file: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  try {
    const { auto_vacuum } = database.prepare('pragma auto_vacuum').get() as { auto_vacuum: number };
    if (auto_vacuum !== 0) return;
    // Fails while anybody else has the file open, who would go on to write it in the old way.
    database.exec('pragma journal_mode = delete; pragma auto_vacuum = incremental; vacuum');
  } finally {
    database.close();
  }
}

function sqliteDialect(writeQueue: WriteQueue, durability: Durability, patience: number): Dialect {
  return {
    createDriver: () => sqliteDriver(writeQueue, durability, patience),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new QueuedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** The write queue makes callers wait; Kysely's own mutex would never be released after an acquire that fails. */
class QueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

type QueuedConnection = DatabaseConnection & { readonly release: () => void };

function sqliteDriver(writeQueue: WriteQueue, durability: Durability, patience: number): Driver {
  const run = (connection: DatabaseConnection, sql: string) => connection.executeQuery(CompiledQuery.raw(sql));
  return {
    async init() {},
    async acquireConnection(): Promise<QueuedConnection> {
      // Time in the queue counts toward the timeout.
      const giveUpAt = performance.now() + patience;
      return {
        release: await writeQueue.acquire(durability),
        executeQuery: <Row>(query: CompiledQuery) => retryWhileLocked(giveUpAt, () => writeQueue.execute<Row>(query)),
        streamQuery: () => {
          throw new Error('Streaming is not used with SQLite.');
        },
      };
    },
    async releaseConnection(connection) {
      (connection as QueuedConnection).release();
    },
    async beginTransaction(connection, { accessMode }) {
      // A transaction that reads first and then wants to write fails at once if another process wrote meanwhile. One that
      // only reads makes no other process wait.
      await run(connection, accessMode === 'read only' ? 'begin' : 'begin immediate');
    },
    async commitTransaction(connection) {
      await run(connection, 'commit');
    },
    async rollbackTransaction(connection) {
      // After some errors (a full disk) SQLite has rolled back already.
      if (writeQueue.isTransaction) await run(connection, 'rollback');
    },
    async destroy() {},
  };
}
