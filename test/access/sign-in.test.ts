// Signing in to the dashboard, on both databases, through the functions its HTTP layer calls.
import { hash, scryptSync } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccount, setPassword } from '../../src/access/accounts.ts';
import type { Visitor } from '../../src/access/session-cookies.ts';
import { createSignIn, type SignedIn, type SignIn } from '../../src/access/sign-in.ts';
import type { PlanName } from '../../src/kernel/plans.ts';
import type { OpenStore } from '../../src/store/open.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

const password = 'correct horse battery';
const minute = 60_000;
// Refused without a hash: fast, and it counts like any wrong one.
const tooLong = 'x'.repeat(1000);
// A stored password says how it was hashed; this one costs next to nothing, so that the tests do not either.
const cheapHash = `scrypt:2:1:1::${scryptSync(password, '', 32, { N: 2, r: 1, p: 1 }).toString('base64')}`;
const wrong = { code: 'not_signed_in', status: 401, message: 'The e-mail address or the password is wrong.' };
const throttled = { code: 'rate_limited', status: 429, retryAfter: expect.any(Number) };

describe.each(databases)('on $name', (kind) => {
  let database: TestDatabase;
  let store: OpenStore;
  let signIn: SignIn;
  let now: number;
  const open = (more: Partial<Parameters<typeof createSignIn>[0]> = {}) =>
    createSignIn({
      store,
      config: { signUp: 'open' },
      baseUrl: () => 'http://127.0.0.1:3000',
      clock: () => now,
      ...more,
    });
  beforeEach(async () => {
    now = Date.now();
    database = await kind.create();
    store = await database.open();
    signIn = open();
  });
  afterEach(async () => {
    await database.remove();
  });
  afterAll(() => kind.end());

  const visitor = (signedIn?: Pick<SignedIn, 'cookies'>, address = '192.0.2.1'): Visitor => ({
    address,
    userAgent: 'Test',
    ...(signedIn && { cookie: signedIn.cookies.map((cookie) => cookie.split(';')[0]).join('; ') }),
  });
  const guess = (email: string, given = password, address = '192.0.2.1') =>
    signIn.signIn({ email, password: given }, visitor(undefined, address));

  const member = (email = 'one@example.test', plan: PlanName = 'free') =>
    store.signIn.create({ email, plan, passwordHash: cheapHash });

  it('a new account is on Free, signed in, and identified by the cookie', async () => {
    const signedIn = await signIn.signUp({ email: 'New.One@Example.test', password }, visitor());
    expect(signedIn.account).toMatchObject({
      email: 'new.one@example.test',
      plan: 'free',
      admin: false,
      disabled: false,
    });
    expect(await store.accounts.byId(signedIn.account.id)).toEqual(signedIn.account);
    const session = await signIn.sessionFrom(visitor(signedIn));
    expect(session?.account).toEqual(signedIn.account);
    expect(session?.expiresAt).toBeGreaterThan(Date.now() + 29 * 24 * 60 * minute);
    expect(JSON.stringify(await store.db.selectFrom('credentials').selectAll().execute())).not.toContain(password);
  });

  it('sign-up can be closed; accounts of the command line can still sign in, on their plan', async () => {
    signIn = open({ config: { signUp: 'closed' } });
    expect(signIn.signUpOpen).toBe(false);
    await expect(signIn.signUp({ email: 'one@example.test', password }, visitor())).rejects.toMatchObject({
      code: 'forbidden',
    });
    await createAccount(store, { email: 'one@example.test', plan: 'pro', password });
    expect((await guess(' ONE@example.test ')).account).toMatchObject({ plan: 'pro', admin: false });
  });

  it('after failed sign-ins an account waits longer and longer, also after a restart, whether it exists or not', async () => {
    await member();
    for (const email of ['one@example.test', 'nobody@example.test']) {
      for (let i = 0; i < 5; i++) await expect(guess(email, tooLong)).rejects.toMatchObject(wrong);
      await expect(guess(email)).rejects.toMatchObject({
        ...throttled,
        message: 'Too many attempts. Try again in 5 seconds.',
      });
    }
    // A restart: everything anew but the database.
    store = await database.open();
    signIn = open();
    await expect(guess('one@example.test')).rejects.toMatchObject(throttled);
    now += 5000;
    await expect(guess('one@example.test', tooLong)).rejects.toMatchObject(wrong);
    await expect(guess('one@example.test')).rejects.toMatchObject({ ...throttled, retryAfter: 10 });
    now += 10_000;
    expect((await guess('one@example.test')).account.email).toBe('one@example.test');
    // A good sign-in forgives.
    await expect(guess('one@example.test', tooLong)).rejects.toMatchObject(wrong);
    expect((await guess('one@example.test')).account.email).toBe('one@example.test');
  });

  it('many guesses at the same moment do not bypass the delay', async () => {
    await member();
    const other = open({ store: await database.open() });
    const guesses = Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? signIn : other)
        .signIn({ email: 'one@example.test', password: `not the password ${i}` }, visitor(undefined, `192.0.2.${i}`))
        .catch((error: { code: string }) => error.code),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter((code) => code === 'not_signed_in')).toHaveLength(5);
    expect(answers.filter((code) => code === 'rate_limited')).toHaveLength(7);
  });

  it('signing out ends this session, signing out everywhere ends all', async () => {
    await member();
    const first = await guess('one@example.test');
    const [second, third] = [await guess('one@example.test'), await guess('one@example.test')];
    const cleared = await signIn.signOut(visitor(second));
    expect(cleared.join()).toMatch(/tintype\.session_token=;.*Max-Age=0/);
    expect(await signIn.sessionFrom(visitor(second))).toBeUndefined();
    expect(await signIn.sessionFrom(visitor(third))).toBeDefined();
    await signIn.signOutEverywhere(visitor(third));
    for (const each of [first, second, third]) expect(await signIn.sessionFrom(visitor(each))).toBeUndefined();
    await expect(signIn.signOutEverywhere(visitor(third))).rejects.toMatchObject({ code: 'not_signed_in' });
  });

  it('a new password ends the other sessions and the old password', async () => {
    await member();
    const first = await guess('one@example.test');
    const second = await guess('one@example.test');
    const change = (current: string, next = 'a whole new password') =>
      signIn.changePassword({ current, password: next }, visitor(first));
    await expect(change('not the password')).rejects.toMatchObject({ code: 'forbidden', parameter: 'current' });
    await expect(change(password, 'short')).rejects.toMatchObject({ code: 'invalid_parameter' });
    const changed = await change(password);
    expect(await signIn.sessionFrom(visitor(changed))).toBeDefined();
    for (const old of [first, second]) expect(await signIn.sessionFrom(visitor(old))).toBeUndefined();
    await expect(guess('one@example.test')).rejects.toMatchObject(wrong);
    expect((await guess('one@example.test', 'a whole new password')).account.id).toBe(first.account.id);
  });

  it('a link for a lost password is void once the password was changed in another way, or the account is gone', async () => {
    const links = ['first', 'second', 'third'];
    const linkTo = (id: string, token: string) =>
      store.signIn.createReset(hash('sha256', token, 'hex'), id, now + minute);
    const use = (token: string) =>
      signIn.passwordReset.complete({ token, password: 'of the link in a mail' }, '192.0.2.1');
    const { id } = await member();
    const signedIn = await guess('one@example.test');
    await linkTo(id, 'first');
    const changed = await signIn.changePassword(
      { current: password, password: 'a whole new password' },
      visitor(signedIn),
    );
    await linkTo(id, 'second');
    await setPassword(store, id, 'set by the administrator');
    const other = await member('two@example.test');
    await linkTo(other.id, 'third');
    await store.accounts.remove(other.id);
    for (const token of links) await expect(use(token), token).rejects.toMatchObject({ code: 'forbidden' });
    expect(await signIn.sessionFrom(visitor(changed))).toBeUndefined();
    await linkTo(id, 'fourth');
    await use('fourth');
    expect((await guess('one@example.test', 'of the link in a mail')).account.id).toBe(id);
  });

  it('guessing the current password of a session is slowed down as at sign-in', async () => {
    await member();
    const signedIn = await guess('one@example.test');
    const change = (current: string) =>
      signIn.changePassword({ current, password: 'a whole new password' }, visitor(signedIn));
    for (let i = 0; i < 5; i++) await expect(change(tooLong)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(change(password)).rejects.toMatchObject(throttled);
    await expect(signIn.deleteAccount({ password }, visitor(signedIn))).rejects.toMatchObject(throttled);
    now += 6000;
    expect((await change(password)).account.email).toBe('one@example.test');
  });

  it('the command line can set a password, for an account that had none, too', async () => {
    const { id } = await createAccount(store, { email: 'one@example.test', plan: 'free' });
    await expect(guess('one@example.test')).rejects.toMatchObject(wrong);
    await setPassword(store, id, password);
    expect((await guess('one@example.test')).account.id).toBe(id);
  });

  it('an account is deleted with its password only, and is gone with its sessions', async () => {
    await member();
    const signedIn = await guess('one@example.test');
    const remove = (given: string) => signIn.deleteAccount({ password: given }, visitor(signedIn));
    await expect(remove('not the password')).rejects.toMatchObject({ code: 'forbidden' });
    await remove(password);
    expect(await store.accounts.list()).toEqual([]);
    expect(await signIn.sessionFrom(visitor(signedIn))).toBeUndefined();
    await expect(guess('one@example.test')).rejects.toMatchObject(wrong);
  });

  it('an administrator whose results cannot be removed stays an administrator', async () => {
    await member();
    const other = await createAccount(store, { email: 'two@example.test', plan: 'free' });
    const signedIn = await guess('one@example.test');
    for (const { id } of [signedIn.account, other]) await store.accounts.setAdmin(id, true);
    const fails = signIn.deleteAccount({ password }, visitor(signedIn), () => Promise.reject(new Error('away')));
    await expect(fails).rejects.toThrow('away');
    expect((await signIn.sessionFrom(visitor(signedIn)))?.account.admin).toBe(true);
  });

  it('a disabled account is signed out at once and told so only with the right password', async () => {
    await member();
    const signedIn = await guess('one@example.test');
    await store.accounts.setDisabled(signedIn.account.id, true);
    expect(await signIn.sessionFrom(visitor(signedIn))).toBeUndefined();
    await expect(guess('one@example.test', 'not the password')).rejects.toMatchObject(wrong);
    await expect(guess('one@example.test')).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('disabled'),
    });
  });

  it('a plan that is changed is seen by the next request of a session', async () => {
    await member();
    const signedIn = await guess('one@example.test');
    await store.accounts.setPlan(signedIn.account.id, 'business');
    expect((await signIn.sessionFrom(visitor(signedIn)))?.account.plan).toBe('business');
  });

  describe('the setup link', () => {
    const setUp = (token: string, email = 'admin@example.test') =>
      signIn.consumeSetupToken({ token, email, password }, visitor());

    it('makes the administrator, on Business, once', async () => {
      const token = await signIn.createSetupToken();
      expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(JSON.stringify(await store.db.selectFrom('service_values').selectAll().execute())).not.toContain(token);
      expect(await signIn.isSetupToken(token)).toBe(true);
      const signedIn = await setUp(token);
      expect(signedIn.account).toMatchObject({ plan: 'business', admin: true });
      expect(await signIn.sessionFrom(visitor(signedIn))).toMatchObject({ account: { admin: true } });
      expect(await signIn.isSetupToken(token)).toBe(false);
      await expect(setUp(token, 'second@example.test')).rejects.toMatchObject({ code: 'forbidden' });
    });

    it('stays valid after an error in the form, and is invalid once a newer link exists', async () => {
      const token = await signIn.createSetupToken();
      await member('taken@example.test');
      await expect(setUp(token, 'taken@example.test')).rejects.toMatchObject({ code: 'conflict' });
      await expect(setUp(token, 'nonsense')).rejects.toMatchObject({ parameter: 'email' });
      expect(await signIn.isSetupToken(token)).toBe(true);
      await signIn.createSetupToken();
      await expect(setUp(token)).rejects.toMatchObject({ code: 'forbidden' });
    });

    it('makes one administrator when many open it at the same moment', async () => {
      const token = await signIn.createSetupToken();
      const others = [signIn, open({ store: await database.open() })];
      const race = Array.from({ length: 4 }, (_, i) =>
        (others[i % 2] as SignIn)
          .consumeSetupToken({ token, email: `admin-${i}@example.test`, password }, visitor(undefined, `192.0.2.${i}`))
          .then(
            () => 'made',
            (error: { code: string }) => error.code,
          ),
      );
      expect((await Promise.all(race)).sort()).toEqual([...Array(3).fill('forbidden'), 'made']);
      expect(await store.accounts.list()).toHaveLength(1);
    });

    it('is invalid once there is another administrator', async () => {
      const token = await signIn.createSetupToken();
      await createAccount(store, { email: 'cli@example.test', plan: 'free', admin: true });
      expect(await signIn.isSetupToken(token)).toBe(false);
      await expect(setUp(token)).rejects.toMatchObject({ code: 'forbidden' });
    });
  });

  describe('GitHub', () => {
    const github = { githubClientId: 'id', githubClientSecret: 'secret' };
    // The one thing that cannot run here is GitHub itself: its three answers, as its documentation shows them.
    beforeEach(() => {
      vi.stubGlobal('fetch', async (input: string | URL | Request) => {
        const url = String(input instanceof Request ? input.url : input);
        if (url.includes('/access_token'))
          return Response.json({ access_token: 'gho_token', token_type: 'bearer', scope: 'user:email' });
        if (url.endsWith('/user/emails'))
          return Response.json([{ email: 'Octo@example.test', primary: true, verified: true }]);
        if (url.endsWith('/user'))
          return Response.json({ id: 7, login: 'octo', name: 'Octo Cat', email: 'Octo@example.test', avatar_url: '' });
        throw new Error(`Not expected: ${url}`);
      });
    });
    afterEach(() => {
      vi.unstubAllGlobals();
    });
    const comeBack = async (next?: string) => {
      const start = await signIn.providers.start('github', visitor(), next);
      const location = new URL(start.location);
      expect(location.host).toBe('github.com');
      expect(location.searchParams.get('redirect_uri')).toBe('http://127.0.0.1:3000/auth/callback/github');
      const state = location.searchParams.get('state') ?? '';
      return signIn.providers.finish('github', `code=abc&state=${state}`, visitor(start));
    };

    it('is offered only where it is configured', async () => {
      expect(signIn.providers.names).toEqual([]);
      await expect(signIn.providers.start('github', visitor())).rejects.toMatchObject({ code: 'not_found' });
      expect(open({ config: { signUp: 'open', ...github } }).providers.names).toEqual(['github']);
    });

    it('makes a Free account at the first visit and finds it at the second', async () => {
      signIn = open({ config: { signUp: 'open', ...github } });
      const first = await comeBack();
      expect(first.location).toBe('http://127.0.0.1:3000/');
      const session = await signIn.sessionFrom(visitor(first));
      expect(session?.account).toMatchObject({
        email: 'octo@example.test',
        plan: 'free',
        admin: false,
        id: expect.stringMatching(/^acc_/),
      });
      expect(await signIn.sessionFrom(visitor(await comeBack()))).toMatchObject({
        account: { id: session?.account.id },
      });
      expect(await store.accounts.list()).toHaveLength(1);
      expect(JSON.stringify(await store.db.selectFrom('credentials').selectAll().execute())).not.toContain('gho_token');
    });

    it('leads back to the page that was asked for, and never to another site', async () => {
      signIn = open({ config: { signUp: 'open', ...github } });
      expect((await comeBack('/usage?range=30d')).location).toBe('http://127.0.0.1:3000/usage?range=30d');
      for (const elsewhere of ['//evil.test/', '/\\evil.test', 'https://evil.test/', '/\t/evil.test', ''])
        expect((await comeBack(elsewhere)).location).toBe('http://127.0.0.1:3000/');
    });

    it('makes none where sign-up is closed', async () => {
      signIn = open({ config: { signUp: 'closed', ...github } });
      expect((await comeBack()).location).toMatch(/^http:\/\/127\.0\.0\.1:3000\/sign-in\?error=/);
      expect(await store.accounts.list()).toEqual([]);
    });

    it('does not open an account that was created with that address and a password', async () => {
      signIn = open({ config: { signUp: 'open', ...github } });
      await member('octo@example.test');
      expect((await comeBack()).location).toBe('http://127.0.0.1:3000/sign-in?error=account_not_linked');
    });

    it('does not sign a disabled account in', async () => {
      signIn = open({ config: { signUp: 'open', ...github } });
      await comeBack();
      await store.accounts.setDisabled((await store.accounts.list())[0]?.id ?? '', true);
      expect(await comeBack()).toEqual({
        location: 'http://127.0.0.1:3000/sign-in?error=account_disabled',
        cookies: [],
      });
    });

    it('refuses a callback that this browser did not start', async () => {
      signIn = open({ config: { signUp: 'open', ...github } });
      const start = await signIn.providers.start('github', visitor());
      const state = new URL(start.location).searchParams.get('state');
      const answer = await signIn.providers.finish('github', `code=abc&state=${state}`, visitor());
      expect(answer.location).toMatch(/sign-in\?error=/);
      expect(await store.accounts.list()).toEqual([]);
    });
  });
});
