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
    // A statement that waits must not time out before the test has seen it wait.
    const open = () => database.open({ patience: 60_000 });
    [store, other] = await Promise.all([open(), open()]);
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

  /** Resolves when so many statements of this database wait for a lock; `words` are in each of them. */
  const someoneWaits = async (count = 1, words = '') => {
    for (;;) {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and strpos(query, ${words}) > 0`.execute(store.db);
      if (rows.length >= count) return;
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

  it('include the counts of an account that submits its first jobs: an idempotency key is used once', async () => {
    const none = { queued: 0, running: 0, served_at: 0, ready_at: 0 };
    const submit = (id: string) => {
      const about = { keyId: 'k', kind: 'og', request: '[]', subject: '', metadata: null, webhook: null } as const;
      const most = { queued: 9, aMinute: 1e6, bytes: 1e6 };
      const idempotency = { key: 'order 7', hash: 'a' };
      return store.jobs.accept([{ accountId: 'acc_1', jobs: [{ id, ...about, sealed: null }], idempotency, most }], 5);
    };
    // Both are uncommitted: whoever accepts a job waits for the first, then for the second.
    const counts = await other.db.startTransaction().execute();
    await counts
      .insertInto('job_accounts')
      .values({ account_id: 'acc_1', ...none })
      .execute();
    const key = await other.db.startTransaction().execute();
    await key
      .insertInto('idempotency_keys')
      .values({ account_id: 'acc_1', name: 'order 7', hash: 'a', subject_id: 'job_0', created_at: 5 })
      .execute();
    const first = submit('job_1');
    await someoneWaits(1, 'job_accounts');
    await counts.commit().execute();
    await someoneWaits(1, 'idempotency_keys');
    const second = submit('job_2');
    await someoneWaits(2);
    await key.rollback().execute();
    expect(await first).toEqual([{ outcome: 'accepted', at: 5 }]);
    expect(await second).toEqual([{ outcome: 'known', id: 'job_1', hash: 'a' }]);
  });

  it('include the template when two upload a file of one name: one of the files is current', async () => {
    const { id: accountId } = await store.accounts.create({ email: 'two@example.test', plan: 'pro' });
    const id = (await store.ownTemplates.create(accountId, 'hero', 10, 1))?.id ?? '';
    const put = (hash: string) =>
      store.ownTemplates.putFile(id, { name: 'a.png', hash, kind: 'image', size: 1, bytes: Buffer.from('a') }, 1);
    await put('one');
    let both: Promise<unknown> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await trx.selectFrom('own_template_files').select('hash').where('template_id', '=', id).forUpdate().execute();
      both = Promise.all([put('two'), put('three')]);
      await someoneWaits(2);
    });
    await both;
    expect(await store.ownTemplates.files(id)).toHaveLength(1);
  });

  it('are left out when an account is removed, until nothing else is left: usage is recorded meanwhile', async () => {
    const { id } = await store.accounts.create({ email: 'two@example.test', plan: 'pro' });
    const hour = { account_id: id, hour: 0, renders: 1, hits: 0, errors: 0 };
    for (const key_id of ['k1', 'k2'])
      await store.db
        .insertInto('usage_hours')
        .values({ ...hour, key_id })
        .execute();
    const lockHour = (trx: Kysely<Schema>, key: string) =>
      trx.selectFrom('usage_hours').select('hour').where('key_id', '=', key).forUpdate().noWait().execute();
    let removing: Promise<void> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await lockHour(trx, 'k2');
      removing = store.accounts.remove(id);
      await someoneWaits();
      await lockHour(trx, 'k1');
    });
    await removing;
    expect(await store.db.selectFrom('usage_hours').select('hour').execute()).toEqual([]);
    expect(await store.accounts.byId(id)).toBeUndefined();
  });

  it('are waited for in one order when an account is removed and when its usage is recorded', async () => {
    const { id } = await store.accounts.create({ email: 'two@example.test', plan: 'pro' });
    const counts = { account_id: id, renders: 1, hits: 0, errors: 0 };
    for (const row of [
      { key_id: 'k2', hour: 0 },
      { key_id: 'k1', hour: 1 },
    ])
      await store.db
        .insertInto('usage_hours')
        .values({ ...counts, ...row })
        .execute();
    const lockHour = (trx: Kysely<Schema>, key: string) =>
      trx.selectFrom('usage_hours').select('hour').where('key_id', '=', key).forUpdate().execute();
    const first = await other.db.startTransaction().execute();
    const second = await other.db.startTransaction().execute();
    await lockHour(first, 'k1');
    await lockHour(second, 'k2');
    const removing = store.accounts.remove(id);
    await someoneWaits();
    await second.commit().execute();
    await lockHour(first, 'k2');
    await first.commit().execute();
    await removing;
    expect(await store.db.selectFrom('usage_hours').select('hour').execute()).toEqual([]);
  });

  it('are waited for in order when leases are renewed, when a batch is canceled and when an account is removed', async () => {
    const { id: account_id } = await store.accounts.create({ email: 'two@example.test', plan: 'pro' });
    // The later ones come first in the table.
    for (const id of ['b2', 'b1', 'a2', 'a1'])
      await sql`insert into jobs (id, account_id, key_id, batch_id, kind, request, subject, status, created_at,
        run_after, attempts, failures, lease_token) values (${id}, ${account_id}, 'k', 'batch', 'og', '[]', '',
        ${id.startsWith('a') ? 'running' : 'queued'}, 1, 0, 0, 0, ${id})`.execute(store.db);
    const lockJob = (trx: Kysely<Schema>, id: string) =>
      trx.selectFrom('jobs').select('id').where('id', '=', id).forUpdate().noWait().execute();
    const webhooks = { job: () => '', batch: () => '' };
    const works: [string, () => Promise<unknown>][] = [
      [
        'a',
        () =>
          store.jobs.renew(
            [
              { id: 'a2', token: 'a2' },
              { id: 'a1', token: 'a1' },
            ],
            9,
          ),
      ],
      ['b', () => store.jobs.cancelBatch(account_id, 'batch', webhooks, 5)],
      ['a', () => store.accounts.remove(account_id)],
    ];
    for (const [group, work] of works) {
      let working: Promise<unknown> | undefined;
      await other.db.transaction().execute(async (trx) => {
        await lockJob(trx, `${group}1`);
        working = work();
        await someoneWaits();
        await lockJob(trx, `${group}2`);
      });
      await working;
    }
    expect(await store.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  });

  it('are waited for in one order when an account is removed and when its password is changed', async () => {
    const { id } = await store.signIn.create({ email: 'two@example.test', plan: 'pro', passwordHash: 'h' });
    const time = new Date().toISOString();
    const times = { expires_at: time, created_at: time, updated_at: time };
    await store.db
      .insertInto('sessions')
      .values({ id: 's', token: 's', account_id: id, ...times })
      .execute();
    let removing: Promise<void> | undefined;
    await other.db.transaction().execute(async (trx) => {
      await trx.selectFrom('credentials').select('id').where('account_id', '=', id).forUpdate().execute();
      removing = store.accounts.remove(id);
      await someoneWaits();
      await trx.selectFrom('sessions').select('id').where('account_id', '=', id).forUpdate().noWait().execute();
    });
    await removing;
    expect(await store.accounts.byId(id)).toBeUndefined();
  });

  it('are few when a large account is removed: no statement takes long', async () => {
    const { id } = await store.accounts.create({ email: 'two@example.test', plan: 'pro' });
    await sql`insert into requests (id, account_id, key_id, at, endpoint, status, outcome, total_ms, parameters, phases, warnings)
      select 'r' || i, ${id}, 'k', i, 'og', 200, 'hit', 1, '{}', '{}', '[]' from generate_series(1, 5000) as i`.execute(
      store.db,
    );
    await sql`create function few() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 2000 then raise exception 'Many rows.'; end if; return null; end $$`.execute(
      store.db,
    );
    await sql`create trigger few after delete on requests referencing old table as gone
      for each statement execute function few()`.execute(store.db);
    await store.accounts.remove(id);
    expect(await store.db.selectFrom('requests').select('id').execute()).toEqual([]);
  });
});
