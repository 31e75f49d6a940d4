// resizeWidth, resizeHeight and fit: smaller pictures, made from the picture in its own size.
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signLink } from '../../src/access/signatures.ts';
import { type ChangingTarget, startChangingTarget } from '../harness/changing-target.ts';
import { distance, pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, metaOf, query, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

type Parameters = Record<string, string | number | boolean>;

let service: Service;
let site: Site;
let target: ChangingTarget;
let customer: Customer;
beforeAll(async () => {
  const quarter = (colour: string) => `<div style="width:200px;height:100px;background:${colour}"></div>`;
  [service, site, target] = await Promise.all([
    startService(),
    startSite({
      '/': `<!doctype html><title>Quarters</title><body style="margin:0;display:flex;flex-wrap:wrap">
        ${['#ff0000', '#00ff00', '#0000ff', '#ffff00'].map(quarter).join('')}<p style="position:fixed;top:0;left:0;margin:0">x`,
      '/gone': { status: 404, body: colourPage('#990000', 'Gone') },
    }),
    startChangingTarget(),
  ]);
});
afterAll(() => Promise.all([service.stop(), site.close(), target.close()]));

let url: string;
let unique = 0;
beforeEach(async () => {
  customer = await service.customer('business');
  url = `${site.url}/?n=${++unique}`;
});

const shot = (more: Parameters = {}, headers?: Record<string, string>) =>
  service.shot({ url, width: 400, height: 200, ...more }, customer.key, headers);
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const pixelOf = async (bytes: Buffer, x: number, y: number): Promise<number[]> => [
  ...(await sharp(bytes).ensureAlpha().extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer()),
];
const rateLeft = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));

const [red, green, blue] = ['#ff0000', '#00ff00', '#0000ff'] as const;

describe.each(['GET', 'POST'])('a %s', (method) => {
  const ask = (more: Parameters) =>
    method === 'GET'
      ? shot(more)
      : service.post('/v1/screenshot', { url, width: 400, height: 200, ...more }, customer.key);

  it.each([
    [{ resizeWidth: 100 }, 100, 50],
    [{ resizeHeight: 50 }, 100, 50],
    [{ resizeHeight: 50, fit: 'cover' }, 100, 50],
    [{ resizeWidth: 100, resizeHeight: 100 }, 100, 50],
    [{ resizeWidth: 300, resizeHeight: 50, fit: 'inside' }, 100, 50],
    [{ resizeWidth: 1 }, 1, 1],
    [{ resizeWidth: 100, resizeHeight: 100, fit: 'cover' }, 100, 100],
    [{ resizeWidth: 100, resizeHeight: 100, fit: 'contain' }, 100, 100],
  ])('with %o gives the size it asks for', async (more, width, height) => {
    const picture = await pictureOf(await ask(more));
    expect([picture.width, picture.height]).toEqual([width, height]);
  });

  it.each([
    [{ resizeWidth: 4096 }, 400, 200],
    [{ resizeWidth: 4096, resizeHeight: 4096 }, 400, 200],
    [{ resizeWidth: 800, resizeHeight: 800, fit: 'cover' }, 200, 200],
    [{ resizeWidth: 400, resizeHeight: 400, fit: 'cover' }, 200, 200],
    [{ resizeWidth: 900, resizeHeight: 900, fit: 'contain' }, 400, 400],
    [{ resizeWidth: 4000, resizeHeight: 1000, fit: 'contain' }, 800, 200],
  ])('with %o never enlarges the picture', async (more, width, height) => {
    const picture = await pictureOf(await ask(more));
    expect([picture.width, picture.height]).toEqual([width, height]);
  });
});

