// The responses of /v1/screenshot: bytes, headers and JSON metadata.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distance, pictureOf } from '../harness/picture.ts';
import { type Customer, metaOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  [service, site] = await Promise.all([
    startService(),
    startSite({
      '/': colourPage('#336699', 'Blue'),
      '/gone': { status: 404, body: '<title>Gone</title><body style="background:#aa0000">' },
      '/redirect': { status: 302, headers: { location: '/' } },
      '/dark': '<style>:root{background:#fff}@media(prefers-color-scheme:dark){:root{background:#111}}</style>',
    }),
  ]);
  customer = await service.customer('business');
});
afterAll(() => Promise.all([service.stop(), site.close()]));

const types = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif' } as const;
/** What sharp calls a format, where it has another name: avif is a kind of heif. */
const decoderNames: Record<string, string> = { jpg: 'jpeg', avif: 'heif' };

describe.each(Object.entries(types))('format=%s', (format, type) => {
  it('returns the page at the size of the viewport, with its media type and the three headers', async () => {
    const response = await service.shot({ url: site.url, format, width: 640, height: 400 }, customer.key);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-cache')).toBe('MISS');
    expect(response.headers.get('x-render-time')).toMatch(/^\d+$/);
    const bytes = await response.clone().arrayBuffer();
    expect(Number(response.headers.get('x-image-size'))).toBe(bytes.byteLength);
    const picture = await pictureOf(response);
    expect([picture.width, picture.height]).toEqual([640, 400]);
    expect(picture.format).toBe(decoderNames[format] ?? format);
    expect(distance(picture.at(600, 350), '#336699')).toBeLessThan(6);
  });
});

it('format=pdf returns a PDF of letter size', async () => {
  const response = await service.shot({ url: site.url, format: 'pdf' }, customer.key);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const meta = await metaOf(await service.shot({ url: site.url, format: 'pdf', response: 'json' }, customer.key));
  expect(meta).toMatchObject({ format: 'pdf', width: 612, height: 792, pages: 1 });
});

it('deviceScale multiplies the pixels', async () => {
  const picture = await pictureOf(
    await service.shot({ url: site.url, width: 300, height: 200, deviceScale: 2.5 }, customer.key),
  );
  expect([picture.width, picture.height]).toEqual([750, 500]);
});

it('darkMode shows the dark page, and never the light page from the cache', async () => {
  const light = await pictureOf(await service.shot({ url: `${site.url}/dark` }, customer.key));
  const dark = await pictureOf(await service.shot({ url: `${site.url}/dark`, darkMode: true }, customer.key));
  expect([light.at(10, 10), dark.at(10, 10)]).toEqual(['#ffffff', '#111111']);
});

describe('response=json', () => {
  it('describes the result: url, imageUrl, size, format, dimensions, time, page', async () => {
    const response = await service.shot(
      { url: `${site.url}/redirect`, width: 500, height: 300, response: 'json' },
      customer.key,
    );
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const meta = await metaOf(response);
    expect(meta).toMatchObject({
      url: `${site.url}/redirect`,
      width: 500,
      height: 300,
      format: 'png',
      cachedAt: null,
      page: { status: 200, finalUrl: `${site.url}/`, title: 'Blue' },
      warnings: [],
    });
    expect(Number.isInteger(meta.renderTime) && meta.renderTime > 0).toBe(true);
    expect(Number(response.headers.get('x-image-size'))).toBe(meta.size);
  });

  it('has an imageUrl that opens without a key, returns the same bytes and contains no key', async () => {
    const ask = { url: site.url, width: 320, height: 200 };
    const bytes = Buffer.from(await (await service.shot(ask, customer.key)).arrayBuffer());
    const meta = await metaOf(await service.shot({ ...ask, response: 'json' }, customer.key));
    expect(meta.imageUrl).toContain(`${service.url}/v1/files/`);
    expect(meta.imageUrl).not.toContain('sk_live_');
    const file = await fetch(meta.imageUrl);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    expect(meta.size).toBe(bytes.length);
  });

  it('has a link that is refused when one character of it changes', async () => {
    const meta = await metaOf(await service.shot({ url: site.url, response: 'json' }, customer.key));
    const last = meta.imageUrl.at(-1);
    for (const changed of [
      meta.imageUrl.slice(0, -1) + (last === '0' ? '1' : '0'),
      meta.imageUrl.replace(/expires=\d+/, 'expires=9999999999'),
    ]) {
      const response = await fetch(changed);
      expect([changed === meta.imageUrl, response.status]).toEqual([false, 401]);
    }
  });

  it('has the time of storing on a HIT', async () => {
    const before = Date.now();
    const ask = { url: site.url, width: 333, response: 'json' };
    expect((await metaOf(await service.shot(ask, customer.key))).cachedAt).toBeNull();
    const again = await service.shot(ask, customer.key);
    expect(again.headers.get('x-cache')).toBe('HIT');
    const { cachedAt } = await metaOf(again);
    expect(Number.isInteger(cachedAt)).toBe(true);
    expect(cachedAt).toBeGreaterThanOrEqual(before);
    expect(cachedAt).toBeLessThanOrEqual(Date.now());
  });
});

it('a page that answers 404 is captured, and its status reported', async () => {
  const response = await service.shot({ url: `${site.url}/gone`, response: 'json' }, customer.key);
  expect(response.status).toBe(200);
  expect((await metaOf(response)).page).toMatchObject({ status: 404, title: 'Gone' });
  expect(response.headers.get('cache-control')).toMatch(/max-age=(5\d|60)$/);
});

it('HEAD answers like GET without a body', async () => {
  const response = await fetch(`${service.url}/v1/screenshot?url=${encodeURIComponent(site.url)}`, {
    method: 'HEAD',
    headers: { 'x-api-key': customer.key },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(Number(response.headers.get('content-length'))).toBe(Number(response.headers.get('x-image-size')));
  expect((await response.arrayBuffer()).byteLength).toBe(0);
});

it('every response has a request id, the rate of the account and the phases of the render', async () => {
  const response = await service.shot({ url: site.url, width: 411 }, customer.key);
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
  expect(response.headers.get('x-ratelimit-limit')).toBe('600');
  expect(Number(response.headers.get('x-ratelimit-remaining'))).toBeLessThan(600);
  expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1);
  const timing = response.headers.get('server-timing') ?? '';
  for (const phase of ['load', 'capture']) expect(timing).toMatch(new RegExp(`\\b${phase};dur=[\\d.]+`));
});
