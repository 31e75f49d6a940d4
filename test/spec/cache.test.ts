// The cache: what the key is made of, for whom and for how long a result is kept.
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  [service, site] = await Promise.all([
    // Hot bytes off, so that every HIT reads the file.
    startService({ CACHE_MEMORY_BYTES: '0' }),
    startSite({
      '/': colourPage('#336699'),
      '/slow': (_request, response) => void setTimeout(() => response.end('<h1>slow</h1>'), 600),
    }),
  ]);
  customer = await service.customer('business');
});
afterAll(() => Promise.all([service.stop(), site.close()]));

let unique = 0;
const fresh = () => `${site.url}/?n=${++unique}`;
const cacheOf = async (parameters: Record<string, string | number | boolean>, key = customer.key) => {
  const response = await service.shot(parameters, key);
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  return response.headers.get('x-cache');
};

it('the same request is a MISS, then a HIT with the same bytes and the same X-Render-Time', async () => {
  const url = fresh();
  const first = await service.shot({ url }, customer.key);
  const second = await service.shot({ url }, customer.key);
  expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
  expect(second.headers.get('x-render-time')).toBe(first.headers.get('x-render-time'));
  expect(Buffer.from(await second.arrayBuffer()).equals(Buffer.from(await first.arrayBuffer()))).toBe(true);
});

describe('the cache key', () => {
  it.each([
    ['width', 900],
    ['height', 500],
    ['format', 'jpg'],
    ['quality', 55],
    ['fullPage', true],
    ['deviceScale', 2],
    ['delay', 10],
    ['clip', '0,0,50,50'],
    ['darkMode', true],
    ['device', 'iphone-14'],
    ['customCSS', 'h1{color:red}'],
    ['waitForSelector', 'h1'],
  ])('has %s in it', async (name, value) => {
    const url = fresh();
    expect(await cacheOf({ url })).toBe('MISS');
    expect(await cacheOf({ url, [name]: value })).toBe('MISS');
    expect(await cacheOf({ url, [name]: value })).toBe('HIT');
  });

  it('contains neither timeout, response nor how the key was sent, nor PDF parameters of an image', async () => {
    const url = fresh();
    expect(await cacheOf({ url })).toBe('MISS');
    expect(await cacheOf({ url, timeout: 20000 })).toBe('HIT');
    expect(await cacheOf({ url, response: 'json' })).toBe('HIT');
    expect(await cacheOf({ url, pageSize: 'a4' })).toBe('HIT');
    const byQuery = await service.get(`/v1/screenshot?url=${encodeURIComponent(url)}&api_key=${customer.key}`);
    expect(byQuery.headers.get('x-cache')).toBe('HIT');
  });

  it('is the same for a default written out and one left out', async () => {
    const url = fresh();
    expect(await cacheOf({ url })).toBe('MISS');
    expect(
      await cacheOf({ url, width: 1280, height: 800, format: 'png', quality: 80, deviceScale: '1.0', darkMode: false }),
    ).toBe('HIT');
    expect(await cacheOf({ url, media: 'screen' })).toBe('HIT');
    expect(await cacheOf({ url, format: 'pdf' })).toBe('MISS');
    expect(await cacheOf({ url, format: 'pdf', media: 'print', margin: '0,0,0,0' })).toBe('HIT');
    expect(await cacheOf({ url, format: 'pdf', margin: '0,0,0,1' })).toBe('MISS');
  });

  it('is built from effective values: a device is its size, unless a size is given', async () => {
    const url = fresh();
    expect(await cacheOf({ url, device: 'iphone-14' })).toBe('MISS');
    expect(await cacheOf({ url, device: 'iphone-14', width: 390, height: 844, deviceScale: 3 })).toBe('HIT');
    expect(await cacheOf({ url, device: 'iphone-14', width: 1280 })).toBe('MISS');
  });
});

it('an account sees its own entries only', async () => {
  const url = fresh();
  const other = await service.customer('business');
  expect(await cacheOf({ url })).toBe('MISS');
  expect(await cacheOf({ url }, other.key)).toBe('MISS');
});

