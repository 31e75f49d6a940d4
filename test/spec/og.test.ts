// Open Graph images over HTTP: parameters, variables, responses and errors of /v1/og.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CatalogueEntry } from '../../src/cards/card-types.ts';
import { ogParameters } from '../../src/cards/parameters.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, query, type Service, startService } from '../harness/service.ts';
import { errorFor, ogContract } from './contract-parameters.ts';

let service: Service;
let customer: Customer;
beforeAll(async () => {
  service = await startService();
  customer = await service.customer('pro');
});
afterAll(() => service.stop());

const og = (parameters: Record<string, string | number>, key = customer.key, headers: Record<string, string> = {}) =>
  service.get(`/v1/og?${query(parameters)}`, key, headers);
const failure = async (parameters: Record<string, string | number>) => {
  const response = await og(parameters);
  return { status: response.status, ...(await errorOf(response)) };
};

// Every variable that the contract's four templates share, with a value of its type.
const everyVariable = {
  title: 'A title',
  description: 'A description',
  author: 'An author',
  accent: '#ff6600',
  stat1_number: '42',
  stat1_label: 'answers',
  stat2_number: '7',
  stat2_label: 'wonders',
  version: '1.2.3',
  date: '2026-11-15',
  change_items: 'One\nTwo\nThree',
  bgColor: 'hsl(210 40% 20%)',
};

describe.each(['default', 'blog-post', 'stats-card', 'changelog-card'])('template %s', (template) => {
  it('renders with every variable of the contract, and with none', async () => {
    for (const variables of [everyVariable, {}]) {
      const picture = await pictureOf(await og({ template, ...variables }));
      expect([picture.width, picture.height, picture.format]).toEqual([1200, 630, 'png']);
    }
  });
});

it.each([
  ['png', 'image/png', 'png'],
  ['jpg', 'image/jpeg', 'jpeg'],
  ['webp', 'image/webp', 'webp'],
  ['avif', 'image/avif', 'heif'],
])('format=%s is %s', async (format, type, decoded) => {
  const response = await og({ template: 'default', format, title: 'Hello' });
  expect(response.headers.get('content-type')).toBe(type);
  expect((await pictureOf(response)).format).toBe(decoded);
});

it('the card has the requested size', async () => {
  for (const [width, height] of [
    [100, 100],
    [1080, 1920],
    [4096, 300],
  ] as const) {
    const picture = await pictureOf(await og({ template: 'default', width, height, title: 'Size' }));
    expect([picture.width, picture.height]).toEqual([width, height]);
  }
});