describe('fit', () => {
  it('inside shows the whole picture', async () => {
    const picture = await pictureOf(await shot({ resizeWidth: 100, resizeHeight: 100 }));
    expect([picture.at(40, 20), picture.at(60, 20), picture.at(40, 30), picture.at(99, 49)]).toEqual([
      red,
      green,
      blue,
      '#ffff00',
    ]);
  });

  it('cover fills the box with the middle of the picture', async () => {
    const picture = await pictureOf(await shot({ resizeWidth: 40, resizeHeight: 100, fit: 'cover' }));
    expect([picture.at(2, 2), picture.at(37, 2), picture.at(2, 97)]).toEqual([red, green, blue]);
  });

  it.each([
    ['png', [0, 0, 0, 0]],
    ['webp', [0, 0, 0, 0]],
    ['avif', [0, 0, 0, 0]],
    ['jpg', [255, 255, 255, 255]],
  ])('contain pads a %s with %o', async (format, padding) => {
    const bytes = await bytesOf(await shot({ resizeWidth: 100, resizeHeight: 100, fit: 'contain', format }));
    const { width, height } = await sharp(bytes).metadata();
    expect([width, height]).toEqual([100, 100]);
    const corner = await pixelOf(bytes, 50, 4);
    // Where a pixel is transparent its colour means nothing.
    expect(padding[3] === 0 ? corner[3] : corner).toEqual(padding[3] === 0 ? 0 : padding);
    const [r = 0, g = 0, b = 0, alpha] = await pixelOf(bytes, 20, 60);
    expect(distance(`#${Buffer.from([r, g, b]).toString('hex')}`, blue)).toBeLessThan(12);
    expect(alpha).toBe(255);
  });
});

it.each([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
])('a resized %s stays one', async (format, type) => {
  const response = await shot({ format, resizeWidth: 200 });
  expect(response.headers.get('content-type')).toBe(type);
  const picture = await pictureOf(response);
  expect([picture.width, picture.height]).toEqual([200, 100]);
  expect(distance(picture.at(150, 25), green)).toBeLessThan(12);
});

it.each(['resizeWidth', 'resizeHeight'])('%s is refused for a PDF', async (name) => {
  const response = await shot({ format: 'pdf', [name]: 100 });
  expect(response.status).toBe(400);
  expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter: name });
});

