// The rules of signing in that no database changes: cookies, passwords, addresses, and how guessing is slowed down.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/access/accounts.ts';
import type { Visitor } from '../../src/access/session-cookies.ts';
import { createSignIn, type SignedIn, type SignIn } from '../../src/access/sign-in.ts';
import { addressGroup } from '../../src/access/throttle.ts';
import { Problem } from '../../src/kernel/errors.ts';
import type { OpenStore } from '../../src/store/open.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

const password = 'correct horse battery';
// Refused without a hash: fast, and it counts like any wrong one.
const tooLong = 'x'.repeat(1000);
const wrong = { code: 'not_signed_in', status: 401, message: 'The e-mail address or the password is wrong.' };
const throttled = { code: 'rate_limited', status: 429, retryAfter: expect.any(Number) };

let database: TestDatabase;
let store: OpenStore;
let signIn: SignIn;
const open = (more: Partial<Parameters<typeof createSignIn>[0]> = {}) =>
  createSignIn({ store, config: { signUp: 'open' }, baseUrl: () => 'http://127.0.0.1:3000', ...more });
beforeEach(async () => {
  const [sqlite] = databases;
  if (!sqlite) throw new Error('There is always SQLite.');
  database = await sqlite.create();
  store = await database.open();
  signIn = open();
});
afterEach(async () => {
  await database.remove();
});

const visitor = (signedIn?: Pick<SignedIn, 'cookies'>, address = '192.0.2.1'): Visitor => ({
  address,
  ...(signedIn && { cookie: signedIn.cookies.map((cookie) => cookie.split(';')[0]).join('; ') }),
});
const guess = (email: string, given = password, address = '192.0.2.1') =>
  signIn.signIn({ email, password: given }, visitor(undefined, address));

it('the cookie is for this host, out of the reach of scripts, and plain on http', async () => {
  await createAccount(store, { email: 'one@example.test', plan: 'free', password });
  const plain = await guess('one@example.test');
  expect(plain.cookies).toHaveLength(1);
  expect(plain.cookies[0]).toMatch(/^tintype\.session_token=[^;]+; .*HttpOnly; SameSite=Lax$/);
  expect(plain.cookies[0]).toContain('Path=/;');
  expect(plain.cookies[0]).not.toContain('Secure');
  const secure = await open({ baseUrl: () => 'https://shots.example.test' }).signIn(
    { email: 'one@example.test', password },
    visitor(),
  );
  expect(secure.cookies).toHaveLength(1);
  expect(secure.cookies[0]).toMatch(/^__Host-tintype\.session_token=/);
  for (const part of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']) expect(secure.cookies[0]).toContain(part);
  expect(secure.cookies[0]).not.toContain('Domain');
  const behindPrefix = open({ baseUrl: () => 'https://example.test/shots' });
  const session = await behindPrefix.signIn({ email: 'one@example.test', password }, visitor());
  expect(await behindPrefix.sessionFrom(visitor(session))).toMatchObject({ account: { email: 'one@example.test' } });
});

it('a changed, foreign or missing cookie is no session', async () => {
  const signedIn = await signIn.signUp({ email: 'one@example.test', password }, visitor());
  const cookie = visitor(signedIn).cookie ?? '';
  expect(await signIn.sessionFrom({ address: '192.0.2.1' })).toBeUndefined();
  for (const changed of [cookie.slice(0, -3), cookie.replace('=', '=x'), 'tintype.session_token=a.b', 'a=b'])
    expect(await signIn.sessionFrom({ address: '192.0.2.1', cookie: changed })).toBeUndefined();
});

it('passwords have 12 to 256 characters, whatever characters', async () => {
  const sign = (given: string, n: number) => signIn.signUp({ email: `p${n}@example.test`, password: given }, visitor());
  for (const bad of ['', 'x'.repeat(11), 'x'.repeat(257), '🐱'.repeat(11)])
    await expect(sign(bad, 0)).rejects.toMatchObject({
      parameter: 'password',
      message: 'password must have 12 to 256 characters.',
    });
  for (const [n, good] of ['x'.repeat(12), 'x'.repeat(256), '🐱'.repeat(256)].entries()) {
    await sign(good, n);
    expect((await guess(`p${n}@example.test`, good)).account.email).toBe(`p${n}@example.test`);
  }
});

it('mail addresses that could never sign in are refused, and so is one that is taken', async () => {
  for (const bad of [
    '',
    'nobody',
    'a@b',
    'a b@example.test',
    'a@example..test',
    `${'x'.repeat(250)}@example.test`,
    'a\0@b.test',
  ])
    await expect(createAccount(store, { email: bad, plan: 'free', password })).rejects.toMatchObject({
      parameter: 'email',
    });
  const odd = "o'neil+tag_1.x-y@sub.example-host.test";
  await createAccount(store, { email: odd, plan: 'free', password });
  expect((await guess(odd)).account.email).toBe(odd);
  await expect(signIn.signUp({ email: odd.toUpperCase(), password }, visitor())).rejects.toMatchObject({
    code: 'conflict',
  });
});

it('a wrong mail and a wrong password have the same answer and need the same work', async () => {
  await createAccount(store, { email: 'one@example.test', plan: 'free', password });
  await createAccount(store, { email: 'keys-only@example.test', plan: 'free' });
  for (const email of ['one@example.test', 'nobody@example.test', 'keys-only@example.test']) {
    const began = performance.now();
    await expect(guess(email, 'not the password')).rejects.toMatchObject(wrong);
    // Without a hash the answer would be there in 5 ms; with one it cannot be there in 20.
    expect(performance.now() - began, email).toBeGreaterThan(20);
  }
  await expect(guess('one@example.test', 'x'.repeat(100_000))).rejects.toMatchObject(wrong);
});

it('an address that tries many accounts waits, whatever accounts; others do not', async () => {
  await createAccount(store, { email: 'one@example.test', plan: 'free', password });
  for (let i = 0; i < 30; i++)
    await expect(guess(`guess-${i}@example.test`, tooLong, `2001:db8::${i}`)).rejects.toMatchObject(wrong);
  await expect(guess('one@example.test', password, '2001:db8::ffff')).rejects.toMatchObject(throttled);
  expect((await guess('one@example.test', password, '2001:db9::1')).account.email).toBe('one@example.test');
});

it('an office that signs in all day from one address is not slowed down', async () => {
  await createAccount(store, { email: 'one@example.test', plan: 'free', password });
  const attempts = () => store.db.selectFrom('sign_in_attempts').select('failures').execute();
  await guess('one@example.test');
  await guess('one@example.test');
  expect(await attempts()).toEqual([{ failures: 0 }]);
});

it('one address cannot make accounts without end', async () => {
  const make = (i: number) => signIn.signUp({ email: `not an address ${i}`, password }, visitor());
  for (let i = 0; i < 10; i++) await expect(make(i)).rejects.toMatchObject({ parameter: 'email' });
  await expect(make(10)).rejects.toMatchObject(throttled);
});

it('addresses are counted one by one, but an IPv6 network of 64 bits as one', () => {
  const groups: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff:1:2:3', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['not an address', 'not an address'],
  ];
  for (const [address, group] of groups) expect(addressGroup(address), address).toBe(group);
});

