// What an administrator does to other accounts, from outside. The tests build on each other.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let admin: Visitor;
let other: Visitor;
type Row = { id: string; email: string; plan: string; admin: boolean; usage: { renders: number; hits: number } };

beforeAll(async () => {
  const limits = '{"business":{"rendersPerMonth":2000}}';
  harness = await openWebHarness({ DEFAULT_PLAN: 'starter', CONTACT: 'it@example.com', PLAN_LIMITS: limits });
  admin = await harness.visitor();
  other = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(admin.context, 'POST', '/api/setup', { token, name: '', email: 'admin@example.com', password });
});
afterAll(() => harness?.close());
afterEach(() => expect([...admin.faults, ...other.faults]).toEqual([]));

const ask = (method: string, path: string, body?: unknown) => harness.call(admin.context, method, path, body);
const accounts = async (): Promise<Row[]> =>
  ((await ask('GET', '/api/admin/accounts')).body as { accounts: Row[] }).accounts;
const account = async (email: string): Promise<Row> => {
  const found = (await accounts()).find((each) => each.email === email);
  if (found === undefined) throw new Error(`There is no account of ${email}.`);
  return found;
};
const invite = async (body: object = {}) => {
  const wish = { email: '', plan: 'pro', admin: false, days: 7, ...body };
  const { status, body: made } = await ask('POST', '/api/admin/invitations', wish);
  return { status, made: made as { link: string; invitation: { id: string } } };
};
const tokenIn = (link: string) => new URL(link).searchParams.get('token') ?? '';
const accept = async (link: string, email: string) => {
  const visitor = await harness.visitor();
  const wish = { token: tokenIn(link), name: '', email, password };
  const { status, body } = await harness.call(visitor.context, 'POST', '/api/invitation', wish);
  return { status, body: body as { error?: string }, visitor };
};

test('new accounts get the plan of DEFAULT_PLAN', async () => {
  await harness.call(other.context, 'POST', '/api/sign-up', { name: 'Other', email: 'other@example.com', password });
  expect((await account('other@example.com')).plan).toBe('starter');
});

describe('an invitation', () => {
  test('is a link that an administrator copies, and a person uses once', async () => {
    const { page } = admin;
    await page.goto('/admin');
    const button = page.getByRole('button', { name: 'Invite' });
    await button.click();
    await page.getByLabel('E-mail').fill('guest@example.com');
    const plan = page.getByLabel('Plan', { exact: true });
    expect(await plan.inputValue()).toBe('starter');
    await plan.selectOption('business');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = (await page.getByText(/\/invitation\?token=/).textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByText('Open invitations').waitFor();

    const guest = await harness.visitor();
    await guest.page.goto(link);
    expect(await guest.page.getByLabel('E-mail').inputValue()).toBe('guest@example.com');
    await guest.page.getByLabel('Password').fill('short');
    await guest.page.getByRole('button', { name: 'Create account' }).click();
    await guest.page.getByText('Password must have 12 to 256 characters.').waitFor();
    await guest.page.getByLabel('Password').fill(password);
    await guest.page.getByRole('button', { name: 'Create account' }).click();
    await guest.page.getByRole('heading', { name: 'API Keys' }).waitFor();
    expect((await account('guest@example.com')).plan).toBe('business');

    await guest.context.clearCookies();
    await guest.page.goto(link);
    await guest.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    expect(await accept(link, 'again@example.com')).toMatchObject({ status: 403 });
    await guest.context.close();
  });

  test('creates one account, even if it is used twice at the same moment', async () => {
    const { made } = await invite();
    const both = await Promise.all(['one@example.com', 'two@example.com'].map((email) => accept(made.link, email)));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 403]);
  });

  test('stays open if the address is taken, and its own address cannot be changed', async () => {
    const { made } = await invite({ email: 'fixed@example.com' });
    expect((await accept(made.link, 'elsewhere@example.com')).status).toBe(204);
    expect((await account('fixed@example.com')).plan).toBe('pro');
    const open = (await invite()).made;
    expect((await accept(open.link, 'fixed@example.com')).status).toBe(409);
    expect((await accept(open.link, 'free@example.com')).status).toBe(204);
  });

  test('is refused when it has expired or was withdrawn, and when its days are wrong', async () => {
    const { made } = await invite();
    const { db } = harness.app.store as never as {
      db: { updateTable(name: string): { set(values: object): { execute(): Promise<void> } } };
    };
    await db
      .updateTable('invitations')
      .set({ expires_at: Date.now() - 1 })
      .execute();
    expect(await accept(made.link, 'late@example.com')).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('has expired') },
    });
    const withdrawn = (await invite()).made;
    expect((await ask('DELETE', `/api/admin/invitations/${withdrawn.invitation.id}`)).status).toBe(204);
    const check = await ask('POST', '/api/invitation/check', { token: tokenIn(withdrawn.link) });
    expect(check.body).toEqual({ open: false, email: null });
    expect((await invite({ days: 31 })).status).toBe(400);
    expect((await invite({ email: 'other@example.com' })).status).toBe(409);
  });
});

