// Cards of a site's pages, asked for without a key.
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { type Customer, errorOf } from '../harness/service.ts';
import { openSitesHarness, type SitesHarness } from './sites-harness.ts';
import { article } from './website.ts';

let harness: SitesHarness;
let customer: Customer;

beforeAll(async () => {
  harness = await openSitesHarness();
  customer = await harness.service.customer('pro');
  harness.website.pages.set('/', article('Home', '<meta name="description" content="All about it.">'));
});
afterAll(() => harness?.close());

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

const redSquare = () =>
  sharp({ create: { width: 600, height: 600, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();

/** How many pixels of a card are red. */
async function redsIn(response: Response): Promise<number> {
  const { data, info } = await sharp(await bytesOf(response))
    .raw()
    .toBuffer({ resolveWithObject: true });
  let reds = 0;
  for (let at = 0; at < data.length; at += info.channels)
    if (data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0) reds++;
  return reds;
}

/** The same card by /v1/og. */
async function ogCard(parameters: Record<string, string>): Promise<Buffer> {
  const query = new URLSearchParams(parameters);
  return bytesOf(await harness.service.get(`/v1/og?${query}`, customer.key));
}

test('the card of a page is the one its facts make, public, with an ETag', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(customer, { values: { accent: '#0f766e' } });
  website.pages.set(
    '/blog/hello',
    article('Hello', '<meta name="author" content="Ada"><meta property="article:published_time" content="2026-01-02">'),
  );
  const response = await harness.pageCard(site, '/blog/hello?utm_source=x');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(response.headers.get('x-card')).toBe('page');
  const bytes = await bytesOf(response);
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
  const wanted = { template: 'blog-post', title: 'Hello', author: 'Ada', date: 'January 2, 2026', site: 'Site' };
  expect(bytes.equals(await ogCard({ ...wanted, accent: '#0f766e' }))).toBe(true);

  const encoded = await harness.card(site, '/blog%2Fhello');
  expect((await bytesOf(encoded)).equals(bytes)).toBe(true);
  const etag = response.headers.get('etag') ?? '';
  const again = await harness.card(site, '/blog/hello', { 'if-none-match': etag });
  expect(again.status).toBe(304);
  expect(website.askedFor('/blog/hello')).toBe(1);
});

test('many requests for one page at once fetch it once', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  website.pages.set('/many', article('Many'));
  const all = await Promise.all(Array.from({ length: 30 }, () => harness.card(site, '/many')));
  expect(all.length).toBe(30);
  expect((await harness.pageCard(site, '/many')).status).toBe(200);
  expect(website.askedFor('/many')).toBe(1);
});

test('a missing page gets the card of the site for a minute, and is not fetched again meanwhile', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('pro'), {
    name: 'The Site',
    description: 'Words.',
  });
  const first = await harness.card(site, '/nothing');
  expect([first.status, first.headers.get('cache-control'), first.headers.get('x-card')]).toEqual([
    200,
    'public, max-age=60',
    'site',
  ]);
  await harness.card(site, '/nothing');
  expect(website.askedFor('/nothing')).toBe(1);
  const host = new URL(site.origin).host;
  const own = await ogCard({ template: 'blog-post', title: 'The Site', description: 'Words.', site: host });
  expect((await bytesOf(first)).equals(own)).toBe(true);
});

test('a page that changes is read again behind after a day; one that fails keeps its last card', async () => {
  const { website, store } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  website.pages.set('/news', article('Before'));
  const before = await bytesOf(await harness.pageCard(site, '/news'));
  website.pages.set('/news', (_, response) => response.writeHead(500).end('broken'));
  const grownOld = () =>
    store.db.updateTable('site_pages').set({ read_at: 1 }).where('site_id', '=', site.id).execute();
  await grownOld();
  expect((await bytesOf(await harness.pageCard(site, '/news'))).equals(before)).toBe(true);
  await expect.poll(() => website.askedFor('/news')).toBe(2);
  expect((await bytesOf(await harness.pageCard(site, '/news'))).equals(before)).toBe(true);
});

