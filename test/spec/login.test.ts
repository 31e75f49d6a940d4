// Pages behind a login: headers, cookies and basicAuth open them, for the origin of url only, and their answers are kept by
// nobody else. Where the secrets must not be is in test/security/login.test.ts.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, metaOf, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
/** On which the picture was asked for. */
let connections: unknown[] = [];
beforeAll(async () => {
  service = await startService();
  customer = await service.customer('business');
  const isIn = ({ headers }: IncomingMessage) =>
    headers['x-token'] === 'opens' ||
    headers.authorization === `Basic ${Buffer.from('ada:lovelace:ü').toString('base64')}` ||
    /(^|; )session=opens(;|$)/.test(headers.cookie ?? '');
  site = await startSite({
    '/': (request, response) => {
      const [status, title] = isIn(request) ? [200, 'in'] : [401, 'out'];
      response.writeHead(status as number, { 'content-type': 'text/html', 'cache-control': 'max-age=3600' });
      response.end(`<title>${title}</title><body style="margin:0"><img src="/picture.svg" style="display:block">`);
    },
    '/picture.svg': (request, response) => {
      connections.push(request.socket);
      const colour = isIn(request) ? '#0f0' : '#f00';
      response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=3600' });
      response.end(
        `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="900" height="900" fill="${colour}"/></svg>`,
      );
    },
    '/headers': (request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<title>${JSON.stringify(request.headers).replaceAll('<', '')}</title>x`);
    },
    '/cookies': '<title>x</title><script>document.title = JSON.stringify(document.cookie)</script>',
  });
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

const post = (values: Record<string, unknown>) => service.post('/v1/screenshot', values, customer.key);

describe('a page behind a login', () => {
  it.each([
    ['headers', { headers: { 'X-Token': 'opens' } }],
    ['cookies', { cookies: [{ name: 'session', value: 'opens' }] }],
    ['basicAuth', { basicAuth: { username: 'ada', password: 'lovelace:ü' } }],
  ])('is opened by %s, and so is what it loads from its origin', async (_name, login) => {
    const values = { url: `${site.url}/`, width: 200, height: 100, ...login };
    expect((await pictureOf(await post(values))).at(100, 50)).toBe('#00ff00');
    const out = await post({
      ...values,
      headers: undefined,
      cookies: undefined,
      basicAuth: undefined,
      response: 'json',
    });
    expect((await metaOf(out)).page).toMatchObject({ status: 401, title: 'out' });
  });

  it('gets headers as they are given, in place of those of the browser', async () => {
    const headers = { 'X-Token': 'a b\tc ü', Accept: 'x/y', 'User-Agent': 'mine', 'Accept-Language': 'de' };
    const { page } = await metaOf(await post({ url: `${site.url}/headers`, headers, response: 'json' }));
    expect(JSON.parse(page.title)).toMatchObject({
      accept: 'x/y',
      'user-agent': 'mine',
      'accept-language': 'de',
      'x-token': Buffer.from('a b\tc ü').toString('latin1'),
    });
  });

  it('gets headers beside blockAds and blockCookies, too', async () => {
    const values = { url: `${site.url}/`, width: 200, height: 100, blockAds: true, blockCookies: true };
    expect((await pictureOf(await post({ ...values, headers: { 'X-Token': 'opens' } }))).at(100, 50)).toBe('#00ff00');
  });

  it('has the cookies as they are given', async () => {
    const cookies = [
      { name: 'a', value: '1' },
      { name: 'hidden', value: '2', httpOnly: true, sameSite: 'Strict' },
      { name: 'elsewhere', value: '3', path: '/elsewhere' },
      { name: 'b', value: 'x=y "z"', domain: '127.0.0.1', path: null },
    ];
    const { page } = await metaOf(await post({ url: `${site.url}/cookies`, cookies, response: 'json' }));
    expect(JSON.parse(page.title)).toBe('a=1; b=x=y "z"');
  });

  it('leaves nothing behind: the next page has no cookie, no cached file and no connection of it', async () => {
    const login = {
      headers: { 'X-Token': 'opens' },
      cookies: [{ name: 'session', value: 'opens' }],
    };
    for (let i = 0; i < 3; i++) {
      connections = [];
      await post({ url: `${site.url}/?${i}`, ...login });
      const { page } = await metaOf(await post({ url: `${site.url}/?${i}`, response: 'json' }));
      expect(page).toMatchObject({ status: 401, title: 'out' });
      // Both asked for the picture, each on a connection of its own.
      expect([connections.length, new Set(connections).size]).toEqual([2, 2]);
    }
  });
});

describe('the answer', () => {
  const login = { headers: { 'X-Token': 'opens' } };

  it('is private, no-store: fresh, from the cache and behind imageUrl, which expires within an hour', async () => {
    const values = { url: `${site.url}/?answer`, ...login };
    const [first, second] = [await post(values), await post(values)];
    expect([first, second].map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'HIT']);
    const { imageUrl } = await metaOf(await post({ ...values, response: 'json' }));
    const expires = Number(new URL(imageUrl).searchParams.get('expires'));
    expect(expires * 1000 - Date.now()).toBeGreaterThan(3_500_000);
    expect(expires * 1000 - Date.now()).toBeLessThanOrEqual(3_600_000);
    const file = await fetch(imageUrl);
    expect(file.status).toBe(200);
    for (const { headers } of [first, second, file]) expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('is that of these secrets only: others, and none, are another render', async () => {
    const url = `${site.url}/?key`;
    const cacheOf = async (values: Record<string, unknown>) => (await post({ url, ...values })).headers.get('x-cache');
    expect(await cacheOf(login)).toBe('MISS');
    expect(await cacheOf(login)).toBe('HIT');
    expect(await cacheOf({ headers: { 'X-Token': 'opens ' } })).toBe('MISS');
    expect(await cacheOf({ headers: { 'X-Tokem': 'opens' } })).toBe('MISS');
    expect(await cacheOf({ cookies: [{ name: 'X-Token', value: 'opens' }] })).toBe('MISS');
    expect(await cacheOf({})).toBe('MISS');
  });

  it('is that of a GET where there are no headers and no cookies', async () => {
    const url = `${site.url}/headers?none`;
    expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('MISS');
    const posted = await post({ url, headers: {}, cookies: [] });
    expect([posted.status, posted.headers.get('x-cache')]).toEqual([200, 'HIT']);
    expect(posted.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
  });
});

describe('a 400 names the parameter for', () => {
  const https = 'https://a.b.example.co.uk/';
  const one = (cookie: Record<string, unknown>) => [{ name: 'a', value: 'b', ...cookie }];

  it.each([
    [
      'basicAuth beside the header Authorization',
      'basicAuth',
      { basicAuth: { username: 'a', password: 'b' }, headers: { authorization: 'x' } },
    ],
    ['a cookie of another site', 'cookies', { cookies: one({ domain: 'example.com' }) }],
    ['a cookie of a sub-domain', 'cookies', { cookies: one({ domain: 'x.a.b.example.co.uk' }) }],
    ['a cookie of a name that only ends alike', 'cookies', { cookies: one({ domain: 'ample.co.uk' }) }],
    ['a cookie of a public suffix', 'cookies', { cookies: one({ domain: 'co.uk' }) }],
    ['a cookie of a top-level domain', 'cookies', { cookies: one({ domain: '.uk' }) }],
    [
      'a cookie of a suffix of many sites',
      'cookies',
      { url: 'https://me.github.io/', cookies: one({ domain: 'github.io' }) },
    ],
    ['a cookie of a part of an address', 'cookies', { url: 'http://127.0.0.1/', cookies: one({ domain: '0.0.1' }) }],
    ['a secure cookie over http', 'cookies', { url: 'http://example.com/', cookies: one({ secure: true }) }],
    ['SameSite None over http', 'cookies', { url: 'http://example.com/', cookies: one({ sameSite: 'None' }) }],
    ['SameSite None that is not secure', 'cookies', { cookies: one({ sameSite: 'None', secure: false }) }],
    ['__Secure- over http', 'cookies', { url: 'http://example.com/', cookies: one({ name: '__Secure-a' }) }],
    ['__Secure- that is not secure', 'cookies', { cookies: one({ name: '__secure-a', secure: false }) }],
    ['__Host- with a domain', 'cookies', { cookies: one({ name: '__Host-a', domain: 'example.co.uk' }) }],
    ['__Host- with a path', 'cookies', { cookies: one({ name: '__Host-a', path: '/x' }) }],
    ['a value that ends in a blank', 'cookies', { cookies: one({ value: 'b ' }) }],
    ['the same cookie twice', 'cookies', { cookies: [...one({}), ...one({ value: 'c', path: '/' })] }],
  ])('%s', async (_what, parameter, values) => {
    const response = await post({ url: https, ...values });
    const error = await errorOf(response);
    expect([response.status, error.code, error.parameter]).toEqual([400, 'invalid_parameter', parameter]);
    expect(error.error).toContain(parameter);
  });

  it.each([
    ['the host itself', one({ domain: 'a.b.example.co.uk' })],
    ['a parent', one({ domain: '.B.example.co.uk' })],
    ['the registered domain', one({ domain: 'example.co.uk' })],
    ['a secure cookie', one({ secure: true, sameSite: 'None' })],
    ['__Host-', one({ name: '__Host-a' })],
    ['one name on two paths', [...one({}), ...one({ path: '/x' })]],
  ])('but not for %s', async (_what, cookies) => {
    // Port 1 is refused after all parameters are checked.
    expect(await errorOf(await post({ url: https.replace('uk/', 'uk:1/'), cookies }))).toMatchObject({
      code: 'target_refused',
    });
  });
});