describe('during a flood of wrong passwords', () => {
  /** More than may wait, all at once. */
  const flood = (email: (n: number) => string, address: (n: number) => string) =>
    Array.from({ length: 130 }, (_, n) =>
      guess(email(n), 'not the password', address(n)).catch((error: Problem) => error),
    );
  const answersOf = async (flooding: ReturnType<typeof flood>) =>
    (await Promise.all(flooding)).map((answer) => (answer instanceof Problem ? answer.code : 'signed in'));

  it('from one /48, the right password signs in, and nobody is charged for an attempt that was turned away', async () => {
    await createAccount(store, { email: 'one@example.test', plan: 'free', password });
    const address = (n: number) => `2001:db8:7:${n.toString(16)}::1`;
    const flooding = flood((n) => `other-${n}@example.test`, address);
    for (let i = 0; i < 6; i++) expect((await guess('one@example.test')).account.email).toBe('one@example.test');
    const answers = await answersOf(flooding);
    expect(new Set(answers)).toEqual(new Set(['overloaded', 'not_signed_in']));
    const { failures } = await store.db
      .selectFrom('sign_in_attempts')
      .select((eb) => eb.fn.sum<number>('failures').as('failures'))
      .where('subject', 'like', 'account %')
      .executeTakeFirstOrThrow();
    expect(failures).toBe(answers.filter((code) => code === 'not_signed_in').length);
  });

  it('from many networks at once, the owner signs in from where the owner has before', async () => {
    await createAccount(store, { email: 'one@example.test', plan: 'free', password });
    await guess('one@example.test');
    const flooding = flood(
      () => 'one@example.test',
      (n) => `198.${n}.100.1`,
    );
    expect((await guess('one@example.test')).account.email).toBe('one@example.test');
    expect(await answersOf(flooding)).not.toContain('signed in');
    // Strangers wait after their failures; the owner does not, from there.
    await expect(guess('one@example.test', password, '203.0.113.9')).rejects.toMatchObject(throttled);
    expect((await guess('one@example.test')).account.email).toBe('one@example.test');
  });

  it('an address is remembered for its own account, and only the newest twenty', async () => {
    await createAccount(store, { email: 'one@example.test', plan: 'free', password });
    await createAccount(store, { email: 'two@example.test', plan: 'free', password });
    await guess('one@example.test', password, '198.51.100.1');
    expect(await store.signIn.knowsAddress('ONE@example.test', '198.51.100.1')).toBe(true);
    expect(await store.signIn.knowsAddress('two@example.test', '198.51.100.1')).toBe(false);
    const { id } = (await store.accounts.byEmail('one@example.test')) ?? { id: '' };
    for (let n = 0; n < 20; n++) await store.signIn.rememberAddress(id, `address ${n}`, Date.now() + n + 1);
    expect(await store.signIn.knowsAddress('one@example.test', '198.51.100.1')).toBe(false);
    expect(await store.signIn.knowsAddress('one@example.test', 'address 0')).toBe(true);
  });
});
