// The documentation at /docs: its pages, their links, the search, the code, and the form that sends a request.
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { openWebHarness, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let reader: Visitor;
let key: string;
beforeAll(async () => {
  harness = await openWebHarness();
  const { store } = harness.app;
  const account = await store.accounts.create({ email: 'reader@example.com', plan: 'pro' });
  key = (await createKey(store, { accountId: account.id, name: 'docs', limit: 10 })).secret;
  reader = await harness.visitor();
});
afterAll(() => harness?.close());

const html = { accept: 'text/html' };
const get = (path: string, headers: Record<string, string> = html) =>
  fetch(harness.url + path, { headers, redirect: 'manual' });
const linksOf = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);

/** Every page that can be reached from /docs. */
async function crawl(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const text = await response.text();
    pages.set(path, text);
    if (response.headers.get('content-type')?.startsWith('text/html') && path.startsWith('/docs'))
      waiting.push(
        ...linksOf(text)
          .filter((href) => href.startsWith('/'))
          .map((href) => href.split('#', 1)[0] ?? ''),
      );
  }
  return pages;
}

describe('the pages', () => {
  let pages: Map<string, string>;
  beforeAll(async () => {
    pages = await crawl();
  });
  const documents = () => [...pages].filter(([path]) => path.startsWith('/docs') && !path.endsWith('.md'));

  test('are the guides for users, the operations, and the same as Markdown', () => {
    for (const guide of ['screenshots', 'html-and-logins', 'verdicts', 'og-templates', 'signed-links', 'http', 'plans'])
      expect([...pages.keys()]).toEqual(expect.arrayContaining([`/docs/${guide}`, `/docs/${guide}.md`]));
    for (const framework of 'typescript nextjs astro nuxt sveltekit eleventy hugo wordpress html'.split(' '))
      expect([...pages.keys()]).toEqual(
        expect.arrayContaining([`/docs/guides/${framework}`, `/docs/guides/${framework}.md`]),
      );
    expect(pages.get('/docs/guides/nextjs')).toContain('href="/docs/signed-links"');
    expect(pages.get('/docs/signed-links')).toContain('href="/docs/guides/nextjs"');
    for (const operation of ['screenshot', 'screenshotJsonByPost', 'content', 'og', 'ogTemplates', 'removeResults'])
      expect([...pages.keys()]).toContain(`/docs/api/${operation}`);
    expect(pages.get('/docs/parameters')).toContain('<code>waitForSelector</code>');
    expect(pages.get('/docs/api/screenshot')).toContain('<code>element_not_found</code>');
  });

  test('have no broken link, no broken anchor, and no link to a file that a server does not have', () => {
    const broken = documents().flatMap(([path, text]) =>
      linksOf(text)
        .filter((href) => !/^https?:/.test(href))
        .filter((href) => {
          const [page = '', anchor] = href.split('#');
          const target = page === '' ? text : pages.get(page);
          return target === undefined || (anchor !== undefined && !target.includes(` id="${anchor}"`));
        })
        .map((href) => `${path} → ${href}`),
    );
    expect(broken).toEqual([]);
  });

  test('have a title, a description, one h1, and no inline script or style', () => {
    const titles = documents().map(([, text]) => /<title>([^<]+)<\/title>/.exec(text)?.[1]);
    expect(new Set(titles).size).toBe(titles.length);
    for (const [path, text] of documents()) {
      expect([path, text.match(/<h1/g)?.length]).toEqual([path, 1]);
      expect(text).toMatch(/<meta name="description" content="[^"]{10,}">/);
      expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle="|\son[a-z]+="/);
    }
  });

  test('have the base URL of this server in their examples', () => {
    for (const [path, text] of pages)
      if (path.startsWith('/docs/') || path === '/openapi.json')
        expect([path, text.match(/127\.0\.0\.1:3000|shots\.example\.com|\$TINTYPE\//)?.[0]]).toEqual([path, undefined]);
    expect(pages.get('/docs/http.md')).toContain(`${harness.url}/v1/cache?url=`);
    expect(pages.get('/docs/api/og')).toContain(`${harness.url}/v1/og`);
  });

  test('and llms.txt links to every guide as Markdown', async () => {
    const text = await (await get('/llms.txt')).text();
    const links = [...text.matchAll(/\((http[^)]+\.md)\)/g)].map(([, href = '']) => href.replace(harness.url, ''));
    expect(links.length).toBeGreaterThan(8);
    for (const link of links) expect(pages.has(link)).toBe(true);
    const guide = await get('/docs/errors.md');
    expect(guide.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await guide.text()).toMatch(/^# Errors\n\nEvery error/);
  });

  test('have the headers of the dashboard, an ETag, and are compressed', async () => {
    const dashboard = (await get('/')).headers.get('content-security-policy');
    const page = await get('/docs', { ...html, 'accept-encoding': 'br' });
    expect(page.headers.get('content-security-policy')).toBe(dashboard);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-encoding')).toBe('br');
    const again = await get('/docs', { ...html, 'if-none-match': page.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const moved = await get('/docs/');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/docs']);
    const missing = await get('/docs/nothing');
    expect([missing.status, (await missing.text()).includes('Page not found')]).toEqual([404, true]);
    expect(await (await get('/docs/nothing', {})).json()).toMatchObject({ code: 'not_found' });
  });

  test('need less than 60 KB of JavaScript, gzip', async () => {
    const scripts = linksOf(pages.get('/docs') ?? '').filter((href) => href.endsWith('.js'));
    const main = /<script type="module" src="([^"]+)"/.exec(pages.get('/docs') ?? '')?.[1] ?? '';
    const texts = await Promise.all([main, ...scripts].map(async (path) => (await get(path)).text()));
    const size = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    expect(size).toBeGreaterThan(1000);
    expect(size).toBeLessThan(60_000);
  });
});

test('the search opens with / and Ctrl+K, finds, and is used with the keyboard', async () => {
  const { page, faults } = reader;
  await page.goto('/docs');
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  await field.fill('waitForSelector');
  const first = page.getByRole('option').first();
  await first.getByText('waitForSelector', { exact: true }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('option').nth(1).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/(api\/\w+#waitForSelector|parameters)/);
  await page.keyboard.press('Control+k');
  await field.fill('rate_limited');
  await page.locator('#search-results').getByRole('option').first().waitFor();
  await field.fill('no such words anywhere');
  await page.getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);
});

test('code is copied, in the language that was chosen, which other pages keep', async () => {
  const { page } = reader;
  await page.goto('/docs/api/screenshot');
  await page.getByRole('tab', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.locator('.samples').getByRole('button', { name: 'Copy' }).click();
  await page.locator('.samples').getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('urllib.request.urlopen');
  await page.goto('/docs/api/og');
  expect(await page.getByRole('tab', { name: 'Python' }).getAttribute('aria-selected')).toBe('true');
});

test('a request is sent from the page, its values are in the code, and the key is nowhere but in its field', async () => {
  const { page, context, faults } = reader;
  await page.goto('/docs/api/og');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('401 Unauthorized').waitFor();
  await page.locator('.result').getByText('missing_api_key').waitFor();
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('title', { exact: true }).fill('From the page');
  await page.getByLabel('Add a parameter').selectOption('width');
  await page.keyboard.type('400');
  await page.getByRole('button', { name: 'Send' }).click();
  const image = page.getByRole('img', { name: 'The result' });
  await image.waitFor();
  await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(400);
  const samples = await page.locator('.samples').textContent();
  expect(samples).toContain('From the page');
  expect(samples).toContain('400');
  expect(samples).not.toContain(key);
  expect(JSON.stringify([await context.storageState(), page.url()])).not.toContain(key);

  await page.goto('/docs/api/ogJsonByPost');
  expect(await page.getByLabel('API key').inputValue()).toBe('');
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Body', { exact: true }).fill('{"template": "quote", "height": 200}');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.result').getByText('"height": 200').waitFor();
  expect(faults).toEqual([]);
});

test('axe finds nothing, it fits 375 pixels, and the menu opens there', async () => {
  const { page } = reader;
  for (const path of ['/docs', '/docs/api/screenshot']) {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    const found = (await new AxeBuilder({ page }).analyze()).violations;
    expect(found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))).toEqual([]);
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Signed links' }).first().click();
  await page.waitForURL('**/docs/signed-links');
  await page.getByRole('link', { name: 'Tintype, home' }).click();
  await page.getByRole('heading', { name: 'One request in' }).waitFor();
});
