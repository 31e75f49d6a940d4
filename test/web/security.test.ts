// What the dashboard must never do, tried against the real service without a browser's manners.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenStore } from '../../src/store/open.ts';
import { routes } from './routes.ts';
import { openWebHarness, password, type WebHarness } from './web-harness.ts';

let harness: WebHarness;

type Reply = { status: number; headers: Headers; body: Record<string, never>; text: string };
type Options = { cookie?: string; headers?: Record<string, string>; body?: unknown };

async function ask(method: string, path: string, { cookie, headers, body }: Options = {}): Promise<Reply> {
  const response = await fetch(harness.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
}

const cookieOf = (reply: Reply): string =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

async function signUp(email: string): Promise<string> {
  const reply = await ask('POST', '/api/sign-up', { body: { name: 'Somebody', email, password } });
  expect(reply.status).toBe(204);
  return cookieOf(reply);
}

type Person = {
  cookie: string;
  keyId: string;
  secret: string;
  captureId: string;
  accountId: string;
  webhookId: string;
  batchId: string;
  jobId: string;
  siteId: string;
};

async function settle(email: string): Promise<Person> {
  const cookie = await signUp(email);
  const key = await ask('POST', '/api/keys', { cookie, body: { name: `Key of ${email}` } });
  const { key: view, secret } = key.body as unknown as { key: { id: string }; secret: string };
  const shot = await fetch(`${harness.url}/v1/screenshot?url=${encodeURIComponent(harness.target('/status'))}`, {
    headers: { 'x-api-key': secret },
  });
  expect(shot.status).toBe(200);
  const captures = (await ask('GET', '/api/captures', { cookie })).body as unknown as { captures: { id: string }[] };
  const session = (await ask('GET', '/api/session', { cookie })).body as unknown as { account: { id: string } };
  const test = await ask('POST', '/api/webhooks/test', { cookie, body: { url: harness.target('/status') } });
  const { id: webhookId } = test.body as unknown as { id: string };
  const captureId = captures.captures[0]?.id ?? '';
  const batch = await fetch(`${harness.url}/v1/batches`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ requests: [{ kind: 'screenshot', request: { url: harness.target('/status') } }] }),
  });
  const { id: batchId } = (await batch.json()) as { id: string };
  const jobs = (await ask('GET', `/api/jobs?batch=${batchId}`, { cookie })).body as unknown as {
    jobs: { id: string }[];
  };
  const jobId = jobs.jobs[0]?.id ?? '';
  const accountId = session.account.id;
  const siteId = `site_${accountId.replaceAll(/\W/g, '')}`;
  const at = Date.now();
  await (harness.app.store as OpenStore).sites.create(
    {
      ...{ id: siteId, accountId, origin: 'https://example.com', token: 'x', name: '', description: '' },
      ...{ template: 'default', values: {}, mapping: {}, createdAt: at, changedAt: at },
      ...{ verifiedAt: at, verifiedBy: 'dns', checkedAt: at, lostAt: null },
    },
    1,
  );
  return { cookie, keyId: view.id, secret, captureId, accountId, webhookId, batchId, jobId, siteId };
}

let victim: Person;
let stranger: Person;

