// A site is its owner's once a DNS record, a file or its home page says so; and as long as one of them does.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryLimits } from '../../src/access/limits.ts';
import { systemTextRecords } from '../../src/egress/dns.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { createLog } from '../../src/kernel/log.ts';
import { proofFile } from '../../src/sites/ownership.ts';
import { createSitePages } from '../../src/sites/pages.ts';
import { createSites, type Sites } from '../../src/sites/sites.ts';
import type { Site, SiteOwner } from '../../src/store/sites.ts';
import { startNameServer } from '../security/name-server.ts';
import { openSitesHarness, type SitesHarness } from './sites-harness.ts';
import { article } from './website.ts';

let harness: SitesHarness;
let sites: Sites;
let now = Date.now();
const dayMs = 24 * 60 * 60 * 1000;
const never = () => {
  throw new Error('nothing is rendered here');
};

beforeAll(async () => {
  harness = await openSitesHarness();
  // The same parts as in the service, with a clock that a test can turn.
  sites = createSites({
    store: harness.store.sites,
    egress: createEgress({
      allowPrivate: ['127.0.0.0/8'],
      resolver: async () => ['127.0.0.1'],
      textRecords: async (host) => harness.records.get(host) ?? [],
    }),
    limits: createMemoryLimits(),
    validate: never,
    renderer: { start: never, stored: never },
    catalogue: () => [],
    ownTemplates: { find: never },
    record: never,
    log: createLog('silent', () => {}),
    clock: () => now,
  });
});
afterAll(async () => {
  await sites?.stop();
  await harness?.close();
});

async function owner(): Promise<SiteOwner> {
  return (await harness.service.customer('pro')).account;
}

const text = (body: string) => (_: unknown, response: ServerResponse) =>
  response.setHeader('content-type', 'text/plain').end(body);

