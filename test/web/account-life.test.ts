// What an account sees of its past, changes about itself, and how it ends, in a real browser. The tests build on
// each other, as the pages do.
import type { Download } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let admin: Visitor;
let user: Visitor;
let key = '';

const capture = (secret: string, more = '') =>
  fetch(`${harness.url}/v1/screenshot?url=${encodeURIComponent(harness.target('/'))}${more}`, {
    headers: { 'x-api-key': secret },
  });

beforeAll(async () => {
  harness = await openWebHarness();
  admin = await harness.visitor();
  user = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(admin.context, 'POST', '/api/setup', {
    token,
    name: 'Administrator',
    email: 'admin@example.com',
    password,
  });
  await harness.call(user.context, 'POST', '/api/sign-up', {
    name: 'Somebody',
    email: 'somebody@example.com',
    password,
  });
  const made = await harness.call(user.context, 'POST', '/api/keys', { name: 'First' });
  key = (made.body as { secret: string }).secret;
  // Two renders, a hit and an error with the key, and one render of the playground.
  for (const more of ['', '&width=640', '', '&darkMode=true']) await capture(key, more);
  const body = { endpoint: 'screenshot', parameters: { url: harness.target('/handbook') } };
  await harness.call(user.context, 'POST', '/api/playground/render', body);
});
afterAll(() => harness?.close());
afterEach(() => {
  expect(admin.faults, 'the administrator’s pages').toEqual([]);
  expect(user.faults, 'the user’s pages').toEqual([]);
});

describe('usage', () => {
  test('counts the requests by key, with a table for the chart', async () => {
    const { page } = user;
    await page.goto('/usage?range=24h');
    const table = page.getByRole('region', { name: 'Requests by hour' });
    await page.getByText('Show as table').click();
    await table.waitFor();
    const cells = await table.locator('tbody td').allInnerTexts();
    expect(sums(cells.map(Number))).toEqual([3, 1, 1]);
    await page.getByRole('row', { name: /^First/ }).waitFor();
    await page.getByRole('row', { name: /^Playground/ }).waitFor();
  });

  test('lists requests with their parameters, phases and picture, and filters them', async () => {
    const { page } = user;
    await page.getByText('Errors', { exact: true }).last().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('error');
    await page.getByRole('button', { name: /403/ }).first().click();
    await page.getByText('403 plan_required').waitFor();
    await page.getByText('darkMode', { exact: true }).waitFor();
    await page.getByText('Renders', { exact: true }).last().click();
    await page.getByLabel('Key').selectOption({ label: 'First' });
    const row = page.locator('li').filter({ hasText: 'MISS' }).first();
    await row.getByRole('button').click();
    await page.getByText('Where the time went').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('can be downloaded as CSV', async () => {
    const { page } = user;
    await page.goto('/usage?range=30d');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const lines = (await readAll(download)).trim().split('\r\n');
    expect(lines[0]).toBe('day (UTC),renders,hits,errors');
    expect(lines).toHaveLength(31);
    for (const line of lines.slice(1)) expect(line).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z,\d+,\d+,\d+$/);
    expect(sums(lines.slice(1).flatMap((line) => line.split(',').slice(1).map(Number)))).toEqual([3, 1, 1]);
  });
});

/** Of renders, hits and errors, over all rows: a run may cross the hour, or midnight. */
const sums = (cells: readonly number[]) =>
  [0, 1, 2].map((column) => cells.filter((_, i) => i % 3 === column).reduce((sum, cell) => sum + cell, 0));

async function readAll(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('captures', () => {
  test('shows what is cached, deletes one, deletes all', async () => {
    const { page } = user;
    await page.goto('/captures');
    const tiles = page.locator('main li');
    await tiles.first().waitFor();
    const count = await tiles.count();
    expect(count).toBeGreaterThan(1);
    await page.getByLabel('Delete Halden Coffee Roasters').first().click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => tiles.count()).toBe(count - 1);
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('Nothing captured yet').waitFor();
    expect((await capture(key)).headers.get('x-cache')).toBe('MISS');
  });
});

describe('settings', () => {
  test('keep a name and a theme', async () => {
    const { page } = user;
    await page.goto('/settings');
    await page.getByLabel('Name').fill('Somebody else');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Name saved').waitFor();
    await page.getByText('Dark', { exact: true }).last().click();
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await page.getByLabel('Name').inputValue()).toBe('Somebody else');
  });

  test('change the password, which ends the other sessions', async () => {
    const other = await harness.visitor();
    await harness.call(other.context, 'POST', '/api/sign-in', { email: 'somebody@example.com', password });
    const { page } = user;
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('another good password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password is wrong.').waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    expect((await harness.call(other.context, 'GET', '/api/keys')).status).toBe(401);
    expect((await harness.call(user.context, 'GET', '/api/keys')).status).toBe(200);
    await other.context.close();
  });

  test('sign out everywhere', async () => {
    const other = await harness.visitor();
    const mine = { email: 'somebody@example.com', password: 'another good password' };
    await harness.call(other.context, 'POST', '/api/sign-in', mine);
    const { page } = user;
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in to Tintype' }).waitFor();
    expect((await harness.call(other.context, 'GET', '/api/keys')).status).toBe(401);
    await other.context.close();
  });
});

describe('signing in', () => {
  test('returns to the requested page, but never to another site', async () => {
    const { page } = user;
    await page.goto('/usage?range=30d');
    await page.getByRole('heading', { name: 'Sign in to Tintype' }).waitFor();
    await page.getByLabel('E-mail').fill('somebody@example.com');
    await page.getByLabel('Password').fill('another good password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(new URL(page.url()).search).toBe('?range=30d');
    await page.goto('/sign-in?next=//evil.example/');
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
  });

  test('is delayed after wrong passwords, and says for how long', async () => {
    const guest = await harness.visitor();
    await guest.page.goto('/sign-in');
    await guest.page.getByLabel('E-mail').fill('nobody@example.com');
    for (let attempt = 0; attempt < 6; attempt++) {
      await guest.page.getByLabel('Password').fill(`wrong number ${attempt}`);
      await Promise.all([
        guest.page.waitForResponse('**/api/sign-in'),
        guest.page.getByRole('button', { name: 'Sign in' }).click(),
      ]);
    }
    await guest.page.getByText(/Too many attempts\. Try again in \d+ seconds?\./).waitFor();
    await guest.context.close();
  });
});

describe('disabling and deleting', () => {
  test('a disabled account loses its session and its keys at once', async () => {
    const { page } = admin;
    await page.goto('/admin');
    const row = page.getByRole('row', { name: /somebody@example\.com/ });
    await row.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Disable account' }).click();
    await page.getByText('somebody@example.com is disabled').waitFor();
    expect((await capture(key)).status).toBe(401);
    expect((await harness.call(user.context, 'GET', '/api/keys')).status).toBe(401);
    await row.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('somebody@example.com is enabled again').waitFor();
    expect((await capture(key)).status).toBe(200);
  });

  test('a deleted account loses its keys', async () => {
    const { page } = user;
    await harness.call(user.context, 'POST', '/api/sign-in', {
      email: 'somebody@example.com',
      password: 'another good password',
    });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByLabel('Type somebody@example.com to confirm').fill('somebody@example.com');
    await page.getByRole('dialog').getByLabel('Password').fill('another good password');
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: 'One request in' }).waitFor();
    expect((await capture(key)).status).toBe(401);
    expect(await harness.app.store.accounts.byEmail('somebody@example.com')).toBeUndefined();
  });
});