test('refresh reads the page at once, with a key of the account only', async () => {
  const { website, service } = harness;
  const site = await harness.verifiedSite(customer, { origin: `https://www.site.test:${website.port}` });
  website.pages.set('/post', article('Old'));
  const old = await bytesOf(await harness.pageCard(site, '/post'));
  website.pages.set('/post', article('New'));
  const accepted = await service.post(`/v1/sites/${site.id}/refresh`, { path: '/post' }, customer.key);
  expect([accepted.status, await accepted.json()]).toEqual([202, { path: '/post', status: 'refreshing' }]);
  await expect.poll(async () => (await bytesOf(await harness.pageCard(site, '/post'))).equals(old)).toBe(false);

  const stranger = await service.customer('pro');
  const refused = await service.post(`/v1/sites/${site.id}/refresh`, { path: '/post' }, stranger.key);
  expect([refused.status, (await errorOf(refused)).code]).toEqual([404, 'not_found']);
  const nobody = await service.post(`/v1/sites/${site.id}/refresh`, { path: '/post' });
  expect(nobody.status).toBe(401);
  const wrong = await service.post(`/v1/sites/${site.id}/refresh`, { path: 'post' }, customer.key);
  expect([wrong.status, (await errorOf(wrong)).parameter]).toEqual([400, 'path']);
  const limits = { accountId: customer.account.id, name: 'limited', limit: 100 };
  for (const limit of [{ allowedHosts: ['other.test'] }, { allowedTemplates: ['quote'] }]) {
    const { secret } = await createKey(service.store, { ...limits, ...limit });
    expect((await service.post(`/v1/sites/${site.id}/refresh`, { path: '/post' }, secret)).status).toBe(403);
  }
});

test('an image that is private or broken is left out; the card of the page itself is never its image', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  const plain = { template: 'blog-post', title: 'Picture', site: 'Site' };
  const image = (url: string) => article('Picture', `<meta property="og:image" content="${url}">`);
  website.pages.set('/not-an-image', 'words');
  const cases = {
    '/private': 'https://10.0.0.1/a.png',
    '/hidden': 'https://private.test/a.png',
    '/broken': `${website.origin}/not-an-image`,
    '/own': 'https://shots.example.com/v1/sites/site_abc/own',
  };
  const expected = await ogCard(plain);
  for (const [path, url] of Object.entries(cases)) {
    website.pages.set(path, image(url));
    const response = await harness.pageCard(site, path);
    expect([path, response.status, response.headers.get('x-card')]).toEqual([path, 200, 'page']);
    expect((await bytesOf(response)).equals(expected)).toBe(true);
  }
});

test('a picture of the page is in its card', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  const red = await redSquare();
  website.pages.set('/red.png', (_, response) => response.setHeader('content-type', 'image/png').end(red));
  website.pages.set('/with-picture', article('Picture', `<meta property="og:image" content="/red.png">`));
  expect(await redsIn(await harness.pageCard(site, '/with-picture'))).toBeGreaterThan(50_000);
});

test('an image that was broken in a card of one account is in the card of another', async () => {
  const { website, service } = harness;
  const [first, second] = [await service.customer('pro'), await service.customer('pro')];
  website.pages.set('/later.png', 'words');
  website.pages.set('/with-later', article('Later', `<meta property="og:image" content="/later.png">`));
  expect(await redsIn(await harness.pageCard(await harness.verifiedSite(first), '/with-later'))).toBe(0);
  const red = await redSquare();
  website.pages.set('/later.png', (_, response) => response.setHeader('content-type', 'image/png').end(red));
  const card = await harness.pageCard(await harness.verifiedSite(second), '/with-later');
  expect(await redsIn(card)).toBeGreaterThan(50_000);
});

test('a template of the account is filled by the names and types of its variables', async () => {
  const { website, service } = harness;
  const owner = await service.customer('pro');
  const html = '<div style="background:white;color:black;font-size:60px">{{title}} by {{author}} on {{site}}</div>';
  const saved = await fetch(`${service.url}/v1/templates/hero`, {
    method: 'PUT',
    headers: { 'x-api-key': owner.key, 'content-type': 'application/json' },
    body: JSON.stringify({ html }),
  });
  expect(saved.status).toBe(200);
  website.pages.set('/own', article('Own', '<meta name="author" content="Ada">'));
  for (const template of ['my/hero', 'my/hero@1']) {
    const site = await harness.verifiedSite(owner, {
      template,
      origin: `https://${template.length === 7 ? 'www.' : ''}site.test:${website.port}`,
    });
    const response = await harness.pageCard(site, '/own');
    expect(response.headers.get('x-warning')).toBeNull();
    const query = new URLSearchParams({ template, title: 'Own', author: 'Ada', site: 'Site' });
    const same = await service.get(`/v1/og?${query}`, owner.key);
    expect((await bytesOf(response)).equals(await bytesOf(same))).toBe(true);
  }
});

