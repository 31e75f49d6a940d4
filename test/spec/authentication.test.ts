// API keys: the three 401s, where a key is sent, revocation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { errorOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
beforeAll(async () => {
  [service, site] = await Promise.all([startService(), startSite({ '/': colourPage('#336699') })]);
});
afterAll(() => Promise.all([service.stop(), site.close()]));

const missing = 'Missing API key. Provide X-API-Key header or api_key query parameter.';
const malformed = 'Invalid API key format.';
const unknown = 'Invalid or revoked API key.';
// Made at run time: a literal key would trip secret scanners.
const fakeKey = `sk_live_${'x'.repeat(32)}`;

describe.each(['/v1/screenshot?url=https://example.com/', '/v1/og?template=default'])('%s', (path) => {
  const refusal = async (key?: string, suffix = '') => {
    const response = await service.get(path + suffix, key);
    expect(response.status).toBe(401);
    return errorOf(response);
  };

  it('answers a missing key with the text of the contract', async () => {
    expect(await refusal()).toMatchObject({ error: missing, code: 'missing_api_key' });
  });

  it('answers a malformed key with the text of the contract', async () => {
    for (const bad of [
      'nonsense',
      'sk_live_short',
      `${fakeKey}x`,
      fakeKey.replace('live', 'test'),
      `sk_live_${'-'.repeat(32)}`,
    ])
      expect(await refusal(bad)).toMatchObject({ error: malformed, code: 'invalid_api_key_format' });
  });

  it('answers an unknown key with the text of the contract', async () => {
    expect(await refusal(fakeKey)).toMatchObject({ error: unknown, code: 'invalid_api_key' });
    expect(await refusal(undefined, `&api_key=${fakeKey}`)).toMatchObject({ error: unknown, code: 'invalid_api_key' });
  });

  it('treats an empty key as a missing one', async () => {
    expect(await refusal(undefined, '&api_key=')).toMatchObject({ error: missing });
    expect(await refusal('')).toMatchObject({ error: missing });
  });

  it('prefers the header to the query', async () => {
    const { key } = await service.customer('pro');
    expect(await refusal(fakeKey, `&api_key=${key}`)).toMatchObject({ error: unknown });
  });

  it('checks the key before anything else about the request', async () => {
    expect(await refusal(undefined, '&format=nonsense&width=-1&width=2&x=%zz')).toMatchObject({ error: missing });
  });
});

it('a key works in the header and in the query', async () => {
  const { key } = await service.customer('free');
  expect((await service.shot({ url: site.url }, key)).status).toBe(200);
  const response = await service.get(`/v1/screenshot?url=${encodeURIComponent(site.url)}&api_key=${key}`);
  expect(response.status).toBe(200);
});

it('a key is sk_live_ and 32 letters or digits, and an account may have several', async () => {
  const { account, key } = await service.customer('starter');
  const second = await createKey(service.store, { accountId: account.id, name: 'second', limit: 5 });
  for (const each of [key, second.secret]) {
    expect(each).toMatch(/^sk_live_[A-Za-z0-9]{32}$/);
    expect((await service.shot({ url: site.url }, each)).status).toBe(200);
  }
});

it('a revoked key is refused on the next request', async () => {
  const { key, keyId } = await service.customer('free');
  expect((await service.shot({ url: site.url }, key)).status).toBe(200);
  await service.store.keys.revoke(keyId);
  const response = await service.shot({ url: site.url }, key);
  expect(response.status).toBe(401);
  expect(await errorOf(response)).toMatchObject({ error: unknown });
});

it('the plan of a key is the current plan of its account', async () => {
  const { account, key } = await service.customer('free');
  expect((await service.shot({ url: site.url, darkMode: true }, key)).status).toBe(403);
  await service.store.accounts.setPlan(account.id, 'starter');
  expect((await service.shot({ url: site.url, darkMode: true }, key)).status).toBe(200);
});

it('a disabled account has no working key', async () => {
  const { account, key } = await service.customer('free');
  await service.store.accounts.setDisabled(account.id, true);
  expect(await errorOf(await service.shot({ url: site.url }, key))).toMatchObject({ error: unknown });
});

it('nothing is fetched for a request without a valid key', async () => {
  const quiet = await startSite({ '/': 'x' });
  await service.get(`/v1/screenshot?url=${encodeURIComponent(quiet.url)}`, fakeKey);
  expect(quiet.hits('/')).toBe(0);
  await quiet.close();
});
