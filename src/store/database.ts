// What SQLite and PostgreSQL have in common, and the error for callers when the database is unavailable.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, Kysely } from 'kysely';
import { Problem } from '../kernel/errors.ts';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

export type Database = {
  readonly dialect: Dialect;
  readonly db: Kysely<Schema>;
  /**
   * The same tables, for writes of every request: usage and the index of the cache. A commit survives the end of the
   * process, but a power cut may lose the last second: that saves a wait for the disk.
   */
  readonly relaxed: Kysely<Schema>;
  /**
   * A query that is compiled once; a call only binds and reads. For the reads of every request. What `toValue` makes of a row
   * may be given to several callers.
   */
  prepare<Row, T>(
    query: CompiledQuery<Row>,
    toValue: (row: Row) => T,
  ): (...values: readonly (string | number)[]) => Promise<readonly T[]>;
  close(): Promise<void>;
};

/** How long a query may wait for a database that does not answer. */
export const patienceMs = 2000;

const faults = new AsyncLocalStorage<{ problem?: Problem }>();

/** The 503 of a database that does not answer. */
export function unavailable(cause: unknown): Problem {
  const problem = new Problem('storage_unavailable', { retryAfter: 2, cause });
  const scope = faults.getStore();
  if (scope) scope.problem = problem;
  return problem;
}

/**
 * Runs a library that hides database errors behind an answer such as "not signed in". If the database was unavailable
 * meanwhile, this throws that error, whatever the library answered.
 */
export function rethrowDatabaseFaults<T>(work: () => Promise<T>): Promise<T> {
  const scope: { problem?: Problem } = {};
  return faults.run(scope, async () => {
    try {
      const result = await work();
      if (scope.problem) throw scope.problem;
      return result;
    } catch (error) {
      throw scope.problem ?? error;
    }
  });
}
