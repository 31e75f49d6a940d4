// How old a result may be, and what is served when it cannot be rendered anew: ttl, stale, and the last good result.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signLink } from '../../src/access/signatures.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { type ChangingTarget, startChangingTarget } from '../harness/changing-target.ts';
import { type Customer, errorOf, metaOf, query, type Service, startService } from '../harness/service.ts';
import { startSite } from '../harness/site.ts';

let service: Service;
let target: ChangingTarget;
let customer: Customer;
let url: string;
let unique = 0;
beforeAll(async () => {
  [service, target] = await Promise.all([startService(), startChangingTarget()]);
});
afterAll(() => Promise.all([service.stop(), target.close()]));
beforeEach(async () => {
  customer = await service.customer('business');
  await target.be('good');
  // Each test has bytes of its own.
  target.paint(`rgb(${unique} 90 0)`);
  url = `${target.url}/?n=${++unique}`;
});

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const shot = (more: Record<string, string | number | boolean> = {}, headers?: Record<string, string>) =>
  service.shot({ url, width: 200, height: 100, ...more }, customer.key, headers);
const signed = (more: Record<string, string | number | boolean> = {}) =>
  service.get(
    signLink({
      path: `/v1/screenshot?${query({ url, width: 200, height: 100, ...more })}`,
      keyId: customer.keyId,
      secret: customer.signingSecret,
    }),
  );
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString('base64');
const about = ({ status, headers }: Response) => ({
  status,
  cache: headers.get('x-cache'),
  stale: headers.get('x-stale'),
  control: headers.get('cache-control'),
});
/** Makes the account's last result look this old. */
async function age(ms: number): Promise<number> {
  const [entry] = await service.store.cache.ofAccount(customer.account.id, 1);
  if (entry === undefined) throw new Error('nothing cached');
  const createdAt = Date.now() - ms;
  await service.store.cache.put({ ...entry, createdAt });
  return createdAt;
}
/** A good result of this age. */
async function goodResult(ms: number): Promise<string> {
  const bytes = await bytesOf(await shot());
  await age(ms);
  return bytes;
}

describe('ttl', () => {
  it('limits the age of a result, and is the max-age of the response', async () => {
    await goodResult(2 * hour);
    expect(about(await shot())).toMatchObject({ cache: 'HIT' });
    const rest = Number((await shot({ ttl: 3 * 3600 })).headers.get('cache-control')?.match(/max-age=(\d+)/)?.[1]);
    expect(rest).toBeGreaterThan(3600 - 60);
    expect(rest).toBeLessThanOrEqual(3600);
    expect(about(await shot({ ttl: 3600 }))).toMatchObject({ cache: 'MISS', control: 'private, max-age=3600' });
    expect(about(await shot())).toMatchObject({ cache: 'HIT' });
  });

  it.each([
    ['free', 7],
    ['starter', 14],
    ['pro', 30],
    ['business', 60],
  ] as const)('is at most what %s has, %d days, and the 400 names that', async (plan, days) => {
    const { key } = await service.customer(plan);
    const refused = 'http://10.0.0.1/';
    const most = days * 24 * 60 * 60;
    expect((await errorOf(await service.shot({ url: refused, ttl: most }, key))).code).toBe('target_refused');
    const response = await service.shot({ url: refused, ttl: most + 1 }, key);
    const body = await errorOf(response);
    expect([response.status, body.code, body.parameter]).toEqual([400, 'invalid_parameter', 'ttl']);
    expect(body.error).toContain(String(most));
  });
});

