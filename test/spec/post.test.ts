// POST: the body, its errors, and the same answers as GET.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signLink } from '../../src/access/signatures.ts';
import { pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, metaOf, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  service = await startService();
  customer = await service.customer('business');
  site = await startSite({
    '/': '<body style="background:#0a0">Hello',
    '/module.js': { headers: { 'content-type': 'text/javascript' }, body: 'document.body.style.background = "#00f"' },
  });
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

const screenshot = '/v1/screenshot';

describe('a POST', () => {
  it('hits what a GET has stored, and the other way round', async () => {
    const same = { width: 300, height: 200, clip: '0,0,100,50', fullPage: false };
    const got = await service.shot({ url: `${site.url}/?a`, ...same }, customer.key);
    const posted = await service.post(
      screenshot,
      { url: `${site.url}/?a`, ...same, clip: [0, 0, 100, 50] },
      customer.key,
    );
    expect([got.headers.get('x-cache'), posted.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
    expect(posted.headers.get('etag')).toBe(got.headers.get('etag'));
    expect(Buffer.from(await posted.arrayBuffer()).equals(Buffer.from(await got.arrayBuffer()))).toBe(true);
    const first = await service.post(screenshot, { url: `${site.url}/?b`, width: 300 }, customer.key);
    const then = await service.shot({ url: `${site.url}/?b`, width: 300 }, customer.key);
    expect([first.headers.get('x-cache'), then.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
  });

  it('of a card hits what a GET has stored; items are an array', async () => {
    const words = { template: 'changelog-card', title: 'Ü & more', change_items: 'One\nTwo' };
    const got = await service.get(`/v1/og?${new URLSearchParams(words)}`, customer.key);
    expect(got.status).toBe(200);
    const posted = await service.post('/v1/og', { ...words, change_items: ['One', 'Two'] }, customer.key);
    expect([posted.status, posted.headers.get('x-cache')]).toEqual([200, 'HIT']);
    const broken = await service.post('/v1/og', { ...words, change_items: ['One\nTwo'] }, customer.key);
    expect(await errorOf(broken)).toMatchObject({ code: 'invalid_parameter', parameter: 'change_items' });
  });

  it.each([{ title: ['One', 'Two'] }, { accent: ['#f00'] }, { author: [] }, { title: {} }])(
    'of a card takes an array for a list only: %j',
    async (wrong) => {
      const refused = await service.post('/v1/og', { template: 'default', ...wrong }, customer.key);
      expect(refused.status).toBe(400);
      const [parameter] = Object.keys(wrong);
      expect(await errorOf(refused)).toMatchObject({ code: 'invalid_parameter', parameter });
    },
  );

  it('takes null as not given, and warns of an unknown name', async () => {
    const response = await service.post(
      screenshot,
      { url: `${site.url}/?b`, width: 300, height: null, clip: null, widht: 5 },
      customer.key,
    );
    expect([response.status, response.headers.get('x-cache')]).toEqual([200, 'HIT']);
    expect(response.headers.get('x-warning')).toContain('widht');
  });

  it.each([{ width: 3 }, [1, 'a'], ['a\nb'], true])(
    'warns of an unknown name, whatever its value is: %j',
    async (viewport) => {
      const body = { url: `${site.url}/?b`, width: 300, viewport, api_key: null };
      const response = await service.post(screenshot, body, customer.key);
      expect([response.status, response.headers.get('x-cache')]).toEqual([200, 'HIT']);
      expect(response.headers.get('x-warning')).toContain('viewport');
    },
  );

  it.each([
    ['is not JSON', '{"url":', 400, 'invalid_body'],
    ['is empty', '', 400, 'invalid_body'],
    ['is an array', [], 400, 'invalid_body'],
    ['is a string', '"x"', 400, 'invalid_body'],
    ['is null', 'null', 400, 'invalid_body'],
    ['has a million values', `{"a":[${'1,'.repeat(1e6)}1]}`, 400, 'invalid_body'],
    ['is a million brackets', '['.repeat(1e6), 400, 'invalid_body'],
    ['has 4 MB and a byte', `{"html":"${'x'.repeat(4 * 1024 * 1024 - 10)}"}`, 413, 'body_too_large'],
    ['has 5 MB', JSON.stringify({ html: 'x'.repeat(5e6) }), 413, 'body_too_large'],
    ['has a key', { api_key: 'x', url: 'http://10.0.0.1/' }, 400, 'invalid_parameter'],
    ['has an object where a text belongs', { url: {} }, 400, 'invalid_parameter'],
    ['has two sources', { url: 'http://10.0.0.1/', html: 'x' }, 400, 'invalid_parameter'],
    ['has no source', { width: 300 }, 400, 'missing_parameter'],
    ['has an object as a header', { headers: { a: { toString: 1, valueOf: 1 } } }, 400, 'invalid_parameter'],
    ['has an object as a cookie', { cookies: [{ name: { toString: 1 }, value: 'x' }] }, 400, 'invalid_parameter'],
    ['has a name of 3 MB', { ['n'.repeat(3e6)]: 'x' }, 400, 'invalid_parameter'],
    [
      'has 201 parameters',
      Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`p${i}`, 'x'])),
      400,
      'invalid_parameter',
    ],
  ])('whose body %s is refused', async (_what, body, status, code) => {
    const response = await service.post(screenshot, body, customer.key);
    expect(await errorOf(response)).toMatchObject({ code });
    expect(response.status).toBe(status);
  });

  it('whose body is not UTF-8 is refused', async () => {
    const response = await fetch(`${service.url}${screenshot}`, {
      method: 'POST',
      headers: { 'x-api-key': customer.key, 'content-type': 'application/json' },
      body: Buffer.from('{"html":"\xff"}', 'latin1'),
    });
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_body' });
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['json', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('of the type %s %j is a 415', async (type, headers) => {
    const response = await service.post(screenshot, '{"html":"x"}', customer.key, { 'content-type': type, ...headers });
    expect([response.status, (await errorOf(response)).code]).toEqual([415, 'unsupported_media_type']);
  });

  it.each(['text/plain', 'json', '/'])(
    'of the type %s without a key is a 401, and a 404 where there is nothing',
    async (type) => {
      const post = (path: string) =>
        fetch(service.url + path, { method: 'POST', headers: { 'content-type': type }, body: '{}' });
      expect((await errorOf(await post(screenshot))).code).toBe('missing_api_key');
      expect((await errorOf(await post('/v1/nothing'))).code).toBe('not_found');
    },
  );

  it('takes a charset and any case in its type', async () => {
    const response = await service.post(screenshot, { url: `${site.url}/?b`, width: 300 }, customer.key, {
      'content-type': 'Application/JSON; charset=utf-8',
    });
    expect(response.status).toBe(200);
  });

  it('without a key is a 401 before its body is read', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${service.url}${screenshot}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 1_000_000 },
      });
      sent.on('response', (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      // Nothing more is sent.
      sent.write('{');
    });
    expect(answer).toBe(401);
  });

  it('refuses the seventeenth body that an account sends at once, and reads it when others have ended', async () => {
    const { key } = await service.customer('business');
    const slow = Array.from({ length: 16 }, () => {
      const sent = request(`${service.url}${screenshot}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': 1_000_000 },
      });
      sent.on('error', () => {});
      sent.write('{"html":"');
      return sent;
    });
    const body = { url: 'http://10.0.0.1/' };
    const codeNow = async () => (await errorOf(await service.post(screenshot, body, key))).code;
    await expect.poll(codeNow).toBe('overloaded');
    expect((await errorOf(await service.post(screenshot, body, customer.key))).code).toBe('target_refused');
    for (const sent of slow) sent.destroy();
    await expect.poll(codeNow).toBe('target_refused');
  });

  it('that comes in more than 20,000 pieces is refused', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${service.url}${screenshot}`, {
        method: 'POST',
        headers: { 'x-api-key': customer.key, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      });
      sent.on('response', (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.write('{"html":"');
      for (let i = 0; i < 21_000; i++) sent.write('x');
    });
    expect(answer).toBe(400);
  });

  it('whose body is held while others of its account are is refused above 64 MB, and taken later', async () => {
    const { key } = await service.customer('business');
    const isRefused = Promise.withResolvers<void>();
    site.set('/waits', (_request, response) => void isRefused.promise.then(() => response.end('<p>x')));
    const waiting = `<meta http-equiv="refresh" content="0;url=${site.url}/waits">${' '.repeat(1_990_000)}`;
    const body = JSON.stringify({ html: waiting, title: 'x'.repeat(1_900_000) });
    // To one server: each counts what it holds.
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const big = () => fetch(`${service.url}${screenshot}`, { method: 'POST', headers, body });
    const statusOf = async () => {
      const { status } = await big();
      if (status === 503) isRefused.resolve();
      return status;
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, statusOf));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect((await big()).status).toBe(200);
  });

  it('with parameters in its query is refused', async () => {
    const response = await service.post(`${screenshot}?width=5`, { url: 'http://10.0.0.1/' }, customer.key);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter: 'width' });
  });

  it('by a signed link is refused', async () => {
    const { keyId, signingSecret: secret } = customer;
    const link = signLink({ path: `${screenshot}?url=${encodeURIComponent(site.url)}`, keyId, secret });
    expect((await service.get(link)).status).toBe(200);
    const response = await service.post(link, { html: 'x' });
    expect(response.status).toBe(401);
    expect(await errorOf(response)).toMatchObject({
      code: 'invalid_signature',
      error: 'A signed link is for GET only; send a key with a POST.',
    });
  });
});

describe('a key', () => {
  const body = { url: 'http://10.0.0.1/' };
  const codeOf = async (path: string, headers: Record<string, string>) =>
    (await errorOf(await service.post(path, body, undefined, headers))).code;

  it('is taken from X-API-Key, then from Authorization, then from the query', async () => {
    const bearer = { authorization: `Bearer ${customer.key}` };
    expect(await codeOf(screenshot, bearer)).toBe('target_refused');
    expect(await codeOf(screenshot, { authorization: `bearer  ${customer.key}` })).toBe('target_refused');
    expect(await codeOf(`${screenshot}?api_key=${customer.key}`, {})).toBe('target_refused');
    expect(await codeOf(screenshot, { ...bearer, 'x-api-key': 'wrong' })).toBe('invalid_api_key_format');
    expect(await codeOf(`${screenshot}?api_key=${customer.key}`, { authorization: 'Bearer wrong' })).toBe(
      'invalid_api_key_format',
    );
    expect(await codeOf(`${screenshot}?api_key=${customer.key}`, { authorization: 'Basic eDp5' })).toBe(
      'target_refused',
    );
    expect(await codeOf(screenshot, { authorization: 'Basic eDp5' })).toBe('missing_api_key');
  });

  it('that is limited to hosts may not send a page', async () => {
    const { account } = customer;
    const { createKey } = await import('../../src/access/keys.ts');
    const limited = await createKey(service.store, {
      accountId: account.id,
      name: 'limited',
      limit: 1000,
      allowedHosts: ['example.com'],
    });
    const response = await service.post(screenshot, { html: 'x' }, limited.secret);
    expect([response.status, (await errorOf(response)).code]).toEqual([403, 'host_not_allowed']);
  });
});

describe('an address', () => {
  it('of more than 64 KB is a 414 that names POST', async () => {
    const response = await service.shot({ url: site.url, customCSS: 'x'.repeat(70_000) }, customer.key);
    expect(response.status).toBe(414);
    expect((await errorOf(response)).error).toContain('use POST');
  });
});

describe('a page sent as html', () => {
  const colourOf = async (body: Record<string, unknown>) => {
    const response = await service.post(screenshot, { width: 200, height: 100, ...body }, customer.key);
    return (await pictureOf(response)).at(100, 50);
  };

  it('is shown', async () => {
    expect(await colourOf({ html: '<body style="background:#f00">' })).toBe('#ff0000');
  });

  it('runs its scripts, in a secure context with an origin, storage and modules', async () => {
    const html = `<body><script type="module">
      localStorage.a = 1; sessionStorage.b = 2; document.cookie = 'c=3';
      const ok = isSecureContext && location.origin !== 'null' && localStorage.a === '1' && crypto.subtle && document.cookie === 'c=3';
      document.body.style.background = ok ? '#0f0' : '#f00';
    </script>`;
    expect(await colourOf({ html })).toBe('#00ff00');
  });

  it('finds nothing that another page has stored', async () => {
    await colourOf({ html: '<script>localStorage.a = 1; document.cookie = "c=3"</script>' });
    const html = `<script>document.write('<body style="background:' + (localStorage.a || document.cookie ? '#f00' : '#0f0') + '">')</script>`;
    expect(await colourOf({ html })).toBe('#00ff00');
  });

  it('loads relative links from baseUrl, as of the same origin', async () => {
    const html = '<body><script type="module" src="module.js"></script>';
    expect(await colourOf({ html, baseUrl: `${site.url}/` })).toBe('#0000ff');
    expect(site.hits('/module.js')).toBe(1);
  });

  it('is shown whatever characters baseUrl has', async () => {
    for (const path of ['/a|b', '/a%7Cb', '/ü?q=[1]', "/'*", '/x#fragment'])
      expect(await colourOf({ html: '<body style="background:#f00">', baseUrl: site.url + path })).toBe('#ff0000');
  });

  it('that leads to what is not public is a 400 that names it', async () => {
    const html = '<meta http-equiv="refresh" content="0;url=http://10.0.0.1/">';
    const response = await service.post(screenshot, { html }, customer.key);
    expect(await errorOf(response)).toMatchObject({ code: 'target_refused', parameter: 'html' });
  });

  it('is loaded again when it reloads itself', async () => {
    const html = `<script>if (!sessionStorage.again) { sessionStorage.again = 1; location.reload(); }
      else document.write('<body style="background:#0f0">')</script>`;
    expect(await colourOf({ html })).toBe('#00ff00');
  });

  it('leads to the page it redirects to', async () => {
    expect(await colourOf({ html: `<meta http-equiv="refresh" content="0;url=${site.url}/">` })).toBe('#00aa00');
  });

  it('cannot reach what is not public', async () => {
    const html = `<body><img id=i src="http://10.0.0.1/x.png"><script>
      fetch('http://169.254.169.254/').then(() => document.body.style.background = '#f00', () => document.body.style.background = '#0f0')</script>`;
    expect(await colourOf({ html })).toBe('#00ff00');
    const response = await service.post(screenshot, { html: 'x', baseUrl: 'http://10.0.0.1/' }, customer.key);
    expect(await errorOf(response)).toMatchObject({ code: 'target_refused', parameter: 'baseUrl' });
  });

  it('has no url in its metadata, and is nowhere in clear', async () => {
    const secret = `canary${Math.random().toString(36).slice(2)}`;
    const response = await service.post(
      screenshot,
      { html: `<title>T</title><p>${secret}`, response: 'json' },
      customer.key,
    );
    expect(await metaOf(response)).toMatchObject({ url: null, source: 'html', page: { finalUrl: null, title: 'T' } });
    const rows = JSON.stringify(await service.usageUpTo(response, customer.account));
    expect(rows).toContain('sha256:');
    expect(rows + service.logLines.join('')).not.toContain(secret);
  });

  it('says what its source is where that is a url', async () => {
    const response = await service.shot({ url: `${site.url}/`, response: 'json' }, customer.key);
    expect(await metaOf(response)).toMatchObject({ url: `${site.url}/`, source: 'url' });
  });
});
