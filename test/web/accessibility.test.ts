// axe on every page, in both themes, and the small screen: nothing may be wider than it.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedUsage } from './seed.ts';
import { seedJobs } from './seed-jobs.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let guest: Visitor;
let member: Visitor;

beforeAll(async () => {
  harness = await openWebHarness({ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' });
  guest = await harness.visitor();
  member = await harness.visitor();
  const { context } = member;
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(context, 'POST', '/api/setup', { token, name: 'Studio', email: 'studio@example.com', password });
  const account = await harness.app.store.accounts.byEmail('studio@example.com');
  await seedUsage(harness.app.store, account?.id ?? '', 8);
  await harness.call(context, 'PATCH', `/api/admin/accounts/${account?.id}`, { plan: 'pro' });
  await harness.call(context, 'POST', '/api/admin/invitations', { email: '', plan: 'pro', admin: true, days: 7 });
  const body = { endpoint: 'og', parameters: { template: 'blog-post', title: 'On quiet software' } };
  await harness.call(context, 'POST', '/api/playground/render', body);
  await harness.call(context, 'POST', '/api/webhooks/test', { url: harness.target('/') });
  await harness.call(context, 'POST', '/api/sites', { origin: 'https://site.example.com' });
});
afterAll(() => harness?.close());

type Look = { path: string; signedIn: boolean; prepare?: (page: Page) => Promise<unknown> };

const create = async (page: Page) => {
  await page.getByRole('button', { name: 'Create New Key' }).first().click();
  await page.getByText('Limit what this key may do').click();
};
const looks: Readonly<Record<string, Look>> = {
  landing: { path: '/', signedIn: false, prepare: (page) => page.getByText('rendered by this server').waitFor() },
  'sign-in': { path: '/sign-in', signedIn: false },
  'sign-up': { path: '/sign-up', signedIn: false },
  setup: { path: '/setup?token=used', signedIn: false },
  invitation: { path: '/invitation?token=used', signedIn: false },
  'lost password': { path: '/lost-password', signedIn: false },
  'new password': { path: '/new-password?token=used', signedIn: false },
  templates: { path: '/templates', signedIn: false, prepare: (page) => page.getByText('variables').first().click() },
  'the documentation': { path: '/docs', signedIn: false },
  'a guide': { path: '/docs/screenshots', signedIn: false },
  'the templates in the documentation': { path: '/docs/og-templates', signedIn: false },
  'the operations': { path: '/docs/api', signedIn: false },
  'an operation': {
    path: '/docs/api/screenshot',
    signedIn: false,
    async prepare(page) {
      await page.getByLabel('Add a parameter').selectOption('width');
      await page.getByLabel('width', { exact: true }).fill('0');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('401 Unauthorized').waitFor();
    },
  },
  'the search of the documentation': {
    path: '/docs/errors',
    signedIn: false,
    async prepare(page) {
      await page.keyboard.press('/');
      await page.getByRole('combobox').fill('full page');
      await page.getByRole('option').first().waitFor();
    },
  },
  sites: { path: '/sites', signedIn: true, prepare: (page) => page.getByText('Not verified').waitFor() },
  'a site': {
    path: '/sites',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('link', { name: 'site.example.com' }).click();
      await page.getByRole('heading', { name: 'DNS record' }).waitFor();
    },
  },
  keys: { path: '/keys', signedIn: true, prepare: (page) => page.getByText('Blog, production').waitFor() },
  'a new key': { path: '/keys', signedIn: true, prepare: create },
  'a key that was created': {
    path: '/keys',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Create New Key' }).first().click();
      await page.getByLabel('Name').fill('For an agent');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('tab', { name: 'VS Code' }).click();
      await page.getByText('.vscode/mcp.json').waitFor();
    },
  },
  'the menu of a key': {
    path: '/keys',
    signedIn: true,
    prepare: (page) => page.getByLabel('Actions for Staging').first().click(),
  },
  usage: {
    path: '/usage?range=7d',
    signedIn: true,
    async prepare(page) {
      await page.getByText('Show as table').click();
      await page.locator('ul button[aria-expanded]').first().click();
      await page.getByText('Where the time went').or(page.getByText('Parameters')).first().waitFor();
    },
  },
  playground: { path: '/playground', signedIn: true, prepare: (page) => page.getByLabel('url').waitFor() },
  'the playground with a page of its own, and its code': {
    path: '/playground',
    signedIn: true,
    async prepare(page) {
      await page.getByText('HTML', { exact: true }).click();
      await page.getByLabel('html', { exact: true }).fill('<h1>Hello</h1>');
      for (const group of ['Element and shape', 'Emulation', 'Behind a login'])
        await page.getByText(group, { exact: true }).click();
      await page.getByLabel('headers', { exact: true }).fill('{"X-A": "b"}');
      await page.getByRole('tab', { name: 'Code' }).click();
      await page.getByText('TINTYPE_HEADERS').first().waitFor();
    },
  },
  'a PDF in the playground': {
    path: '/playground?format=pdf',
    signedIn: true,
    async prepare(page) {
      await page.getByLabel('url', { exact: true }).fill(harness.target('/handbook'));
      await page.getByRole('button', { name: 'Capture' }).click();
      await page.getByRole('img', { name: 'The first page of the PDF' }).waitFor();
    },
  },
  'the playground for cards': {
    path: '/playground?endpoint=og&template=blog-post&title=Hello',
    signedIn: true,
    prepare: (page) => page.getByText('rendered in').waitFor(),
  },
  'code of the playground': {
    path: '/playground?endpoint=og&template=blog-post&title=Hello',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('tab', { name: 'Code' }).click();
      await page.getByText('HTML', { exact: true }).click();
      await page.getByText('og:image').first().waitFor();
    },
  },
  captures: {
    path: '/captures',
    signedIn: true,
    prepare: (page) => page.getByText('Open Graph card').first().waitFor(),
  },
  webhooks: {
    path: '/webhooks',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Show' }).click();
      await page.locator('ul button[aria-expanded]').first().click();
      await page.getByText('webhook-id').waitFor();
      await page.getByRole('region', { name: 'Code: Body' }).waitFor();
    },
  },
  'a test webhook': {
    path: '/webhooks',
    signedIn: true,
    prepare: (page) => page.getByRole('button', { name: 'Send a test' }).click(),
  },
  'no jobs': {
    path: '/jobs',
    signedIn: true,
    prepare: (page) => page.getByText('No jobs yet').waitFor(),
  },
  jobs: {
    path: '/jobs',
    signedIn: true,
    async prepare(page) {
      await seedJobs(harness, member.context);
      await page.getByRole('progressbar').nth(1).waitFor();
      await page.locator('ul button[aria-expanded]').filter({ hasText: '/handbook' }).first().click();
      await page.getByText('Begun after').waitFor();
    },
  },
  'a batch': {
    path: '/jobs',
    signedIn: true,
    async prepare(page) {
      await page
        .getByRole('link', { name: /^batch_/ })
        .first()
        .click();
      await page.getByText('Its jobs').waitFor();
      await page.locator('ul button[aria-expanded]').filter({ hasText: 'Failed' }).first().click();
      await page.getByRole('button', { name: 'Run again' }).waitFor();
    },
  },
  settings: { path: '/settings', signedIn: true },
  'two-factor sign-in': {
    path: '/settings',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByLabel('Your password').fill(password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    },
  },
  accounts: {
    path: '/admin',
    signedIn: true,
    prepare: (page) => page.getByLabel('Plan of studio@example.com').waitFor(),
  },
  'an invitation to write': {
    path: '/admin',
    signedIn: true,
    prepare: (page) => page.getByRole('button', { name: 'Invite' }).click(),
  },
  'the menu of an account': {
    path: '/admin',
    signedIn: true,
    prepare: (page) => page.getByLabel('Actions for studio@example.com').first().click(),
  },
  audit: { path: '/admin/audit', signedIn: true, prepare: (page) => page.getByText('Changed the plan').waitFor() },
  health: { path: '/admin/health', signedIn: true, prepare: (page) => page.getByText('Running for').waitFor() },
};

