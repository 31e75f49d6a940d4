// What the store promises, the same on both databases.
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerdictFilter } from '../../src/kernel/verdict.ts';
import type { OpenStore } from '../../src/store/open.ts';
import type { CacheEntry, NewKey, RequestRecord } from '../../src/store/store.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

describe.each(databases)('the store on $name', (kind) => {
  let database: TestDatabase;
  let store: OpenStore;
  beforeEach(async () => {
    database = await kind.create();
    store = await database.open();
  });
  afterEach(() => database.remove());
  afterAll(() => kind.end());

  let serial = 0;
  const newKey = (accountId: string, more: Partial<NewKey> = {}): NewKey => {
    const id = `key_${++serial}`;
    return {
      id,
      accountId,
      name: 'name',
      hash: `hash-of-${id}`,
      first: 'first',
      last: 'last',
      signingSecret: 's',
      ...more,
    };
  };
  const account = (email = `one-${++serial}@example.test`) => store.accounts.create({ email, plan: 'free' });

  describe('the renders of a month', () => {
    const month = Date.UTC(2026, 10, 1);

    it('are counted up to the limit, however many ask at once', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => store.quota.take('a', month, 7)));
      expect(all.filter((used) => used !== undefined).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
      await store.quota.giveBack('a', month);
      expect(await store.quota.take('a', month, 7)).toBe(7);
      expect(await store.quota.take('a', month, 8)).toBe(8);
      expect(await store.quota.used('a', month)).toBe(8);
      expect(await store.quota.used('b', month)).toBe(0);
    });

    it('begin with what was rendered in the month before there was an allowance', async () => {
      const at = month + 1000;
      await store.usage.record(
        [1, 2, 3].map((id) => request({ id: `early-${id}`, accountId: 'a', at, outcome: 'render' })),
      );
      expect(await store.quota.used('a', month)).toBe(3);
      expect(await store.quota.take('a', month, 3)).toBeUndefined();
      expect(await store.quota.take('a', month, 4)).toBe(4);
    });
  });

  describe('accounts', () => {
    it('are made with exactly what is asked and found by id and by mail in any case', async () => {
      const before = Date.now();
      const made = await store.accounts.create({
        email: ' Some.One@Example.test ',
        plan: 'pro',
        admin: true,
        name: 'One',
      });
      expect(made).toMatchObject({
        email: 'some.one@example.test',
        name: 'One',
        plan: 'pro',
        admin: true,
        disabled: false,
      });
      expect(made.createdAt).toBeGreaterThanOrEqual(before);
      expect(made.createdAt).toBeLessThanOrEqual(Date.now());
      expect(await store.accounts.byId(made.id)).toEqual(made);
      expect(await store.accounts.byEmail('SOME.one@example.test')).toEqual(made);
      expect(await store.accounts.byEmail('other@example.test')).toBeUndefined();
      expect(await store.accounts.list()).toEqual([made]);
    });

    it('have one mail each: a second one is a conflict', async () => {
      await account('twice@example.test');
      await expect(account('TWICE@example.test')).rejects.toMatchObject({ code: 'conflict', status: 409 });
    });

    it('change plan, name and whether they are disabled', async () => {
      const { id } = await account();
      await store.accounts.setPlan(id, 'business');
      await store.accounts.setName(id, 'Renamed');
      await store.accounts.setDisabled(id, true);
      expect(await store.accounts.byId(id)).toMatchObject({ plan: 'business', name: 'Renamed', disabled: true });
    });

    it('tell whether there is an administrator', async () => {
      await account();
      expect(await store.accounts.adminExists()).toBe(false);
      await store.accounts.create({ email: 'admin@example.test', plan: 'business', admin: true });
      expect(await store.accounts.adminExists()).toBe(true);
    });

    /** The tables that have a row of this account. */
    const tablesWith = async (id: string) => {
      const named: string[] = [];
      for (const { name, columns } of await store.db.introspection.getTables())
        if (columns.some((column) => column.name === 'account_id')) {
          const { rows } = await sql`select 1 from ${sql.table(name)} where account_id = ${id} limit 1`.execute(
            store.db,
          );
          if (rows.length > 0) named.push(name);
        }
      return named.sort();
    };

    it('are deleted with all their data, and nothing of others', async () => {
      const [gone, stays] = [await account(), await account()];
      for (const { id } of [gone, stays]) {
        await store.keys.create(newKey(id), 9);
        await store.cache.put(entry({ key: `entry-of-${id}`, accountId: id }));
        await store.usage.record([request({ accountId: id })]);
        await store.signIn.setPassword(id, 'hash');
        await store.signIn.createReset(`reset-of-${id}`, id, Date.now() + 60_000);
        await store.quota.take(id, Date.UTC(2026, 10, 1), 9);
        await store.webhooks.secrets.createIfAbsent(id, 'sealed', 1);
        const hook = {
          type: 'test',
          subjectId: `test-of-${id}`,
          url: 'https://hook.test/',
          body: '{}',
          at: 1,
        } as const;
        await store.webhooks.add({ accountId: id, ...hook });
        const job = { keyId: 'k', kind: 'og', request: '{}', subject: '', sealed: null, metadata: null } as const;
        const batch = { id: `batch-of-${id}`, webhook: null };
        const idempotency = { key: 'again', hash: 'h' };
        const most = { queued: 9, aMinute: 1e6, bytes: 1e6 };
        const jobs = [{ ...job, id: `job-of-${id}`, webhook: null }];
        await store.jobs.accept([{ accountId: id, jobs, batch, idempotency, most }], 1);
        await store.ownTemplates.create(id, 'hero', 9, 1);
        const times = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
        const session = { id: `session-of-${id}`, account_id: id, token: `token-of-${id}` };
        await store.db
          .insertInto('sessions')
          .values({ ...session, ...times, expires_at: times.created_at })
          .execute();
        const factor = { id: `factor-of-${id}`, account_id: id, secret: 's', backup_codes: 'b' };
        await store.db.insertInto('two_factors').values(factor).execute();
      }
      const before = await tablesWith(gone.id);
      expect(before).toEqual(await tablesWith(stays.id));
      expect(before.length).toBeGreaterThan(15);
      await store.accounts.remove(gone.id);
      expect(await tablesWith(gone.id)).toEqual([]);
      expect(await tablesWith(stays.id)).toEqual(before);
      expect(await store.signIn.consumeReset(`reset-of-${gone.id}`, Date.now(), 'hash')).toBe(false);
      expect(await store.accounts.list()).toEqual([stays]);
      expect(await store.keys.list(gone.id)).toEqual([]);
      expect(await store.cache.find(`entry-of-${gone.id}`)).toBeUndefined();
      expect(await store.usage.recent(gone.id, { count: 9 })).toEqual([]);
      expect(await store.usage.byKey(gone.id, 0)).toEqual([]);
      expect(await store.signIn.passwordHash(gone.id)).toBeUndefined();
      expect(await store.keys.list(stays.id)).toHaveLength(1);
      expect(await store.cache.find(`entry-of-${stays.id}`)).toBeDefined();
      expect(await store.usage.recent(stays.id, { count: 9 })).toHaveLength(1);
    });
  });

  describe('keys', () => {
    it('are found by their hash, with the account as it is now', async () => {
      const owner = await account();
      const wish = newKey(owner.id, {
        allowedHosts: ['example.com'],
        allowedTemplates: ['quote'],
        expiresAt: 5_000_000_000_000,
      });
      const key = await store.keys.create(wish, 2);
      expect(key).toMatchObject({
        id: wish.id,
        accountId: owner.id,
        lastUsedAt: null,
        revokedAt: null,
        allowedHosts: ['example.com'],
      });
      expect(await store.keys.findByHash(wish.hash)).toEqual({ key, account: owner });
      await store.accounts.setPlan(owner.id, 'pro');
      expect((await store.keys.findByHash(wish.hash))?.account.plan).toBe('pro');
      expect(await store.keys.findByHash('another')).toBeUndefined();
    });

    it('are found with their signing secret by their id', async () => {
      const owner = await account();
      const wish = newKey(owner.id, { signingSecret: 'the secret' });
      const key = await store.keys.create(wish, 2);
      expect(await store.keys.findForSigning(wish.id)).toEqual({ key, account: owner, signingSecret: 'the secret' });
      expect(await store.keys.findForSigning('key_none')).toBeUndefined();
    });

    it('stop at the limit; revoked and expired ones leave room', async () => {
      const { id } = await account();
      const first = await store.keys.create(newKey(id), 2);
      await store.keys.create(newKey(id, { expiresAt: Date.now() - 1 }), 2);
      expect(await store.keys.create(newKey(id), 2)).toBeDefined();
      expect(await store.keys.create(newKey(id), 2)).toBeUndefined();
      await store.keys.revoke(first?.id ?? '');
      expect(await store.keys.create(newKey(id), 2)).toBeDefined();
      expect(await store.keys.list(id)).toHaveLength(4);
    });

    it('never exceed the limit when many are asked for at once, from two processes', async () => {
      const { id } = await account();
      const other = await database.open();
      const made = await Promise.all(
        Array.from({ length: 24 }, (_, i) => (i % 2 ? store : other).keys.create(newKey(id), 5)),
      );
      expect(made.filter(Boolean)).toHaveLength(5);
      expect(await store.keys.list(id)).toHaveLength(5);
    });

    it('are revoked once, by their owner only where one is named, and at once for every process', async () => {
      const [owner, stranger] = [await account(), await account()];
      const wish = newKey(owner.id);
      await store.keys.create(wish, 2);
      const other = await database.open();
      expect((await other.keys.findByHash(wish.hash))?.key.revokedAt).toBeNull();
      expect(await store.keys.revoke(wish.id, stranger.id)).toBe(false);
      expect(await store.keys.revoke(wish.id, owner.id)).toBe(true);
      // A request that is sent after this comes in a turn of the event loop of its own.
      await setImmediate();
      expect((await other.keys.findByHash(wish.hash))?.key.revokedAt).toBeGreaterThan(0);
      expect(await store.keys.revoke(wish.id)).toBe(false);
    });

    it('are revoked at once also for what was read at the end of a turn of the event loop', async () => {
      const owner = await account();
      const wish = newKey(owner.id);
      await store.keys.create(wish, 2);
      const other = await database.open();
      const { port1, port2 } = new MessageChannel();
      try {
        await setImmediate();
        expect((await other.keys.findByHash(wish.hash))?.key.revokedAt).toBeNull();
        await store.keys.revoke(wish.id);
        // Arrives with what the next turn reads, before that turn ends.
        port1.postMessage('');
        await once(port2, 'message');
        expect((await other.keys.findByHash(wish.hash))?.key.revokedAt).toBeGreaterThan(0);
      } finally {
        port1.close();
      }
    });

    it('are renamed by their owner only', async () => {
      const [owner, stranger] = [await account(), await account()];
      const wish = newKey(owner.id);
      await store.keys.create(wish, 2);
      expect(await store.keys.rename(stranger.id, wish.id, 'stolen')).toBe(false);
      expect(await store.keys.rename(owner.id, wish.id, 'new name')).toBe(true);
      expect((await store.keys.list(owner.id))[0]?.name).toBe('new name');
    });

    it('remember when they were last used, many at a time', async () => {
      const { id } = await account();
      const keys = Array.from({ length: 3 }, () => newKey(id));
      for (const key of keys) await store.keys.create(key, 9);
      const many = Array.from({ length: 1200 }, (_, i) => `key_unknown_${i}`);
      await store.keys.touch([...many, ...keys.slice(0, 2).map((key) => key.id)], 123);
      expect((await store.keys.list(id)).map((key) => key.lastUsedAt)).toEqual([123, 123, null]);
      await store.keys.touch([], 1);
    });
  });

  const entry = (more: Partial<CacheEntry> = {}): CacheEntry => ({
    key: 'key',
    accountId: 'acc_1',
    hash: 'hash',
    size: 10,
    type: 'image/png',
    meta: '{"title":"\\u0000 ünï 🐱"}',
    createdAt: 1_000,
    usedAt: 1_000,
    maxAgeMs: null,
    subject: null,
    keptUntil: 9_000_000_000_000,
    ...more,
  });

  describe('the cache index', () => {
    it('gives back what was put, and undefined for the rest', async () => {
      const large = entry({ size: 6_000_000_000, createdAt: Date.now(), maxAgeMs: 60_000 });
      expect(await store.cache.put(large)).toBeUndefined();
      expect(await store.cache.find('key')).toEqual(large);
      expect(await store.cache.find('other')).toBeUndefined();
    });

    it('names the hash that was replaced only if nobody else uses it', async () => {
      await store.cache.put(entry({ key: 'a', hash: 'one' }));
      await store.cache.put(entry({ key: 'b', hash: 'one' }));
      expect(await store.cache.put(entry({ key: 'a', hash: 'two' }))).toBeUndefined();
      expect(await store.cache.put(entry({ key: 'b', hash: 'two' }))).toBe('one');
      expect(await store.cache.put(entry({ key: 'b', hash: 'two', usedAt: 5 }))).toBeUndefined();
      expect(await store.cache.hasHash('one')).toBe(false);
      expect(await store.cache.hasHash('two')).toBe(true);
    });

    it('removes entries and names the hashes that became free', async () => {
      for (const [key, hash] of [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'y'],
        ['d', 'y'],
      ] as const)
        await store.cache.put(entry({ key, hash }));
      expect(await store.cache.remove(['a', 'c', 'd', 'no such'])).toEqual(['y']);
      expect(await store.cache.remove([])).toEqual([]);
      expect(await store.cache.totals()).toEqual({ entries: 1, bytes: 10 });
    });

    it('knows which of an account was not used for longest', async () => {
      for (const [key, usedAt, createdAt] of [
        ['a', 30, 1],
        ['b', 10, 2],
        ['c', 20, 3],
      ] as const)
        await store.cache.put(entry({ key, usedAt, createdAt }));
      await store.cache.put(entry({ key: 'foreign', accountId: 'acc_2', usedAt: 1 }));
      await store.cache.touch(['b'], 40);
      expect(await store.cache.evictable('acc_1', 100, 2)).toEqual([
        { key: 'c', size: 10 },
        { key: 'a', size: 10 },
      ]);
    });

    it('knows which are past their TTL and so wanted less, and which are of no use', async () => {
      for (const [key, createdAt, keptUntil] of [
        ['gone', 0, 100],
        ['past', 20, 180],
        ['fresh', 60, 300],
      ] as const)
        await store.cache.put(entry({ key, createdAt, keptUntil, usedAt: 100 - createdAt }));
      expect(await store.cache.expired(99, 9)).toEqual([]);
      expect(await store.cache.expired(100, 9)).toEqual([{ key: 'gone', size: 10 }]);
      expect((await store.cache.evictable('acc_1', 120, 9)).map(({ key }) => key)).toEqual(['gone', 'past']);
      await store.cache.remove(['gone', 'past']);
      expect((await store.cache.evictable('acc_1', 120, 9)).map(({ key }) => key)).toEqual(['fresh']);
    });

    it('knows how much each account keeps, whatever is put, replaced, moved or removed', async () => {
      const kept = async () =>
        Object.fromEntries((await store.cache.accounts()).map((each) => [each.accountId, each.bytes]));
      await Promise.all([
        store.cache.put(entry({ key: 'a', size: 1 })),
        store.cache.put(entry({ key: 'b', size: 20 })),
        store.cache.put(entry({ key: 'c', size: 300, accountId: 'acc_2' })),
      ]);
      expect(await kept()).toEqual({ acc_1: 21, acc_2: 300 });
      await store.cache.put(entry({ key: 'b', size: 5 }));
      await store.cache.put(entry({ key: 'a', size: 1, accountId: 'acc_2' }));
      await store.cache.touch(['a', 'b', 'c'], 9);
      expect(await kept()).toEqual({ acc_1: 5, acc_2: 301 });
      await store.cache.remove(['a', 'b']);
      expect(await kept()).toEqual({ acc_2: 300 });
      expect(await store.cache.totals()).toEqual({ entries: 1, bytes: 300 });
    });

    it('counts right when many are written and removed at once, from two processes', async () => {
      const other = await database.open();
      const turn = async (index: number) => {
        const from = index % 2 ? store : other;
        const keys = ['x', 'y', 'z'].map((name) => `${name}${index % 4}`);
        for (const [i, key] of keys.entries())
          await from.cache.put(entry({ key, hash: key, accountId: `acc_${(index + i) % 3}`, size: 1 + (index % 7) }));
        if (index % 3 === 0) await from.cache.remove(keys);
      };
      await Promise.all(Array.from({ length: 24 }, (_, index) => turn(index)));
      const rows = await store.db.selectFrom('cache_entries').select(['account_id', 'size']).execute();
      const sums: Record<string, number> = {};
      for (const { account_id, size } of rows) sums[account_id] = (sums[account_id] ?? 0) + size;
      const kept = (await store.cache.accounts()).map((each) => [each.accountId, each.bytes]);
      expect(Object.fromEntries(kept)).toEqual(sums);
    });

    it('lists the entries of one account, newest first, page by page', async () => {
      for (let i = 1; i <= 5; i++) await store.cache.put(entry({ key: `k${i}`, createdAt: i }));
      await store.cache.put(entry({ key: 'foreign', accountId: 'acc_2', createdAt: 9 }));
      expect((await store.cache.ofAccount('acc_1', 2)).map((found) => found.key)).toEqual(['k5', 'k4']);
      expect(
        (await store.cache.ofAccount('acc_1', 2, { before: { at: 4, id: 'k4' } })).map((found) => found.key),
      ).toEqual(['k3', 'k2']);
    });

    it('lists entries of the same millisecond once each, and only those that are young enough', async () => {
      for (const key of ['a', 'b', 'c']) await store.cache.put(entry({ key, createdAt: 7 }));
      await store.cache.put(entry({ key: 'old', createdAt: 1 }));
      await store.cache.put(entry({ key: 'brief', createdAt: 6, maxAgeMs: 2 }));
      const alive = { now: 9, ttlMs: 5 };
      const first = await store.cache.ofAccount('acc_1', 2, { alive });
      const last = first.at(-1);
      const rest = await store.cache.ofAccount('acc_1', 2, {
        alive,
        before: { at: last?.createdAt ?? 0, id: last?.key ?? '' },
      });
      expect([...first, ...rest].map(({ key }) => key)).toEqual(['c', 'b', 'a']);
    });

    it('lists the entries of one account by their verdict, whatever a page calls itself', async () => {
      const meta = (title: string, verdict?: unknown) => JSON.stringify({ page: { title }, verdict, warnings: [] });
      const walled = meta('Just a moment', { ok: false, codes: ['http_error', 'bot_wall'] });
      const liar = meta('"verdict":{"ok":false,"codes":["bot_wall"]}', { ok: true, codes: [] });
      await store.cache.put(entry({ key: 'walled', createdAt: 1, meta: walled }));
      await store.cache.put(entry({ key: 'liar', createdAt: 2, meta: liar }));
      await store.cache.put(entry({ key: 'card', createdAt: 3, meta: meta('') }));
      const keysOf = async (verdict: VerdictFilter) =>
        (await store.cache.ofAccount('acc_1', 9, { verdict })).map(({ key }) => key);
      expect(await keysOf('bot_wall')).toEqual(['walled']);
      expect(await keysOf('any')).toEqual(['walled']);
      expect(await keysOf('ok')).toEqual(['liar']);
      expect(await keysOf('blank')).toEqual([]);
    });

    it('adds up to nothing when it is empty, and to numbers beyond 32 bits', async () => {
      expect(await store.cache.totals()).toEqual({ entries: 0, bytes: 0 });
      for (const key of ['a', 'b']) await store.cache.put(entry({ key, size: 3_000_000_000 }));
      expect(await store.cache.totals()).toEqual({ entries: 2, bytes: 6_000_000_000 });
    });
  });

  const request = (more: Partial<RequestRecord> = {}): RequestRecord => ({
    id: `req-${++serial}`,
    accountId: 'acc_1',
    keyId: 'key_1',
    at: 0,
    endpoint: 'screenshot',
    status: 200,
    outcome: 'render',
    code: null,
    renderMs: 812.5,
    totalMs: 900.25,
    parameters: '{}',
    phases: '{}',
    warnings: '[]',
    cacheKey: 'cache',
    verdict: '',
    ...more,
  });
  const hour = 3_600_000;
  const day = Date.UTC(2026, 0, 15);

  describe('usage', () => {
    it('that is written all the time hides no revoked key and no replaced result, of this process or of another', async () => {
      const other = await database.open();
      const keys = [newKey((await account()).id), newKey((await account()).id)] as const;
      for (const key of keys) await store.keys.create(key, 2);
      const recordUntil = async (work: Promise<unknown>) => {
        let over = false;
        work.finally(() => {
          over = true;
        });
        while (!over) await Promise.all([store, other].map(({ usage }) => usage.record([request(), request()])));
      };
      for (const [changer, key] of [
        [store, keys[0]],
        [other, keys[1]],
      ] as const) {
        const put = { ...entry({ key: key.id }), accountId: key.accountId };
        await store.cache.put(put);
        const read = () => Promise.all([store.keys.findByHash(key.hash), store.cache.find(put.key)]);
        expect(await read()).toMatchObject([{ key: { revokedAt: null } }, { hash: put.hash }]);
        const change = Promise.all([changer.keys.revoke(key.id), changer.cache.put({ ...put, hash: 'newer' })]);
        await Promise.all([change, recordUntil(change)]);
        await setImmediate();
        const [found, result] = await read();
        expect(found?.key.revokedAt).toBeGreaterThan(0);
        expect(result?.hash).toBe('newer');
      }
    });

    it('keeps requests as they were and shows them newest first, filtered', async () => {
      const records = [
        request({ at: 1, outcome: 'hit', renderMs: null }),
        request({ at: 2, outcome: 'error', status: 504, code: 'render_timeout', cacheKey: null, keyId: 'key_2' }),
        request({ at: 3, endpoint: 'og' }),
        request({ at: 4, accountId: 'acc_2' }),
      ];
      await store.usage.record(records);
      const recent = (more = {}) => store.usage.recent('acc_1', { count: 10, ...more });
      expect(await recent()).toEqual([records[2], records[1], records[0]]);
      expect(await recent({ before: { at: 3, id: records[2]?.id ?? '' } })).toEqual([records[1], records[0]]);
      expect(await recent({ keyId: 'key_2' })).toEqual([records[1]]);
      expect(await recent({ outcome: 'hit' })).toEqual([records[0]]);
      expect(await recent({ count: 1 })).toEqual([records[2]]);
    });

    // PostgreSQL writes elsewhere, and the turns of the event loop are those of the network.
    if (kind.name === 'SQLite')
      it('writes thousands of requests in a few turns of the event loop', async () => {
        const counting = { turns: 0, over: false };
        const count = async () => {
          for (; !counting.over; counting.turns++) await setImmediate();
        };
        const records = Array.from({ length: 3000 }, () => request());
        const written = store.usage.record(records).finally(() => {
          counting.over = true;
        });
        await Promise.all([written, count()]);
        expect(counting.turns).toBeLessThan(20);
      });

    it('lists requests of the same millisecond once each', async () => {
      const records = Array.from({ length: 5 }, () => request({ at: 7 }));
      await store.usage.record(records);
      const first = await store.usage.recent('acc_1', { count: 3 });
      const before = { at: 7, id: first.at(-1)?.id ?? '' };
      const rest = await store.usage.recent('acc_1', { count: 3, before });
      expect([...first, ...rest].map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort());
    });

    it('shows requests by the verdict of their capture', async () => {
      const records = [
        request({ at: 1, verdict: 'blank,bot_wall' }),
        request({ at: 2, verdict: '' }),
        request({ at: 3, endpoint: 'og', verdict: null }),
        request({ at: 4, verdict: 'cut' }),
      ];
      await store.usage.record(records);
      const timesOf = async (verdict: VerdictFilter) =>
        (await store.usage.recent('acc_1', { count: 10, verdict })).map(({ at }) => at);
      expect(await timesOf('any')).toEqual([4, 1]);
      expect(await timesOf('ok')).toEqual([2]);
      expect(await timesOf('bot_wall')).toEqual([1]);
      expect(await timesOf('blank')).toEqual([1]);
      expect(await timesOf('http_error')).toEqual([]);
    });

    it('adds up by hour and by day, for an account and for one key', async () => {
      await store.usage.record([
        request({ at: day + 5, outcome: 'render' }),
        request({ at: day + 6, outcome: 'hit' }),
        request({ at: day + hour, outcome: 'hit', keyId: 'key_2' }),
      ]);
      await store.usage.record([
        request({ at: day + 7, outcome: 'render' }),
        request({ at: day + 24 * hour, outcome: 'error' }),
        request({ at: day + 5, accountId: 'acc_2' }),
      ]);
      const range = { from: day + 1, to: day + 48 * hour };
      expect(await store.usage.buckets('acc_1', { ...range, by: 'hour' })).toEqual([
        { at: day, renders: 2, hits: 1, errors: 0 },
        { at: day + hour, renders: 0, hits: 1, errors: 0 },
        { at: day + 24 * hour, renders: 0, hits: 0, errors: 1 },
      ]);
      expect(await store.usage.buckets('acc_1', { ...range, by: 'day' })).toEqual([
        { at: day, renders: 2, hits: 2, errors: 0 },
        { at: day + 24 * hour, renders: 0, hits: 0, errors: 1 },
      ]);
      expect(await store.usage.buckets('acc_1', { ...range, by: 'day', keyId: 'key_2' })).toEqual([
        { at: day, renders: 0, hits: 1, errors: 0 },
      ]);
      expect(await store.usage.byKey('acc_1', day)).toEqual([
        { keyId: 'key_1', renders: 2, hits: 1, errors: 1 },
        { keyId: 'key_2', renders: 0, hits: 1, errors: 0 },
      ]);
    });

    it('counts a batch once, even if it is sent twice, and any size of it', async () => {
      const batch = Array.from({ length: 350 }, () => request({ at: day }));
      await store.usage.record(batch);
      await store.usage.record(batch);
      await store.usage.record([]);
      expect(await store.usage.byKey('acc_1', day)).toEqual([{ keyId: 'key_1', renders: 350, hits: 0, errors: 0 }]);
    });

    it('loses no count when several write the same hour at once', async () => {
      const other = await database.open();
      const write = (_: unknown, i: number) =>
        (i % 2 ? store : other).usage.record([request({ at: day }), request({ at: day, keyId: 'key_2' })]);
      await Promise.all(Array.from({ length: 20 }, write));
      expect((await store.usage.byKey('acc_1', day)).map((key) => key.renders)).toEqual([20, 20]);
    });

    it('knows the median and the slow end of render times', async () => {
      expect(await store.usage.renderTimes('acc_1', 0)).toBeUndefined();
      await store.usage.record([
        ...Array.from({ length: 100 }, (_, i) => request({ at: 10, renderMs: i + 1 })),
        request({ at: 10, outcome: 'hit', renderMs: 9999 }),
        request({ at: 1, renderMs: 9999 }),
      ]);
      expect(await store.usage.renderTimes('acc_1', 5)).toEqual({ p50: 50, p95: 95 });
      await store.usage.record([request({ at: 10, renderMs: 7, keyId: 'key_2' })]);
      expect(await store.usage.renderTimes('acc_1', 5, 'key_2')).toEqual({ p50: 7, p95: 7 });
    });

    it('forgets single requests but not the sums', async () => {
      await store.usage.record([request({ at: day }), request({ at: day + hour })]);
      await store.usage.prune(day + 1);
      expect(await store.usage.recent('acc_1', { count: 9 })).toHaveLength(1);
      expect((await store.usage.byKey('acc_1', day))[0]?.renders).toBe(2);
    });
  });

  // PostgreSQL does not work on this thread.
  if (kind.name === 'SQLite')
    it('forgets many requests in pages, and others are handled in between', async () => {
      const at = 1_000_000;
      await store.usage.record(Array.from({ length: 1200 }, () => request({ at })));
      const left = async () => {
        const count = store.db.selectFrom('requests').select((eb) => eb.fn.countAll<number>().as('count'));
        return (await count.where('at', '=', at).executeTakeFirstOrThrow()).count;
      };
      const seen: number[] = [];
      let isOver = false;
      const pruning = store.usage.prune(at + 1).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        seen.push(await left());
        await setImmediate();
      }
      await pruning;
      expect(seen.some((count) => count > 0 && count < 1200)).toBe(true);
      expect(await left()).toBe(0);
    });

  describe('values', () => {
    it('are set, replaced and kept', async () => {
      expect(await store.values.get('name')).toBeUndefined();
      await store.values.set('name', 'one');
      await store.values.set('name', 'two');
      expect(await store.values.get('name')).toBe('two');
      expect(await store.values.setIfAbsent('name', 'three')).toBe('two');
      expect(await store.values.setIfAbsent('other', 'four')).toBe('four');
    });

    it('set by many at once stand as one, for all of them', async () => {
      const other = await database.open();
      const set = (_: unknown, i: number) => (i % 2 ? store : other).values.setIfAbsent('secret', `from ${i}`);
      expect(new Set(await Promise.all(Array.from({ length: 20 }, set))).size).toBe(1);
    });
  });
});
