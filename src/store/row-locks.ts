// Locks on rows. SQLite has one writer, which needs none.
import type { SelectQueryBuilder } from 'kysely';
import type { Dialect } from './database.ts';

/** Locks the rows, in the order of the query: two that lock the same rows in different orders could deadlock. */
export const locked = <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>, dialect: Dialect) =>
  dialect === 'postgres' ? query.forUpdate() : query;

/** Locks the rows, without those that another transaction has locked: it never waits. */
export const notLocked = <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>, dialect: Dialect) =>
  dialect === 'postgres' ? query.forUpdate().skipLocked() : query;
