// The embedded database: node:sqlite under Kysely. One connection writes, in turn; a second one only reads, so
// that what every request asks never waits behind a write, nor sees half of one. Nothing here waits for the disk but
// commits of accounts and keys: the event loop would wait with it.
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { sleep } from '../kernel/deadline.ts';
import { makeFolder } from '../kernel/folders.ts';
import { type Checkpoints, startCheckpoints } from './checkpoints.ts';
import { type Engine, unavailable } from './engine.ts';
import type { Schema } from './schema.ts';

export async function openSqlite(file: string, patience: number): Promise<Engine> {
  const giveUpAt = performance.now() + patience;
  const writer = await patiently(giveUpAt, () => {
    makeFile(file);
    return connect(file);
  });
  const reader = await patiently(giveUpAt, () => new DatabaseSync(file, { timeout: 0, readOnly: true }));
  const versions = createVersions(reader);
  // Not for a command that lives for a moment and writes one row.
  let checkpoints: Checkpoints | undefined;
  const line = createLine(writer, versions.moved, () => {
    checkpoints ??= startCheckpoints(file, writer);
  });
  const db = new Kysely<Schema>({ dialect: sqliteDialect(line, 'full', patience) });
  const quick = new Kysely<Schema>({ dialect: sqliteDialect(line, 'normal', patience) });
  return {
    dialect: 'sqlite',
    db,
    quick,
    prepare<Row>(query: CompiledQuery<Row>) {
      let read: ((values: readonly SQLInputValue[]) => Row[]) | undefined;
      return (...values) =>
        patiently(performance.now() + patience, () => {
          read ??= remembering(versions, reading<Row>(reader, query.sql));
          return read(values);
        });
    },
    async close() {
      await Promise.all([db.destroy(), quick.destroy(), checkpoints?.stop()]);
      reader.close();
      writer.close();
    },
  };
}

// Only a person can change these, so waiting for it makes no sense.
const forAPerson = new Set([
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

class CannotWrite extends Error {
  override name = 'CannotWrite';
}

/** SQLite would make the file readable for everybody; its -wal and -shm take the mode of the file. */
function makeFile(file: string): void {
  try {
    makeFolder(dirname(file), 0o700);
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!forAPerson.has(code)) throw error;
    throw new CannotWrite(
      `DATA_DIR is ${dirname(file)}, and Tintype cannot write there (${code}). Set DATA_DIR to a folder of the user that runs Tintype.`,
    );
  }
}

function reading<Row>(database: DatabaseSync, sql: string): (values: readonly SQLInputValue[]) => Row[] {
  const statement = database.prepare(sql);
  const names = statement.columns().map((column) => column.name);
  // Rows as arrays: node:sqlite makes the names of an object's properties anew for each row (17 µs against 7).
  statement.setReturnArrays(true);
  return (values) =>
    (statement.all(...values) as unknown as unknown[][]).map((row) => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) object[names[i] as string] = row[i];
      return object as Row;
    });
}

/** Which state of the database this turn of the event loop sees. */
type Versions = {
  now(): unknown;
  /** This process has written: what it reads next it reads anew. */
  moved(): void;
};

/**
 * SQLite tells whether anybody, this process or another, has committed anything. It is asked once in a turn of the event
 * loop, as requests are read: one that is sent after a key was revoked is read in a later turn than that, and refused.
 */
function createVersions(database: DatabaseSync): Versions {
  const statement = database.prepare('pragma data_version');
  let known: unknown;
  const forget = () => {
    known = undefined;
  };
  return {
    now() {
      if (known === undefined) {
        known = statement.get()?.data_version;
        setImmediate(forget);
      }
      return known;
    },
    moved: forget,
  };
}

/** What was read stands as long as the version does. */
function remembering<Row>(
  versions: Versions,
  read: (values: readonly SQLInputValue[]) => Row[],
): (values: readonly SQLInputValue[]) => Row[] {
  const known = new BoundedMap<string, Row[]>(1000);
  let knownAt: unknown;
  return (values) => {
    const version = versions.now();
    if (version !== knownAt) known.clear();
    knownAt = version;
    const name = values.join(' ');
    let rows = known.get(name);
    if (rows === undefined) {
      rows = read(values);
      known.set(name, rows);
    }
    return rows;
  };
}

