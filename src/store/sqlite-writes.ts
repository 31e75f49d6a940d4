// The one connection that writes, used by one caller after the other.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { unavailable } from './database.ts';

/**
 * full: the commit is on the disk when the call returns; a power cut must not bring a revoked key back. normal: the
 * operating system has it, and it survives the end of this process.
 */
export type Durability = 'full' | 'normal';

export type WriteQueue = {
  /** Resolves when it is the caller's turn, with the function that ends the turn. */
  acquire(durability: Durability): Promise<() => void>;
  execute<Row>(query: CompiledQuery): QueryResult<Row>;
  readonly isTransaction: boolean;
};

/** One statement for many rows, without passing each of them through Kysely. Returns the rows it changed. */
export type Batch = CompiledQuery & { readonly rows: readonly (readonly SQLInputValue[])[] };

/** `onRun` is called after each statement, `onRelaxed` before a write of normal durability. */
export function createWriteQueue(
  database: DatabaseSync,
  onRun: (sql: string) => void,
  onRelaxed: () => void,
): WriteQueue {
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
  const setDurability = (durability: Durability) => {
    if (level !== durability) database.exec(`pragma synchronous = ${durability}`);
    level = durability;
    if (durability === 'normal') onRelaxed();
  };
  const run = <Row>(query: CompiledQuery): QueryResult<Row> => {
    const statement = prepared(query.sql);
    if ('rows' in query) return { rows: runEach(statement, query as Batch) as Row[] };
    const values = query.parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    if (statement.columns().length > 0) return { rows: statement.all(...(values as SQLInputValue[])) as Row[] };
    const { changes } = statement.run(...(values as SQLInputValue[]));
    return { rows: [], numAffectedRows: BigInt(changes) };
  };
  return {
    async acquire(durability) {
      const before = last;
      const { promise, resolve: release } = Promise.withResolvers<void>();
      last = promise;
      await before;
      try {
        setDurability(durability);
      } catch (error) {
        // The next caller must not wait for a turn that never began.
        release();
        throw unavailable(error);
      }
      return release;
    },
    execute<Row>(query: CompiledQuery): QueryResult<Row> {
      try {
        return run<Row>(query);
      } finally {
        onRun(query.sql);
      }
    },
    get isTransaction() {
      return database.isTransaction;
    },
  };
}

const runEach = (statement: StatementSync, { rows }: Batch) =>
  rows.filter((values) => statement.run(...values).changes > 0);