describe('proof', () => {
  const ways: [string, (site: Site) => void][] = [
    ['dns', ({ token }) => harness.records.set('site.test', ['v=spf1 -all', `tintype-site=${token}`])],
    ['file', ({ token }) => harness.website.pages.set('/.well-known/tintype-site.txt', text(`${token}\n`))],
    [
      'meta',
      ({ token }) => harness.website.pages.set('/', article('Home', `<meta name="tintype-site" content="${token}">`)),
    ],
  ];
  it.each(ways)('by %s', async (way, prove) => {
    harness.records.clear();
    harness.website.pages.clear();
    const account = await owner();
    const site = await sites.register(account, harness.website.origin);
    const before = await sites.check(account, site.id);
    expect(before.check.by).toBeUndefined();
    expect(before.check.found).toMatchObject({
      dns: 'site.test has no such TXT record yet.',
      file: 'The file is not there: the server answered 404.',
      meta: 'The home page answered 404.',
    });
    prove(site);
    const { check, site: after } = await sites.check(account, site.id);
    expect(check.by).toBe(way);
    expect(after).toMatchObject({ verifiedAt: now, verifiedBy: way, lostAt: null });
  });

  it('stays when an earlier check, which did not find it, ends later', async () => {
    harness.records.clear();
    harness.website.pages.clear();
    const account = await owner();
    const site = await sites.register(account, harness.website.origin);
    const asked = Promise.withResolvers<ServerResponse>();
    harness.website.pages.set(proofFile, (_, response) => asked.resolve(response));
    const earlier = sites.check(account, site.id);
    const held = await asked.promise;
    harness.website.pages.delete(proofFile);
    harness.records.set('site.test', [`tintype-site=${site.token}`]);
    expect((await sites.check(account, site.id)).check.by).toBe('dns');
    held.writeHead(404).end();
    const { check, site: after } = await earlier;
    expect(check.by).toBeUndefined();
    expect(after).toMatchObject({ verifiedAt: now, verifiedBy: 'dns', lostAt: null });
    expect(await sites.own(account.id, site.id)).toEqual(after);
  });

  it('of another account is none', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const site = await sites.register(mine, harness.website.origin);
    const other = await sites.register(theirs, harness.website.origin);
    harness.records.set('site.test', [`tintype-site=${site.token}`]);
    expect((await sites.check(theirs, other.id)).check).toMatchObject({
      by: undefined,
      found: { dns: 'The record has another value.' },
    });
    await expect(sites.check(theirs, site.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('is checked once a week, daily while the proof is missing, and found again', async () => {
  const account = await owner();
  const site = await sites.register(account, harness.website.origin);
  harness.records.set('site.test', [`tintype-site=${site.token}`]);
  await sites.check(account, site.id);
  const state = async () => (await sites.list(account.id))[0];
  harness.records.clear();
  harness.website.pages.clear();
  now += 6 * dayMs;
  await sites.upkeep();
  expect((await state())?.lostAt).toBeNull();
  now += 2 * dayMs;
  await sites.upkeep();
  expect((await state())?.lostAt).toBe(now);
  const lostAt = now;
  now += 2 * dayMs;
  await sites.upkeep();
  expect(await state()).toMatchObject({ lostAt, checkedAt: now });
  harness.records.set('site.test', [`tintype-site=${site.token}`]);
  now += 2 * dayMs;
  await sites.upkeep();
  expect(await state()).toMatchObject({ lostAt: null, checkedAt: now });
});

describe('registration', () => {
  it.each([
    ['http://site.test', 'https'],
    ['https://site.test/blog', 'without a path'],
    ['https://user:pw@site.test', 'user name'],
    ['https://10.0.0.1', 'not public'],
    ['https://169.254.169.254', 'not public'],
    ['javascript:alert(1)', 'https'],
    ['', 'https'],
    [7, 'https'],
  ])('refuses %s', async (origin, reason) => {
    const registered = sites.register(await owner(), origin);
    await expect(registered).rejects.toMatchObject({ code: 'invalid_parameter', parameter: 'origin' });
    await expect(registered).rejects.toThrow(reason);
  });

  it('takes a bare host name, each origin once, and 25 of them', async () => {
    const account = await owner();
    expect((await sites.register(account, ' Example.COM ')).origin).toBe('https://example.com');
    await expect(sites.register(account, 'https://example.com/')).rejects.toMatchObject({
      code: 'conflict',
      message: 'https://example.com is registered already.',
    });
    for (let i = 1; i < 25; i++) await sites.register(account, `https://${i}.example.com`);
    await expect(sites.register(account, 'https://one-more.example.com')).rejects.toMatchObject({
      code: 'conflict',
      message: 'The account has 25 sites, which is the limit. Remove one first.',
    });
  });

  it('needs the Pro plan', async () => {
    const { account } = await harness.service.customer('starter');
    await expect(sites.register(account, 'example.com')).rejects.toMatchObject({
      code: 'plan_required',
      requiredPlan: 'pro',
    });
  });
});

it('a page is missing for a minute, and then asked for again', async () => {
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  const answers: string[] = [];
  const pages = createSitePages({
    store: harness.store.sites,
    egress: {
      async fetchPage({ url }) {
        answers.push(url);
        return { status: 404, url, type: 'text/html', body: Buffer.from('x') };
      },
    },
    reader: { page: async () => undefined },
    limits: createMemoryLimits(),
    log: createLog('silent', () => {}),
    clock: () => now,
  });
  const ask = () => pages.find(site, '/gone', 1000);
  await ask();
  now += 59_000;
  await ask();
  expect(answers.length).toBe(1);
  now += 2000;
  await ask();
  expect(answers.length).toBe(2);
});

it('a stored page is shown while the rate limits cannot be asked, and the process goes on', async () => {
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  const facts = JSON.stringify({ title: 'Stored' });
  await harness.store.sites.putPage(site.id, { path: '/old', facts, readAt: now - 25 * 60 * 60 * 1000 }, 10);
  const pages = createSitePages({
    store: harness.store.sites,
    egress: { fetchPage: () => Promise.reject(new Error('nothing is fetched')) },
    reader: { page: async () => undefined },
    limits: { take: () => Promise.reject(new Error('Redis is away')) },
    log: createLog('silent', () => {}),
    clock: () => now,
  });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    expect((await pages.find(site, '/old', 1000))?.facts.title).toBe('Stored');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

it('TXT records come from the name server, long ones in one piece; a name without any has none', async () => {
  const long = `tintype-site=${'x'.repeat(230)}`;
  const server = await startNameServer((name, type) =>
    type === 'TXT' && name === 'site.test' ? ['v=spf1 -all', long] : 'NXDOMAIN',
  );
  try {
    const textRecords = systemTextRecords({ servers: [server.address] });
    expect(await textRecords('site.test')).toEqual(['v=spf1 -all', long]);
    const egress = createEgress({ allowPrivate: [], textRecords });
    expect(await egress.textRecords('nothing.test')).toEqual([]);
  } finally {
    server.stop();
  }
});