function connect(file: string): DatabaseSync {
  // timeout 0: SQLite would wait for a lock with the whole event loop; `patiently` waits without.
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    database.exec('pragma journal_mode = wal');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * full: the commit is on the disk when it is answered; a power cut must not bring a revoked key back. normal: it is with
 * the system, and outlives this process.
 */
type Durability = 'full' | 'normal';

function sqliteDialect(line: Line, durability: Durability, patience: number): Dialect {
  return {
    createDriver: () => sqliteDriver(line, durability, patience),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TakingTurnsAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** The line below takes turns by itself: Kysely's own mutex is never given back when an acquire fails. */
class TakingTurnsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Those who want to write, one after the other. */
type Line = {
  /** Resolves to the end of the turn. */
  turn(durability: Durability): Promise<() => void>;
  execute<Row>(query: CompiledQuery): QueryResult<Row>;
  readonly isTransaction: boolean;
};

/** `onWrite` is called for each statement, `onQuick` before what may be lost is written. */
function createLine(database: DatabaseSync, onWrite: () => void, onQuick: () => void): Line {
  let last: Promise<void> = Promise.resolve();
  let level: Durability | undefined;
  const statements = new BoundedMap<string, StatementSync>(100);
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const prepare = (durability: Durability) => {
    if (level !== durability) database.exec(`pragma synchronous = ${durability}`);
    level = durability;
    if (durability === 'normal') onQuick();
  };
  return {
    async turn(durability) {
      const before = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      await before;
      try {
        prepare(durability);
      } catch (error) {
        // Whoever is next in the line must not wait for one who never had a turn.
        end();
        throw unavailable(error);
      }
      return end;
    },
    execute<Row>(query: CompiledQuery): QueryResult<Row> {
      onWrite();
      const statement = prepared(query.sql);
      if ('rows' in query) return { rows: runEach(statement, query as Batch) as Row[] };
      const values = query.parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value));
      if (statement.columns().length > 0) return { rows: statement.all(...(values as SQLInputValue[])) as Row[] };
      const { changes } = statement.run(...(values as SQLInputValue[]));
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    get isTransaction() {
      return database.isTransaction;
    },
  };
}

/** One statement for many rows, without a way through Kysely for each of them. Gives back the rows it changed. */
export type Batch = CompiledQuery & { readonly rows: readonly (readonly SQLInputValue[])[] };

const runEach = (statement: StatementSync, { rows }: Batch) =>
  rows.filter((values) => statement.run(...values).changes > 0);

type Turn = DatabaseConnection & { readonly end: () => void };

function sqliteDriver(line: Line, durability: Durability, patience: number): Driver {
  const run = (connection: DatabaseConnection, sql: string) => connection.executeQuery(CompiledQuery.raw(sql));
  return {
    async init() {},
    async acquireConnection(): Promise<Turn> {
      // The time in the line counts, too: behind one that waits in vain, nobody waits twice as long.
      const giveUpAt = performance.now() + patience;
      return {
        end: await line.turn(durability),
        executeQuery: <Row>(query: CompiledQuery) => patiently(giveUpAt, () => line.execute<Row>(query)),
        streamQuery: () => {
          throw new Error('Streaming is not used with SQLite.');
        },
      };
    },
    async releaseConnection(connection) {
      (connection as Turn).end();
    },
    async beginTransaction(connection) {
      // A transaction that reads first and then wants to write fails at once if another process wrote meanwhile.
      await run(connection, 'begin immediate');
    },
    async commitTransaction(connection) {
      await run(connection, 'commit');
    },
    async rollbackTransaction(connection) {
      // After some errors (a full disk) SQLite has rolled back already.
      if (line.isTransaction) await run(connection, 'rollback');
    },
    async destroy() {},
  };
}

/** Tries until another process gives the lock back, without holding up anything else. */
async function patiently<T>(giveUpAt: number, attempt: () => T): Promise<T> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const code = resultCode(error);
      if (ourOwnFault.has(code) || error instanceof CannotWrite) throw error;
      if (!isLocked.has(code) || performance.now() > giveUpAt) throw unavailable(error);
    }
    await sleep(2 + Math.random() * 10);
  }
}

// https://www.sqlite.org/rescode.html: error (a wrong statement), constraint, mismatch, misuse, range.
const ourOwnFault = new Set([1, 19, 20, 21, 25]);
// busy, locked.
const isLocked = new Set([5, 6]);

/** The primary code is the low byte of SQLite's extended one. */
const resultCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
