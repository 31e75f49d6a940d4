// Sign-in with an OpenID Connect provider: a real one, in a real browser, and one that misbehaves.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OpenIdProvider, startOpenIdProvider } from '../harness/openid-provider.ts';
import { freePort } from '../harness/ports.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let provider: OpenIdProvider;
let harness: WebHarness;

beforeAll(async () => {
  const port = await freePort();
  provider = await startOpenIdProvider(`http://127.0.0.1:${port}/auth/callback/oidc`);
  harness = await openWebHarness({ PORT: String(port), ...provider.settings });
});
afterAll(async () => {
  await harness?.close();
  await provider?.close();
});
afterEach(() => {
  provider.misbehave = undefined;
});

/** Signs in at the provider, and returns where the browser is then. */
async function signIn(name: string): Promise<Visitor & { url: URL }> {
  const visitor = await harness.visitor();
  const { page } = visitor;
  page.setDefaultTimeout(30_000);
  await page.goto('/sign-in?next=/usage');
  await page.getByRole('button', { name: 'Continue with Example Ltd.' }).click();
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  // The provider asks for consent.
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${harness.url}/**`);
  return { ...visitor, url: new URL(page.url()) };
}

const accountOf = async ({ context }: Visitor) =>
  (
    (await harness.call(context, 'GET', '/api/session')).body as {
      account: { email: string; hasPassword: boolean } | null;
    }
  ).account;

test('creates an account at the first sign-in, leads to the page that was wanted, and finds it again', async () => {
  const first = await signIn('ada');
  expect(first.url.pathname).toBe('/usage');
  expect(await accountOf(first)).toMatchObject({ email: 'ada@example.com', hasPassword: false });
  const second = await signIn('ada');
  expect(await accountOf(second)).toMatchObject({ email: 'ada@example.com' });
  expect((await harness.app.store.accounts.list()).filter(({ email }) => email === 'ada@example.com')).toHaveLength(1);
  await Promise.all([first.context.close(), second.context.close()]);
});

describe('nobody takes over an account', () => {
  test('with its address at the provider, verified or not', async () => {
    const owner = await harness.visitor();
    const wish = { name: 'Owner', email: 'owner@example.com', password };
    await harness.call(owner.context, 'POST', '/api/sign-up', wish);
    for (const verified of [true, false]) {
      const name = randomUUID().slice(0, 8);
      provider.claims.set(name, { email: 'Owner@example.com', email_verified: verified });
      const stranger = await signIn(name);
      expect(stranger.url.pathname).toBe('/sign-in');
      expect(await accountOf(stranger)).toBeNull();
      await stranger.context.close();
    }
    await owner.context.close();
  });

  test('with an address that the provider has not verified', async () => {
    provider.claims.set('mallory', { email: 'somebody@example.org', email_verified: false });
    const { url, page, context } = await signIn('mallory');
    expect(url.searchParams.get('error')).toBe('unable_to_get_user_info');
    await page.getByText('The sign-in provider did not confirm who you are, or your e-mail address.').waitFor();
    expect(await harness.app.store.accounts.byEmail('somebody@example.org')).toBeUndefined();
    await context.close();
  });

  test('with a token that names another person or is signed by nobody', async () => {
    const forged = (payload: object) =>
      ['{"alg":"none"}', JSON.stringify(payload), ''].map((part) => Buffer.from(part).toString('base64url')).join('.');
    provider.misbehave = (request, response) => {
      if (request.url !== '/token') return false;
      const id_token = forged({ iss: provider.issuer, aud: 'tintype', sub: 'ada', email: 'ada@example.com' });
      json(response, { access_token: 'x', token_type: 'Bearer', id_token });
      return true;
    };
    const visitor = await signIn('eve');
    expect(visitor.url.pathname).toBe('/sign-in');
    expect(await accountOf(visitor)).toBeNull();
    await visitor.context.close();
  });
});

const json = (response: ServerResponse, body: object) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

describe('a provider', () => {
  /** A server that has not asked the provider yet. */
  const start = async () => {
    await harness.restart();
    const visitor = await harness.visitor();
    const answer = await harness.call(visitor.context, 'POST', '/api/sign-in/oidc', { next: '/' });
    await visitor.context.close();
    return answer;
  };

  test('that lies about its issuer is refused, and the log says why', async () => {
    provider.misbehave = (request, response) => {
      if (!request.url?.startsWith('/.well-known')) return false;
      json(response, { issuer: 'https://other.example.com', authorization_endpoint: 'https://other.example.com/' });
      return true;
    };
    expect(await start()).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    expect(harness.logged.some((line) => line.includes('says that its issuer is https://other.example.com'))).toBe(
      true,
    );
  });

  test('that hangs costs its own sign-in a few seconds, and no other', async () => {
    provider.misbehave = () => true;
    expect(await start()).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    const visitor = await harness.visitor();
    const wish = { email: 'owner@example.com', password };
    expect((await harness.call(visitor.context, 'POST', '/api/sign-in', wish)).status).toBe(200);
    // It is asked again, and works as soon as it answers.
    provider.misbehave = undefined;
    expect(await harness.call(visitor.context, 'POST', '/api/sign-in/oidc', { next: '/' })).toMatchObject({
      status: 200,
      body: { url: expect.stringContaining(`${provider.issuer}/auth?`) },
    });
    await visitor.context.close();
  });

  test('that hangs when the browser comes back ends at the sign-in page', async () => {
    provider.misbehave = (request) => request.url === '/token';
    const { url, page, context } = await signIn('ada');
    expect(url.searchParams.get('error')).toBe('provider_unavailable');
    await page.getByText('The sign-in provider does not answer.').waitFor();
    await context.close();
  });

  test('creates no accounts where sign-up is closed', async () => {
    await harness.restart({ SIGN_UP: 'closed' });
    const stranger = await signIn('newcomer');
    expect(stranger.url.searchParams.get('error')).toBe('signup_disabled');
    expect(await accountOf(await signIn('ada'))).toMatchObject({ email: 'ada@example.com' });
    await stranger.context.close();
  });
});
