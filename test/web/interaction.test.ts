// What the pages do between a click and the answer, when the answer is an error, and where links lead.
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let admin: Visitor;
let page: Page;
let key = '';

beforeAll(async () => {
  harness = await openWebHarness();
  admin = await harness.visitor();
  page = admin.page;
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(admin.context, 'POST', '/api/setup', {
    token,
    name: '👩‍🚀 Ada',
    email: 'a@example.com',
    password,
  });
  const created = await harness.call(admin.context, 'POST', '/api/keys', { name: 'First' });
  key = (created.body as { secret: string }).secret;
});
afterAll(() => harness?.close());
afterEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(admin.faults).toEqual([]);
});

/** Keeps back the answers to these requests until the returned function is called. */
async function hold(on: Page, path: RegExp, method = 'GET'): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await on.route(path, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

const refuse = (on: Page, path: RegExp, status: number, error: string) =>
  on.route(path, (route) => route.fulfill({ status, json: { error, code: 'unknown' } }));

const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

describe('a dialog that waits for its answer stays open', () => {
  test('with the secret of a new key', async () => {
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create New Key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Slow');
    const release = await hold(page, /\/api\/keys$/, 'POST');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.locator('[aria-busy]').waitFor();
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
    release();
    await page.getByRole('heading', { name: 'Save your key now' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog
      .getByText(/sk_live_/)
      .first()
      .waitFor();
  });

  test('and can be closed after an error', async () => {
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create New Key' }).first().click();
    const dialog = page.getByRole('dialog');
    await refuse(page, /\/api\/keys$/, 500, 'Something failed.');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Something failed.').waitFor();
    // As soon as its button is free again.
    await dialog.locator('[aria-busy]').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });
});

describe('an error', () => {
  test('of a plan change is an alert, and the plan that is set is shown again', async () => {
    await page.goto('/admin');
    const plan = page.getByLabel('Plan of a@example.com');
    expect(await plan.inputValue()).toBe('business');
    await refuse(page, /\/api\/admin\/accounts\/[^/]+$/, 503, 'The database is busy.');
    await plan.selectOption('free');
    await page.getByRole('alert').filter({ hasText: 'The database is busy.' }).waitFor();
    await expect.poll(() => plan.inputValue()).toBe('business');
    await page.unrouteAll();
    await plan.selectOption('pro');
    await page.getByRole('status').filter({ hasText: 'a@example.com is now on Pro' }).waitFor();
    expect(await plan.inputValue()).toBe('pro');
    await plan.selectOption('business');
    await page.getByRole('status').filter({ hasText: 'a@example.com is now on Business' }).waitFor();
  });

  test('of the health page takes the place of Ready, and the numbers stay', async () => {
    await page.goto('/admin/health');
    const ready = page.getByText('Ready to render');
    await ready.waitFor();
    await page.route(/\/api\/admin\/health$/, (route) => route.abort());
    await page.getByText(/^No answer since \w+ \d+, \d+, /).waitFor();
    expect(await ready.count()).toBe(0);
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor();
    await page.getByText('Captures since start').waitFor();
    await page.unrouteAll();
    await ready.waitFor();
    expect(await page.getByText(/^No answer since/).count()).toBe(0);
  });

  test.each([
    ['/invitation', 'This invitation is no longer valid'],
    ['/setup', 'This link is no longer valid'],
  ])('of %s that may pass can be tried again', async (path, invalid) => {
    const guest = await harness.visitor();
    const check = new RegExp(`/api${path}/check$`);
    await refuse(guest.page, check, 503, 'The server is starting.');
    await guest.page.goto(`${path}?token=unknown`);
    await guest.page.getByText('The server is starting.').waitFor();
    expect(await guest.page.getByText(invalid).count()).toBe(0);
    await guest.page.unrouteAll();
    await guest.page.getByRole('button', { name: 'Try again' }).click();
    await guest.page.getByRole('heading', { name: invalid }).waitFor();
    expect(guest.faults).toEqual([]);
    await guest.context.close();
  });
});

describe('a filter keeps its place and the focus', () => {
  test('in the list of keys', async () => {
    // Six are the fewest that have a search box.
    const { body } = await harness.call(admin.context, 'GET', '/api/keys');
    for (let i = (body as { active: number }).active + 1; i <= 6; i++)
      await harness.call(admin.context, 'POST', '/api/keys', { name: `Extra ${i}` });
    await page.goto('/keys');
    const search = page.getByLabel('Search keys');
    await search.fill('extra 6');
    await page.getByRole('button', { name: 'Actions for Extra 6' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No matching key').waitFor();
    expect(await search.inputValue()).toBe('extra 6');
    await search.fill('');
    await page.getByText('Extra 5').waitFor();
    expect(await isFocused(search)).toBe(true);
  });

  test('in the list of jobs', async () => {
    const sent = await fetch(`${harness.url}/v1/jobs`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'og', request: { template: 'quote', title: 'Simple is not easy' } }),
    });
    expect(sent.status).toBe(202);
    await page.goto('/jobs?status=canceled');
    await page.getByText('Nothing matches').waitFor();
    const status = page.getByLabel('Status', { exact: true });
    await status.focus();
    const release = await hold(page, /\/api\/jobs$/);
    await status.selectOption('');
    await page.waitForTimeout(300);
    expect(await isFocused(status)).toBe(true);
    release();
    await page.locator('main button[aria-expanded]').first().waitFor();
    expect(await isFocused(status)).toBe(true);
  });

  test.each([
    ['with captures', () => admin],
    ['without any', () => harness.visitor()],
  ])('among the captures of an account %s', async (_, visitor) => {
    const { page: own, context } = await visitor();
    if (own !== page)
      await harness.call(context, 'POST', '/api/sign-up', { email: 'none@example.com', name: '', password });
    await own.goto('/captures?verdict=any');
    await own.getByText('Nothing matches').waitFor();
    const verdict = own.getByLabel('Verdict');
    await verdict.focus();
    const release = await hold(own, /\/api\/captures$/);
    await verdict.selectOption('');
    await own.waitForTimeout(300);
    expect(await isFocused(verdict)).toBe(true);
    release();
    await own.getByText(own === page ? 'Open Graph card' : 'Nothing captured yet').waitFor();
    expect(await isFocused(verdict)).toBe(true);
    if (own !== page) await context.close();
  });
});

test('the signing secret cannot be copied before it is loaded', async () => {
  const release = await hold(page, /\/api\/webhooks\/secret$/);
  await page.goto('/webhooks');
  const copy = page.getByRole('button', { name: 'Copy signing secret' });
  await copy.waitFor();
  expect(await copy.isDisabled()).toBe(true);
  release();
  await copy.click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^whsec_/);
});

test('sign-in and sign-up lead to each other, and then to the page that was asked for', async () => {
  const guest = await harness.visitor();
  await guest.page.goto('/usage?range=7d');
  await guest.page.getByRole('link', { name: 'Create an account' }).click();
  await guest.page.getByRole('link', { name: 'Sign in' }).click();
  await guest.page.getByRole('heading', { name: 'Sign in to Tintype' }).waitFor();
  await guest.page.getByRole('link', { name: 'Create an account' }).click();
  await guest.page.getByLabel('E-mail').fill('new@example.com');
  await guest.page.getByLabel('Password').fill(password);
  await guest.page.getByRole('button', { name: 'Create account' }).click();
  await guest.page.waitForURL('**/usage?range=7d');
  expect(guest.faults).toEqual([]);
  await guest.context.close();
});

test('what a link has set can be removed in the playground, also if the plan does not include it', async () => {
  const guest = await harness.visitor();
  await harness.call(guest.context, 'POST', '/api/sign-up', { email: 'free@example.com', name: '', password });
  await guest.page.goto('/playground?url=https%3A%2F%2Fexample.com%2F&userAgent=Bot&blockAds=true');
  const agent = guest.page.getByLabel('userAgent', { exact: true });
  await agent.fill('');
  await expect.poll(() => agent.isDisabled()).toBe(true);
  const flag = guest.page.locator('#flag-blockAds');
  await guest.page.locator('label[for="flag-blockAds"]').getByText('plan needed').waitFor({ state: 'attached' });
  await flag.click();
  await expect.poll(() => flag.isDisabled()).toBe(true);
  expect(await flag.isChecked()).toBe(false);
  await expect.poll(() => guest.page.url()).not.toMatch(/userAgent|blockAds/);
  expect(guest.faults).toEqual([]);
  await guest.context.close();
});

test('the drawer of a small screen closes at the page that is shown', async () => {
  const { page: phone, context } = await harness.visitor({ width: 390, height: 800 });
  await harness.call(context, 'POST', '/api/sign-in', { email: 'a@example.com', password });
  const drawer = phone.getByRole('dialog', { name: 'Navigation' });
  await phone.goto('/keys');
  await phone.getByRole('button', { name: 'Open navigation' }).click();
  await drawer.getByRole('link', { name: 'API Keys' }).click();
  await expect.poll(() => drawer.count()).toBe(0);
  await phone.goto('/settings');
  await phone.getByRole('button', { name: 'Open navigation' }).click();
  await drawer.getByRole('button', { name: /^Account/ }).click();
  await phone.getByRole('menuitem', { name: 'Settings' }).click();
  await expect.poll(() => drawer.count()).toBe(0);
  await context.close();
});

test('the initial of a name may be an emoji', async () => {
  await page.goto('/settings');
  await page
    .getByRole('button', { name: /^Account/ })
    .getByText('👩‍🚀', { exact: true })
    .waitFor();
});
