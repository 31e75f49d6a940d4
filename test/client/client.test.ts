// The TypeScript client of clients/ with a real server: what it returns, what it throws, and the links it signs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  metaHtml,
  metaTags,
  type OgRequest,
  signer,
  Tintype,
  TintypeError,
} from '../../clients/typescript/src/index.ts';
import { signLink } from '../../src/access/signatures.ts';
import { decode, pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
let tintype: Tintype;
beforeAll(async () => {
  site = await startSite({ '/': colourPage('#0a0', 'Green'), '/gone': { status: 404, body: '<h1>Gone</h1>' } });
  service = await startService();
  customer = await service.customer('pro');
  tintype = new Tintype({ baseUrl: `${service.url}/`, apiKey: customer.key });
});
afterAll(async () => {
  await service?.stop();
  await site?.close();
});

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error) => error);

describe('results', () => {
  it('a screenshot has its bytes and what its headers say', async () => {
    const shot = await tintype.screenshot({ url: `${site.url}/`, width: 300, height: 200, clip: [0, 100, 50, 40] });
    expect(shot).toMatchObject({
      contentType: 'image/png',
      cache: 'MISS',
      verdict: { ok: true, codes: [] },
      warning: undefined,
      stale: undefined,
      rateLimit: { limit: 300, resetAt: expect.any(Date) },
      cacheControl: expect.stringMatching(/^private, max-age=\d+$/),
      requestId: expect.any(String),
    });
    const bytes = await shot.bytes();
    expect(bytes.length).toBe(shot.size);
    expect(await decode(bytes.buffer)).toMatchObject({ width: 50, height: 40 });
    const again = await tintype.screenshot({ url: `${site.url}/`, width: 300, height: 200, clip: '0,100,50,40' });
    expect([again.cache, again.etag]).toEqual(['HIT', shot.etag]);
    expect((await again.blob()).size).toBe(bytes.length);
  });

  it('the bytes can be streamed', async () => {
    const { stream, size } = await tintype.og({ template: 'quote', title: 'Streamed' });
    let read = 0;
    for await (const chunk of stream) read += chunk.length;
    expect(read).toBe(size);
  });

  it('HTML and a page with a code in its verdict are captured', async () => {
    const sent = await tintype.screenshot({ html: '<h1>Sent</h1>', width: 200, height: 100, response: 'json' });
    expect(sent).toMatchObject({ source: 'html', url: null, width: 200, height: 100, verdict: { ok: true } });
    const gone = await tintype.screenshot({ url: `${site.url}/gone`, width: 200, height: 100 });
    expect(gone.verdict).toEqual({ ok: false, codes: ['http_error'] });
    await gone.stream.cancel();
    const rejected = tintype.screenshot({
      url: `${site.url}/gone`,
      width: 200,
      height: 100,
      failOn: ['blank', 'http_error'],
    });
    expect(await failure(rejected)).toMatchObject({
      code: 'capture_rejected',
      status: 422,
      verdict: { ok: false, codes: ['http_error'] },
    });
  });

  it('a PDF and a text are what they are called', async () => {
    const pdf = await tintype.pdf({ markdown: '# Hello', pageSize: 'a4' });
    expect(pdf.contentType).toBe('application/pdf');
    expect(await pdf.text()).toMatch(/^%PDF-/);
    const text = await tintype.content({ url: `${site.url}/` });
    expect([text.contentType, await text.text()]).toEqual([
      'text/markdown; charset=utf-8',
      expect.stringContaining('Green'),
    ]);
    const { title, words } = await tintype.content({ url: `${site.url}/`, response: 'json' });
    expect([title, words]).toEqual(['Green', 1]);
  });

  it('a card takes lists as arrays, and tells of a variable that its template lacks', async () => {
    const misspelt = { template: 'changelog-card', change_items: ['One', 'Two'], titel: 'X' } as OgRequest;
    expect((await tintype.og({ ...misspelt, response: 'json' })).warnings).toEqual([
      expect.stringContaining('titel is not used by template changelog-card'),
    ]);
    expect((await tintype.og(misspelt)).warning).toContain('did you mean title?');
  });

  it('usage is that of the account', async () => {
    const usage = await tintype.usage();
    expect(usage).toMatchObject({ plan: 'pro', rate: { limit: 300 } });
    expect(usage.requests.renders).toBeGreaterThan(0);
  });
});