test('after a template is gone the last card of a page stays, and other pages get a card of the site', async () => {
  const { website, store } = harness;
  const owner = await harness.service.customer('pro');
  const site = await harness.verifiedSite(owner);
  website.pages.set('/kept', article('Kept'));
  website.pages.set('/new', article('New'));
  const before = await bytesOf(await harness.pageCard(site, '/kept'));
  await store.sites.change(owner.account.id, site.id, { ...site, template: 'my/removed' }, Date.now());
  const kept = await harness.card(site, '/kept');
  expect((await bytesOf(kept)).equals(before)).toBe(true);
  expect(kept.headers.get('cache-control')).toBe('public, max-age=60');
  const other = await harness.card(site, '/new');
  expect([other.status, other.headers.get('x-card')]).toEqual([200, 'site']);
});

test('sites that are unknown, not verified, of a smaller plan, and paths that are too long are errors', async () => {
  const { service } = harness;
  const free = await service.customer('free');
  const unverified = await harness.verifiedSite(await service.customer('pro'), { verifiedAt: null });
  const small = await harness.verifiedSite(free);
  const site = await harness.verifiedSite(await service.customer('pro'));
  const codeOf = async (response: Response) => [response.status, (await errorOf(response)).code];
  expect(await codeOf(await service.get('/v1/sites/site_nobody/x'))).toEqual([404, 'not_found']);
  expect(await codeOf(await service.get('/v1/sites/nonsense/x'))).toEqual([404, 'not_found']);
  expect((await errorOf(await harness.card(unverified, '/x'))).error).toContain('not proved');
  expect(await codeOf(await harness.card(small, '/x'))).toEqual([403, 'plan_required']);
  expect(await codeOf(await harness.card(site, `/${'x'.repeat(1001)}`))).toEqual([400, 'invalid_parameter']);
  expect((await harness.card(site, '')).status).toBe(200);
  expect((await harness.card(site, '/%ff%2e%2e/..//evil.test/a')).status).toBe(200);
});

test('a site whose ownership is lost for a week serves its last cards and fetches nothing', async () => {
  const { website } = harness;
  const week = 8 * 24 * 60 * 60 * 1000;
  const site = await harness.verifiedSite(await harness.service.customer('pro'), { lostAt: Date.now() - week });
  website.pages.set('/lost', article('Lost'));
  expect((await harness.card(site, '/lost')).headers.get('x-card')).toBe('site');
  expect(website.askedFor('/lost')).toBe(0);
});

test('sixty pages a minute of one site are fetched; the others get the card of the site', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('business'));
  const paths = Array.from({ length: 70 }, (_, i) => `/limit-${i}`);
  // Four pages of an account are fetched at once.
  for (let first = 0; first < paths.length; first += 4)
    for (const card of await Promise.all(paths.slice(first, first + 4).map((path) => harness.card(site, path))))
      expect(card.status).toBe(200);
  await expect.poll(() => website.asked.filter((path) => path.startsWith('/limit-')).length).toBe(60);
});

test('a card is in the usage of the account, under its site; hits, which anybody can cause, as a number only', async () => {
  const { store, website } = harness;
  const owner = await harness.service.customer('pro');
  const site = await harness.verifiedSite(owner);
  website.pages.set('/used', article('Used'));
  await harness.pageCard(site, '/used');
  for (let i = 0; i < 5; i++) await harness.card(site, '/used');
  const uses = async () =>
    (await store.usage.recent(owner.account.id, { count: 50 })).map(({ keyId, outcome }) => `${keyId} ${outcome}`);
  // Among those of the site's own card.
  await expect.poll(uses).toEqual(expect.arrayContaining([`${site.id} render`]));
  const hits = async () => (await store.usage.byKey(owner.account.id, 0)).find(({ keyId }) => keyId === site.id)?.hits;
  await expect.poll(hits).toBeGreaterThanOrEqual(5);
  expect(await uses()).not.toContain(`${site.id} hit`);
});
