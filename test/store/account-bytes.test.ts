// What an account may keep: its records of requests, its cached results, and how the file of SQLite shrinks.
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evict } from '../../src/cache/eviction.ts';
import type { PlanName } from '../../src/kernel/plans.ts';
import { databaseFile, type OpenStore, openStore } from '../../src/store/open.ts';
import type { RequestRecord } from '../../src/store/store.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

const most = (bytes: number): Record<PlanName, number> => ({ free: bytes, starter: bytes, pro: 1e9, business: 1e9 });

let serial = 0;
const request = (accountId: string, more: Partial<RequestRecord> = {}): RequestRecord => ({
  id: `req_${++serial}`,
  accountId,
  keyId: 'key_1',
  at: serial,
  endpoint: 'og',
  status: 200,
  outcome: 'render',
  code: null,
  renderMs: 1,
  totalMs: 1,
  parameters: 'ä'.repeat(250),
  phases: '{}',
  warnings: '[]',
  cacheKey: null,
  verdict: null,
  ...more,
});
const requests = (accountId: string, count: number) => Array.from({ length: count }, () => request(accountId));

describe.each(databases)('on $name', (kind) => {
  let database: TestDatabase;
  let store: OpenStore;
  beforeEach(async () => {
    database = await kind.create();
    store = await database.open();
  });
  afterEach(() => database.remove());
  afterAll(() => kind.end());

  const account = async (plan: PlanName) =>
    (await store.accounts.create({ email: `one-${++serial}@example.test`, plan })).id;
  const usageBytes = async (accountId: string) => {
    const row = store.db.selectFrom('usage_accounts').select('bytes').where('account_id', '=', accountId);
    return (await row.executeTakeFirst())?.bytes;
  };

  it('of an account with more records than its plan allows, the oldest are removed, and the sums stay', async () => {
    const [small, large] = [await account('free'), await account('pro')];
    for (let round = 0; round < 8; round++)
      await store.usage.record([...requests(small, 300), ...requests(large, 300)], most(1_000_000));
    // 1,004 bytes each.
    expect(await usageBytes(large)).toBe(2400 * 1004);
    const left = (await usageBytes(small)) ?? 0;
    expect(left).toBeGreaterThan(400_000);
    expect(left).toBeLessThanOrEqual(1_000_000);
    const [newest] = await store.usage.recent(small, { count: 1 });
    expect(newest?.at).toBeGreaterThan(serial - 700);
    expect((await store.usage.byKey(small, 0))[0]?.renders).toBe(2400);
    await store.usage.prune(serial + 1);
    expect(await usageBytes(small)).toBe(0);
    await store.accounts.remove(small);
    expect(await usageBytes(small)).toBeUndefined();
  });

  it('an account keeps the cached results that its plan allows, those that were used last', async () => {
    const [small, large] = [await account('free'), await account('pro')];
    const now = Date.now();
    for (const accountId of [small, large])
      for (let i = 0; i < 30; i++)
        await store.cache.put({
          key: `${accountId}-${i}`,
          accountId,
          hash: `${accountId}-${i}`,
          size: 100,
          type: 'image/png',
          meta: '',
          createdAt: now,
          usedAt: now - 30 + i,
          maxAgeMs: null,
          subject: null,
          keptUntil: now + 1e9,
        });
    await evict(store.cache, 1e9, most(1000), async (keys) => void (await store.cache.remove(keys)));
    const sizes = Object.fromEntries((await store.cache.accounts()).map(({ accountId, bytes }) => [accountId, bytes]));
    expect(sizes[large]).toBe(3000);
    expect(sizes[small]).toBeGreaterThan(800);
    expect(sizes[small]).toBeLessThanOrEqual(1000);
    expect(await store.cache.find(`${small}-29`)).toBeDefined();
  });

  it('a database of the version before is counted when it is migrated, and loses nothing', async () => {
    const id = await account('free');
    await store.usage.record(requests(id, 7));
    const job = {
      keyId: 'key_1',
      kind: 'og',
      request: '{}',
      subject: 's',
      metadata: null,
      webhook: null,
      sealed: null,
    };
    const jobs = ['job_1', 'job_2'].map((jobId) => ({ ...job, id: jobId, kind: 'og' as const }));
    await store.jobs.accept([{ accountId: id, jobs, most: { queued: 9, aMinute: 9, bytes: 1e6 } }], Date.now());
    const bytes = [await usageBytes(id), (await jobCounts(id)).stored_bytes];
    const undo = [
      ...['requests_added', 'requests_removed', 'jobs_added', 'jobs_removed', 'jobs_changed'].map((name) =>
        store.dialect === 'postgres' ? `drop function ${name} cascade` : `drop trigger ${name}`,
      ),
      'drop table usage_accounts',
      ...['stored_bytes', 'sent', 'sent_since'].map((name) => `alter table job_accounts drop column ${name}`),
      ...['bytes', 'kept_bytes', 'ended'].map(
        (name) => `alter table job_accounts add column ${name} bigint not null default 0`,
      ),
      ...['bytes', 'kept_bytes'].map((name) => `alter table jobs add column ${name} bigint not null default 0`),
      "delete from migrations where name = '013-account-bytes'",
    ];
    for (const text of undo) await sql.raw(text).execute(store.db);
    store = await database.open();
    expect([await usageBytes(id), (await jobCounts(id)).stored_bytes]).toEqual(bytes);
    expect(await store.usage.recent(id, { count: 99 })).toHaveLength(7);
    expect(await store.jobs.list(id, { count: 99 })).toHaveLength(2);
  });

  const jobCounts = (id: string) =>
    store.db.selectFrom('job_accounts').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();
});

