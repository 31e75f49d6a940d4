// Prepared reads on the connection that only reads. What they read is kept until something changes that they could show.
import { performance } from 'node:perf_hooks';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { BoundedMap } from '../kernel/bounded-map.ts';

type Read<T> = (values: readonly SQLInputValue[]) => readonly T[];

export type CachedReads = {
  prepare<Row, T>(sql: string, toValue: (row: Row) => T): Read<T>;
  /** The writing connection has run this statement. */
  noteWrite(sql: string): void;
};

export function createCachedReads(reader: DatabaseSync, writer: DatabaseSync): CachedReads {
  const tables = new Set<string>();
  const version = createVersion(writer, tables);
  return {
    prepare<Row, T>(sql: string, toValue: (row: Row) => T) {
      for (const [, table = ''] of sql.matchAll(/\b(?:from|join) "?(\w+)/gi)) tables.add(table);
      return cached(version.now, prepareRead(reader, sql, toValue));
    },
    noteWrite: version.noteWrite,
  };
}

function prepareRead<Row, T>(database: DatabaseSync, sql: string, toValue: (row: Row) => T): Read<T> {
  const statement = database.prepare(sql);
  const names = statement.columns().map((column) => column.name);
  // Rows as arrays: node:sqlite creates the property names of an object again for each row (17 µs against 7).
  statement.setReturnArrays(true);
  return (values) =>
    (statement.all(...values) as unknown as unknown[][]).map((row) => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) object[names[i] as string] = row[i];
      return toValue(object as Row);
    });
}

/** The table that a statement changes. Of any other statement nothing is known. */
const changedTable = /^\s*(?:insert into|update|delete from) "?(\w+)/i;
const changesNothing = /^(?:begin|commit|rollback|pragma|select)\b/i;

/**
 * Changes when another process has committed anything (SQLite's data_version of the writing connection), and when this
 * one has committed a change to one of the tables: the rows of usage, written all the time, are in none. It is read once
 * in each turn of the event loop: a request sent after a key was revoked is handled in a later turn, and refused.
 */
function createVersion(writer: DatabaseSync, tables: ReadonlySet<string>) {
  const statement = writer.prepare('pragma data_version');
  let own = 0;
  let hasChanges = false;
  let known: string | undefined;
  let knownIn = 0;
  const forget = () => {
    known = undefined;
  };
  const isSeen = (sql: string) => {
    const table = changedTable.exec(sql)?.[1];
    return table === undefined ? !changesNothing.test(sql) : tables.has(table);
  };
  return {
    now(): string {
      // Called from a setImmediate callback, setImmediate runs one turn later, so the number of the turn is compared as well.
      const { loopCount } = performance.nodeTiming.uvMetricsInfo;
      if (known === undefined || knownIn !== loopCount) {
        known = `${statement.get()?.data_version} ${own}`;
        knownIn = loopCount;
        setImmediate(forget);
      }
      return known;
    },
    noteWrite(sql: string): void {
      hasChanges ||= isSeen(sql);
      // Inside a transaction the reads still see the rows of before.
      if (!hasChanges || writer.isTransaction) return;
      hasChanges = false;
      own++;
      forget();
    },
  };
}

function cached<T>(versionNow: () => string, read: Read<T>): Read<T> {
  const known = new BoundedMap<string, readonly T[]>(1000);
  let knownAt: string | undefined;
  return (values) => {
    const version = versionNow();
    if (version !== knownAt) known.clear();
    knownAt = version;
    const name = values.join(' ');
    let found = known.get(name);
    if (found === undefined) {
      found = read(values);
      known.set(name, found);
    }
    return found;
  };
}
