// The cache that many machines share: bytes in a bucket, the index in PostgreSQL, hot bytes in each one's memory.
import dns from 'node:dns';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Cache, createCache } from '../../src/cache/cache.ts';
import { createS3Files, type S3Files } from '../../src/cache/s3.ts';
import { openCluster } from '../../src/cluster/cluster.ts';
import { contentHash } from '../../src/kernel/content-hash.ts';
import { createLog } from '../../src/kernel/log.ts';
import { plans, storageOf } from '../../src/kernel/plans.ts';
import { type OpenStore, openStore } from '../../src/store/open.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { type RedisServer, startRedis } from '../harness/redis.ts';
import { type S3Server, startS3 } from '../harness/s3.ts';

const log = createLog('silent');
const bytes = (text: string, size = 1000) => Buffer.alloc(size, text);

describe('files in a bucket', () => {
  let s3: S3Server;
  let files: S3Files;
  beforeAll(async () => {
    s3 = await startS3('test');
    files = await createS3Files(s3.settings);
  });
  afterAll(async () => {
    files.stop();
    await s3.remove();
  });

  it('are written, read, missed and removed', async () => {
    const picture = bytes('a', 3_000_000);
    const hash = contentHash(picture);
    expect(await files.read(hash)).toBeUndefined();
    await files.write(hash, picture);
    expect((await files.read(hash))?.equals(picture)).toBe(true);
    await files.remove(hash);
    await files.remove(hash);
    expect(await files.read(hash)).toBeUndefined();
  });

  it('are found as bucket.endpoint too', async () => {
    const lookup = dns.lookup;
    const hosts: string[] = [];
    const spy = vi.spyOn(dns, 'lookup').mockImplementation(((host: string, ...rest: unknown[]) => {
      hosts.push(host);
      return (lookup as (...args: unknown[]) => void)(host.endsWith('s3.test') ? '127.0.0.1' : host, ...rest);
    }) as never);
    const byName = await createS3Files({ ...s3.settings, endpoint: `http://s3.test:${s3.port}`, pathStyle: false });
    try {
      await byName.write(contentHash(bytes('v')), bytes('v'));
      expect(await files.read(contentHash(bytes('v')))).toEqual(bytes('v'));
      expect(hosts).toContain('tintype.s3.test');
    } finally {
      byName.stop();
      spy.mockRestore();
    }
  });

  it('that nobody knows are swept, but not young ones', async () => {
    const [known, orphan] = [contentHash(bytes('k')), contentHash(bytes('o'))];
    await files.write(known, bytes('k'));
    await files.write(orphan, bytes('o'));
    const isKnown = async (hash: string) => hash === known;
    await files.sweep(isKnown);
    expect(await files.read(orphan)).toBeDefined();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60 * 60 * 1000 });
    try {
      // S3 refuses requests signed two hours off; the server of the tests does not mind.
      await files.sweep(isKnown);
    } finally {
      vi.useRealTimers();
    }
    expect([await files.read(known), await files.read(orphan)]).toEqual([bytes('k'), undefined]);
  });

  it('are read although connections before were lost', async () => {
    await files.write(contentHash(bytes('c')), bytes('c'));
    // Each call is tried twice.
    let lost = 2;
    const between = createServer((socket) => {
      if (lost-- > 0) return socket.destroy();
      socket.pipe(connect(s3.port, '127.0.0.1')).pipe(socket);
    });
    await new Promise<void>((ready) => between.listen(0, '127.0.0.1', ready));
    const endpoint = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
    const through = await createS3Files({ ...s3.settings, endpoint });
    try {
      await expect(through.read(contentHash(bytes('c')))).rejects.toThrow();
      expect(await through.read(contentHash(bytes('c')))).toEqual(bytes('c'));
    } finally {
      through.stop();
      between.close();
    }
  });

  it('cost little while the bucket is away, and are there again after', async () => {
    await files.write(contentHash(bytes('s')), bytes('s'));
    await s3.stop();
    await expect(files.read(contentHash(bytes('s')))).rejects.toThrow();
    const before = performance.now();
    for (let i = 0; i < 20; i++) await expect(files.read(contentHash(bytes('s')))).rejects.toThrow();
    expect(performance.now() - before).toBeLessThan(1000);
    await s3.start();
    await expect
      .poll(() => files.read(contentHash(bytes('s'))).catch(() => undefined), { timeout: 5000 })
      .toBeDefined();
  });
});