it('fresh=true renders again and replaces the old result', async () => {
  const url = fresh();
  await cacheOf({ url });
  expect(await cacheOf({ url, fresh: true })).toBe('MISS');
  expect(await cacheOf({ url })).toBe('HIT');
});

describe('the age of an entry', () => {
  const days = 24 * 60 * 60 * 1000;
  const age = async (key: string, ms: number) => {
    const [entry] = await service.store.cache.ofAccount(key, 1);
    if (entry === undefined) throw new Error('nothing cached');
    await service.store.cache.put({ ...entry, createdAt: Date.now() - ms });
  };

  it.each([
    ['free', 7],
    ['starter', 14],
    ['pro', 30],
    ['business', 60],
  ] as const)('is at most what %s allows: %d days', async (plan, ttl) => {
    const { account, key } = await service.customer(plan);
    const url = fresh();
    const response = await service.shot({ url }, key);
    expect(response.headers.get('cache-control')).toBe(`private, max-age=${ttl * 24 * 60 * 60}`);
    await age(account.id, ttl * days - 60_000);
    expect(await cacheOf({ url }, key)).toBe('HIT');
    await age(account.id, ttl * days + 60_000);
    expect(await cacheOf({ url }, key)).toBe('MISS');
  });

  it('is limited by the plan at the time of reading', async () => {
    const { account, key } = await service.customer('free');
    const url = fresh();
    await cacheOf({ url }, key);
    await age(account.id, 10 * days);
    await service.store.accounts.setPlan(account.id, 'starter');
    expect(await cacheOf({ url }, key)).toBe('HIT');
    await service.store.accounts.setPlan(account.id, 'free');
    expect(await cacheOf({ url }, key)).toBe('MISS');
  });
});