it('the response has the three headers, is cached, and its ETag gives a 304', async () => {
  const parameters = { template: 'default', title: 'Cached once' };
  const first = await og(parameters);
  const second = await og(parameters);
  expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
  expect(Number(second.headers.get('x-image-size'))).toBe((await second.arrayBuffer()).byteLength);
  expect(second.headers.get('x-render-time')).toMatch(/^\d+$/);
  expect((await og(parameters, customer.key, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
});

it('every variable of the template is in the cache key, whatever the order', async () => {
  const base = { template: 'default', title: 'Key', description: 'One' };
  expect((await og(base)).headers.get('x-cache')).toBe('MISS');
  expect((await og({ description: 'One', title: 'Key', template: 'default' })).headers.get('x-cache')).toBe('HIT');
  const changes: Record<string, string | number>[] = [
    { description: 'Two' },
    { accent: '#123456' },
    { width: 1000 },
    { quality: 50 },
    { format: 'webp' },
  ];
  for (const change of changes)
    expect([change, (await og({ ...base, ...change })).headers.get('x-cache')]).toEqual([change, 'MISS']);
});

it('response=json describes the card', async () => {
  const meta = await (await og({ template: 'default', title: 'JSON', response: 'json' })).json();
  expect(meta).toMatchObject({
    template: 'default',
    width: 1200,
    height: 630,
    format: 'png',
    cachedAt: null,
    warnings: [],
  });
  const { imageUrl, size } = meta as { imageUrl: string; size: number };
  expect((await (await fetch(imageUrl)).arrayBuffer()).byteLength).toBe(size);
  expect(meta).not.toHaveProperty('page');
});

describe('403', () => {
  it.each(['free', 'starter'] as const)('on %s, naming Pro, before any parameter is looked at', async (plan) => {
    const { key } = await service.customer(plan);
    const asks: Record<string, string | number>[] = [{ template: 'default' }, {}, { template: 'nope', width: 1 }];
    for (const parameters of asks) {
      const response = await og(parameters, key);
      expect(response.status).toBe(403);
      expect(await errorOf(response)).toMatchObject({ code: 'plan_required', requiredPlan: 'pro' });
    }
  });
});

describe('400', () => {
  it('for a missing template', async () => {
    expect(await failure({})).toMatchObject({ status: 400, code: 'missing_parameter', parameter: 'template' });
  });

  it('for an unknown template, listing those that exist', async () => {
    const { status, code, error } = await failure({ template: 'nope' });
    expect([status, code]).toEqual([400, 'template_not_found']);
    for (const name of ['default', 'blog-post', 'stats-card', 'changelog-card']) expect(error).toContain(name);
  });

  it('for format=pdf', async () => {
    expect(await failure({ template: 'default', format: 'pdf' })).toMatchObject({ status: 400, parameter: 'format' });
  });

  it.each(Object.entries(ogContract))('for every %s beyond its range, and for none within', async (name, expected) => {
    // Parameters are checked before the template is looked up.
    const ask = async (value: string) => ({ value, ...(await failure({ template: 'nope', [name]: value })) });
    for (const value of expected.bad)
      expect(await ask(value)).toMatchObject({
        value,
        status: 400,
        parameter: name,
        error: expect.stringMatching(errorFor(name, expected)),
      });
    for (const value of expected.good) expect(await ask(value)).toMatchObject({ value, code: 'template_not_found' });
  });

  it.each([
    ['accent', 'reddish'],
    ['accent', '#12345'],
    ['accent', 'url(x)'],
    ['bgColor', 'rgb(1,2)'],
    ['avatar', 'http://example.com/a.png'],
    ['avatar', 'data:image/png;base64,xx'],
    ['avatar', 'https://127.0.0.2.nip.example@10.0.0.1/a.png'],
    ['avatar', 'https://10.0.0.1/a.png'],
    ['change_items', Array(21).fill('x').join('\n')],
    ['title', 'x'.repeat(2001)],
  ])('for %s=%s, naming the variable', async (name, value) => {
    const template = name === 'change_items' ? 'changelog-card' : 'blog-post';
    expect(await failure({ template, [name]: value })).toMatchObject({ status: 400, parameter: name });
  });
});

it('an unknown variable is ignored and named in X-Warning', async () => {
  const response = await og({ template: 'default', title: 'x', titel: 'y' });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-warning')).toContain('titel');
});

it('the defaults are those of the contract', () => {
  const { values } = parse(new Map([['template', 'default']]), ogParameters);
  for (const [name, expected] of Object.entries(ogContract))
    expect([name, values[name as keyof typeof values]]).toEqual([name, expected.default]);
});

it('the catalogue lists every template with its variables, an example that renders, and a snippet', async () => {
  const { templates } = (await (await service.get('/v1/og/templates')).json()) as {
    templates: (CatalogueEntry & { meta: string })[];
  };
  expect(templates.length).toBeGreaterThanOrEqual(12);
  for (const { name, description, example, meta } of templates) {
    expect(description.length).toBeGreaterThan(10);
    expect(meta).toContain('property="og:image"');
    const response = await og({ template: name, ...example, avatar: '', image: '', logo: '', cover: '' });
    expect([name, response.status]).toEqual([name, 200]);
  }
});

describe('the cache of cards', () => {
  const cacheOf = async (parameters: Record<string, string>) => (await og(parameters)).headers.get('x-cache');

  it('is not split by parameters that do not change the card', async () => {
    const card = { template: 'blog-post', title: 'One card, one entry' };
    expect(await cacheOf(card)).toBe('MISS');
    expect(await cacheOf({ ...card, utm_source: 'newsletter' })).toBe('HIT');
    expect(await cacheOf({ ...card, author: '' })).toBe('HIT');
    expect(await cacheOf({ ...card, author: 'Me' })).toBe('MISS');
  });
});

it('a path with a trailing slash is a 404 that names the right one', async () => {
  const response = await service.get('/v1/og/?template=default', customer.key);
  expect([response.status, (await errorOf(response)).error]).toEqual([
    404,
    'There is nothing at /v1/og/; did you mean /v1/og?',
  ]);
});
