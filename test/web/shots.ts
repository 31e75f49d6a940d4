// npm run web:shots — a picture of every page, in both themes and two widths, into gallery/web.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { seedUsage } from './seed.ts';
import { seedJobs } from './seed-jobs.ts';
import { seedSites } from './seed-sites.ts';
import { seedTemplates } from './seed-templates.ts';
import { openWebHarness, password, type WebHarness } from './web-harness.ts';

const outDir = join(import.meta.dirname, '..', '..', 'gallery', 'web');
const only = process.argv[2];

type Shot = {
  name: string;
  path: string;
  signedIn: boolean;
  prepare?: (page: Page, harness: WebHarness) => Promise<unknown>;
};

const shots: readonly Shot[] = [
  {
    name: 'landing',
    path: '/',
    signedIn: false,
    prepare: (page) => page.getByText('rendered by this server').waitFor(),
  },
  { name: 'sign-in', path: '/sign-in', signedIn: false },
  { name: 'sign-up', path: '/sign-up', signedIn: false },
  { name: 'sign-in-wrong', path: '/sign-in', signedIn: false, prepare: wrongPassword },
  { name: 'setup-used', path: '/setup?token=used', signedIn: false },
  { name: 'templates-public', path: '/templates', signedIn: false, prepare: allPictures },
  { name: 'docs', path: '/docs', signedIn: false },
  { name: 'docs-guide', path: '/docs/screenshots', signedIn: false },
  { name: 'docs-framework', path: '/docs/guides/nextjs', signedIn: false },
  { name: 'docs-templates', path: '/docs/og-templates', signedIn: false },
  { name: 'docs-parameters', path: '/docs/parameters', signedIn: false },
  { name: 'docs-api', path: '/docs/api', signedIn: false },
  { name: 'docs-operation', path: '/docs/api/screenshot', signedIn: false },
  { name: 'docs-post', path: '/docs/api/ogJsonByPost', signedIn: false },
  {
    name: 'docs-search',
    path: '/docs',
    signedIn: false,
    async prepare(page) {
      await page.keyboard.press('/');
      await page.getByRole('combobox').fill('full page');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'keys', path: '/keys', signedIn: true },
  {
    name: 'keys-empty',
    path: '/keys',
    signedIn: true,
    prepare: (page) => pretend(page, '/api/keys', { keys: [], active: 0, limit: 20 }),
  },
  { name: 'key-create', path: '/keys', signedIn: true, prepare: openCreate },
  { name: 'key-created', path: '/keys', signedIn: true, prepare: createKey },
  {
    name: 'key-menu',
    path: '/keys',
    signedIn: true,
    prepare: (page) =>
      page
        .getByLabel(/^Actions for/)
        .first()
        .click(),
  },
  { name: 'key-revoke', path: '/keys', signedIn: true, prepare: askRevoke },
  {
    name: 'usage',
    path: '/usage?range=30d',
    signedIn: true,
    prepare: (page) => page.getByRole('img', { name: /^Bar chart/ }).waitFor(),
  },
  {
    name: 'usage-details',
    path: '/usage?status=render',
    signedIn: true,
    prepare: (page) => page.locator('ul button[aria-expanded]').first().click(),
  },
  {
    name: 'usage-empty',
    path: '/usage?key=none',
    signedIn: true,
    prepare: (page) => page.getByText('Nothing matches').waitFor(),
  },
  { name: 'playground', path: '/playground', signedIn: true },
  { name: 'playground-captured', path: '/playground', signedIn: true, prepare: capture },
  {
    name: 'playground-error',
    path: '/playground?endpoint=screenshot&url=http://10.0.0.1/',
    signedIn: true,
    prepare: (page) => page.getByRole('button', { name: 'Capture' }).click(),
  },
  {
    name: 'playground-og',
    path: '/playground?endpoint=og&template=blog-post&title=On+quiet+software&author=Studio+North',
    signedIn: true,
    prepare: (page) => page.getByText('rendered in').waitFor(),
  },
  {
    name: 'playground-code',
    path: '/playground?endpoint=og&template=blog-post&title=On+quiet+software',
    signedIn: true,
    prepare: openCode,
  },
  { name: 'playground-html', path: '/playground', signedIn: true, prepare: ownPage },
  { name: 'captures', path: '/captures', signedIn: true, prepare: allPictures },
  { name: 'templates', path: '/templates', signedIn: true, prepare: allPictures },
  { name: 'template-new', path: '/templates/new', signedIn: true, prepare: allPictures },
  { name: 'template-editor', path: '/templates/my/hero', signedIn: true, prepare: allLooks },
  { name: 'template-files', path: '/templates/my/hero', signedIn: true, prepare: (page) => openPart(page, 'Files') },
  { name: 'template-versions', path: '/templates/my/hero', signedIn: true, prepare: compareVersions },
  { name: 'template-use', path: '/templates/my/hero', signedIn: true, prepare: (page) => openPart(page, 'Use it') },
  { name: 'template-mistake', path: '/templates/my/hero', signedIn: true, prepare: makeMistake },
  {
    name: 'webhooks',
    path: '/webhooks',
    signedIn: true,
    async prepare(page) {
      await page.locator('ul button[aria-expanded]').first().click();
      await page.getByRole('region', { name: 'Code: Body' }).waitFor();
    },
  },
  {
    name: 'webhook-test',
    path: '/webhooks',
    signedIn: true,
    prepare: (page) => page.getByRole('button', { name: 'Send a test' }).click(),
  },
  {
    name: 'jobs-empty',
    path: '/jobs',
    signedIn: true,
    prepare: async (page) => {
      await page.route('**/api/batches', (route) => route.fulfill({ json: { batches: [], next: null } }));
      await pretend(page, '/api/jobs', { jobs: [], next: null, queued: 0, running: 0 });
      await page.getByText('No jobs yet').waitFor();
    },
  },
  { name: 'jobs', path: '/jobs', signedIn: true, prepare: openJob },
  { name: 'jobs-batch', path: '/jobs', signedIn: true, prepare: openBatch },
  { name: 'sites', path: '/sites', signedIn: true, prepare: (page) => page.getByText('Not verified').waitFor() },
  {
    name: 'site-proof',
    path: '/sites',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('link', { name: 'shop.example.com' }).click();
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('The home page could not').or(page.getByText('could not be reached')).first().waitFor();
    },
  },
  {
    name: 'site',
    path: '/sites',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('link', { name: 'journal.example.com' }).click();
      await page.getByRole('img', { name: 'Card of /about' }).waitFor();
      await page.getByRole('img', { name: 'Card of /guides/binding' }).waitFor();
      await allPictures(page);
    },
  },
  {
    name: 'two-factor',
    path: '/settings',
    signedIn: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByLabel('Your password').fill(password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    },
  },
  {
    name: 'playground-pdf',
    path: '/playground?format=pdf',
    signedIn: true,
    async prepare(page, { target }) {
      await page.getByLabel('url', { exact: true }).fill(target('/handbook'));
      await page.getByRole('button', { name: 'Capture' }).click();
      await page.getByRole('img', { name: 'The first page of the PDF' }).waitFor();
    },
  },
  { name: 'settings', path: '/settings', signedIn: true },
  { name: 'admin-accounts', path: '/admin', signedIn: true },
  {
    name: 'admin-health',
    path: '/admin/health',
    signedIn: true,
    prepare: (page) => page.getByText('Running for').waitFor(),
  },
  { name: 'account-menu', path: '/keys', signedIn: true, prepare: openAccountMenu },
  {
    name: 'failed',
    path: '/keys',
    signedIn: true,
    prepare: (page) =>
      pretend(
        page,
        '/api/keys',
        {
          error: 'The database does not answer. Try again shortly.',
          code: 'storage_unavailable',
          requestId: 'J4kX9aPz3cQw',
        },
        503,
      ),
  },
];