describe('an account', () => {
  test('gets a new password, and its sessions end', async () => {
    const { page } = admin;
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Actions for other@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Set a new password' }).click();
    await page.getByRole('textbox', { name: 'New password' }).fill('set by the administrator');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('other@example.com has a new password').waitFor();
    expect((await harness.call(other.context, 'GET', '/api/keys')).status).toBe(401);
    const signIn = (word: string) =>
      harness.call(other.context, 'POST', '/api/sign-in', { email: 'other@example.com', password: word });
    expect((await signIn(password)).status).toBe(401);
    expect((await signIn('set by the administrator')).status).toBe(200);
  });

  test('that is disabled has lost its sessions, also when it is enabled again', async () => {
    const { id } = await account('other@example.com');
    const keysStatus = async () => (await harness.call(other.context, 'GET', '/api/keys')).status;
    expect(await keysStatus()).toBe(200);
    for (const disabled of [true, false]) {
      expect((await ask('PATCH', `/api/admin/accounts/${id}`, { disabled })).status).toBe(204);
      expect(await keysStatus()).toBe(401);
    }
    const signIn = { email: 'other@example.com', password: 'set by the administrator' };
    expect((await harness.call(other.context, 'POST', '/api/sign-in', signIn)).status).toBe(200);
    expect(await keysStatus()).toBe(200);
  });

  test('of an administrator is not disabled by its owner, and gets no new password without the current one', async () => {
    const me = await account('admin@example.com');
    expect(await ask('PATCH', `/api/admin/accounts/${me.id}`, { disabled: true })).toMatchObject({
      status: 409,
      body: { error: 'You cannot disable your own account.' },
    });
    const set = await ask('POST', `/api/admin/accounts/${me.id}/password`, { password: 'without the current one' });
    expect(set.status).toBe(409);
    const change = { current: 'not the password', password: 'without the current one' };
    expect((await ask('POST', '/api/account/password', change)).status).toBe(403);
    const again = await harness.visitor();
    const signIn = { email: 'admin@example.com', password };
    expect((await harness.call(again.context, 'POST', '/api/sign-in', signIn)).status).toBe(200);
    await again.context.close();
  });

  test('of the last administrator cannot be deleted by its owner, who reads why', async () => {
    const { page } = admin;
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type admin@example.com to confirm').fill('admin@example.com');
    await dialog.getByLabel('Password').fill(password);
    const answer = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await dialog.getByText('This is the last administrator. Promote somebody else first.').waitFor();
    expect((await answer).status()).toBe(409);
    expect(await account('admin@example.com')).toMatchObject({ admin: true });
  });

  test('is promoted and demoted at once, with its invitations, but never the last administrator', async () => {
    const [me, them] = [await account('admin@example.com'), await account('other@example.com')];
    const set = (id: string, body: object) => ask('PATCH', `/api/admin/accounts/${id}`, body);
    expect(await set(me.id, { admin: false })).toMatchObject({
      status: 409,
      body: { error: 'This is the last administrator. Promote somebody else first.' },
    });
    const { page } = admin;
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Actions for other@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Promote to administrator' }).click();
    await page.getByText('other@example.com is an administrator now').waitFor();
    expect((await harness.call(other.context, 'GET', '/api/admin/accounts')).status).toBe(200);
    // Each removes the other at the same moment: one of them stays.
    const both = await Promise.all([
      set(them.id, { admin: false }),
      harness.call(other.context, 'PATCH', `/api/admin/accounts/${me.id}`, { admin: false }),
    ]);
    expect(both.filter(({ status }) => status === 204).length).toBeGreaterThanOrEqual(1);
    const left = (await harness.app.store.accounts.list()).filter((each) => each.admin);
    expect(left).toHaveLength(1);
    await harness.app.store.accounts.setAdmin(me.id, true);
    await harness.app.store.accounts.setAdmin(them.id, true);
    const wish = { email: '', plan: 'pro', admin: true, days: 7 };
    const made = await harness.call(other.context, 'POST', '/api/admin/invitations', wish);
    await harness.app.store.accounts.setAdmin(them.id, false);
    // An invitation of somebody who is no administrator any more is void.
    const token = tokenIn((made.body as { link: string }).link);
    expect((await ask('POST', '/api/invitation/check', { token })).body).toEqual({ open: false, email: null });
  });

  test('shows in the list what it used, with the busiest first', async () => {
    const made = await harness.call(other.context, 'POST', '/api/keys', { name: 'First' });
    const { secret } = made.body as { secret: string };
    const url = `${harness.url}/v1/screenshot?url=${encodeURIComponent(harness.target('/'))}`;
    for (let i = 0; i < 2; i++) await (await fetch(url, { headers: { 'x-api-key': secret } })).arrayBuffer();
    await expect
      .poll(async () => (await account('other@example.com')).usage)
      .toMatchObject({ renders: 1, hits: 1, errors: 0 });
    const { page } = admin;
    await page.goto('/admin');
    await page.getByLabel('Order').selectOption('usage');
    await expect.poll(() => page.locator('tbody tr').first().textContent()).toMatch(/^other@example\.com/);
  });
});

