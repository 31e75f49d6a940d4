// Prepared reads on the connection that only reads. Their rows are kept until anything in the database changes.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { BoundedMap } from '../kernel/bounded-map.ts';

type Read<Row> = (values: readonly SQLInputValue[]) => Row[];

export type CachedReads = {
  prepare<Row>(sql: string): Read<Row>;
  /** This process has written: the next read goes to the database. */
  invalidate(): void;
};

export function createCachedReads(database: DatabaseSync): CachedReads {
  const version = createVersion(database);
  return {
    prepare: <Row>(sql: string) => cached(version.now, prepareRead<Row>(database, sql)),
    invalidate: version.forget,
  };
}

function prepareRead<Row>(database: DatabaseSync, sql: string): Read<Row> {
  const statement = database.prepare(sql);
  const names = statement.columns().map((column) => column.name);
  // Rows as arrays: node:sqlite creates the property names of an object again for each row (17 µs against 7).
  statement.setReturnArrays(true);
  return (values) =>
    (statement.all(...values) as unknown as unknown[][]).map((row) => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) object[names[i] as string] = row[i];
      return object as Row;
    });
}

/**
 * SQLite's data_version changes when any process has committed. It is read once in each turn of the event loop: a request
 * sent after a key was revoked is handled in a later turn, and refused.
 */
function createVersion(database: DatabaseSync) {
  const statement = database.prepare('pragma data_version');
  let known: unknown;
  const forget = () => {
    known = undefined;
  };
  return {
    now(): unknown {
      if (known === undefined) {
        known = statement.get()?.data_version;
        setImmediate(forget);
      }
      return known;
    },
    forget,
  };
}

function cached<Row>(versionNow: () => unknown, read: Read<Row>): Read<Row> {
  const known = new BoundedMap<string, Row[]>(1000);
  let knownAt: unknown;
  return (values) => {
    const version = versionNow();
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
