// The playground and its address in a real browser, and what two tabs show.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { seedTemplates } from './seed-templates.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let user: Visitor;

beforeAll(async () => {
  harness = await openWebHarness({ DEFAULT_PLAN: 'business' });
  user = await harness.visitor();
  await harness.call(user.context, 'POST', '/api/sign-up', { email: 'a@example.com', name: 'First', password });
});
afterAll(() => harness?.close());
afterEach(() => expect(user.faults).toEqual([]));

const address = 'http://halden.example.com/?q=a%26b%20c&more=100%25&width=2#part';

test('a url with encoded characters is the same in the form, in the address and after a reload', async () => {
  const { page } = user;
  const field = page.getByRole('textbox', { name: 'url', exact: true });
  await page.goto(`/playground?${new URLSearchParams({ endpoint: 'screenshot', url: address })}`);
  expect(await field.inputValue()).toBe(address);
  await field.fill(`${address}&%C3%A9`);
  await expect.poll(() => new URL(page.url()).searchParams.get('url')).toBe(`${address}&%C3%A9`);
  expect(await field.inputValue()).toBe(`${address}&%C3%A9`);
  await page.reload();
  expect(await field.inputValue()).toBe(`${address}&%C3%A9`);
});

test('what is pasted into a field is taken without the white space around it; what is typed is kept', async () => {
  const { page } = user;
  await page.goto('/playground');
  for (const [name, copied, taken] of [
    ['url', ' http://halden.example.com/ ', 'http://halden.example.com/'],
    ['width', '\t800 ', '800'],
  ] as const) {
    const field = page.getByRole('textbox', { name, exact: true });
    await page.evaluate((text) => navigator.clipboard.writeText(text), copied);
    await field.selectText();
    await page.keyboard.press('Control+V');
    expect(await field.inputValue()).toBe(taken);
  }
  const field = page.getByRole('textbox', { name: 'url', exact: true });
  await field.press('End');
  await field.pressSequentially('?q=a b');
  expect(await field.inputValue()).toBe('http://halden.example.com/?q=a b');
});

test('a link to the playground leads there after signing in, with the same url', async () => {
  const { page, faults } = await harness.visitor();
  await page.goto(`/playground?${new URLSearchParams({ endpoint: 'screenshot', url: address })}`);
  await page.getByLabel('E-mail').fill('a@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'url', exact: true });
  await field.waitFor();
  expect(await field.inputValue()).toBe(address);
  expect(faults).toEqual([]);
});

test('the templates of the account are offered, with their variables', async () => {
  const { page, context } = user;
  await seedTemplates(harness, context);
  await page.goto('/playground?endpoint=og&template=my/hero&title=Hello');
  await page.getByText('The headline.').waitFor();
  expect(await page.getByRole('textbox', { name: 'title', exact: true }).inputValue()).toBe('Hello');
  const choice = page.getByRole('combobox', { name: 'template' });
  expect(await choice.inputValue()).toBe('my/hero');
  await choice.selectOption('quote');
  await page.getByText('The headline.').waitFor({ state: 'detached' });
  await choice.selectOption('my/hero');
  await page.getByText('The headline.').waitFor();
});

test('a tab shows another account as soon as somebody signs in to it in another tab', async () => {
  const { page, context } = user;
  await page.goto('/keys');
  await page.getByRole('button', { name: /First/ }).waitFor();
  const other = await context.newPage();
  await harness.call(context, 'POST', '/api/sign-out');
  await harness.call(context, 'POST', '/api/sign-up', { email: 'b@example.com', name: 'Second', password });
  await other.goto('/keys');
  await page.getByRole('button', { name: /Second/ }).waitFor();
});