describe('jobs', () => {
  it('are created once, waited for, listed, and end with a typed result or error', async () => {
    const request = { kind: 'og', request: { template: 'quote', title: 'Later' }, metadata: { order: 7 } } as const;
    const options = { idempotencyKey: 'order-7' };
    const { id } = await tintype.jobs.create(request, options);
    expect((await tintype.jobs.create(request, options)).id).toBe(id);
    const job = await tintype.jobs.wait(id);
    expect(job).toMatchObject({ status: 'done', metadata: { order: 7 }, result: { template: 'quote', width: 1200 } });
    const { jobs } = await tintype.jobs.list({ status: 'done', limit: 5 });
    expect(jobs.map((each) => each.id)).toContain(id);
    expect(await failure(tintype.jobs.cancel(id))).toMatchObject({ status: 409, code: 'conflict' });
    expect(await failure(tintype.jobs.get('job_none'))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('of a batch are accepted together or not at all', async () => {
    const good = { kind: 'og', request: { template: 'quote', title: 'One of two' } } as const;
    const bad = { kind: 'screenshot', request: { url: `${site.url}/`, width: 0 } } as const;
    expect(await failure(tintype.batches.create({ requests: [good, bad] }))).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'requests[1].request.width',
    });
    const { id } = await tintype.batches.create({ requests: [good, good] });
    const batch = await tintype.batches.wait(id);
    expect([batch.counts.done, batch.jobs.map(({ status }) => status)]).toEqual([2, ['done', 'done']]);
  });
});

describe('errors', () => {
  it('have the code, status, parameter and request id of the server', async () => {
    const error = await failure(tintype.screenshot({ url: `${site.url}/`, width: 9999 }));
    expect(error).toBeInstanceOf(TintypeError);
    expect(error).toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      parameter: 'width',
      message: 'width must be a whole number from 1 to 3840.',
      requestId: expect.stringMatching(/\S{8,}/),
    });
    const free = await service.customer('free');
    const poor = new Tintype({ baseUrl: service.url, apiKey: free.key });
    expect(await failure(poor.og({ template: 'quote' }))).toMatchObject({ code: 'plan_required', requiredPlan: 'pro' });
    const stranger = new Tintype({ baseUrl: service.url });
    expect(await failure(stranger.usage())).toMatchObject({ code: 'missing_api_key', status: 401 });
  });
});