async function pretend(page: Page, path: string, body: object, status = 200): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ status, json: body }));
  await page.reload();
  await page.getByRole('heading', { level: 2 }).waitFor();
}

async function wrongPassword(page: Page) {
  await page.getByLabel('E-mail').fill('studio@example.com');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
}

async function openCreate(page: Page) {
  await page.getByRole('button', { name: 'Create New Key' }).first().click();
  await page.getByText('Limit what this key may do').click();
  await page.getByLabel('default', { exact: true }).waitFor();
}

async function createKey(page: Page) {
  await page.getByRole('button', { name: 'Create New Key' }).first().click();
  await page.getByLabel('Name').fill('Newsletter');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Save your key now').waitFor();
}

async function askRevoke(page: Page) {
  await page
    .getByLabel(/^Actions for/)
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).waitFor();
}

async function capture(page: Page, harness: WebHarness) {
  await page.getByLabel('url').fill(harness.target('/'));
  await page.getByRole('button', { name: 'Capture' }).click();
  await page.getByText('rendered in').waitFor();
}

async function ownPage(page: Page): Promise<void> {
  await page.getByText('HTML', { exact: true }).click();
  await page.getByLabel('html', { exact: true }).fill('<title>Invoice 42</title>\n<h1>Invoice 42</h1>');
  for (const group of ['Element and shape', 'Emulation', 'Behind a login'])
    await page.getByText(group, { exact: true }).click();
  await page.getByLabel('headers', { exact: true }).fill('{"Authorization": "Bearer abc"}');
  await page.getByRole('tab', { name: 'Code' }).click();
}

