// What a caller sends is bounded and answered by its own 4xx; what is kept of it has no secret in it; and no cache keeps an
// answer for longer than the link lives that it was asked with.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signLink } from '../../src/access/signatures.ts';
import { type Customer, errorOf, metaOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let customer: Customer;
let site: Site;
const asked: string[] = [];
beforeAll(async () => {
  site = await startSite({
    '/': colourPage('#336699'),
    '/secret': (request, response) => {
      asked.push(request.url ?? '');
      const title = 'Take sk_live_titletitletitle and /?token=hunter2';
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${title}</title><body>Hello`);
    },
    '/hop': (_request, response) => void response.writeHead(302, { location: '/secret?access_token=hunter2' }).end(),
  });
  service = await startService();
  customer = await service.customer('business');
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&');
const target = () => `url=${encodeURIComponent(`${site.url}/`)}`;

/** What the usage table has of the newest requests. */
async function usage(account = customer.account) {
  await service.quiet();
  // Written a second later.
  for (let tries = 0; ; tries++) {
    const records = await service.store.usage.recent(account.id, { count: 50 });
    if (records.length > 0 || tries === 50) return records;
    await new Promise((done) => setTimeout(done, 100));
  }
}

describe('the number and the length of parameters', () => {
  it.each(['/v1/screenshot', '/v1/og'])('%s: 401 without a key, 400 with one, whatever the number', async (path) => {
    for (const query of [numbered(201), numbered(7000), `${'n'.repeat(201)}=1`, `${'n'.repeat(60_000)}=1`]) {
      const nobody = await service.get(`${path}?${query}`);
      expect([nobody.status, (await errorOf(nobody)).code]).toEqual([401, 'missing_api_key']);
      const known = await service.get(`${path}?${query}`, customer.key);
      expect([known.status, (await errorOf(known)).code]).toEqual([400, 'invalid_parameter']);
      const inQuery = await service.get(`${path}?${query}&api_key=${customer.key}`);
      expect([inQuery.status, (await errorOf(inQuery)).code]).toEqual([400, 'invalid_parameter']);
    }
  });

  it.each(['/v1/screenshot', '/v1/og'])('%s by POST: the same', async (path) => {
    const numberedFields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, '1']));
    for (const body of [
      numberedFields(201),
      numberedFields(7000),
      { ['n'.repeat(201)]: '1' },
      { ['n'.repeat(2e6)]: '1' },
    ]) {
      const nobody = await service.post(path, body);
      expect([nobody.status, (await errorOf(nobody)).code]).toEqual([401, 'missing_api_key']);
      const known = await service.post(path, body, customer.key);
      const { code, error } = await errorOf(known);
      expect([known.status, code, error.length < 300]).toEqual([400, 'invalid_parameter', true]);
    }
  });

  it('a signed link with too many is known by its key first', async () => {
    const path = `/v1/screenshot?${target()}&${numbered(300)}`;
    const link = signLink({ path, keyId: customer.keyId, secret: customer.signingSecret });
    expect((await service.get(link)).status).toBe(400);
    expect((await service.get(link.replace('p299', 'p29x'))).status).toBe(401);
  });

  it('200 parameters are taken, and twenty unknown ones are named', async () => {
    const response = await service.get(`/v1/screenshot?${target()}&response=json&${numbered(198)}`, customer.key);
    const { warnings } = await metaOf(response);
    expect(warnings.filter((text) => text.includes('unknown'))).toHaveLength(21);
    expect(warnings).toContain('178 more unknown parameters');
    expect(response.headers.get('x-warning')?.length).toBeLessThanOrEqual(1000);
  });

  it('a path of more than 2,000 characters is 414, and never looked up', async () => {
    for (const path of [
      `/${'a'.repeat(2001)}`,
      `/v1/files/${'%25'.repeat(5000)}?signature=1`,
      `/docs/${'<'.repeat(5000)}`,
    ]) {
      const response = await service.get(path);
      expect([response.status, (await errorOf(response)).code]).toEqual([414, 'uri_too_long']);
    }
  });

  it('headers of more than 32 KB are 431, before anybody reads them', async () => {
    for (const name of ['cookie', 'if-none-match', 'x-api-key', 'range']) {
      const response = await service.get('/v1/screenshot', undefined, { [name]: ','.repeat(33_000) });
      expect([name, response.status, (await errorOf(response)).code]).toEqual([name, 431, 'headers_too_large']);
    }
  });
});

describe('what is stored', () => {
  it.each(['GET', 'POST'])(
    'of a %s with 200 long parameters is 8 KB, and still says what it was about',
    async (method) => {
      const other = await service.customer('business');
      const long = Object.fromEntries(
        Array.from({ length: 190 }, (_, i) => [`p${i}`, 'x'.repeat(method === 'GET' ? 300 : 10_000)]),
      );
      const all = { ...long, url: `${site.url}/` };
      const response = await (method === 'GET'
        ? service.shot(all, other.key)
        : service.post('/v1/screenshot', all, other.key));
      expect(response.status).toBe(200);
      const [record] = await usage(other.account);
      expect(
        Buffer.byteLength(record?.parameters ?? '') + Buffer.byteLength(record?.warnings ?? ''),
      ).toBeLessThanOrEqual(8192);
      const shown = JSON.parse(record?.parameters ?? '');
      expect(shown.url).toBe(`${site.url}/`);
      expect(shown['…']).toMatch(/^\d+ more parameters$/);
    },
  );

  it('of a captured address, its redirect and its title has no key or token; the page got the true one', async () => {
    const other = await service.customer('business');
    const secrets =
      'api_key=hunter2&token=hunter2&key_id=hunter2&u=https%3A%2F%2Fb%2F%3Fapi_key%3Dhunter2&k=sk_live_hunter2';
    for (const path of [`/secret?${secrets}`, '/hop?signature=hunter2'])
      for (const cache of ['MISS', 'HIT']) {
        const response = await service.shot({ url: site.url + path, response: 'json' }, other.key);
        expect([response.headers.get('x-cache'), (await metaOf(response)).page.finalUrl]).toEqual([
          cache,
          expect.not.stringContaining('hunter2'),
        ]);
      }
    expect(asked).toEqual([`/secret?${secrets}`, '/secret?access_token=hunter2']);
    const records = await usage(other.account);
    const entries = await service.store.cache.ofAccount(other.account.id, 10);
    expect(records.length).toBeGreaterThan(0);
    expect(entries).toHaveLength(2);
    const kept = JSON.stringify([records, entries]);
    expect(kept).not.toMatch(/hunter2|titletitle/);
    expect(kept).toContain('[redacted]');
    expect(service.logLines.join('')).not.toMatch(/hunter2|titletitle/);
  });

  it('of a page that was sent is its hash and length, and of secrets nothing', async () => {
    const other = await service.customer('business');
    const headers = { 'X-Token': 'hunter2' };
    const cookies = [{ name: 'hunter2', value: 'hunter2' }];
    const basicAuth = { username: 'hunter2', password: 'hunter2' };
    const bodies = [
      { html: '<p>hunter2', baseUrl: 'http://10.0.0.1/?token=hunter2' },
      { url: 'http://10.0.0.1/', headers, cookies, basicAuth },
      // Refused, for their values or their types: the error and the record have them no more than a success.
      { url: 'http://10.0.0.1/', headers: { ...headers, Host: 'hunter2' } },
      { url: 'http://10.0.0.1/', headers: [headers], cookies: 'hunter2' },
      { url: 'http://10.0.0.1/', cookies: [{ ...cookies[0], more: 'hunter2' }] },
      { url: 'http://10.0.0.1/', basicAuth: { ...basicAuth, more: 'hunter2' } },
    ];
    for (const body of bodies) {
      const response = await service.post('/v1/screenshot', body, other.key);
      const text = await response.text();
      expect([response.status, text.includes('hunter2')]).toEqual([400, false]);
    }
    for (const name of ['headers', 'cookies', 'basicAuth']) {
      const response = await service.shot({ url: 'http://10.0.0.1/', [name]: 'hunter2' }, other.key);
      expect([response.status, (await response.text()).includes('hunter2')]).toEqual([400, false]);
    }
    await service.quiet();
    await expect.poll(async () => (await usage(other.account)).length).toBeGreaterThanOrEqual(bodies.length);
    const kept = JSON.stringify(await usage(other.account));
    expect(kept).toContain('sha256:');
    expect(kept).not.toContain('hunter2');
    expect(service.logLines.join('')).not.toContain('hunter2');
  });

  it('of the playground is bounded and without secrets as well', async () => {
    const call = (path: string, body: unknown, cookie = '') =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
        body: JSON.stringify(body),
      });
    const email = `p${Date.now()}@example.test`;
    const signUp = await call('/api/sign-up', { name: 'P', email, password: 'a long pass phrase' });
    const cookie = signUp.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const url = `${site.url}/?api_key=hunter2&token=hunter2`;
    const customCSS = 'x'.repeat(30_000);
    await (await call('/api/playground/render', { endpoint: 'screenshot', parameters: { url } }, cookie)).text();
    await (
      await call('/api/playground/render', { endpoint: 'screenshot', parameters: { url, customCSS } }, cookie)
    ).text();
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`p${i}`, '']));
    expect((await call('/api/playground/render', { endpoint: 'og', parameters: many }, cookie)).status).toBe(403);
    expect((await call('/api/playground/render', { endpoint: 'screenshot', parameters: many }, cookie)).status).toBe(
      400,
    );
    const account = await service.store.accounts.byEmail(email);
    if (account === undefined) throw new Error('no account');
    const requests = await fetch(`${service.url}/api/requests`, { headers: { cookie } });
    const text = await requests.text();
    expect(text).toContain('api_key=[redacted]');
    expect(text).not.toContain('hunter2');
    for (const { parameters, warnings } of await usage(account))
      expect(parameters.length + warnings.length).toBeLessThan(8192);
  });
});

describe('how long an answer may be kept', () => {
  const maxAgeOf = (response: Response) =>
    Number(/max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]);

  it('a signed link with 600 s left is public for no longer, and not immutable', async () => {
    const expires = Math.floor(Date.now() / 1000) + 600;
    const signed = (query: string) =>
      signLink({
        path: `/v1/screenshot?${target()}${query}`,
        keyId: customer.keyId,
        secret: customer.signingSecret,
        expires,
      });
    for (const query of ['', '&width=700', '&width=700']) {
      const response = await service.get(signed(query));
      expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      expect(maxAgeOf(response)).toBeLessThanOrEqual(600);
      expect(maxAgeOf(response)).toBeGreaterThan(500);
    }
    // Nor is the link that it hands on.
    const { imageUrl } = await metaOf(await service.get(signed('&response=json')));
    expect(Number(new URL(imageUrl).searchParams.get('expires'))).toBeLessThanOrEqual(expires);
  });

  it('a link to a file is kept until it expires', async () => {
    const { imageUrl } = await metaOf(await service.shot({ url: `${site.url}/`, response: 'json' }, customer.key));
    const rest = Number(new URL(imageUrl).searchParams.get('expires')) - Date.now() / 1000;
    const response = await fetch(imageUrl);
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
    expect(maxAgeOf(response)).toBeLessThanOrEqual(rest + 1);
    expect(maxAgeOf(response)).toBeGreaterThan(rest - 60);
  });
});