beforeAll(async () => {
  harness = await openWebHarness({ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' });
  victim = await settle('victim@example.com');
  stranger = await settle('stranger@example.com');
});
afterAll(() => harness?.close());

const fill = <T>(value: T, person: Person): T =>
  JSON.parse(
    JSON.stringify(value ?? null)
      .replaceAll(':key', person.keyId)
      .replaceAll(':capture', person.captureId)
      .replaceAll(':account', person.accountId)
      .replaceAll(':webhook', person.webhookId)
      .replaceAll(':batch', person.batchId)
      .replaceAll(':job', person.jobId)
      .replaceAll(':site', person.siteId)
      .replaceAll(':provider', 'github')
      .replaceAll(':name', 'default'),
  ) ?? undefined;

const changing = routes.filter(({ method }) => method !== 'GET');
const closed = routes.filter((route) => route.for !== 'all');

test('every route the dashboard registers is in the table these tests go through', () => {
  const dir = join(import.meta.dirname, '..', '..', 'src', 'http', 'dashboard');
  const source = readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('\n');
  const inMap = [...source.matchAll(/\broute\(\s*'([A-Z]+ [^']+)'/g)].map(([, route = '']) => route);
  const others = [...source.matchAll(/app\.(get|post|patch|put|delete)(?:<[^(]*>)?\(\s*['`]([^'`]+)['`]/g)].map(
    ([, method = '', path = '']) => `${method.toUpperCase()} ${path.replace('$' + '{authPath}', '/auth')}`,
  );
  const registered = [...inMap, ...others]
    .filter((route) => /^\w+ \/(api|auth)\//.test(route))
    .map((route) => route.replaceAll(/:\w+/g, ':'));
  const known = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  expect(registered.length).toBeGreaterThan(30);
  expect([...new Set(registered)].sort()).toEqual([...known].sort());
});

describe('a visitor who is not signed in', () => {
  test.each(closed)('gets 401 from $method $path', async ({ method, path, body }) => {
    const reply = await ask(method, fill(path, victim), { body: fill(body, victim) });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ code: 'not_signed_in', requestId: expect.any(String) });
  });
});

describe('another account', () => {
  test.each(routes.filter((route) => route.for === 'own'))(
    'finds nothing of somebody else at $method $path, as if it never was',
    async ({ method, path, body }) => {
      const theirs = await ask(method, fill(path, victim), { cookie: stranger.cookie, body: fill(body, victim) });
      const nobodys = {
        ...victim,
        keyId: 'key_0000000000',
        captureId: '0'.repeat(64),
        webhookId: 'msg_0',
        jobId: 'job_0',
        batchId: 'batch_0',
      };
      const none = await ask(method, fill(path, nobodys), { cookie: stranger.cookie, body: fill(body, nobodys) });
      expect(theirs.status).toBe(404);
      expect(theirs.body.error).toBe(none.body.error);
    },
  );

  test('sees only its own keys, requests, captures and sums', async () => {
    // Usage is written a moment after the answer.
    await expect
      .poll(async () => (await ask('GET', '/api/requests', { cookie: victim.cookie })).text)
      .toContain(victim.keyId);
    const query = `?range=7d&key=${victim.keyId}`;
    for (const path of [
      '/api/keys',
      '/api/captures',
      '/api/jobs',
      '/api/jobs.csv',
      '/api/requests',
      `/api/requests${query}`,
      `/api/usage${query}`,
    ]) {
      const reply = await ask('GET', path, { cookie: stranger.cookie });
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(victim.keyId);
      expect(reply.text).not.toContain(victim.captureId);
      expect(reply.text).not.toContain(victim.jobId);
    }
    const sums = await ask('GET', `/api/usage${query}`, { cookie: stranger.cookie });
    expect(sums.body.totals).toEqual({ renders: 0, hits: 0, errors: 0 });
  });

  test('deleting its own captures keeps those of others', async () => {
    await ask('DELETE', '/api/captures', { cookie: stranger.cookie });
    const reply = await ask('GET', `/api/captures/${victim.captureId}/image`, { cookie: victim.cookie });
    expect(reply.status).toBe(200);
  });

  test.each(routes.filter((route) => route.for === 'admin'))(
    'is refused at $method $path unless it is an administrator',
    async ({ method, path, body }) => {
      const reply = await ask(method, fill(path, stranger), { cookie: stranger.cookie, body });
      expect(reply.status).toBe(403);
      expect(reply.body.code).toBe('forbidden');
    },
  );

  test('cannot give itself a plan, rights or another account’s key by extra fields', async () => {
    const extra = { plan: 'business', admin: true, accountId: victim.accountId };
    await ask('PATCH', '/api/account', { cookie: stranger.cookie, body: { name: 'x', ...extra } });
    await ask('POST', '/api/keys', { cookie: stranger.cookie, body: { name: 'extra', ...extra } });
    const account = await harness.app.store.accounts.byId(stranger.accountId);
    expect(account).toMatchObject({ plan: 'free', admin: false });
    expect(await harness.app.store.keys.list(victim.accountId)).toHaveLength(1);
  });
});

describe('a change must come from our own pages', () => {
  const from = (headers: Record<string, string>) => ({ cookie: victim.cookie, headers });

  test.each(changing)(
    '$method $path is refused from another site, whoever is signed in',
    async ({ method, path, body }) => {
      for (const site of ['cross-site', 'same-site', 'none']) {
        const reply = await ask(method, fill(path, victim), {
          ...from({ 'sec-fetch-site': site }),
          body: fill(body, victim) ?? {},
        });
        expect(reply.status).toBe(403);
      }
    },
  );

  test('a browser without Sec-Fetch-Site is judged by Origin, and neither is refused', async () => {
    const change = async (headers: Record<string, string>) => {
      const response = await fetch(`${harness.url}/api/account`, {
        method: 'PATCH',
        headers: { cookie: victim.cookie, 'content-type': 'application/json', ...headers },
        body: '{"name":"Renamed"}',
      });
      return response.status;
    };
    // fetch of Node sets Sec-Fetch-Mode but no Sec-Fetch-Site, so these reach the Origin rule.
    expect(await change({})).toBe(403);
    expect(await change({ origin: 'https://evil.example' })).toBe(403);
    expect(await change({ origin: 'null' })).toBe(403);
    expect(await change({ origin: harness.url })).toBe(204);
  });

  test('after all these attempts the key and the picture of the victim are unchanged', async () => {
    const [key] = await harness.app.store.keys.list(victim.accountId);
    expect(key).toMatchObject({ name: 'Key of victim@example.com', revokedAt: null });
    expect((await ask('GET', `/api/captures/${victim.captureId}/image`, { cookie: victim.cookie })).status).toBe(200);
  });
});

describe('headers', () => {
  test('pages allow no inline script, no framing, no sniffing and send no referrer', async () => {
    const app = readFileSync(join(import.meta.dirname, '../../web/src/app.tsx'), 'utf8');
    const paths = [...app.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      const { status, headers } = await ask('GET', path);
      expect([path, status]).toEqual([path, 200]);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('rendered bytes are sandboxed, and served only to their owner', async () => {
    for (const what of ['image', 'thumbnail']) {
      const { headers } = await ask('GET', `/api/captures/${victim.captureId}/${what}`, { cookie: victim.cookie });
      expect(headers.get('content-security-policy')).toMatch(/sandbox/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toMatch(/^private/);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  test('built files are cached for a year, the document is revalidated', async () => {
    const { text, headers } = await ask('GET', '/');
    expect(headers.get('cache-control')).toBe('no-cache');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
    const file = await fetch(harness.url + script, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('cache-control')).toMatch(/max-age=31536000, immutable/);
    expect(file.headers.get('content-encoding')).toBe('br');
    expect(file.headers.get('content-type')).toMatch(/javascript/);
  });

  test('an unknown path is an HTML page for a browser and JSON for a program', async () => {
    const person = await fetch(`${harness.url}/nothing`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([person.status, person.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(person.headers.get('content-security-policy')).toContain("default-src 'none'");
    const program = await fetch(`${harness.url}/v1/nothing`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(await program.json()).toMatchObject({ code: 'not_found' });
  });

  test('a path that is no page is a JSON 404, and nothing outside web/dist is served', async () => {
    for (const path of [
      '/api/nothing',
      '/v1/nothing',
      '/nothing',
      '/assets/nothing.js',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%2findex.html%00',
    ]) {
      const reply = await ask('GET', path);
      expect(reply.status, path).toBeGreaterThanOrEqual(400);
      expect(reply.status, path).toBeLessThan(500);
      expect(reply.body, path).toMatchObject({ code: expect.any(String), error: expect.any(String) });
    }
  });
});

describe('keys', () => {
  test('a key is in no answer and no log line after its creation', async () => {
    for (const { method, path } of routes.filter((route) => route.method === 'GET')) {
      const reply = await ask(method, fill(path, victim), { cookie: victim.cookie });
      expect(reply.text, path).not.toContain(victim.secret);
      expect(reply.text, path).not.toContain(victim.secret.slice(12, -4));
    }
    expect(harness.logged.length).toBeGreaterThan(50);
    expect(harness.logged.join('\n')).not.toContain(victim.secret.slice(8));
  });

  test('a revoked key cannot sign another link', async () => {
    const made = await ask('POST', '/api/keys', { cookie: victim.cookie, body: { name: 'short-lived' } });
    const { key } = made.body as unknown as { key: { id: string } };
    const body = { endpoint: 'screenshot', parameters: { url: 'https://example.com/' }, keyId: key.id };
    expect((await ask('POST', '/api/playground/link', { cookie: victim.cookie, body })).status).toBe(200);
    await ask('DELETE', `/api/keys/${key.id}`, { cookie: victim.cookie });
    expect((await ask('POST', '/api/playground/link', { cookie: victim.cookie, body })).status).toBe(404);
  });
});

describe('the session', () => {
  test('its cookie is HttpOnly and SameSite=Lax, with a plain name on plain http', async () => {
    const reply = await ask('POST', '/api/sign-in', { body: { email: 'victim@example.com', password } });
    const cookie = reply.headers.getSetCookie().join('\n');
    expect(cookie).toMatch(/^tintype\.session_token=[^;]+;/m);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toMatch(/Domain=/i);
  });

  test('signing in with GitHub starts at GitHub; a provider that is not configured is a 404', async () => {
    const github = await ask('POST', '/api/sign-in/github', { body: { next: '/usage' } });
    expect(github.body.url).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
    expect((await ask('POST', '/api/sign-in/google', { body: { next: '/' } })).status).toBe(404);
    expect((await ask('GET', '/api/session')).body.providers).toEqual(['github']);
  });

  test('a wrong password and an unknown address get the same answer', async () => {
    const wrong = await ask('POST', '/api/sign-in', {
      body: { email: 'victim@example.com', password: 'wrong wrong wrong' },
    });
    const unknown = await ask('POST', '/api/sign-in', {
      body: { email: 'nobody@example.com', password: 'wrong wrong wrong' },
    });
    expect([wrong.status, wrong.body.error]).toEqual([unknown.status, unknown.body.error]);
  });

  test('guessing is delayed, whatever X-Forwarded-For says, also after a restart', async () => {
    const guess = (n: number) =>
      ask('POST', '/api/sign-in', {
        body: { email: 'stranger@example.com', password: `guess number ${n}` },
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
      });
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await guess(n)).status);
    expect(statuses.slice(0, 4)).toEqual([401, 401, 401, 401]);
    expect(statuses.at(-1)).toBe(429);
    await harness.restart({ BASE_URL: 'https://tintype.example.com' });
    // The first delay may have passed meanwhile; a forgetful server would give five new guesses.
    await guess(8);
    const after = await guess(9);
    expect(after.status).toBe(429);
    expect(Number(after.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('behind https the cookie is bound to this host', async () => {
    const reply = await ask('POST', '/api/sign-in', { body: { email: 'victim@example.com', password } });
    const cookie = reply.headers.getSetCookie().join('\n');
    expect(cookie).toMatch(/^__Host-tintype\.session_token=/m);
    expect(cookie).toMatch(/Secure/);
    expect(cookie).toMatch(/Path=\//);
  });
});