describe.each([
  ['error', 'http_error'],
  ['blank', 'blank'],
  ['wall', 'bot_wall'],
] as const)('a capture of a page that is %s', (state, code) => {
  it('is kept for a minute', async () => {
    await target.be(state);
    expect(about(await shot())).toMatchObject({ cache: 'MISS', control: 'private, max-age=60' });
    await age(50_000);
    expect(about(await shot())).toMatchObject({ cache: 'HIT', stale: null });
    await age(61_000);
    expect(about(await shot())).toMatchObject({ cache: 'MISS' });
  });

  it('never replaces a good result', async () => {
    const good = await bytesOf(await shot());
    await target.be(state);
    const bad = await metaOf(await shot({ fresh: true, response: 'json' }));
    expect(bad.cachedAt).toBeNull();
    expect((await fetch(bad.imageUrl)).status).toBe(200);
    const after = await shot();
    expect(about(after)).toMatchObject({ cache: 'HIT', stale: null });
    expect(await bytesOf(after)).toBe(good);
  });

  it('is returned to callers that accept nothing stale, and cached for a minute', async () => {
    const good = await goodResult(61 * day);
    await target.be(state);
    const first = await shot();
    expect(about(first)).toMatchObject({ status: 200, cache: 'MISS', stale: null });
    expect(await bytesOf(first)).not.toBe(good);
    expect(about(await shot())).toMatchObject({ cache: 'HIT', stale: null });
    expect(about(await signed())).toMatchObject({ cache: 'HIT', stale: code });
  });
});

describe('stale=true', () => {
  it('returns an expired result at once, and starts one render in the background for all callers', async () => {
    const old = await goodResult(61 * day);
    const before = target.hits;
    target.paint(`rgb(${unique} 0 90)`);
    await target.be('held');
    const answers = await Promise.all(Array.from({ length: 20 }, () => shot({ stale: true })));
    for (const answer of answers) {
      expect(about(answer)).toEqual({ status: 200, cache: 'HIT', stale: 'expired', control: 'private, max-age=60' });
      expect(Number(answer.headers.get('age'))).toBeGreaterThanOrEqual((61 * day) / 1000);
      expect(await bytesOf(answer)).toBe(old);
    }
    await target.be('good');
    await expect.poll(async () => (await shot({ stale: true })).headers.get('x-stale')).toBeNull();
    expect(await bytesOf(await shot())).not.toBe(old);
    expect(target.hits - before).toBe(1);
  });

  it('counts the background render in the rate and the usage of the account', async () => {
    await goodResult(61 * day);
    const left = async () => Number((await shot({ stale: true })).headers.get('x-ratelimit-remaining'));
    const before = await left();
    await expect.poll(left).toBe(before - 1);
    const renders = async () =>
      (await service.store.usage.recent(customer.account.id, { count: 99, outcome: 'render' })).map(
        ({ keyId, parameters }) => [keyId, JSON.parse(parameters).url],
      );
    await expect.poll(renders).toEqual([
      [customer.keyId, url],
      [customer.keyId, url],
    ]);
  });

  it('renders where nothing is stored', async () => {
    expect(about(await shot({ stale: true }))).toMatchObject({ cache: 'MISS', stale: null });
  });

  it('with fresh=true renders first, and returns the stored result only if that fails', async () => {
    const old = await bytesOf(await shot());
    target.paint(`rgb(${unique} 0 90)`);
    const fresh = await shot({ stale: true, fresh: true });
    expect(about(fresh)).toMatchObject({ cache: 'MISS', stale: null });
    const stored = await bytesOf(fresh);
    expect(stored).not.toBe(old);
    await target.be('refusing');
    const instead = await shot({ stale: true, fresh: true });
    expect(about(instead)).toMatchObject({ status: 200, cache: 'HIT', stale: 'target_unreachable' });
    expect(await bytesOf(instead)).toBe(stored);
    expect((await shot({ fresh: true })).status).toBe(502);
  });

  it('says in JSON that the result is stale, when it was made, and where it is', async () => {
    await shot();
    const createdAt = await age(61 * day);
    const response = await shot({ stale: true, response: 'json' });
    const meta = await metaOf(response);
    expect(meta.cachedAt).toBe(createdAt);
    expect(meta.warnings.join()).toContain(`is from ${new Date(createdAt).toISOString()}`);
    expect((await fetch(meta.imageUrl)).status).toBe(200);
  });

  it('answers HEAD and If-None-Match as without it', async () => {
    await goodResult(61 * day);
    await target.be('refusing');
    const etag = (await shot({ stale: true })).headers.get('etag') ?? '';
    const same = await shot({ stale: true }, { 'if-none-match': etag });
    expect([same.status, same.headers.has('age')]).toEqual([304, true]);
    const path = `/v1/screenshot?${query({ url, width: 200, height: 100, stale: true })}`;
    const head = await fetch(service.url + path, { method: 'HEAD', headers: { 'x-api-key': customer.key } });
    expect([head.status, head.headers.get('x-cache'), (await head.arrayBuffer()).byteLength]).toEqual([200, 'HIT', 0]);
  });
});