async function violations(page: Page): Promise<string[]> {
  const found = (await new AxeBuilder({ page }).analyze()).violations;
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** How much of what was already shown has jumped (Cumulative Layout Shift; 0.1 is called good). */
const layoutShift = () =>
  new Promise<number>((resolve) => {
    new PerformanceObserver((list) => {
      resolve(list.getEntries().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0));
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(0), 300);
  });

test.each(Object.keys(looks))(
  '%s: axe finds nothing in either theme, it fits 375 pixels, nothing jumps',
  async (name) => {
    const look = looks[name] as Look;
    const { page, faults } = look.signedIn ? member : guest;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(look.path);
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(layoutShift), 'what was shown has moved').toBeLessThan(0.02);
    await look.prepare?.(page);
    expect(await violations(page), 'light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await violations(page), 'dark').toEqual([]);
    await page.setViewportSize({ width: 375, height: 812 });
    const tooWide = () =>
      [document.documentElement, ...document.querySelectorAll('dialog[open]')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ tagName }) => tagName);
    expect(await page.evaluate(tooWide)).toEqual([]);
    expect(faults).toEqual([]);
  },
  // Two looks of axe at a page full of pictures take their time on a busy machine.
  120_000,
);

test('a phone of 360 pixels shows every figure of Usage and Accounts, and whom an action of Audit concerned', async () => {
  const { page } = member;
  await page.setViewportSize({ width: 360, height: 740 });
  const isInView = async (text: string | RegExp) => {
    const box = await page.getByText(text).filter({ visible: true }).first().boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 360;
  };
  await page.goto('/usage?range=30d');
  const byKey = page.getByRole('table').filter({ hasText: 'Blog, production' });
  await byKey.waitFor();
  for (const name of ['Renders', 'Hits', 'Errors']) {
    const { x, width } = (await byKey.getByRole('columnheader', { name }).boundingBox()) ?? { x: 0, width: 999 };
    expect(x + width, name).toBeLessThanOrEqual(360);
  }
  await page.goto('/admin');
  await page.getByLabel('Plan of studio@example.com').waitFor();
  expect(await isInView(/^[\d,]+ renders?, [\d,]+ hits?$/)).toBe(true);
  await page.goto('/admin/audit');
  await page.getByText('Changed the plan').waitFor();
  for (const text of ['Changed the plan', 'studio@example.com']) expect(await isInView(text), text).toBe(true);
  const whom = page.getByRole('row').filter({ hasText: 'Changed the plan' }).getByRole('cell').last();
  const { x, width } = (await whom.boundingBox()) ?? { x: 0, width: 999 };
  expect(x + width).toBeLessThanOrEqual(360);
});

test('the examples in the fields of the documentation have the contrast of its text, in both themes', async () => {
  const { page } = guest;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/docs/api/screenshot');
    const [placeholder, hint] = await page.getByLabel('API key').evaluate((field) => {
      const probe = document.body.appendChild(document.createElement('p'));
      probe.style.color = 'var(--ink-3)';
      return [getComputedStyle(field, '::placeholder').color, getComputedStyle(probe).color];
    });
    expect(placeholder).toBe(hint);
  }
});