test('what administrators did is listed with who, what, whom and when', async () => {
  const { page } = admin;
  await page.goto('/admin/audit');
  await page.getByRole('row', { name: /admin@example\.com Promoted to administrator other@example\.com/ }).waitFor();
  await page.getByRole('row', { name: /Set a new password other@example\.com/ }).waitFor();
  await page.getByRole('row', { name: /Created an invitation \(business\) guest@example\.com/ }).waitFor();
  expect((await harness.call(other.context, 'GET', '/api/admin/audit')).status).toBe(403);
  const { audit } = harness.app.store;
  const before = (await audit.list(100)).length;
  const old = { actorId: 'a', actor: 'a', action: 'cache_purged', target: null, details: null } as const;
  await audit.add({ ...old, at: Date.now() - 366 * 86_400_000 });
  await audit.prune(Date.now() - 365 * 86_400_000);
  expect(await audit.list(100)).toHaveLength(before);
});

test('a lost password says whom to ask where no mail is sent', async () => {
  const guest = await harness.visitor();
  await guest.page.goto('/sign-in');
  await guest.page.getByRole('link', { name: 'Lost your password?' }).click();
  await guest.page.getByText('Ask it@example.com for a new password.').waitFor();
  const answer = await harness.call(guest.context, 'POST', '/api/password/lost', { email: 'other@example.com' });
  expect(answer).toMatchObject({ status: 403, body: { error: expect.stringContaining('it@example.com') } });
  await guest.context.close();
});

test('the monthly allowance is shown under Usage and among the plans', async () => {
  const { page } = admin;
  await page.goto('/usage');
  await page.getByRole('meter', { name: 'Renders in this month' }).waitFor();
  await page.getByText('0 of 2,000 renders').waitFor();
  await page.goto('/settings');
  await page.getByRole('row', { name: /^Renders a month unlimited unlimited unlimited 2,000$/ }).waitFor();
});

describe('the keys', () => {
  test('mark all wrong fields at once, in the words of the form, and give the focus back', async () => {
    const { page } = admin;
    await page.goto('/keys');
    const button = page.getByRole('button', { name: 'Create New Key' }).first();
    await button.click();
    await page.getByText('Limit what this key may do').click();
    await page.getByLabel('Expires').selectOption('date');
    await page.getByLabel('Allowed hosts').fill('not a host/');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Name must be a text of 1 to 100 characters on one line.').waitFor();
    await page.getByText('Expires must be in the future.').waitFor();
    await page.getByText(/^Allowed hosts must be host names such as/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('can be searched, and 50 of them do not push the requests off the page', async () => {
    for (let i = 1; i <= 50; i++) await ask('POST', '/api/keys', { name: `Key ${i}` });
    const { id } = await account('admin@example.com');
    const keys = await harness.app.store.keys.list(id);
    const record = { accountId: id, at: Date.now(), endpoint: 'screenshot', status: 200, outcome: 'hit' } as const;
    const rest = { code: null, renderMs: null, totalMs: 1, cacheKey: null, verdict: null } as const;
    const texts = { parameters: '{}', phases: '{}', warnings: '[]' };
    await harness.app.store.usage.record(
      keys.map((key) => ({ ...record, ...rest, ...texts, id: `used-${key.id}`, keyId: key.id })),
    );
    const { page } = admin;
    await page.goto('/keys');
    await page.getByLabel('Search keys').fill('key 37');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.goto('/usage');
    const recent = page.getByRole('heading', { name: 'Recent requests' });
    await recent.waitFor();
    expect((await recent.boundingBox())?.y).toBeLessThan(1100);
    await page.getByRole('button', { name: 'Show all 50 keys' }).click();
    await page.getByRole('cell', { name: 'Key 37' }).waitFor();

    // More than fifty are searched, in place of a list.
    await ask('POST', '/api/keys', { name: 'Key 51' });
    await page.reload();
    const filter = page.getByRole('combobox', { name: 'Key', exact: true });
    await filter.fill('key 3');
    await expect.poll(() => page.locator('datalist option').count()).toBe(11);
    await filter.fill('key 37');
    await filter.press('Enter');
    expect(await filter.inputValue()).toMatch(/^Key 37 sk_live_/);
    await expect.poll(() => page.getByRole('cell', { name: /^Key \d/ }).allTextContents()).toEqual(['Key 37']);
    await page.reload();
    await expect.poll(() => filter.inputValue()).toMatch(/^Key 37 /);
    await filter.fill('');
    await expect.poll(() => page.getByRole('cell', { name: /^Key \d/ }).count()).toBeGreaterThan(1);
  });
});