describe.each([
  ['refusing', 'target_unreachable', 502],
  ['hanging', 'render_timeout', 504],
  ['error', 'http_error', 200],
  ['blank', 'blank', 200],
] as const)('while the target is %s', (state, code, status) => {
  it('a signed link and stale=true return the last good result, with one request to the target', async () => {
    const timeout = state === 'hanging' ? 3000 : 20_000;
    const good = await goodResult(61 * day);
    const before = target.hits;
    await target.be(state);
    const first = await signed({ timeout });
    expect(about(first)).toEqual({ status: 200, cache: 'HIT', stale: code, control: 'public, max-age=60' });
    expect(Number(first.headers.get('age'))).toBeGreaterThanOrEqual((61 * day) / 1000);
    expect(await bytesOf(first)).toBe(good);
    // The other machines of a cluster hear of it a moment later.
    await sleep(500);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? shot({ stale: true }) : signed({ timeout }))),
    );
    for (const answer of answers) {
      expect(about(answer)).toMatchObject({ status: 200, cache: 'HIT', stale: code });
      expect(await bytesOf(answer)).toBe(good);
    }
    expect(target.hits - before).toBeLessThanOrEqual(1);
    // Who accepts nothing stale is told how it is.
    expect((await shot({ timeout })).status).toBe(status);
  });
});

it('a good result is kept for twice the TTL of the plan, and no longer', async () => {
  await goodResult(119 * day);
  await target.be('refusing');
  expect(about(await signed())).toMatchObject({ status: 200, stale: 'target_unreachable' });
  await age(121 * day);
  expect((await signed()).status).toBe(502);
  expect((await shot({ stale: true })).status).toBe(502);
});

it('a target that is back is rendered again, and its result is not stale', async () => {
  await goodResult(61 * day);
  await target.be('refusing');
  expect(about(await signed())).toMatchObject({ stale: 'target_unreachable' });
  await target.be('good');
  expect(about(await shot())).toMatchObject({ cache: 'MISS' });
  expect(about(await signed())).toMatchObject({ cache: 'HIT', stale: null });
});

it('an error of the caller is returned even if a result is stored', async () => {
  await goodResult(61 * day);
  const response = await signed({ customJS: 'throw new Error("no")' });
  expect((await errorOf(response)).code).toBe('custom_js_failed');
});

it('large results of one account do not displace those of another', async () => {
  const small = await startService({ CACHE_MAX_BYTES: '200KB' });
  const noise = (side: number, seed: number) =>
    `<body style="margin:0"><canvas id=c width=${side} height=${side}></canvas><script>let s=${seed}+1;const g=c.getContext('2d'),d=g.createImageData(${side},${side});for(let i=0;i<d.data.length;i++){s=s*16807%2147483647;d.data[i]=i%4==3?255:s&255}g.putImageData(d,0,0)</script>`;
  const site = await startSite({});
  try {
    const [modest, greedy] = [await small.customer('free'), await small.customer('business')];
    const take = async (who: Customer, side: number, seed: number) => {
      site.set(`/${side}-${seed}`, noise(side, seed));
      const shape = { url: `${site.url}/${side}-${seed}`, width: side, height: side };
      return (await small.shot(shape, who.key)).headers.get('x-cache');
    };
    // About 12 KB a picture, then 49 KB.
    expect([await take(modest, 64, 1), await take(modest, 64, 2)]).toEqual(['MISS', 'MISS']);
    // A bucket that was slow for a moment may not have them yet.
    for (const seed of [1, 2]) await expect.poll(() => take(modest, 64, seed)).toBe('HIT');
    for (let seed = 0; seed < 8; seed++) await take(greedy, 128, seed);
    await expect.poll(async () => (await small.store.cache.totals()).bytes).toBeLessThanOrEqual(200_000);
    expect([await take(modest, 64, 1), await take(modest, 64, 2)]).toEqual(['HIT', 'HIT']);
    expect([await take(greedy, 128, 7), await take(greedy, 128, 0)]).toEqual(['HIT', 'MISS']);
  } finally {
    await Promise.all([small.stop(), site.close()]);
  }
});
