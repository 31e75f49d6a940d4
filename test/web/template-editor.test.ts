// The editor of templates in a real browser: the card follows the text, mistakes are marked, versions can be compared.
import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { seedTemplates } from './seed-templates.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let user: Visitor;
let page: Page;

beforeAll(async () => {
  harness = await openWebHarness();
  user = await harness.visitor();
  page = user.page;
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(user.context, 'POST', '/api/setup', { token, name: 'A', email: 'a@example.com', password });
  await seedTemplates(harness, user.context);
});
afterAll(() => harness?.close());
afterEach(() => expect(user.faults).toEqual([]));

const text = () => page.locator('[data-editor] .cm-content');
const notice = () => page.getByRole('status').filter({ hasText: /./ }).first();
const stored = async (name: string, version?: number) => {
  const query = version === undefined ? '' : `?version=${version}`;
  const { body } = await harness.call(user.context, 'GET', `/api/own-templates/${name}${query}`);
  return body as { html: string; latest: number; published: number; files: { name: string }[] };
};

async function open(name: string, from = ''): Promise<void> {
  await page.goto(`/templates/my/${name}${from}`);
  await text().waitFor();
  await page.getByAltText('The card with its examples').waitFor();
}

async function write(html: string): Promise<void> {
  await text().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(html);
}

/** The color in the middle of a picture on the page. */
const middleOf = (alt: string) =>
  page
    .getByAltText(alt, { exact: true })
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data } = context?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1) ?? { data: [] };
      return [...data].slice(0, 3).join();
    })
    // A picture that is just being replaced cannot be decoded.
    .catch(() => '');

test('typing changes the card, and the small cards after it', async () => {
  await open('hero');
  await write('<div class="w-full h-full bg-[#ff0000]">{{title}}</div>');
  await expect.poll(() => middleOf('The card with its examples')).toBe('255,0,0');
  for (const look of ['Square', 'Tall', 'One word', '300 characters', 'Arabic', 'Japanese'])
    await expect.poll(() => middleOf(`The card: ${look}`)).toBe('255,0,0');
  await write('<div class="w-full h-full bg-[#0000ff]">{{title}}{{#if photo}}<img src="{{photo}}" />{{/if}}</div>');
  await expect.poll(() => middleOf('The card with its examples')).toBe('0,0,255');
  // The new variable is found, and with it the card without an image.
  await expect.poll(() => middleOf('The card: Without image')).toBe('0,0,255');
  await page.getByLabel('Example of photo').waitFor();
});

test('a new variable has fields, and its example is on the card', async () => {
  await write('<div class="w-full h-full" style="background: {{paint}}"></div>');
  await page.getByLabel('Default of paint', { exact: true }).fill('#00ff00');
  await expect.poll(() => middleOf('The card with its examples')).toBe('0,255,0');
  await page.getByLabel('Default of paint', { exact: true }).fill('blurple');
  await page.getByRole('alert').filter({ hasText: 'variables.paint.default must be' }).waitFor();
  await page.getByLabel('Default of paint', { exact: true }).fill('#00ff00');
  await page.getByLabel('Example of paint', { exact: true }).fill('#ff0000');
  await expect.poll(() => middleOf('The card with its examples')).toBe('255,0,0');
});

test('a mistake is told with its line, marked in the text, and found by a button', async () => {
  await write('<div>\n  <script>alert(1)</script>\n</div>');
  await notice().filter({ hasText: 'Line 2, column 3: <script>' }).waitFor();
  expect(await page.locator('.cm-mistake-line').textContent()).toContain('<script>');
  expect(await page.locator('.cm-mistake').first().textContent()).toBe('<script>');
  await page.getByRole('tab', { name: 'Variables' }).focus();
  await page.getByRole('button', { name: 'Show' }).click();
  await page.keyboard.insertText('x');
  await page.locator('.cm-line', { hasText: 'x<script>' }).waitFor();
  await write('<div class="w-full h-full bg-[#ff0000]">{{title}}</div>');
  await expect.poll(() => page.locator('.cm-mistake-line').count()).toBe(0);
});

test('variables are completed after {{', async () => {
  await write('<div class="w-full h-full bg-[#ff0000]">{{title}}</div>');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('{{ti');
  await page.getByRole('option', { name: 'title' }).waitFor();
  // CodeMirror takes no choice within 75 ms, so that a fast typist is not surprised.
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  await expect.poll(() => text().textContent()).toContain('</div>{{title}}');
});

