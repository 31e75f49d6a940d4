// A database that is away while people are signed in: they hear that, and are not signed out by it.
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visitor } from '../../src/access/session-cookies.ts';
import { createSignIn, type SignIn } from '../../src/access/sign-in.ts';
import { createLog } from '../../src/kernel/log.ts';
import { type OpenStore, openStore } from '../../src/store/open.ts';
import { hasPostgres, type Postgres, startPostgres } from '../harness/postgres.ts';

const away = { code: 'storage_unavailable', status: 503, retryAfter: expect.any(Number) };

describe.runIf(hasPostgres())('with PostgreSQL stopped', () => {
  let server: Postgres;
  let store: OpenStore;
  let signIn: SignIn;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openStore({
      dataDir: tmpdir(),
      databaseUrl: await server.createDatabase(),
      log: createLog('silent'),
    });
    signIn = createSignIn({
      store,
      config: { signUp: 'open', githubClientId: 'id', githubClientSecret: 'secret' },
      baseUrl: () => 'http://127.0.0.1:3000',
    });
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });

  it('every function says storage_unavailable, and the session goes on when it is back', async () => {
    const account = { email: 'one@example.test', password: 'correct horse battery' };
    const { cookies } = await signIn.signUp(account, { address: '192.0.2.1' });
    const visitor: Visitor = { address: '192.0.2.1', cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
    await server.stop();
    const calls: Record<string, () => Promise<unknown>> = {
      sessionFrom: () => signIn.sessionFrom(visitor),
      signIn: () => signIn.signIn(account, visitor),
      signUp: () => signIn.signUp({ ...account, email: 'two@example.test' }, visitor),
      signOut: () => signIn.signOut(visitor),
      signOutEverywhere: () => signIn.signOutEverywhere(visitor),
      changePassword: () => signIn.changePassword({ current: account.password, password: 'another password' }, visitor),
      deleteAccount: () => signIn.deleteAccount(account, visitor),
      startSocial: () => signIn.providers.start('github', visitor),
      finishSocial: () => signIn.providers.finish('github', 'code=a&state=b', visitor),
      createSetupToken: () => signIn.createSetupToken(),
      isSetupToken: () => signIn.isSetupToken('x'),
      consumeSetupToken: () => signIn.consumeSetupToken({ ...account, token: 'x' }, visitor),
    };
    for (const [name, call] of Object.entries(calls)) await expect(call(), name).rejects.toMatchObject(away);
    await server.start();
    expect(await signIn.sessionFrom(visitor)).toMatchObject({ account: { email: account.email } });
    expect((await signIn.signIn(account, visitor)).account.email).toBe(account.email);
  });
});