describe('ETag', () => {
  it('gives a 304 to HEAD that does not say the result has no bytes: a cache would believe it', async () => {
    const parameters = { url: `${site.url}/`, width: 211 };
    const etag = (await service.shot(parameters, customer.key)).headers.get('etag') ?? '';
    const query = new URLSearchParams({ ...parameters, width: '211' });
    const head = await fetch(`${service.url}/v1/screenshot?${query}`, {
      method: 'HEAD',
      headers: { 'x-api-key': customer.key, 'if-none-match': etag },
    });
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([304, etag, null]);
  });

  it('gives a 304 without a body if the client has the result', async () => {
    const url = fresh();
    const etag = (await service.shot({ url }, customer.key)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await service.shot({ url }, customer.key, { 'if-none-match': sent });
      expect([sent, response.status, (await response.arrayBuffer()).byteLength]).toEqual([sent, 304, 0]);
    }
    expect((await service.shot({ url }, customer.key, { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('a file of the cache that is', () => {
  const files = async () => {
    const folder = join(service.dataDir, 'cache');
    const parts = await readdir(folder);
    return (
      await Promise.all(
        parts.map(async (part) => (await readdir(join(folder, part))).map((name) => join(folder, part, name))),
      )
    ).flat();
  };
  const fileOf = async () => {
    const [entry] = await service.store.cache.ofAccount(customer.account.id, 1);
    const path = (await files()).find((file) => file.endsWith(entry?.hash ?? 'none'));
    if (path === undefined) throw new Error('no file');
    return path;
  };
  it.each([
    ['truncated', (path: string) => truncate(path, 100)],
    [
      'changed by one bit',
      async (path: string) => {
        const bytes = await readFile(path);
        bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
        await writeFile(path, bytes);
      },
    ],
    ['deleted', (path: string) => rm(path)],
    ['deleted with its whole folder', () => rm(join(service.dataDir, 'cache'), { recursive: true })],
  ])('%s is a MISS, never an answer, and is whole again after', async (_what, damage) => {
    const url = fresh();
    // A page of its own, so that no other entry shares the bytes.
    site.set('/', colourPage(`rgb(${unique} 100 100)`));
    const good = Buffer.from(await (await service.shot({ url }, customer.key)).arrayBuffer());
    await damage(await fileOf());
    const again = await service.shot({ url }, customer.key);
    expect([again.status, again.headers.get('x-cache')]).toEqual([200, 'MISS']);
    expect(Buffer.from(await again.arrayBuffer()).equals(good)).toBe(true);
    expect(await cacheOf({ url })).toBe('HIT');
  });

  it('shared by two entries and damaged is restored by the first request for either', async () => {
    const url = fresh();
    site.set('/', colourPage(`rgb(${unique} 50 100)`));
    expect([await cacheOf({ url }), await cacheOf({ url, delay: 10 })]).toEqual(['MISS', 'MISS']);
    const path = await fileOf();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0, 200, 210));
    expect([await cacheOf({ url }), await cacheOf({ url }), await cacheOf({ url, delay: 10 })]).toEqual([
      'MISS',
      'HIT',
      'HIT',
    ]);
  });

  it('there already is not written a second time', async () => {
    const url = fresh();
    site.set('/', colourPage(`rgb(${unique} 75 100)`));
    await cacheOf({ url });
    const path = await fileOf();
    const { ino } = await stat(path);
    expect(await cacheOf({ url, fresh: true })).toBe('MISS');
    expect([(await stat(path)).ino, await cacheOf({ url })]).toEqual([ino, 'HIT']);
  });

  it('written leaves no temporary file behind', async () => {
    expect((await files()).filter((file) => file.includes('.tmp'))).toEqual([]);
  });
});

it('identical requests at the same moment are one render, and the followers count as hits', async () => {
  const before = site.hits('/slow');
  const url = `${site.url}/slow`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => service.shot({ url }, customer.key)));
  expect(site.hits('/slow') - before).toBe(1);
  expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
  expect(answers.filter((answer) => answer.headers.get('x-cache') === 'MISS')).toHaveLength(1);
});

it('a client that disconnects does not cancel the render for those who still wait', async () => {
  const url = `${site.url}/slow?second`;
  const leaver = new AbortController();
  const left = fetch(`${service.url}/v1/screenshot?url=${encodeURIComponent(url)}`, {
    headers: { 'x-api-key': customer.key },
    signal: leaver.signal,
  }).catch(() => 'left');
  await new Promise((done) => setTimeout(done, 150));
  const stays = service.shot({ url }, customer.key);
  await new Promise((done) => setTimeout(done, 150));
  leaver.abort();
  expect(await left).toBe('left');
  expect((await stays).status).toBe(200);
});

it('the cache stays within its size, and the least recently used goes first', async () => {
  const small = await startService({ CACHE_MAX_BYTES: '60KB' });
  try {
    const { account, key } = await small.customer('business');
    // About 10 KB a picture; the first is used again and again, so it stays.
    const noisy = (seed: number) =>
      `<body style="margin:0"><canvas id=c width=64 height=64></canvas><script>let s=${seed}+1;const g=c.getContext('2d');for(let i=0;i<4096;i++){s=s*16807%2147483647;g.fillStyle='#'+(s&0xffffff).toString(16).padStart(6,'0');g.fillRect(i%64,i>>6,1,1)}</script>`;
    for (let page = 0; page < 10; page++) {
      site.set(`/noisy-${page}`, noisy(page));
      await small.shot({ url: `${site.url}/noisy-${page}`, width: 64, height: 64 }, key);
      await small.shot({ url: `${site.url}/noisy-0`, width: 64, height: 64 }, key);
      await small.store.cache.touch([(await entryFor(small, account.id, 0))?.key ?? ''], Date.now() + 1000);
    }
    const bytes = async () => (await small.store.cache.totals()).bytes;
    await expect.poll(bytes).toBeLessThanOrEqual(60_000);
    expect(await bytes()).toBeGreaterThan(10_000);
    const first = await small.shot({ url: `${site.url}/noisy-0`, width: 64, height: 64 }, key);
    const second = await small.shot({ url: `${site.url}/noisy-1`, width: 64, height: 64 }, key);
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['HIT', 'MISS']);
  } finally {
    await small.stop();
  }
});

const entryFor = async (from: Service, accountId: string, page: number) => {
  const entries = await from.store.cache.ofAccount(accountId, 100);
  return entries.find((entry) => entry.meta.includes(`/noisy-${page}"`));
};
