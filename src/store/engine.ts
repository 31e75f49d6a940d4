// What the two databases have in common, and the one error a caller can meet when either is away.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CompiledQuery, Kysely } from 'kysely';
import { Problem } from '../kernel/errors.ts';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

export type Engine = {
  readonly dialect: Dialect;
  readonly db: Kysely<Schema>;
  /**
   * The same tables, for what every request writes: usage and the index of the cache. A commit survives the process, but
   * the last second of them may be lost in a power cut, where that spares a wait for the disk.
   */
  readonly quick: Kysely<Schema>;
  /** Compiled once, here; a call only binds and reads. For what every request does. */
  prepare<Row>(query: CompiledQuery<Row>): (...values: readonly (string | number)[]) => Promise<Row[]>;
  close(): Promise<void>;
};

/** How long a query may wait for a database that does not answer, and then the caller is told. */
export const patienceMs = 2000;

const faults = new AsyncLocalStorage<{ problem?: Problem }>();

/** The database does not answer. Waiting clients are told when to come back. */
export function unavailable(cause: unknown): Problem {
  const problem = new Problem('storage_unavailable', { retryAfter: 2, cause });
  const scope = faults.getStore();
  if (scope) scope.problem = problem;
  return problem;
}

/**
 * Runs code of others that swallows database errors and answers "not signed in" instead: if the database was
 * away meanwhile, that is the answer, whatever the code made of it.
 */
export function noticingFaults<T>(work: () => Promise<T>): Promise<T> {
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
