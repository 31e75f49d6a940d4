// Usage and Captures show what each capture is worth, and can be narrowed to those with a code.
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from '../harness/site.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let site: Awaited<ReturnType<typeof startSite>>;
let user: Visitor;

beforeAll(async () => {
  harness = await openWebHarness();
  site = await startSite({
    '/fine': '<title>Fine</title><h1>Fine</h1>',
    '/gone': { status: 410, body: '<title>Gone</title><h1>Gone</h1>' },
    '/gap': '<title>Gap</title><h1>x</h1><img src=/no.png style="width:90px;height:90px">',
  });
  user = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(user.context, 'POST', '/api/setup', { token, name: 'A', email: 'a@example.com', password });
  for (const path of ['/fine', '/gone', '/gap'])
    await harness.call(user.context, 'POST', '/api/playground/render', {
      endpoint: 'screenshot',
      parameters: { url: site.url + path },
    });
  await harness.call(user.context, 'POST', '/api/playground/render', {
    endpoint: 'screenshot',
    parameters: { url: `${site.url}/gone?again`, failOn: 'any' },
  });
});
afterAll(() => Promise.all([harness?.close(), site?.close()]));

test('usage shows the codes of each request and their meaning, and filters by code', async () => {
  const { page } = user;
  await page.goto('/usage');
  const rows = page.locator('ul button[aria-expanded]');
  await rows.nth(3).waitFor();
  await page.getByLabel('Verdict').selectOption('http_error');
  await rows.nth(2).waitFor({ state: 'detached' });
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([expect.stringContaining('422'), expect.stringContaining('HTTP error')]);
  await rows.first().click();
  await page.getByText('The page returned a status of 400 or higher.').first().waitFor();
  await page.getByLabel('Verdict').selectOption('ok');
  await page.getByText('/fine').first().waitFor();
  await expect.poll(() => rows.count()).toBe(1);
});

test('captures shows them too, and keeps the filter in the URL', async () => {
  const { page } = user;
  await page.goto('/captures');
  await page.getByText('Images failed').last().waitFor();
  await page.getByLabel('Verdict').selectOption('images_failed');
  await page.getByLabel('Open Fine').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('verdict')).toBe('images_failed');
  await page.locator('main li').first().waitFor();
  await expect.poll(() => page.locator('main li').count()).toBe(1);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.getByLabel('Verdict').selectOption('bot_wall');
  await page.getByText('No capture that is still cached has this verdict.').waitFor();
  expect(user.faults).toEqual([]);
});
