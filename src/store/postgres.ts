// PostgreSQL under Kysely. The pool reconnects by itself. A connection whose query failed is closed: a query that never
// returned would block the next one.
import { type CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Log } from '../kernel/log.ts';
import { type Database, unavailable } from './database.ts';
import type { Schema } from './schema.ts';

// int8 and numeric: pg returns them as text, because they can exceed the range of a double. Ours do not.
const numbers = new Set([20, 1700]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (numbers.has(oid) ? Number : pg.types.getTypeParser(oid, format)),
};

export function openPostgres(url: string, patience: number, log: Log): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'tintype',
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: 1500,
    // A time-out on our side: a server that hangs does not end its own statements, and PgBouncer refuses connections
    // that set statement_timeout.
    query_timeout: patience,
    types,
  });
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'A database connection was lost.'));
  // pg removes its own listener while a connection is in use: one that breaks during a query would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: { connect: () => borrow(pool), end: () => pool.end(), options: pool.options },
    }),
  });
  return {
    dialect: 'postgres',
    db,
    relaxed: db,
    prepare: <Row, T>(query: CompiledQuery<Row>, toValue: (row: Row) => T) => {
      return async (...values) => (await db.executeQuery<Row>({ ...query, parameters: values })).rows.map(toValue);
    },
    close: () => db.destroy(),
  };
}

async function borrow(pool: pg.Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  let broken: unknown;
  const query = async (sql: string, parameters: unknown[]) => {
    if (broken) throw unavailable(broken);
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      if (isOurOwnFault(error)) throw error;
      broken = error;
      throw unavailable(error);
    }
  };
  return {
    // Kysely streams with cursors through the same method; nothing here streams.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || broken !== undefined),
  };
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: 22 data, 23 constraint, 42 a wrong statement. */
const isOurOwnFault = (error: unknown): boolean => /^(22|23|42)/.test((error as { code?: string }).code ?? '');
