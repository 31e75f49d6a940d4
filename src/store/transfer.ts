// Moves data from one database to another, of either kind: accounts with their passwords, keys, templates, usage, jobs,
// webhooks, and the secrets of the service, so that signed links stay valid and encrypted requests open. The cache is not
// moved, because it fills again; nor are sessions: users sign in again.
import { type Kysely, sql } from 'kysely';
import type { OpenStore } from './open.ts';
import type { Schema } from './schema.ts';

export type ExportLine =
  | { readonly tintype: 'export'; readonly migrations: readonly string[]; readonly at: string }
  | { readonly table: string; readonly row: Row }
  | { readonly end: true; readonly rows: number };

type Row = Record<string, string | number | boolean | null>;
type AnyTable = Record<string, Row>;

type Table = {
  readonly name: keyof Schema;
  readonly key: readonly string[];
  readonly flags?: readonly string[];
  /** Columns of bytes: base64 in an export. */
  readonly binary?: readonly string[];
  /** How many rows are read and written at once, if they may have megabytes. */
  readonly rowsAtOnce?: number;
};

/** In the order of their foreign keys. */
const tables: readonly Table[] = [
  { name: 'accounts', key: ['id'], flags: ['email_verified', 'admin', 'disabled', 'two_factor'] },
  { name: 'credentials', key: ['id'] },
  { name: 'two_factors', key: ['id'], flags: ['verified'] },
  { name: 'passkeys', key: ['id'], flags: ['backed_up'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'own_templates', key: ['id'] },
  { name: 'own_template_versions', key: ['template_id', 'version'] },
  { name: 'own_template_files', key: ['template_id', 'name', 'hash'], rowsAtOnce: 4 },
  { name: 'removed_templates', key: ['account_id', 'name'] },
  { name: 'usage_hours', key: ['account_id', 'hour', 'key_id'] },
  { name: 'requests', key: ['id'] },
  { name: 'quota_months', key: ['account_id', 'month'] },
  { name: 'admin_actions', key: ['id'] },
  { name: 'service_values', key: ['name'] },
  { name: 'invitations', key: ['id'], flags: ['admin'] },
  { name: 'batches', key: ['id'] },
  { name: 'jobs', key: ['id'], binary: ['sealed'], rowsAtOnce: 16 },
  { name: 'job_accounts', key: ['account_id'] },
  { name: 'idempotency_keys', key: ['account_id', 'name'] },
  { name: 'webhook_secrets', key: ['account_id'] },
  { name: 'webhook_deliveries', key: ['id'] },
  { name: 'webhook_attempts', key: ['id'] },
  { name: 'sites', key: ['id'] },
  { name: 'site_pages', key: ['site_id', 'path'] },
];

export const exportedTables: readonly string[] = tables.map(({ name }) => name);

const pageSize = 500;
// PostgreSQL takes 65,535 values in a statement; a request has 15.
const batchSize = 200;

/** All rows as they are when the export begins: the counts of jobs match the jobs, although a service may be running. */
export async function* exportLines(store: OpenStore): AsyncGenerator<ExportLine> {
  const snapshot = store.db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const trx = await snapshot.execute();
  try {
    yield { tintype: 'export', migrations: await migrationsOf(trx), at: new Date().toISOString() };
    let rows = 0;
    for (const table of tables)
      for await (const row of allRows(trx as unknown as Kysely<AnyTable>, table)) {
        rows++;
        yield { table: table.name, row };
      }
    yield { end: true, rows };
  } finally {
    await trx.rollback().execute();
  }
}

async function* allRows(db: Kysely<AnyTable>, table: Table): AsyncGenerator<Row> {
  const { name, key, flags = [], binary = [], rowsAtOnce: size = pageSize } = table;
  let last: Row | undefined;
  for (;;) {
    let page = db.selectFrom(name).selectAll().limit(size);
    for (const column of key) page = page.orderBy(column);
    if (last !== undefined) {
      const columns = sql.join(key.map((column) => sql.ref(column)));
      const values = sql.join(key.map((column) => last?.[column]));
      page = page.where(sql<boolean>`(${columns}) > (${values})`);
    }
    const found = (await page.execute()) as Row[];
    last = found.at(-1);
    for (const row of found) {
      for (const flag of flags) row[flag] = Boolean(row[flag]);
      for (const column of binary) row[column] = base64Of(row[column] as unknown as Uint8Array | null);
      // PostgreSQL returns times as dates; both databases accept ISO text.
      yield JSON.parse(JSON.stringify(row));
    }
    if (last === undefined || found.length < size) return;
  }
}

const base64Of = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('base64');

/** Imports all or nothing, and only into a database without accounts. Returns the number of rows of each table. */
export async function importLines(store: OpenStore, lines: AsyncIterable<ExportLine>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const wanted = (await migrationsOf(store.db)).join();
  await store.db.transaction().execute(async (trx) => {
    const db = trx as unknown as Kysely<AnyTable>;
    if ((await db.selectFrom('accounts').select('id').limit(1).execute()).length > 0)
      throw new Error('This database has accounts already. Import into an empty one.');
    let batch: { table: string; rows: Row[] } = { table: '', rows: [] };
    let ended = false;
    const flush = async () => {
      if (batch.rows.length > 0) await insert(db, batch.table, batch.rows);
      counts[batch.table] = (counts[batch.table] ?? 0) + batch.rows.length;
      batch = { table: '', rows: [] };
    };
    for await (const line of lines) {
      if ('tintype' in line && line.migrations.join() !== wanted)
        throw new Error('The export is of another version of Tintype. Bring both to the same version first.');
      if ('row' in line) {
        if (line.table !== batch.table || batch.rows.length === sizeOfBatch(batch.table)) await flush();
        batch.table = line.table;
        batch.rows.push(line.row);
      }
      if ('end' in line) {
        await flush();
        const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
        if (rows !== line.rows) throw new Error(`The export has ${rows} rows of ${line.rows}. It is damaged.`);
        ended = true;
      }
    }
    if (!ended) throw new Error('The export has no end. It is damaged, or no export.');
  });
  delete counts[''];
  return counts;
}

const sizeOfBatch = (table: string): number => tables.find(({ name }) => name === table)?.rowsAtOnce ?? batchSize;

async function insert(db: Kysely<AnyTable>, table: string, rows: readonly Row[]): Promise<void> {
  const known = tables.find(({ name }) => name === table);
  if (known === undefined) throw new Error(`The export has an unknown table "${table}".`);
  const into = db.insertInto(table).values(rows.map((row) => withBytes(row, known)) as never);
  // A service that was started on the new database has created a secret of its own: the imported one replaces it.
  const query =
    table === 'service_values'
      ? into.onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ value: (eb: { ref(name: string): unknown }) => eb.ref('excluded.value') } as never),
        )
      : into;
  await query.execute();
}

const withBytes = (row: Row, { binary = [] }: Table): Record<string, unknown> => ({
  ...row,
  ...Object.fromEntries(binary.map((column) => [column, bytesOf(row[column])])),
});

const bytesOf = (text: unknown): Buffer | null => (typeof text === 'string' ? Buffer.from(text, 'base64') : null);

const migrationsOf = async (db: Kysely<Schema>): Promise<string[]> =>
  (await db.selectFrom('migrations').select('name').orderBy('name').execute()).map(({ name }) => name);