test('Ctrl+S saves a version; versions are compared, taken back and published', async () => {
  await open('hero');
  const first = (await stored('hero', 1)).html;
  await write(`${first.trimEnd()}\n<p>An added line</p>\n`);
  await page.getByText('Unsaved changes').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved as version 3').waitFor();
  expect(await stored('hero')).toMatchObject({ latest: 3, published: 1 });
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0);

  await page.getByRole('tab', { name: 'Versions (3)' }).click();
  await page.getByRole('button', { name: 'Compare version 2 with the text' }).click();
  const difference = page.getByRole('region', { name: 'From version 2' });
  await expect
    .poll(() => difference.locator('div', { hasText: 'added:' }).allTextContents())
    .toEqual([expect.stringContaining('data-fit="96 76'), expect.stringContaining('<p>An added line</p>')]);
  await expect
    .poll(() => difference.locator('div', { hasText: 'removed:' }).allTextContents())
    .toEqual([expect.stringContaining('data-fit="88 76')]);

  await page.getByRole('button', { name: 'Go back to version 1' }).click();
  await expect.poll(() => text().textContent()).not.toContain('An added line');
  expect((await stored('hero')).latest).toBe(3);
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByText('Version 4 is published', { exact: true }).first().waitFor();
  expect(await stored('hero')).toMatchObject({ html: first, latest: 4, published: 4 });
  await page.getByRole('button', { name: 'Publish version 2' }).click();
  await expect.poll(async () => (await stored('hero')).published).toBe(2);
});

test('Ctrl+S saves no version if nothing has changed, and one however long it is held', async () => {
  await open('hero');
  await text().click();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved already').waitFor();
  expect((await stored('hero')).latest).toBe(4);
  const before = (await stored('hero')).html;
  await write(`${before.trimEnd()}\n<p>Held</p>\n`);
  await page.getByText('Unsaved changes').waitFor();
  let sent = 0;
  const pressed = Promise.withResolvers<void>();
  await page.route('**/api/own-templates/hero', async (route) => {
    if (route.request().method() === 'PUT') sent++;
    await pressed.promise;
    await route.continue();
  });
  await page.keyboard.down('ControlOrMeta');
  for (let i = 0; i < 5; i++) await page.keyboard.down('s');
  await page.keyboard.up('s');
  // Pressed again while it is saved.
  await page.keyboard.press('s');
  await page.keyboard.up('ControlOrMeta');
  pressed.resolve();
  await page.getByText('Saved as version 5').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  expect(sent).toBe(1);
  expect((await stored('hero')).latest).toBe(5);
});

test('files are uploaded, used by their name and removed', async () => {
  await page.getByRole('tab', { name: 'Files' }).click();
  const input = page.getByLabel('Files to upload');
  await input.setInputFiles({ name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('hello') });
  await page.getByRole('alert').filter({ hasText: 'not.png' }).waitFor();
  const font = 'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2';
  await input.setInputFiles({ name: 'Brand Sans.woff2', mimeType: 'font/woff2', buffer: await readFile(font) });
  await page.getByText('font-family: "Brand Sans"').waitFor();
  await page.getByText('<img src="logo.png" />').waitFor();
  await page.getByRole('button', { name: 'Remove Brand Sans.woff2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove file' }).click();
  await expect.poll(async () => (await stored('hero')).files.map(({ name }) => name)).toEqual(['logo.png']);
});

test('one file is the whole template: exported, and imported under another name', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export version 5' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('hero.html');
  const buffer = await readFile(await download.path());
  await page.goto('/templates/new');
  await page
    .getByLabel('Template file to import')
    .setInputFiles({ name: 'Second Hero.html', mimeType: 'text/html', buffer });
  await page.waitForURL('**/templates/my/second-hero');
  await page.getByAltText('The card with its examples').waitFor();
  expect(await stored('second-hero')).toMatchObject({ latest: 1, published: 0, files: [{ name: 'logo.png' }] });
});