describe('a variant', () => {
  it('of a cached picture is a HIT: nothing is loaded, no render is counted and no rate taken', async () => {
    const original = await shot({ response: 'json' });
    const [loaded, left] = [site.hits('/'), rateLeft(original)];
    const response = await shot({ resizeWidth: 100, response: 'json' });
    expect(response.headers.get('x-cache')).toBe('HIT');
    expect(site.hits('/')).toBe(loaded);
    expect(rateLeft(response)).toBe(left);
    const { renderTime } = await metaOf(original);
    expect(await metaOf(response)).toMatchObject({ width: 100, height: 50, renderTime, page: { title: 'Quarters' } });
    const outcomes = async () =>
      (await service.store.usage.recent(customer.account.id, { count: 5 })).map(({ outcome }) => outcome).sort();
    await expect.poll(outcomes).toEqual(['hit', 'render']);
  });

  it('that comes first renders the picture once, and that serves every other size', async () => {
    const before = site.hits('/');
    const first = await shot({ resizeWidth: 100 });
    expect(first.headers.get('x-cache')).toBe('MISS');
    const sizes: Parameters[] = [{}, { resizeWidth: 100 }, { resizeWidth: 50 }, { resizeHeight: 20, resizeWidth: 20 }];
    for (const more of sizes) expect([more, (await shot(more)).headers.get('x-cache')]).toEqual([more, 'HIT']);
    expect(site.hits('/')).toBe(before + 1);
  });

  it('is stored: the next request gets the same bytes, by POST too', async () => {
    const first = await bytesOf(await shot({ resizeWidth: 120 }));
    const again = await shot({ resizeWidth: 120 });
    expect(again.headers.get('server-timing') ?? '').not.toContain('resize');
    expect((await bytesOf(again)).equals(first)).toBe(true);
    const posted = await service.post(
      '/v1/screenshot',
      { url, width: 400, height: 200, resizeWidth: 120, fit: 'inside' },
      customer.key,
    );
    expect(posted.headers.get('x-cache')).toBe('HIT');
    expect((await bytesOf(posted)).equals(first)).toBe(true);
  });

  it('requested many times at once is one render and the same bytes', async () => {
    const before = site.hits('/');
    const responses = await Promise.all(Array.from({ length: 8 }, () => shot({ resizeWidth: 77 })));
    const all = await Promise.all(responses.map(bytesOf));
    expect(new Set(all.map((bytes) => bytes.toString('base64'))).size).toBe(1);
    expect(site.hits('/')).toBe(before + 1);
  });

  it('has an ETag and an imageUrl of its own', async () => {
    const [original, response] = [await shot(), await shot({ resizeWidth: 100 })];
    const etag = response.headers.get('etag') ?? '';
    expect(etag).not.toBe(original.headers.get('etag'));
    expect((await shot({ resizeWidth: 100 }, { 'if-none-match': etag })).status).toBe(304);
    const bytes = await bytesOf(response);
    const meta = await metaOf(await shot({ resizeWidth: 100, response: 'json' }));
    expect(meta.size).toBe(bytes.length);
    expect((await bytesOf(await fetch(meta.imageUrl))).equals(bytes)).toBe(true);
  });

  it('is made anew when the picture was rendered again', async () => {
    url = `${target.url}/?resize=${unique}`;
    await target.be('good');
    target.paint('rgb(0 90 0)');
    expect((await pictureOf(await shot({ resizeWidth: 100 }))).at(90, 40)).toBe('#005a00');
    target.paint('rgb(0 0 90)');
    expect((await pictureOf(await shot({ resizeWidth: 100 }))).at(90, 40)).toBe('#005a00');
    await bytesOf(await shot({ fresh: true }));
    expect((await pictureOf(await shot({ resizeWidth: 100 }))).at(90, 40)).toBe('#00005a');
    target.paint('rgb(90 0 0)');
    const fresh = await shot({ resizeWidth: 100, fresh: true });
    expect(fresh.headers.get('x-cache')).toBe('MISS');
    expect((await pictureOf(fresh)).at(90, 40)).toBe('#5a0000');
    expect((await pictureOf(await shot())).at(390, 190)).toBe('#5a0000');
  });

  it('expires with its picture', async () => {
    await bytesOf(await shot());
    const hourAgo = Date.now() - 60 * 60 * 1000;
    for (const entry of await service.store.cache.ofAccount(customer.account.id, 10))
      await service.store.cache.put({ ...entry, createdAt: hourAgo });
    const maxAge = (response: Response) =>
      Number(/max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]);
    const responses = [await shot(), await shot({ resizeWidth: 90 }), await shot({ resizeWidth: 90 })];
    for (const response of responses) {
      expect(response.headers.get('x-cache')).toBe('HIT');
      expect(Math.abs(maxAge(response) - (60 * 24 - 1) * 60 * 60)).toBeLessThan(20);
    }
    const { cachedAt } = await metaOf(await shot({ resizeWidth: 90, response: 'json' }));
    expect(cachedAt).toBe(hourAgo);
    expect((await shot({ resizeWidth: 90, ttl: 600 })).headers.get('x-cache')).toBe('MISS');
  });

  it('has the verdict and the warnings of its picture, and is rejected with it', async () => {
    url = `${site.url}/gone?n=${unique}`;
    const response = await shot({ resizeWidth: 100 });
    expect([response.headers.get('x-verdict'), response.headers.get('x-warning')]).toEqual([
      'http_error',
      'The target answered with status 404.',
    ]);
    expect(response.headers.get('cache-control')).toMatch(/max-age=(5\d|60)$/);
    expect((await shot({ resizeWidth: 100 })).headers.get('x-cache')).toBe('HIT');
    const rejected = await shot({ resizeWidth: 100, failOn: 'http_error' });
    expect([rejected.status, (await errorOf(rejected)).code]).toEqual([422, 'capture_rejected']);
  });

  it('of the last good picture is served while the target is down', async () => {
    url = `${target.url}/?down=${unique}`;
    await target.be('good');
    target.paint('rgb(0 90 0)');
    await bytesOf(await shot());
    const old = Date.now() - 61 * 24 * 60 * 60 * 1000;
    for (const entry of await service.store.cache.ofAccount(customer.account.id, 10))
      await service.store.cache.put({ ...entry, createdAt: old });
    await target.be('refusing');
    const link = signLink({
      path: `/v1/screenshot?${query({ url, width: 400, height: 200, resizeWidth: 100 })}`,
      keyId: customer.keyId,
      secret: customer.signingSecret,
    });
    for (let times = 0; times < 2; times++) {
      const response = await service.get(link);
      expect(response.headers.get('x-stale')).toBe('target_unreachable');
      expect(response.headers.get('cache-control')).toBe('public, max-age=60');
      expect((response.headers.get('x-warning') ?? '').match(/This result is from/g)).toHaveLength(1);
      const picture = await pictureOf(response);
      expect([picture.width, picture.at(90, 40)]).toEqual([100, '#005a00']);
    }
    await target.be('good');
  });
});
