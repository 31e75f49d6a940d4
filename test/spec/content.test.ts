// GET and POST /v1/content from outside: formats, JSON, limits, errors, cache and plans. What is read of a page is in
// test/content.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

const long = Array.from({ length: 400 }, (_, at) => `<p>Sentence number ${at} of a long article.</p>`).join('');

let service: Service;
let site: Site;
let free: Customer;
let pro: Customer;
beforeAll(async () => {
  service = await startService();
  free = await service.customer('free');
  pro = await service.customer('pro');
  site = await startSite({
    '/': `<!doctype html><html lang="en"><title>Hello</title><meta name="description" content="A greeting."><article><h1>Hello</h1><p>First paragraph with a <a href="/next">link</a>.</p></article><p id="none" hidden>Nobody sees this.</p>`,
    '/long': `<!doctype html><title>Long</title><article><h1>Long</h1>${long}</article>`,
    '/asks': (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Private</title><p>You are ${request.headers['x-token'] ?? 'nobody'}.</p>`);
    },
    '/gone': { status: 404, body: '<!doctype html><title>Gone</title><p>There is no such page here.</p>' },
  });
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

type Values = Record<string, string | number | boolean>;
const query = (values: Values) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
const get = (values: Values, key = free.key, headers?: Record<string, string>) =>
  service.get(`/v1/content?${query({ url: `${site.url}/`, ...values })}`, key, headers);
const post = (values: Record<string, unknown>, key = free.key) => service.post('/v1/content', values, key);

describe('formats', () => {
  it.each([
    ['markdown', 'text/markdown; charset=utf-8', '[link]('],
    ['text', 'text/plain; charset=utf-8', 'First paragraph with a link.'],
    ['html', 'text/plain; charset=utf-8', '<p>'],
  ])('%s goes out as %s, and no browser may take it for anything else', async (format, type, part) => {
    const response = await get({ format });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-verdict')).toBe('ok');
    const text = await response.text();
    expect(text).toContain(part);
    expect(text).not.toContain('Nobody sees this.');
  });

  it('is Markdown unless another format is asked for', async () => {
    expect((await get({})).headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  });
});

describe('response=json', () => {
  it('has every field of the contract', async () => {
    const body = await (await get({ response: 'json' })).json();
    expect(Object.keys(body).sort()).toEqual(
      [
        ...[
          'url',
          'source',
          'title',
          'description',
          'language',
          'byline',
          'siteName',
          'publishedAt',
          'image',
          'favicon',
        ],
        ...[
          'canonical',
          'links',
          'format',
          'content',
          'words',
          'truncated',
          'page',
          'verdict',
          'warnings',
          'renderTime',
        ],
        'cachedAt',
      ].sort(),
    );
    expect(body).toMatchObject({
      url: `${site.url}/`,
      source: 'url',
      title: 'Hello',
      description: 'A greeting.',
      language: 'en',
      byline: null,
      format: 'markdown',
      truncated: false,
      page: { status: 200, finalUrl: `${site.url}/`, title: 'Hello' },
      verdict: { ok: true, codes: [] },
    });
    expect(body.links).toEqual([{ href: `${site.url}/next`, text: 'link' }]);
    expect(body.content).toContain('First paragraph');
  });

  it('of HTML that the caller sends has no url', async () => {
    const response = await post({ html: '<h1>Sent</h1><p>By the caller.</p>', response: 'json' });
    expect(await response.json()).toMatchObject({ url: null, source: 'html', page: { finalUrl: null } });
  });
});

describe('maxChars', () => {
  it('cuts the text and says so; the whole text is read and stored once', async () => {
    const whole = await (await get({ url: `${site.url}/long`, response: 'json' })).json();
    const response = await get({ url: `${site.url}/long`, response: 'json', maxChars: 1000 });
    expect(response.headers.get('x-cache')).toBe('HIT');
    const cut = await response.json();
    expect(whole.truncated).toBe(false);
    expect(cut).toMatchObject({ truncated: true, words: whole.words });
    expect(cut.content.length).toBeGreaterThan(850);
    expect(cut.content.length).toBeLessThanOrEqual(1000);
    expect(whole.content.startsWith(cut.content)).toBe(true);
    expect(site.hits('/long')).toBe(1);
  });

  it('is part of the ETag', async () => {
    const etag = async (maxChars: number) => {
      const response = await get({ url: `${site.url}/long`, maxChars });
      return response.headers.get('etag') ?? '';
    };
    const first = await etag(500);
    expect(await etag(600)).not.toBe(first);
    const again = await get({ url: `${site.url}/long`, maxChars: 500 }, free.key, { 'if-none-match': first });
    expect(again.status).toBe(304);
  });
});

describe('cache', () => {
  it('a POST hits what a GET stored, and each format is stored apart', async () => {
    const own = { width: 1111 };
    expect((await get(own)).headers.get('x-cache')).toBe('MISS');
    expect((await post({ url: `${site.url}/`, ...own })).headers.get('x-cache')).toBe('HIT');
    expect((await get({ ...own, format: 'text' })).headers.get('x-cache')).toBe('MISS');
  });
});

describe('errors', () => {
  it.each([
    [{ format: 'png' }, 'format', 'format must be one of markdown, text, html.'],
    [{ maxChars: 99 }, 'maxChars', 'maxChars must be a whole number from 100 to 1000000.'],
    [{ maxChars: 1000001 }, 'maxChars', 'maxChars must be a whole number from 100 to 1000000.'],
    [{ selector: '<<' }, 'selector', 'selector must be a valid CSS selector of 1 to 1000 characters.'],
  ])('%o is a 400 that names %s', async (values, parameter, error) => {
    const response = await get(values as Values);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter, error });
  });

  it('a selector without a match is element_not_found, without a visible one element_not_visible', async () => {
    expect(await errorOf(await get({ selector: '#nothing' }))).toMatchObject({ code: 'element_not_found' });
    expect(await errorOf(await get({ selector: '#none' }))).toMatchObject({ code: 'element_not_visible' });
  });

  it('needs exactly one of url and html, and html in a POST', async () => {
    expect(await errorOf(await post({}))).toMatchObject({ code: 'missing_parameter', parameter: 'url' });
    const both = await post({ url: `${site.url}/`, html: '<p>x</p>' });
    expect(await errorOf(both)).toMatchObject({ code: 'invalid_parameter', parameter: 'html' });
    expect(await errorOf(await get({ html: '<p>x</p>' }))).toMatchObject({ code: 'invalid_parameter' });
  });

  it('a private target is refused, and needs a key', async () => {
    expect(await errorOf(await get({ url: 'http://10.0.0.1/' }))).toMatchObject({ code: 'target_refused' });
    expect((await service.get('/v1/content?url=https://example.com/')).status).toBe(401);
  });

  it('a parameter of screenshots that a text does not have is a warning', async () => {
    const response = await get({ fullPage: true });
    expect(response.headers.get('x-warning')).toContain('fullPage: unknown parameter, ignored');
  });
});

describe('plans and logins', () => {
  it('customJS needs Pro, and acts before the page is read', async () => {
    const values = { customJS: "document.querySelector('h1').textContent = 'Changed'" };
    expect(await errorOf(await get(values))).toMatchObject({ code: 'plan_required', requiredPlan: 'pro' });
    expect(await (await get(values, pro.key)).text()).toContain('Changed');
  });

  it('sends login headers to the page, and no cache may keep the answer', async () => {
    const response = await post({ url: `${site.url}/asks`, headers: { 'X-Token': 'somebody' } }, pro.key);
    expect(await response.text()).toContain('You are somebody.');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('verdict and usage', () => {
  it('a page that answers 404 has the code http_error, and failOn makes it a 422', async () => {
    const url = `${site.url}/gone`;
    expect((await get({ url })).headers.get('x-verdict')).toBe('http_error');
    const rejected = await get({ url, failOn: 'http_error' });
    expect(rejected.status).toBe(422);
  });

  it('is in the usage as content', async () => {
    const customer = await service.customer('free');
    await get({ width: 1234 }, customer.key);
    await vi.waitFor(
      async () =>
        expect(await service.store.usage.recent(customer.account.id, { count: 1 })).toMatchObject([
          { endpoint: 'content', status: 200, outcome: 'render' },
        ]),
      10_000,
    );
    expect(await service.metrics()).toContain('endpoint="content"');
  });
});
