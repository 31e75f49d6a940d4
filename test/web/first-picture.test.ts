// From the setup link to the first pictures, in a real browser. The tests build on each other, as the pages do.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decode } from '../harness/picture.ts';
import { httpClient } from '../mcp/clients.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let admin: Visitor;
let user: Visitor;
let key = '';

beforeAll(async () => {
  harness = await openWebHarness();
  admin = await harness.visitor();
  user = await harness.visitor();
});
afterAll(() => harness?.close());
afterEach(() => {
  expect(admin.faults, 'the administrator’s pages').toEqual([]);
  expect(user.faults, 'the user’s pages').toEqual([]);
});

const capture = (secret: string, more = '') =>
  fetch(`${harness.url}/v1/screenshot?url=${encodeURIComponent(harness.target('/'))}${more}`, {
    headers: { 'x-api-key': secret },
  });

async function createKey(page: Page, name: string): Promise<string> {
  await page.goto('/keys');
  await page.getByRole('button', { name: 'Create New Key' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  // Its dialog opens a moment after its text is in the document.
  await page.getByTestId('secret').waitFor({ state: 'visible' });
  return (await page.getByTestId('secret').locator('code').textContent()) ?? '';
}

describe('the first start', () => {
  test('its link creates the administrator, and works only once', async () => {
    const { page } = admin;
    await page.goto(harness.setupLink);
    await page.getByLabel('Name').fill('Administrator');
    await page.getByLabel('E-mail').fill('admin@example.com');
    await page.getByLabel('Password').fill('too short');
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await page.getByText('password must have 12 to 256 characters.').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Service health' }).count()).toBeGreaterThan(0);

    const late = await harness.visitor();
    await late.page.goto(harness.setupLink);
    await late.page.getByText('This link is no longer valid').waitFor();
    await late.context.close();
  });
});

describe('the landing page', () => {
  test('renders a card while the visitor types, shows the plans, and loads nothing from other hosts', async () => {
    const { page } = user;
    await page.goto('/');
    const card = page.getByRole('region', { name: 'Live example' }).locator('img');
    await card.waitFor();
    const before = await card.getAttribute('src');
    await page.getByLabel('Title of the example card').fill('Another title');
    await expect.poll(() => card.getAttribute('src')).not.toBe(before);
    expect(await card.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1200);
    const row = page.getByRole('row', { name: /Open Graph images/ });
    await expect.poll(() => row.getByText('included', { exact: true }).count()).toBe(2);
  });
});

describe('from sign-up to the first picture', () => {
  test('an account, a key, one curl line, a picture', async () => {
    const { page } = user;
    await page.goto('/sign-up');
    await page.getByLabel('Name').fill('Somebody');
    await page.getByLabel('E-mail').fill('somebody@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Create your first key').waitFor();

    key = await createKey(page, 'First');
    expect(key).toMatch(/^sk_live_[A-Za-z0-9]{32}$/);
    expect(await page.getByTestId('signing-secret').locator('code').textContent()).toMatch(/^\S{20,}$/);
    expect(await page.getByRole('region', { name: 'Code: curl' }).textContent()).toContain(`X-API-Key: ${key}`);
    await page.getByRole('button', { name: 'Copy API key' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    const keyId = await page.getByTestId('key-id').locator('code').textContent();
    expect(keyId).toMatch(/^key_[A-Za-z0-9]{12}$/);

    const response = await capture(key);
    expect(response.status).toBe(200);
    expect(await decode(await response.arrayBuffer())).toMatchObject({ width: 1280, height: 800, format: 'png' });
  });

  test('the settings that it shows for agents connect one, by keyboard too', async () => {
    const { page } = user;
    const agents = page.getByTestId('agents');
    expect(await agents.getByRole('region').textContent()).toContain(`${harness.url}/mcp`);
    await agents.getByRole('tab', { name: 'Claude Code' }).press('ArrowLeft');
    const settings = JSON.parse((await agents.locator('code').textContent()) ?? '');
    const { url, headers } = settings.servers.tintype;
    expect(headers).toEqual({ 'X-API-Key': key });
    const client = await httpClient(url, headers);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('screenshot');
    await client.close();
    await agents.getByRole('tab', { name: 'Claude Desktop' }).click();
    expect(await agents.getByRole('region').textContent()).toContain(`"TINTYPE_KEY": "${key}"`);
  });

  test('after the dialog is closed, the page shows only the first and last characters of the key', async () => {
    const { page } = user;
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText(`${key.slice(0, 12)}…${key.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.reload();
    await page.getByText('First').first().waitFor();
    expect(await page.content()).not.toContain(key);
    expect(page.url()).not.toContain(key.slice(8));
  });
});

describe('keys', () => {
  test('a new key stays visible until the user confirms that it is saved; Escape does not close it', async () => {
    const { page } = user;
    await createKey(page, 'Second');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('secret').isVisible()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Close' }).count()).toBe(0);
  });

  test('the limit of the plan is shown and enforced, with a clear message', async () => {
    const { page } = user;
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('2 of 2 active keys on Free').waitFor();
    await page.getByRole('button', { name: 'Create New Key' }).first().click();
    await page.getByLabel('Name').fill('Third');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('The plan allows 2 active keys. Revoke one, or change the plan.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('the ID of a key stays in the list and is copied from it', async () => {
    const { page } = user;
    const row = page.getByRole('row', { name: /Second/ });
    const id = (await row.getByText(/^key_[A-Za-z0-9]{12}$/).textContent()) ?? '';
    await row.getByRole('button', { name: 'Copy the key ID of Second' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
    const { body } = await harness.call(user.context, 'GET', '/api/keys');
    expect((body as { keys: { id: string; name: string }[] }).keys.find(({ name }) => name === 'Second')?.id).toBe(id);
  });

  test('a key is renamed with the keyboard alone', async () => {
    const { page } = user;
    await page.getByRole('button', { name: 'Actions for Second' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Rename');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Revoke');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('Second');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Newsletter');
    await page.keyboard.press('Enter');
    await page.getByText('Newsletter', { exact: true }).waitFor();
  });

  test('a revoked key is refused on the next request', async () => {
    const { page } = user;
    const cell = page.getByRole('row', { name: /Newsletter/ });
    await cell.getByRole('button', { name: 'Actions for Newsletter' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('1 of 2 active keys on Free').waitFor();
    const last = await createKey(page, 'Short-lived');
    expect((await capture(last)).status).toBe(200);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('button', { name: 'Actions for Short-lived' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'DELETE').then(() => capture(last)),
      page.getByRole('button', { name: 'Revoke key' }).click(),
    ]);
    expect(answer.status).toBe(401);
    expect((await answer.json()).error).toBe('Invalid or revoked API key.');
  });

  test('a key can be limited to hosts', async () => {
    const { page } = user;
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create New Key' }).first().click();
    await page.getByLabel('Name').fill('Limited');
    await page.getByText('Limit what this key may do').click();
    await page.getByLabel('Allowed hosts').fill('not a host/');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Allowed hosts must be host names').waitFor();
    await page.getByLabel('Allowed hosts').fill('other.example.org');
    await page.getByLabel('Expires').selectOption('30');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByTestId('secret').locator('code').textContent()) ?? '';
    const answer = await capture(secret);
    expect(answer.status).toBe(403);
    expect((await answer.json()).parameter).toBe('url');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('only other.example.org').waitFor();
    await page.getByText(/Active until/).waitFor();
  });
});

describe('the playground', () => {
  test('captures a page and shows the picture, its facts and its phases', async () => {
    const { page } = user;
    await page.goto('/playground');
    await page.getByLabel('url').fill(harness.target('/handbook'));
    await page.getByRole('button', { name: 'Capture' }).click();
    await page.getByText('rendered in').waitFor();
    await page.getByRole('heading', { name: 'Where the time went' }).waitFor();
    const picture = page.getByAltText('Capture of Release checklist · Handbook');
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      1280,
    );
    await page.getByRole('button', { name: 'Capture' }).click();
    await page.getByText('HIT', { exact: true }).waitFor();
  });

  test('its URL contains its state', async () => {
    const { page } = user;
    await page.getByLabel('width', { exact: true }).fill('640');
    await page.getByLabel('fullPage').check();
    await expect.poll(() => new URL(page.url()).searchParams.get('width')).toBe('640');
    await page.reload();
    expect(await page.getByLabel('width', { exact: true }).inputValue()).toBe('640');
    expect(await page.getByLabel('fullPage').isChecked()).toBe(true);
    expect(await page.getByLabel('url').inputValue()).toBe(harness.target('/handbook'));
  });

  test('an error is shown beside the field it names, which gets the focus', async () => {
    const { page } = user;
    await page.getByLabel('width', { exact: true }).fill('9000');
    await page.getByRole('button', { name: 'Capture' }).click();
    const field = page.getByLabel('width', { exact: true });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const note = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${note}"]`).textContent()).toBe('width must be a whole number from 1 to 3840.');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('parameters that the plan does not include are locked and name the plan that includes them', async () => {
    const { page } = user;
    await page.getByText('Emulation', { exact: true }).click();
    expect(await page.getByLabel(/^darkMode/).isDisabled()).toBe(true);
    expect(await page.locator('label', { hasText: 'darkMode' }).textContent()).toContain('Starter');
    expect(await page.getByLabel('device', { exact: true }).isDisabled()).toBe(true);
    await page.getByText('Open Graph', { exact: true }).click();
    await page.getByText('Open Graph images need the Pro plan.').waitFor();
    expect(await page.getByRole('button', { name: 'Render' }).isDisabled()).toBe(true);
  });

  test('a render can be stopped, on the server too', async () => {
    const { page } = user;
    await page.goto(`/playground?endpoint=screenshot&url=${encodeURIComponent(harness.target('/slow'))}`);
    await page.getByRole('button', { name: 'Capture' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /Load|Render/ })
      .waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Capture' }).waitFor();
    const health = async () =>
      (await harness.call(admin.context, 'GET', '/api/admin/health')).body as { queue: { running: number } };
    await expect.poll(async () => (await health()).queue.running).toBe(0);
  });
});

describe('the administrator', () => {
  test('changes a plan, effective with the next request', async () => {
    expect((await capture(key, '&darkMode=true')).status).toBe(403);
    const { page } = admin;
    await page.goto('/admin');
    await page.getByLabel('Plan of somebody@example.com').selectOption('pro');
    await page.getByText('somebody@example.com is now on Pro').waitFor();
    expect((await capture(key, '&darkMode=true')).status).toBe(200);
  });

  test('sees the health of the service and can empty its cache', async () => {
    const { page } = admin;
    await page.getByRole('link', { name: 'Service health' }).click();
    await page.getByText('Ready to render').waitFor();
    // Set-up fetches them only once.
    await page.getByText('bin/tintype lists update fetches the newest lists.').waitFor();
    await page.getByRole('button', { name: 'Purge' }).click();
    await page.getByRole('button', { name: 'Purge cache' }).click();
    await page.getByText(/results? removed/).waitFor();
    expect((await capture(key)).headers.get('x-cache')).toBe('MISS');
  });
});

describe('cards in the playground', () => {
  test('are rendered while the user types, and a wrong colour is reported beside its field', async () => {
    const { page } = user;
    await page.goto('/templates');
    await page.getByRole('article').filter({ hasText: 'blog-post' }).getByRole('link', { name: 'Try it' }).click();
    await page.getByText('rendered in').waitFor();
    const before = await page.getByAltText('The result').getAttribute('src');
    await page.getByLabel('title', { exact: true }).fill('Typed just now');
    await expect.poll(() => page.getByAltText('The result').getAttribute('src')).not.toBe(before);
    await page.getByLabel('accent', { exact: true }).fill('reddish');
    await expect.poll(() => page.getByLabel('accent', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('accent', { exact: true }).fill('#aa3300');
    await page.getByText('rendered in').waitFor();
  });

  test('give HTML with a signed link that opens without a key', async () => {
    const { page } = user;
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByText('HTML', { exact: true }).click();
    await page.getByLabel('Signed with').selectOption({ label: 'First' });
    const code = page.getByRole('region', { name: 'Code: HTML' });
    await expect.poll(() => code.textContent()).toContain('aa3300');
    const html = (await code.textContent()) ?? '';
    expect(html).not.toContain('sk_live_');
    const link = /og:image" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const response = await fetch(link);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toMatch(/^public/);
    expect(await decode(await response.arrayBuffer())).toMatchObject({ width: 1200, height: 630 });
    expect((await fetch(link.replace('Typed', 'Forged'))).status).toBe(401);
  });

  test('give code in four languages for the same request', async () => {
    const { page } = user;
    for (const [language, part] of [
      ['curl', "--data-urlencode 'title=Typed just now'"],
      ['JavaScript', "title: 'Typed just now'"],
      ['Python', '"title": "Typed just now"'],
      ['PHP', "'title' => 'Typed just now'"],
    ] as const) {
      await page.getByRole('tabpanel').getByText(language, { exact: true }).first().click();
      await expect.poll(() => page.getByRole('region', { name: `Code: ${language}` }).textContent()).toContain(part);
    }
  });
});