describe('signed links', () => {
  const sign = () => signer({ keyId: customer.keyId, secret: customer.signingSecret, baseUrl: `${service.url}/` });
  const pathOf = (url: string) => url.slice(service.url.length);
  const inAnHour = () => new Date(Date.now() + 3600_000);

  it('are those of the server, and open without a key', async () => {
    const expires = inAnHour();
    const link = await sign().og({ template: 'quote', title: "Grüße & “1+1=2” (it's)*~!", width: 600 }, { expires });
    const [path = ''] = pathOf(link).split('&key_id=');
    const ours = { path, keyId: customer.keyId, secret: customer.signingSecret };
    expect(pathOf(link)).toBe(signLink({ ...ours, expires: Math.floor(expires.getTime() / 1000) }));
    // What a browser or a crawler makes of the link is the link.
    expect(new URL(link).href).toBe(link);
    expect((await pictureOf(await fetch(link))).width).toBe(600);
  });

  it('of lists and of screenshots open', async () => {
    const card = await sign().og({ template: 'changelog-card', version: 2, change_items: ['One, two', 'Three'] });
    expect((await fetch(card)).status).toBe(200);
    const shot = await sign().screenshot({ url: `${site.url}/?a=1&b=2`, width: 100, height: 80, clip: [0, 0, 60, 50] });
    expect((await pictureOf(await fetch(shot))).width).toBe(60);
  });

  it('and cards of the templates of an account are those of the account', async () => {
    const saved = await fetch(`${service.url}/v1/templates/hero`, {
      method: 'PUT',
      headers: { 'x-api-key': customer.key, 'content-type': 'application/json' },
      body: JSON.stringify({
        html: '<div class="w-full h-full">{{headline}} {{#each line_items}}{{this}}{{/each}}</div>',
      }),
    });
    expect(saved.status).toBe(200);
    const request = { template: 'my/hero@1', headline: 'Mine', line_items: ['One', 'Two'], width: 400 } as const;
    const card = await tintype.og(request);
    expect([card.cache, card.warning]).toEqual(['MISS', undefined]);
    const linked = await fetch(await sign().og(request));
    expect([linked.status, linked.headers.get('x-cache'), linked.headers.get('etag')]).toEqual([200, 'HIT', card.etag]);
  });

  it('that are refused say whether it was the time, the signature or the key', async () => {
    const request = { template: 'quote', title: 'Refused' } as const;
    const { keyId, signingSecret: secret } = customer;
    const other = (change: { keyId?: string; secret?: string }) =>
      signer({ keyId, secret, baseUrl: service.url, ...change }).og(request);
    const expired = await sign().og(request, { expires: 1_700_000_000 });
    const answers = await Promise.all(
      [expired, await other({ secret: 'wrong' }), await other({ keyId: 'key_unknown' })].map(async (link) => {
        const response = await fetch(link);
        const { code, parameter, error } = await errorOf(response);
        return [response.status, code, parameter, error];
      }),
    );
    expect(answers).toEqual([
      [401, 'invalid_signature', 'expires', 'This link expired at 2023-11-14T22:13:20.000Z.'],
      [401, 'invalid_signature', 'signature', expect.stringContaining(`with the signing secret of ${keyId}`)],
      [401, 'invalid_signature', 'key_id', 'There is no API key with the id key_unknown.'],
    ]);
  });

  it('are not made of names that are ours, of milliseconds, or with an id that is none', async () => {
    const forged = { template: 'my/hero', expires: '9999999999' } as const;
    expect(await failure(sign().og(forged))).toMatchObject({
      message: expect.stringContaining('expires cannot be in'),
    });
    expect(await failure(sign().og({ template: 'quote' }, { expires: Date.now() }))).toBeInstanceOf(TypeError);
    expect(() => signer({ keyId: customer.key, secret: 'x', baseUrl: service.url })).toThrow(/keyId must be/);
  });

  it('come as an image with size, type and text, and as tags', async () => {
    const image = await sign().ogImage({ template: 'blog-post', title: 'Hello & welcome', format: 'jpg', width: 800 });
    const { url, ...about } = image;
    expect(about).toEqual({ width: 800, height: 630, alt: 'Hello & welcome', type: 'image/jpeg' });
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe(about.type);
    expect(await decode(await response.arrayBuffer())).toMatchObject({ width: 800, height: 630 });
    expect(metaTags(image)).toEqual([
      { property: 'og:image', content: url },
      { property: 'og:image:type', content: 'image/jpeg' },
      { property: 'og:image:width', content: '800' },
      { property: 'og:image:height', content: '630' },
      { property: 'og:image:alt', content: 'Hello & welcome' },
      { name: 'twitter:card', content: 'summary_large_image' },
    ]);
    const lines = metaHtml({ ...image, url: 'https://a.test/?b&c', alt: '"><script>' }).split('\n');
    expect(lines[0]).toBe('<meta property="og:image" content="https://a.test/?b&amp;c">');
    expect(lines[4]).toBe('<meta property="og:image:alt" content="&quot;&gt;&lt;script&gt;">');
  });
});
