// What HTTP clients, browsers and caches expect of the API besides its results.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { startChangingTarget } from '../harness/changing-target.ts';
import { get } from '../harness/http-client.ts';
import { type Customer, errorOf, metaOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  service = await startService();
  customer = await service.customer('pro');
  site = await startSite({ '/': colourPage('#00ff00'), '/other': colourPage('#0000ff') });
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

const small = { width: 200, height: 100 };
const shot = (values: Record<string, string | number | boolean> = {}, headers?: Record<string, string>) =>
  service.shot({ url: `${site.url}/`, ...small, ...values }, customer.key, headers);
const typeOf = (response: Response) => response.headers.get('content-type');

describe('other origins', () => {
  it('may read every answer of the API, errors included, without cookies', async () => {
    for (const response of [await shot({}, { origin: 'https://app.example' }), await service.get('/v1/screenshot')]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('get the answer to a preflight request without a key', async () => {
    const response = await fetch(`${service.url}/v1/screenshot`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST, PUT');
    for (const name of ['Authorization', 'Content-Type', 'X-API-Key', 'Idempotency-Key'])
      expect(response.headers.get('access-control-allow-headers')).toContain(name);
  });

  it('may not read the dashboard', async () => {
    expect((await service.get('/api/session')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('compression', () => {
  const raw = (path: string, encoding: string) =>
    get(service.url + path, { 'accept-encoding': encoding, 'x-api-key': customer.key });

  it.each([
    ['br', (bytes: Buffer) => brotliDecompressSync(bytes)],
    ['gzip', (bytes: Buffer) => gunzipSync(bytes)],
  ])('gives JSON in %s to clients that accept it', async (encoding, open) => {
    const { headers, body } = await raw('/openapi.json', `${encoding}, identity;q=0.5`);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toContain('Accept-Encoding');
    expect(JSON.parse(open(body).toString())).toHaveProperty('openapi');
  });

  it('leaves bodies alone where the client accepts none, and pictures always', async () => {
    expect((await raw('/openapi.json', 'br;q=0, gzip;q=0')).headers['content-encoding']).toBeUndefined();
    const path = `/v1/screenshot?url=${encodeURIComponent(`${site.url}/`)}&width=800&height=600`;
    expect((await raw(path, 'br, gzip')).headers['content-encoding']).toBeUndefined();
  });
});

describe('headers', () => {
  it('report the rate as the IETF draft says, beside the older ones', async () => {
    const { headers } = await shot();
    expect(headers.get('ratelimit-policy')).toBe('"renders";q=300;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"renders";r=\d+;t=\d+$/);
    expect(headers.get('ratelimit')).toContain(`r=${headers.get('x-ratelimit-remaining')};`);
  });

  it('tell a caller without a valid key how to send one', async () => {
    const missing = await service.get('/v1/screenshot?url=https://example.com/');
    expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="Tintype"');
    const wrong = await service.get('/v1/screenshot?url=https://example.com/', `sk_live_${'x'.repeat(32)}`);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="Tintype", error="invalid_token"');
  });
});

describe('ranges', () => {
  it('give a part of a PDF, of a picture and of a file behind a link', async () => {
    const { imageUrl } = await (await shot({ format: 'pdf', response: 'json' })).json();
    const whole = Buffer.from(await (await fetch(imageUrl)).arrayBuffer());
    for (const ask of [
      (range: string) => fetch(imageUrl, { headers: { range } }),
      (range: string) => shot({ format: 'pdf' }, { range }),
    ]) {
      const part = await ask('bytes=0-4');
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes 0-4/${whole.length}`);
      expect(await part.text()).toBe('%PDF-');
      const end = Buffer.from(await (await ask('bytes=-6')).arrayBuffer());
      expect(end).toEqual(whole.subarray(-6));
      const rest = await ask(`bytes=${whole.length - 3}-`);
      expect(rest.headers.get('content-length')).toBe('3');
    }
  });

  it('beyond the end are 416, and several or malformed ones are ignored', async () => {
    const past = await shot({}, { range: 'bytes=99999999-' });
    expect(past.status).toBe(416);
    expect(past.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
    expect(await errorOf(past)).toMatchObject({ code: 'range_not_satisfiable' });
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=9-3', 'bytes=-'])
      expect((await shot({}, { range })).status).toBe(200);
  });

  it('of a POST are the whole', async () => {
    const response = await fetch(`${service.url}/v1/screenshot`, {
      method: 'POST',
      headers: { 'x-api-key': customer.key, 'content-type': 'application/json', range: 'bytes=0-1' },
      body: JSON.stringify({ html: '<p>whole' }),
    });
    expect(response.status).toBe(200);
  });

  it('of another version are the whole (If-Range)', async () => {
    expect((await shot({}, { range: 'bytes=0-1', 'if-range': '"another"' })).status).toBe(200);
    const etag = (await shot()).headers.get('etag') ?? '';
    expect((await shot({}, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  });
});

describe('format', () => {
  it.each([
    ['image/webp', 'image/webp'],
    ['application/pdf', 'application/pdf'],
    ['image/jpeg;q=0.9, image/png;q=0.5', 'image/jpeg'],
    // What browsers send for <img>, and what they send for an address.
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/png'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'image/png'],
    ['*/*', 'image/png'],
    ['video/mp4', 'image/png'],
  ])('is chosen by Accept: %s where none is given: %s', async (accept, type) => {
    const response = await shot({}, { accept });
    if (!response.ok) expect(await response.text()).toBe('a result');
    expect(typeOf(response)).toBe(type);
    expect(response.headers.get('vary')).toContain('Accept');
  });

  it('that is given wins over Accept', async () => {
    expect(typeOf(await shot({ format: 'png' }, { accept: 'image/webp' }))).toBe('image/png');
  });

  it('is chosen for a POST, a card and a text too', async () => {
    const post = await service.post('/v1/screenshot', { url: `${site.url}/`, ...small }, customer.key, {
      accept: 'image/webp',
    });
    expect(typeOf(post)).toBe('image/webp');
    expect(
      typeOf(await service.get('/v1/og?template=default&title=Hello', customer.key, { accept: 'image/webp' })),
    ).toBe('image/webp');
    const content = `/v1/content?url=${encodeURIComponent(`${site.url}/`)}`;
    expect(typeOf(await service.get(content, customer.key, { accept: 'text/plain' }))).toContain('text/plain');
  });

  it('jpeg means jpg, and is the same result', async () => {
    const first = await shot({ format: 'jpg' });
    expect(typeOf(first)).toBe('image/jpeg');
    expect((await shot({ format: 'jpeg' })).headers.get('x-cache')).toBe('HIT');
    expect(typeOf(await service.get('/v1/og?template=default&title=Hello&format=jpeg', customer.key))).toBe(
      'image/jpeg',
    );
  });
});

describe('mistakes', () => {
  it('fullPage=1 and 0 mean true and false', async () => {
    const first = await shot({ fullPage: true });
    expect(first.status).toBe(200);
    expect((await shot({ fullPage: 1 })).headers.get('x-cache')).toBe('HIT');
    await shot({ fullPage: false });
    expect((await shot({ fullPage: 0 })).headers.get('x-cache')).toBe('HIT');
  });

  it('an address without https:// gets the one that was meant', async () => {
    for (const [given, meant] of [
      ['example.com', 'https://example.com'],
      ['www.example.com/a?b=c', 'https://www.example.com/a?b=c'],
    ])
      expect((await errorOf(await shot({ url: given ?? '' }))).error).toMatch(
        new RegExp(`did you mean ${RegExp.escape(meant ?? '')}\\?$`),
      );
    expect((await errorOf(await shot({ url: 'javascript:alert(1)' }))).error).not.toContain('did you mean');
  });

  it('a parameter without effect is a warning', async () => {
    const response = await shot({ pageSize: 'a4', quality: 50, padding: 5, fit: 'cover' });
    expect(response.status).toBe(200);
    const warning = response.headers.get('x-warning');
    expect(warning).toContain('pageSize has no effect with format=png.');
    expect(warning).toContain('quality has no effect with format=png.');
    expect(warning).toContain('padding has no effect without selector.');
    expect(warning).toContain('fit has no effect without both resizeWidth and resizeHeight.');
  });

  it('a waitForSelector that never appears is named in the 504', async () => {
    const response = await shot({ waitForSelector: '#never', timeout: 6000 });
    expect(response.status).toBe(504);
    expect(await errorOf(response)).toMatchObject({
      code: 'render_timeout',
      parameter: 'waitForSelector',
      error: 'No element matched waitForSelector (#never) within 6000 ms.',
    });
  });

  it('colours of cards may have CSS names', async () => {
    const card = (accent: string) => service.get(`/v1/og?template=default&title=Hi&accent=${accent}`, customer.key);
    const named = await (await card('rebeccapurple')).arrayBuffer();
    expect(Buffer.from(named)).toEqual(Buffer.from(await (await card('%23663399')).arrayBuffer()));
    expect((await card('reddish')).status).toBe(400);
  });
});

describe('DELETE /v1/cache', () => {
  const remove = (query: string, key = customer.key) =>
    fetch(`${service.url}/v1/cache?${query}`, { method: 'DELETE', headers: { 'x-api-key': key } });
  const page = () => `url=${encodeURIComponent(`${site.url}/other`)}`;

  it("removes the account's own results of a page, whatever their format, and nothing else", async () => {
    const another = await service.customer('pro');
    const other = { url: `${site.url}/other`, ...small };
    await service.shot(other, another.key);
    for (const format of ['png', 'webp', 'pdf']) await service.shot({ ...other, format }, customer.key);
    await service.get(`/v1/content?${page()}`, customer.key);
    await shot();
    expect(await (await remove(page())).json()).toEqual({ removed: 4 });
    expect((await service.shot(other, customer.key)).headers.get('x-cache')).toBe('MISS');
    expect((await service.shot(other, another.key)).headers.get('x-cache')).toBe('HIT');
    expect((await shot()).headers.get('x-cache')).toBe('HIT');
  });

  it('removes cards by their template', async () => {
    await service.get('/v1/og?template=quote&title=Hi', customer.key);
    expect(await (await remove('template=quote')).json()).toEqual({ removed: 1 });
    expect(await (await remove('template=quote')).json()).toEqual({ removed: 0 });
  });

  it('leaves nothing behind that began before: such a render is neither stored nor joined', async () => {
    const target = await startChangingTarget();
    try {
      const parameters = { url: `${target.url}/?page`, ...small };
      const cacheOf = (response: Response) => response.headers.get('x-cache');
      await target.be('held');
      const before = service.shot({ ...parameters, response: 'json' }, customer.key);
      await expect.poll(() => target.hits, { timeout: 20_000 }).toBe(1);
      expect((await remove(`url=${encodeURIComponent(parameters.url)}`)).status).toBe(200);
      const after = service.shot(parameters, customer.key);
      await expect.poll(() => target.hits, { timeout: 20_000 }).toBe(2);
      await target.be('good');
      const meta = await metaOf(await before);
      expect(meta.imageUrl).toBeNull();
      expect(meta.warnings).toEqual([expect.stringMatching(/removed while it was rendered/)]);
      expect(cacheOf(await after)).toBe('MISS');
      expect(cacheOf(await service.shot(parameters, customer.key))).toBe('HIT');

      await target.be('held');
      const last = service.shot({ ...parameters, width: 210 }, customer.key);
      await expect.poll(() => target.hits, { timeout: 20_000 }).toBe(3);
      await remove(`url=${encodeURIComponent(parameters.url)}`);
      await target.be('good');
      expect((await last).status).toBe(200);
      expect(cacheOf(await service.shot({ ...parameters, width: 210 }, customer.key))).toBe('MISS');
    } finally {
      await target.close();
    }
  }, 60_000);

  it('with a key that is limited to hosts or templates removes only what that key may render', async () => {
    const { account } = await service.customer('pro');
    const make = async (name: string, limits: object) =>
      (await createKey(service.store, { accountId: account.id, name, limit: 9, ...limits })).secret;
    const full = await make('full', {});
    const ofHosts = await make('hosts', { allowedHosts: ['example.com'] });
    const ofTemplates = await make('templates', { allowedTemplates: ['event'] });
    await service.shot({ url: `${site.url}/other`, ...small }, full);
    await service.get('/v1/og?template=quote&title=Hi', full);
    expect(await errorOf(await remove(page(), ofHosts))).toMatchObject({ code: 'host_not_allowed' });
    expect(await errorOf(await remove('template=quote', ofTemplates))).toMatchObject({ code: 'forbidden' });
    expect(await (await remove('url=https://example.com/', ofHosts)).json()).toEqual({ removed: 0 });
    expect(await (await remove('template=event', ofTemplates)).json()).toEqual({ removed: 0 });
    for (const query of [page(), 'template=quote'])
      expect(await (await remove(query, full)).json(), query).toEqual({ removed: 1 });
  });

  it('needs a key and exactly one of url and template', async () => {
    expect((await fetch(`${service.url}/v1/cache?${page()}`, { method: 'DELETE' })).status).toBe(401);
    expect(await errorOf(await remove(''))).toMatchObject({ code: 'missing_parameter' });
    for (const query of [`${page()}&template=quote`, 'url=ftp://x/', `${page()}&format=png`, 'template=my/card@3'])
      expect((await remove(query)).status).toBe(400);
  });
});