describe('the cache of two machines', () => {
  let postgres: Postgres;
  let redis: RedisServer;
  let s3: S3Server;
  beforeAll(async () => {
    [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()]);
  });
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
    redis.flush();
  });
  afterAll(() => Promise.all([postgres.remove(), redis.remove(), s3.remove()]));

  async function machines(maxBytes = 1e9): Promise<{ caches: [Cache, Cache]; store: OpenStore }> {
    const databaseUrl = await postgres.createDatabase();
    const made = [];
    let store: OpenStore | undefined;
    for (let i = 0; i < 2; i++) {
      store = await openStore({ dataDir: '/nonexistent', databaseUrl, log });
      const cluster = await openCluster({ url: redis.url, queueMax: 0, log });
      const files = await createS3Files(s3.settings);
      const peers = {
        ...cluster,
        broadcast: (news: unknown) => cluster.broadcast('cache:messages', JSON.stringify(news)),
      };
      const cache = await createCache({
        index: store.cache,
        files,
        maxBytes,
        mostOfAccount: storageOf(plans, 'cache'),
        memoryBytes: 1e6,
        log,
        peers,
      });
      await cluster.onMessage('cache:messages', (text) => cache.onMessage(JSON.parse(text)));
      const own = store;
      stops.push(async () => {
        await cache.stop();
        await Promise.all([cluster.stop(), own.close(), files.stop()]);
      });
      made.push(cache);
    }
    return { caches: made as [Cache, Cache], store: store as OpenStore };
  }

  const entry = (key: string, accountId: string, content: Buffer) => ({
    key,
    accountId,
    hash: contentHash(content),
    size: content.length,
    type: 'image/png',
    meta: '{}',
    createdAt: Date.now(),
    maxAgeMs: null,
    subject: null,
    keptUntil: Date.now() + 1e9,
  });

  it('is one: what one wrote the other reads', async () => {
    const {
      caches: [one, two],
    } = await machines();
    expect(await one.put(entry('k', 'a', bytes('1')), bytes('1'))).toBe(true);
    const found = await two.find('k');
    expect(found && (await two.read(found))).toEqual(bytes('1'));
  });

  it('is purged on both, out of memory too', async () => {
    const {
      caches: [one, two],
    } = await machines();
    await one.put(entry('k', 'a', bytes('1')), bytes('1'));
    await one.put(entry('l', 'b', bytes('2')), bytes('2'));
    for (const key of ['k', 'l']) {
      const found = await two.find(key);
      if (found) await two.read(found);
    }
    expect(two.totals().memoryBytes).toBe(2000);
    expect(await one.purge('a')).toBe(1);
    expect(await two.find('k')).toBeUndefined();
    await expect.poll(() => two.totals().memoryBytes).toBe(1000);
  });

  it('knows on each what was removed on the other, at once', async () => {
    const {
      caches: [one, two],
    } = await machines();
    const seen = (cache: Cache) =>
      Promise.all([cache.lastRemoval('a', 'x'), cache.lastRemoval('a', null), cache.lastRemoval('b', 'x')]);
    expect(await seen(one)).toEqual(['', '', '']);
    for (let round = 0; round < 20; round++)
      for (const [remove, concerns] of [
        [() => one.removeSubject('a', 'x'), [true, false, false]],
        [() => one.purge('a'), [true, true, false]],
        [() => one.purge(), [true, true, true]],
      ] as const) {
        const before = await seen(two);
        await remove();
        expect((await seen(two)).map((last, at) => last !== before[at])).toEqual(concerns);
        expect(await seen(one)).toEqual(await seen(two));
      }
  });

  it('removes nothing while Redis is away, and says so: another machine might put it back', async () => {
    const {
      caches: [one],
    } = await machines();
    const content = bytes('1');
    await one.put({ ...entry('k', 'a', content), subject: 'x' }, content);
    await redis.stop();
    try {
      await expect(one.removeSubject('a', 'x')).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' });
      expect(await one.find('k')).toBeDefined();
    } finally {
      await redis.start();
    }
    await expect.poll(() => one.removeSubject('a', 'x').catch(() => 0), { timeout: 10_000 }).toBe(1);
  }, 30_000);

  it('stays within its size, by one of them at a time', async () => {
    const { caches, store } = await machines(10_000);
    for (let i = 0; i < 40; i++) {
      const content = bytes(String.fromCharCode(65 + i));
      await caches[i % 2]?.put(entry(`k${i}`, 'a', content), content);
    }
    await expect.poll(async () => (await store.cache.totals()).bytes, { timeout: 5000 }).toBeLessThanOrEqual(10_000);
    expect((await store.cache.totals()).bytes).toBeGreaterThan(4000);
  });

  it('keeps its entries while the bucket is away', async () => {
    const {
      caches: [one, two],
      store,
    } = await machines();
    await one.put(entry('k', 'a', bytes('1')), bytes('1'));
    await s3.stop();
    try {
      const found = await two.find('k');
      expect(found && (await two.read(found))).toBeUndefined();
      expect(await two.put(entry('n', 'a', bytes('9')), bytes('9'))).toBe(false);
    } finally {
      await s3.start();
    }
    expect((await store.cache.totals()).entries).toBe(1);
  });
});