describe('the file of SQLite', () => {
  const [sqlite] = databases;
  const fill = async (store: OpenStore) => {
    const { id } = await store.accounts.create({ email: `one-${++serial}@example.test`, plan: 'free' });
    const large = Array.from({ length: 600 }, () => request(id, { parameters: 'x'.repeat(100_000) }));
    for (let from = 0; from < large.length; from += 50) await store.usage.record(large.slice(from, from + 50));
  };

  it('shrinks when much of it was removed', async () => {
    const database = await sqlite?.create();
    if (database === undefined) throw new Error('There is always SQLite.');
    const store = await database.open();
    const size = () => statSync(join(database.options.dataDir, databaseFile)).size;
    await fill(store);
    await expect.poll(size, { timeout: 20_000 }).toBeGreaterThan(50e6);
    await store.usage.prune(serial + 1);
    await expect.poll(size, { timeout: 30_000, interval: 250 }).toBeLessThan(15e6);
    await database.remove();
  }, 60_000);

  it('of an earlier version is rewritten once, when it is migrated, so that it can shrink', async () => {
    const database = await sqlite?.create();
    if (database === undefined) throw new Error('There is always SQLite.');
    const before = await openStore(database.options);
    const mode = async (store: OpenStore) =>
      (await sql<{ auto_vacuum: number }>`pragma auto_vacuum`.execute(store.db)).rows[0]?.auto_vacuum;
    expect(await mode(before)).toBe(2);
    await sql`drop table sign_in_addresses`.execute(before.db);
    await sql`delete from migrations where name = '012-sign-in-addresses'`.execute(before.db);
    await before.close();
    const raw = new DatabaseSync(join(database.options.dataDir, databaseFile));
    raw.exec('pragma journal_mode = delete; pragma auto_vacuum = none; vacuum');
    expect((raw.prepare('pragma auto_vacuum').get() as { auto_vacuum: number }).auto_vacuum).toBe(0);
    raw.close();
    const after = await openStore(database.options);
    expect(await mode(after)).toBe(2);
    await after.close();
    await rm(database.options.dataDir, { recursive: true });
  });
});
