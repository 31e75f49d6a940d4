// tintype secret rotate, on both databases: what was encrypted with the old secret of the service still opens.
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cookieOf } from '../../src/access/session-cookies.ts';
import { createSignIn } from '../../src/access/sign-in.ts';
import { openOwnStore } from '../../src/app/own-store.ts';
import { main } from '../../src/cli/main.ts';
import { loadConfig } from '../../src/config.ts';
import { createRequestSealing } from '../../src/jobs/stored-request.ts';
import { openStore } from '../../src/store/open.ts';
import { createWebhookSecrets } from '../../src/webhooks/secrets.ts';
import { codeOf } from '../harness/authenticator.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

const password = 'a long pass phrase';
const address = '192.0.2.1';
const page = new Map([['html', '<h1>Sent</h1>']]);

afterAll(() => Promise.all(databases.map((kind) => kind.end())));

describe.each(databases)('on $name', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await kind.create();
  });
  afterEach(() => database.remove());

  async function tintype(...args: string[]) {
    const out: string[] = [];
    const { dataDir, databaseUrl = '' } = database.options;
    const code = await main(args, {
      config: () => loadConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }),
      print: (line) => void out.push(line),
      note: (line) => void out.push(line),
      writeBytes: async () => {},
      readLine: async () => '',
      input: () => Readable.from([]),
    });
    return { code, out: out.join('\n') };
  }

  /** Uses the database as a server does, and leaves it. */
  async function serve<T>(work: (parts: Awaited<ReturnType<typeof partsOf>>) => Promise<T>): Promise<T> {
    const store = await openStore(database.options);
    try {
      return await work(await partsOf(store));
    } finally {
      await store.close();
    }
  }

  async function partsOf(store: Awaited<ReturnType<typeof openStore>>) {
    const signIn = createSignIn({ store, config: { signUp: 'open' }, baseUrl: () => 'http://127.0.0.1' });
    const first = await store.values.setIfAbsent('service_secret', 'the first secret');
    const secret = (await store.values.get('service_secret')) ?? first;
    const withPassword = () => signIn.signIn({ email: 'you@example.test', password }, { address });
    return {
      ...{ store, signIn, secret, withPassword },
      webhooks: createWebhookSecrets(store.webhooks.secrets, secret),
      sealing: createRequestSealing(secret),
      async withCode(code: string) {
        const { cookies, needsCode } = await withPassword();
        expect(needsCode).toBe(true);
        return signIn.secondFactor.verify(code, { address, cookie: cookieOf(cookies) });
      },
    };
  }

  /** An account with two-factor sign-in, a webhook secret that was rotated once, and a job that waits. */
  const fill = () =>
    serve(async ({ store, signIn, webhooks, sealing, withPassword }) => {
      await tintype('account', 'create', 'you@example.test', '--plan', 'pro', '--password', password);
      const { account, cookies } = await withPassword();
      const visitor = { address, cookie: cookieOf(cookies) };
      const { uri, backupCodes } = await signIn.secondFactor.begin(password, visitor);
      const app = new URL(uri).searchParams.get('secret') ?? '';
      await signIn.secondFactor.confirm(codeOf(app), visitor);
      await webhooks.of(account.id);
      const webhookSecret = await webhooks.rotate(account.id);
      const job = {
        id: 'job_1',
        keyId: 'key_1',
        kind: 'screenshot' as const,
        subject: 'html',
        metadata: null,
        webhook: null,
      };
      const most = { queued: 9, aMinute: 1e6, bytes: 1e6 };
      const jobs = [{ ...job, ...sealing.store('screenshot', page, job.id) }];
      const idempotency = { key: 'once', hash: 'of the old secret' };
      await store.jobs.accept([{ accountId: account.id, jobs, most, idempotency }], Date.now());
      return { account, app, backupCode: backupCodes[0] ?? '', webhookSecret };
    });

  const waitingJob = (accountId: string) =>
    serve(async ({ store, sealing }) => {
      const job = await store.jobs.claim(accountId, 'token', Date.now() + 1000, Date.now());
      return job && sealing.read(job.request, job.sealed, job.id);
    });

  it('webhook secrets, requests of jobs, authenticator apps and backup codes stay valid; sessions end', async () => {
    const { account, app, backupCode, webhookSecret } = await fill();
    const before = await serve(async ({ secret }) => secret);
    const { code, out } = await tintype('secret', 'rotate');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        'webhook secrets (1), requests of jobs (1), two-factor sign-ins (1), tokens of providers (',
      ),
    ]);
    expect(out).toMatch(/Ended: all sessions \([1-9]\), .* every imageUrl/);
    expect(out).not.toContain('not be decrypted');
    await serve(async ({ store, secret, webhooks, withCode }) => {
      expect(secret).not.toBe(before);
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
      expect(out).not.toContain(secret);
      expect(await store.db.selectFrom('sessions').select('id').execute()).toEqual([]);
      expect(await webhooks.of(account.id)).toEqual(webhookSecret);
      expect(await withCode(codeOf(app, Date.now() + 30_000))).not.toEqual([]);
      expect(await withCode(backupCode)).not.toEqual([]);
      await expect(withCode(backupCode)).rejects.toMatchObject({ code: 'forbidden' });
    });
    expect(await waitingJob(account.id)).toEqual(page);
  });

  it('refuses while a service runs, which would go on with the old secret', async () => {
    const { account, webhookSecret } = await fill();
    const server = await openOwnStore(database.options);
    try {
      await server.ping();
      expect(await tintype('secret', 'rotate')).toEqual({ code: 1, out: expect.stringMatching(/^Another Tintype /) });
    } finally {
      await server.close();
    }
    await serve(async ({ webhooks }) => expect(await webhooks.of(account.id)).toEqual(webhookSecret));
  });

  it('a secret that was deleted by hand gives clear errors, new webhook secrets, and a way to sign in', async () => {
    const { account, app, backupCode, webhookSecret } = await fill();
    await serve(({ store }) => store.values.set('service_secret', 'another one'));
    await serve(async ({ webhooks, withCode }) => {
      const [one, other] = await Promise.all([webhooks.of(account.id), webhooks.of(account.id)]);
      expect(one).toEqual(other);
      expect(one).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previous: undefined });
      expect(one.secret).not.toBe(webhookSecret.secret);
      for (const code of [codeOf(app, Date.now() + 30_000), backupCode])
        await expect(withCode(code)).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('tintype account two-factor-off'),
        });
    });
    await expect(waitingJob(account.id)).rejects.toThrow("the service's secret was changed after it was accepted");
    expect(await tintype('account', 'two-factor-off', 'you@example.test')).toMatchObject({ code: 0 });
    await serve(async ({ withPassword }) => expect((await withPassword()).needsCode).toBeUndefined());
    expect((await tintype('secret', 'rotate')).out).toContain(
      'Could not be decrypted with the old secret: values (1).',
    );
  });

  it('a rotation by the customer works although the present secret does not open', async () => {
    const { account } = await fill();
    await serve(({ store }) => store.values.set('service_secret', 'another one'));
    await serve(async ({ webhooks }) =>
      expect(await webhooks.rotate(account.id)).toMatchObject({ previous: undefined }),
    );
  });

  it('a process with an old secret replaces no webhook secret', async () => {
    const { account } = await fill();
    await serve(async ({ store }) => {
      const rows = () => store.webhooks.secrets.find(account.id);
      const before = await rows();
      const stale = createWebhookSecrets(store.webhooks.secrets, 'an old one', { isCurrent: async () => false });
      await expect(stale.of(account.id)).rejects.toThrow('Restart this process');
      await expect(stale.rotate(account.id)).rejects.toThrow('Restart this process');
      expect(await rows()).toEqual(before);
    });
  });
});
