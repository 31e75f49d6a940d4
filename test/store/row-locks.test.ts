// Several processes that change the same rows at once, on PostgreSQL: none of them fails by a deadlock.
import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenStore } from '../../src/store/open.ts';
import type { Schema } from '../../src/store/schema.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

const postgres = databases.filter(({ name }) => name === 'PostgreSQL');

describe.each(postgres)('rows that another process has locked, on $name', (kind) => {
  let database: TestDatabase;
  let store: OpenStore;
  let other: OpenStore;
  beforeEach(async () => {
    database = await kind.create();
    [store, other] = await Promise.all([database.open(), database.open()]);
  });
  afterEach(() => database.remove());
  afterAll(() => kind.end());

  const putEntries = async (...keys: string[]) => {
    for (const key of keys)
      await store.cache.put({
        key,
        accountId: 'acc_1',
        hash: key,
        size: 1,
        type: 'image/png',
        meta: '{}',
        createdAt: 1,
        usedAt: 1,
        maxAgeMs: null,
        keptUntil: 9,
        subject: null,
      });
  };
  const lockEntry = (trx: Kysely<Schema>, key: string) =>
    trx.selectFrom('cache_entries').select('key').where('key', '=', key).forUpdate().noWait().execute();

  /** Resolves when a statement of this database waits for a lock. */
  const someoneWaits = async () => {
    for (;;) {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
      if (rows.length > 0) return;
      await setTimeout(5);
    }
  };

  it('are waited for in order when results are removed: nothing is held meanwhile that comes later', async () => {
    await putEntries('z', 'm', 'a');
    let removing: Promise<string[]> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await lockEntry(trx, 'a');
      removing = store.cache.remove(['z', 'm', 'a']);
      await someoneWaits();
      await lockEntry(trx, 'm');
      await lockEntry(trx, 'z');
    });
    expect(await removing).toHaveLength(3);
    expect(await store.cache.totals()).toEqual({ entries: 0, bytes: 0 });
  });

  it('are left out when uses are noted: that never waits', async () => {
    await putEntries('a', 'b');
    const { id: accountId } = await store.accounts.create({ email: 'two@example.test', plan: 'free' });
    const key = { accountId, name: 'name', first: 'f', last: 'l', signingSecret: 's' };
    for (const id of ['key_a', 'key_b']) await store.keys.create({ ...key, id, hash: id }, 9);
    await other.db.transaction().execute(async (trx) => {
      await lockEntry(trx, 'a');
      await trx.selectFrom('api_keys').select('id').where('id', '=', 'key_a').forUpdate().execute();
      await store.cache.touch(['a', 'b'], 7);
      await store.keys.touch(['key_a', 'key_b'], 7);
    });
    const used = await store.db.selectFrom('cache_entries').select(['key', 'used_at']).orderBy('key').execute();
    expect(used).toEqual([
      { key: 'a', used_at: 1 },
      { key: 'b', used_at: 7 },
    ]);
    const noted = await store.db.selectFrom('api_keys').select(['id', 'last_used_at']).orderBy('id').execute();
    expect(noted).toEqual([
      { id: 'key_a', last_used_at: null },
      { id: 'key_b', last_used_at: 7 },
    ]);
  });

  it('are left for the next time when old ones are removed', async () => {
    const old = { accountId: 'acc_1', keyId: 'k', at: 1, endpoint: 'og', status: 200, outcome: 'hit' } as const;
    const details = { parameters: '{}', phases: '{}', warnings: '[]', cacheKey: null, verdict: '' };
    const times = { code: null, renderMs: null, totalMs: 1 };
    await store.usage.record(['a', 'b'].map((id) => ({ id, ...old, ...details, ...times })));
    const left = async () => (await store.db.selectFrom('requests').select('id').execute()).map(({ id }) => id);
    await other.db.transaction().execute(async (trx) => {
      await trx.selectFrom('requests').select('id').where('id', '=', 'a').forUpdate().execute();
      await store.usage.prune(2);
      expect(await left()).toEqual(['a']);
    });
    await store.usage.prune(2);
    expect(await left()).toEqual([]);
  });
});
