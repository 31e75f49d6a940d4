// API keys as the endpoints use them, on both databases.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  authenticate,
  checkAllowedHost,
  checkAllowedTemplate,
  createKey,
  createKeyUse,
} from '../../src/access/keys.ts';
import { authenticateLink, signLink } from '../../src/access/signatures.ts';
import { Problem } from '../../src/kernel/errors.ts';
import { createLog } from '../../src/kernel/log.ts';
import type { OpenStore } from '../../src/store/open.ts';
import type { Account, ApiKey } from '../../src/store/store.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

const missing = { status: 401, message: 'Missing API key. Provide X-API-Key header or api_key query parameter.' };
const malformed = { status: 401, message: 'Invalid API key format.' };
const unknown = { status: 401, message: 'Invalid or revoked API key.' };

// Made at run time: a literal key would trip secret scanners.
const fakeKey = `sk_live_${'x'.repeat(32)}`;

describe.each(databases)('a key on $name', (kind) => {
  let database: TestDatabase;
  let store: OpenStore;
  let account: Account;
  beforeEach(async () => {
    database = await kind.create();
    store = await database.open();
    account = await store.accounts.create({ email: 'one@example.test', plan: 'free' });
  });
  afterEach(() => database.remove());
  afterAll(() => kind.end());
  const make = (more = {}) => createKey(store, { accountId: account.id, name: 'mine', limit: 2, ...more });

  it('is sk_live_ and 32 letters or digits, and identifies its account in header and query', async () => {
    const { key, secret, signingSecret } = await make();
    expect(secret).toMatch(/^sk_live_[A-Za-z0-9]{32}$/);
    expect(key).toMatchObject({
      first: secret.slice(0, 12),
      last: secret.slice(-4),
      id: expect.stringMatching(/^key_\w{12}$/),
    });
    expect(signingSecret).toMatch(/^\w{40,}$/);
    expect(await authenticate({ header: secret }, store)).toEqual({ key, account });
    expect(await authenticate({ query: secret }, store)).toEqual({ key, account });
    expect(await authenticate({ header: '', query: secret }, store)).toEqual({ key, account });
  });

  it('wins in the header over the query', async () => {
    const { secret } = await make();
    expect(await authenticate({ header: secret, query: 'nonsense' }, store)).toMatchObject({ account });
    await expect(authenticate({ header: 'nonsense', query: secret }, store)).rejects.toMatchObject(malformed);
    await expect(authenticate({ header: fakeKey, query: secret }, store)).rejects.toMatchObject(unknown);
    await expect(authenticate({ header: [secret, secret] }, store)).rejects.toMatchObject(malformed);
  });

  it('that is revoked, expired, unknown or of a disabled account is refused with the same text, at once', async () => {
    const { key, secret } = await make();
    const expiring = await make({ expiresAt: 5000 });
    await expect(authenticate({ header: fakeKey }, store)).rejects.toMatchObject(unknown);
    expect(await authenticate({ header: expiring.secret }, store, 4999)).toMatchObject({ account });
    await expect(authenticate({ header: expiring.secret }, store, 5000)).rejects.toMatchObject(unknown);
    await store.accounts.setDisabled(account.id, true);
    await expect(authenticate({ header: secret }, store)).rejects.toMatchObject(unknown);
    await store.accounts.setDisabled(account.id, false);
    expect(await authenticate({ header: secret }, store)).toMatchObject({ account });
    await store.keys.revoke(key.id);
    await expect(authenticate({ header: secret }, store)).rejects.toMatchObject(unknown);
  });

  it('beyond the limit of the plan is a conflict that says what to do', async () => {
    await make();
    await make();
    await expect(make()).rejects.toMatchObject({
      code: 'conflict',
      message: 'The plan allows 2 active keys. Revoke one, or change the plan.',
    });
  });

  it('signs links that end with it', async () => {
    const { key, signingSecret } = await make();
    const link = signLink({ path: '/v1/og?template=quote', keyId: key.id, secret: signingSecret });
    expect(await authenticateLink(link, store)).toEqual({ key, account });
    await store.keys.revoke(key.id);
    await expect(authenticateLink(link, store)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it('has a time of last use that is written in batches, and at shutdown', async () => {
    const [one, two] = [await make(), await make()];
    const use = createKeyUse(store.keys, createLog('silent'), 20);
    use.used(one.key.id);
    await expect.poll(async () => (await store.keys.list(account.id))[0]?.lastUsedAt).toBeGreaterThan(0);
    use.used(two.key.id);
    await use.stop();
    expect((await store.keys.list(account.id)).map((key) => key.lastUsedAt)).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
  });
});

it('a text that cannot be a key never reaches the database', async () => {
  const store = {
    keys: { findByHash: () => Promise.reject(new Error('The database was asked.')) },
  } as unknown as OpenStore;
  await expect(authenticate({}, store)).rejects.toMatchObject(missing);
  await expect(authenticate({ header: '', query: '' }, store)).rejects.toMatchObject(missing);
  for (const bad of ['x', fakeKey.slice(1), `${fakeKey}x`, ` ${fakeKey}`, `${fakeKey}\n`, fakeKey.replace('x', 'é')])
    await expect(authenticate({ header: bad }, store), bad).rejects.toMatchObject(malformed);
});

it('the use of keys waits for a database that is away, and is written when it is back', async () => {
  const written: string[][] = [];
  let away = true;
  let refused = 0;
  const touch = async (ids: readonly string[]) => {
    if (away) refused += 1;
    if (away) throw new Problem('storage_unavailable');
    written.push([...ids]);
  };
  const use = createKeyUse({ touch }, createLog('silent'), 10);
  use.used('a');
  use.used('b');
  use.used('a');
  await expect.poll(() => refused).toBeGreaterThan(0);
  away = false;
  await expect.poll(() => written.map((ids) => ids.toSorted())).toEqual([['a', 'b']]);
  await use.stop();
  expect(written).toHaveLength(1);
});

describe('what a key may ask for', () => {
  const limited = (hosts: string[] | null, templates: string[] | null = null) =>
    ({ allowedHosts: hosts, allowedTemplates: templates }) as unknown as ApiKey;
  const may = (hosts: string[] | null, url: string) => {
    try {
      checkAllowedHost(limited(hosts), new URL(url));
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'host_not_allowed', status: 403, parameter: 'url' });
      return false;
    }
  };

  it('is every host where none is named', () => {
    expect(may(null, 'https://anything.example/')).toBe(true);
  });

  it('is the hosts that are named, and subdomains only with a star', () => {
    const hosts = ['example.com', '*.example.org'];
    for (const url of [
      'https://example.com/',
      'http://EXAMPLE.com:8080/x',
      'https://example.com./',
      'https://a.b.example.org/',
    ])
      expect(may(hosts, url), url).toBe(true);
    for (const url of [
      'https://www.example.com/',
      'https://example.org/',
      'https://badexample.org/',
      'https://example.com.evil.test/',
      'https://x@evil.test/?example.com',
    ])
      expect(may(hosts, url), url).toBe(false);
  });

  it('is the templates that are named', () => {
    expect(() => checkAllowedTemplate(limited(null, null), 'quote')).not.toThrow();
    expect(() => checkAllowedTemplate(limited(null, ['quote']), 'quote')).not.toThrow();
    expect(() => checkAllowedTemplate(limited(null, ['quote', 'event']), 'docs')).toThrow(
      /may not use the template docs.*quote, event/,
    );
  });

  it('is checked and written in one way when the key is made', async () => {
    const made: Parameters<OpenStore['keys']['create']>[0][] = [];
    const store = {
      keys: { create: async (key: (typeof made)[number]) => made.push(key) && key },
    } as unknown as OpenStore;
    const make = (allowedHosts: string[], name = 'name') =>
      createKey(store, { accountId: 'a', name, limit: 1, allowedHosts });
    await make([' Example.COM. ', '*.Bücher.example'], '  two words  ');
    expect(made[0]).toMatchObject({ name: 'two words', allowedHosts: ['example.com', '*.xn--bcher-kva.example'] });
    await make([]);
    expect(made[1]).toMatchObject({ allowedHosts: null });
    for (const bad of [
      '',
      '*',
      '*.',
      'https://example.com',
      'example.com/path',
      'a b',
      'user@example.com',
      'example.com:8080',
      'example.com:443',
      'a.*.example.com',
    ])
      await expect(make([bad]), bad).rejects.toMatchObject({ parameter: 'allowedHosts' });
    for (const bad of ['', ' ', 'x'.repeat(101), 'two\nlines'])
      await expect(make([], bad)).rejects.toMatchObject({ parameter: 'name' });
  });
});