test('a new template begins with a starter, and is in the list once it is saved', async () => {
  await page.goto('/templates/new');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('A name is lower-case letters').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('hero');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('You have a template my/hero already.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('talk');
  await page.getByRole('radio', { name: /^quote/ }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => text().textContent()).toContain('data-fit');
  await page.getByText('Not saved').waitFor();
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByText('Version 1 is published', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Use it' }).click();
  await page.getByText('template=my/talk', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Templates' }).last().click();
  await page.getByRole('link', { name: 'my/talk' }).waitFor();
  await expect.poll(() => middleOf('Example of my/talk')).not.toBe('');
});

test('text that is not saved is not left without a question', async () => {
  await open('talk');
  await write('<p>{{title}} changed</p>');
  await page.getByText('Unsaved changes').waitFor();
  const questions: string[] = [];
  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Usage' }).first().click();
  expect(questions).toEqual([expect.stringContaining('Leave without saving?')]);
  expect(new URL(page.url()).pathname).toBe('/templates/my/talk');
  expect(await text().textContent()).toContain('changed');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('link', { name: 'Usage' }).first().click();
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(() => text().textContent()).not.toContain('changed');
});

test('the Back of the browser keeps the text that is not saved', async () => {
  await page.goto('/templates');
  await page.getByRole('link', { name: 'my/talk' }).click();
  await text().waitFor();
  await write('<p>{{title}} kept</p>');
  await page.getByText('Unsaved changes').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'my/talk' }).click();
  await page.getByText('Your unsaved text is back').waitFor();
  await expect.poll(() => text().textContent()).toContain('kept');
  await page.getByText('Unsaved changes').waitFor();
});

test('the keyboard: Tab indents, Escape and Tab leave, and the order is that of the page', async () => {
  await open('talk');
  await page.getByRole('button', { name: 'More actions' }).focus();
  await page.keyboard.press('Tab');
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
  expect(await focused()).toBe('HTML and CSS of the template');
  const before = await text().textContent();
  await page.keyboard.press('Tab');
  expect(await text().textContent()).toBe(`  ${before}`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Variables');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toMatch(/^Versions/);
  await page.getByRole('button', { name: 'Compare version 1' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Compare version 1 with the text');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto('/templates');
});

test('a removed template is gone, after a question', async () => {
  await open('second-hero');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove template' }).click();
  await page.waitForURL('**/templates');
  await page.getByRole('link', { name: 'my/hero' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'my/second-hero' }).count()).toBe(0);
});

const violations = async () => {
  const found = (await new AxeBuilder({ page }).analyze()).violations;
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
};

test.each([
  ['the list', '/templates', undefined],
  ['a new template', '/templates/new', undefined],
  ['the variables', '/templates/my/hero', 'Variables'],
  ['the files', '/templates/my/hero', 'Files'],
  ['the versions', '/templates/my/hero', 'Versions'],
  ['its use', '/templates/my/hero', 'Use it'],
] as const)(
  '%s: axe finds nothing in either theme, and 375 pixels are enough',
  async (_, path, tab) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(path);
    await page.locator('main img').first().waitFor();
    if (tab) {
      await text().waitFor();
      await page.getByAltText('The card: Japanese').waitFor();
      await page.getByRole('tab', { name: tab }).click();
    }
    if (tab === 'Versions') await page.getByRole('button', { name: 'Compare version 3 with the text' }).click();
    await page.waitForLoadState('networkidle');
    expect(await violations(), 'light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await violations(), 'dark').toEqual([]);
    await page.setViewportSize({ width: 375, height: 812 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  },
  120_000,
);

test('a plan without templates is told so', async () => {
  const guest = await harness.visitor();
  await harness.call(guest.context, 'POST', '/api/sign-up', { email: 'free@example.com', name: 'F', password });
  for (const path of ['/templates', '/templates/new', '/templates/my/hero']) {
    await guest.page.goto(path);
    await guest.page.getByText('Templates of your own come with Pro and the plans above it.').waitFor();
  }
  expect(guest.faults).toEqual([]);
});

test('signing out with unsaved text asks first, and whoever stays is still signed in', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open('talk');
  await write('<p>{{title}} not saved</p>');
  await page.getByText('Unsaved changes').waitFor();
  const questions: string[] = [];
  const signOut = async (answer: 'accept' | 'dismiss') => {
    const answered = new Promise<void>((resolve) =>
      page.once('dialog', async (dialog) => {
        questions.push(`${dialog.type()}: ${dialog.message()}`);
        await dialog[answer]();
        resolve();
      }),
    );
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await answered;
  };
  await signOut('dismiss');
  expect((await harness.call(user.context, 'GET', '/api/keys')).status).toBe(200);
  expect(await text().textContent()).toContain('not saved');
  await signOut('accept');
  await page.getByRole('heading', { name: 'Sign in to Tintype' }).waitFor();
  expect(questions).toEqual(Array(2).fill(expect.stringMatching(/^confirm: Leave without saving/)));
  expect((await harness.call(user.context, 'GET', '/api/keys')).status).toBe(401);
});