async function openCode(page: Page) {
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.getByText('HTML', { exact: true }).click();
  await page.getByText('og:image').first().waitFor();
}

async function openAccountMenu(page: Page) {
  const narrow = page.getByLabel('Open navigation');
  if (await narrow.isVisible()) await narrow.click();
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click();
}

async function allPictures(page: Page) {
  await page.locator('main img').first().waitFor();
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
}

async function allLooks(page: Page) {
  await page.locator('[data-editor] .cm-content').waitFor();
  await page.getByAltText('The card: Japanese').waitFor();
  await allPictures(page);
}

async function openPart(page: Page, name: string) {
  await allLooks(page);
  await page.getByRole('tab', { name }).click();
}

async function compareVersions(page: Page) {
  await openPart(page, 'Versions');
  await page.getByRole('button', { name: 'Compare version 1 with the text' }).click();
  await page.getByRole('region', { name: 'From version 1' }).waitFor();
}

async function makeMistake(page: Page) {
  await allLooks(page);
  await page.locator('.cm-line', { hasText: '{{#if author}}' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('<script>');
  await page.getByText('Line', { exact: false }).filter({ hasText: 'column' }).first().waitFor();
}

async function openJob(page: Page): Promise<void> {
  await page.locator('ul button[aria-expanded]').filter({ hasText: '/handbook' }).first().click();
  await page.getByText('Begun after').waitFor();
}

async function openBatch(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^batch_/ })
    .last()
    .click();
  await page.getByText('Its jobs').waitFor();
  await page.locator('ul button[aria-expanded]').filter({ hasText: 'Failed' }).first().click();
}

async function prepareAccount(harness: WebHarness, context: BrowserContext): Promise<void> {
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(context, 'POST', '/api/setup', {
    token,
    name: 'Studio North',
    email: 'studio@example.com',
    password,
  });
  const account = await harness.app.store.accounts.byEmail('studio@example.com');
  await seedUsage(harness.app.store, account?.id ?? '');
  for (const [email, name, plan] of [
    ['editors@example.org', 'Editors', 'pro'],
    ['lab@example.net', 'Lab', 'starter'],
    ['readers@example.com', 'Readers', 'free'],
  ] as const)
    await harness.app.store.accounts.create({ email, name, plan });
  const lab = await harness.app.store.accounts.byEmail('lab@example.net');
  await harness.app.store.accounts.setDisabled(lab?.id ?? '', true);
  const render = (endpoint: string, parameters: object) =>
    harness.call(context, 'POST', '/api/playground/render', { endpoint, parameters });
  for (const path of ['/', '/missing'])
    await harness.call(context, 'POST', '/api/webhooks/test', { url: harness.target(path) });
  await render('og', {
    template: 'changelog-card',
    version: '2.4.0',
    change_items: 'Quiet fonts\nFaster full pages\nSigned links',
    date: '14 November 2026',
  });
  await render('screenshot', { url: harness.target('/handbook'), format: 'pdf' });
  await render('screenshot', { url: harness.target('/status') });
  await render('og', { template: 'blog-post', title: 'On quiet software', author: 'Studio North' });
  await render('screenshot', { url: harness.target('/handbook'), fullPage: 'true' });
  await render('screenshot', { url: harness.target('/'), format: 'webp' });
  await seedTemplates(harness, context);
  await seedJobs(harness, context);
}

const harness = await openWebHarness();
let closeSites = () => {};
try {
  if (only === undefined) await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const owner = await harness.visitor();
  await prepareAccount(harness, owner.context);
  closeSites = await seedSites(harness, owner.context);
  const state = await owner.context.storageState();
  for (const [width, height] of [
    [1280, 900],
    [375, 812],
  ] as const)
    for (const dark of [false, true])
      for (const shot of shots) {
        const name = `${shot.name}-${width}-${dark ? 'dark' : 'light'}`;
        if (only !== undefined && !new RegExp(only).test(name)) continue;
        const { context, page } = await harness.visitor({ dark, width, height });
        if (shot.signedIn) await context.addCookies(state.cookies);
        try {
          await page.goto(shot.path);
          await page.locator('h1').first().waitFor();
          await shot.prepare?.(page, harness);
          await page.waitForLoadState('networkidle');
          await page.evaluate(() => document.fonts.ready);
          const inDialog = await page.locator('dialog[open], [popover]:popover-open').count();
          await page.screenshot({ path: join(outDir, `${name}.png`), fullPage: inDialog === 0 });
        } catch (error) {
          console.error(`${name}: ${(error as Error).message.split('\n')[0]}`);
          process.exitCode = 1;
          await page.screenshot({ path: join(outDir, `${name}-failed.png`) });
        }
        await context.close();
      }
} finally {
  closeSites();
  await harness.close();
}
