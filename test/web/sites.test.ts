// The Sites pages in a real browser: registering, proving, choosing what fills the card, previews, refreshing, removing.

import type { ServerResponse } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { article, startWebsite, trustWebsites, type Website } from '../sites/website.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let user: Visitor;
let website: Website;
let distrust: () => void;

beforeAll(async () => {
  distrust = trustWebsites();
  website = await startWebsite();
  website.pages.set(
    '/',
    `${article('Home', '<meta name="description" content="A journal.">')}<a href="/first"></a><a href="/second"></a>`,
  );
  website.pages.set('/first', article('The first page'));
  website.pages.set('/second', article('The second page'));
  harness = await openWebHarness();
  user = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(user.context, 'POST', '/api/setup', { token, name: 'A', email: 'a@example.com', password });
});
afterAll(async () => {
  await harness?.close();
  website?.close();
  distrust?.();
});
afterEach(() => expect(user.faults).toEqual([]));

const host = () => `site.test:${website.port}`;
const card = (path: string) => user.page.getByRole('img', { name: `Card of ${path}` }).last();
const isPainted = (path: string) => card(path).evaluate((image: HTMLImageElement) => image.naturalWidth === 1200);
async function faultless() {
  const found = await new AxeBuilder({ page: user.page }).analyze();
  expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
}

test('a wrong address is refused in the form; a right one is registered, with the keyboard alone', async () => {
  const { page } = user;
  await page.goto('/sites');
  await page.getByText('No sites yet').waitFor();
  await faultless();
  const button = page.getByRole('button', { name: 'Register a site' }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Address').fill('https://10.0.0.1');
  await page.keyboard.press('Enter');
  await page.getByText('The address leads to 10.0.0.1, which is not public').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByLabel('Address').fill(host());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Prove that it is yours' }).waitFor();
  await page.getByText('Not verified').waitFor();
});

test('a check says what it found in each place; the file proves it', async () => {
  const { page } = user;
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('The file is not there: the server answered 404.').waitFor();
  await page.getByText('The home page has no such element.').waitFor();
  await faultless();
  await page.getByRole('button', { name: 'Copy for: File' }).click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  website.pages.set('/.well-known/tintype-site.txt', (_: unknown, response: ServerResponse) =>
    response.setHeader('content-type', 'text/plain').end(token),
  );
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Verified', { exact: true }).waitFor();
  await page.getByText('Proved by a file').waitFor();
});

test('the line of HTML leads to cards, and the pages of the site are shown with theirs', async () => {
  const { page } = user;
  for (const path of ['/', '/first', '/second']) await expect.poll(() => isPainted(path)).toBe(true);
  const line = (await page.getByRole('region', { name: 'Code: HTML' }).textContent()) ?? '';
  const url = /content="([^"]+)\/blog\/hello"/.exec(line)?.[1] ?? '';
  const response = await fetch(`${url}/first`);
  expect([response.status, response.headers.get('x-card')]).toEqual([200, 'page']);
  await faultless();
});

test('a fixed colour and another part change the cards once they are saved; a wrong value is marked', async () => {
  const { page } = user;
  const before = await card('/first').getAttribute('src');
  const sample = page.getByRole('img', { name: 'Card of /first' }).first();
  const saved = await sample.getAttribute('src');
  await page.getByLabel('Template').selectOption('quote');
  await expect.poll(() => sample.getAttribute('src')).not.toBe(saved);
  expect(await card('/first').getAttribute('src')).toBe(before);
  await page.getByLabel('Template').selectOption('blog-post');
  await page.getByLabel('accent', { exact: true }).selectOption('The same everywhere…');
  await page.getByLabel('Value of accent').fill('nonsense');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'accent must be' }).waitFor();
  await faultless();
  await page.getByLabel('Value of accent').fill('#0f766e');
  await page.getByLabel('category', { exact: true }).selectOption('Host name');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await expect.poll(() => card('/first').getAttribute('src')).not.toBe(before);
  await page.reload();
  await expect.poll(() => page.getByLabel('Value of accent').inputValue()).toBe('#0f766e');
  expect(await page.getByLabel('category', { exact: true }).inputValue()).toBe('part:host');
});

test('a path is refreshed; one that is none is refused', async () => {
  const { page } = user;
  await page.getByLabel('Path').fill('first');
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByText('path must be the path of a page').waitFor();
  const before = website.askedFor('/first');
  await page.getByLabel('Path').fill('/first');
  await page.keyboard.press('Enter');
  await page.getByText('/first is being read').waitFor();
  await expect.poll(() => website.askedFor('/first')).toBe(before + 1);
});

test('on a small screen nothing is wider than it', async () => {
  const { page } = user;
  await page.setViewportSize({ width: 375, height: 812 });
  for (const path of [page.url(), '/sites']) {
    await page.goto(path);
    await page.getByText(host()).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    await faultless();
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('a site is removed once that is confirmed, and its cards with it', async () => {
  const { page } = user;
  await page.getByRole('link', { name: host() }).click();
  const id = /site_\w+/.exec(page.url())?.[0];
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove site' }).click();
  await page.getByText('No sites yet').waitFor();
  expect((await fetch(`${harness.url}/v1/sites/${id}/first`)).status).toBe(404);
});
