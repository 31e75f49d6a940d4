// The Webhooks page in a real browser: the secret, tests, deliveries with their attempts, and sending again.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver, verify } from '../webhooks/receiver.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let user: Visitor;
let receiver: Receiver;
let isBroken = true;
let secret = '';

beforeAll(async () => {
  receiver = await startReceiver({
    '/broken': (_, response) => void response.writeHead(isBroken ? 500 : 200).end('<b>Not today</b>'),
  });
  harness = await openWebHarness();
  user = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(user.context, 'POST', '/api/setup', { token, name: 'A', email: 'a@example.com', password });
});
afterAll(async () => {
  await harness?.close();
  await receiver?.close();
});
afterEach(() => expect(user.faults).toEqual([]));

const row = (text: string) => user.page.locator('li').filter({ hasText: text }).first();
const shownSecret = () => user.page.getByTestId('webhook-secret').textContent();

async function sendTest(url: string) {
  const { page } = user;
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByLabel('URL').fill(url);
  await page.keyboard.press('Enter');
}

test('the secret is in the document only while it is shown, and can be copied', async () => {
  const { page } = user;
  await page.goto('/webhooks');
  await page.getByText('No deliveries yet').waitFor();
  expect(await shownSecret()).toBe('whsec_••••••••••••');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(shownSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  secret = (await shownSecret()) ?? '';
  await page.getByRole('button', { name: 'Copy signing secret' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await page.getByRole('button', { name: 'Hide' }).click();
  expect(await page.content()).not.toContain(secret);
});

test('a test is delivered, signed, and shown with its attempt', async () => {
  const { page } = user;
  await sendTest(`${receiver.url}/ok`);
  await row('/ok').getByText('Delivered').waitFor();
  const [request] = receiver.at('/ok');
  if (!request) throw new Error('nothing arrived');
  expect(verify(secret, request)).toMatchObject({ type: 'test', data: { id: expect.stringMatching(/^test_/) } });
  await row('/ok').getByRole('button').first().press('Enter');
  await row('/ok').getByText(request.id).waitFor();
  await row('/ok').getByRole('region', { name: 'Answer' }).getByText('thanks').waitFor();
  expect(await page.getByRole('region', { name: 'Code: Body' }).textContent()).toContain('"type": "test"');
});

test('an address that may not be called is refused in the form', async () => {
  const { page } = user;
  await sendTest('http://10.0.0.1/');
  await page.getByText('url leads to 10.0.0.1, which is not public').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the form can be closed with Escape as soon as its error is in the page', async () => {
  const { page } = user;
  // In the task that writes the error: a key that is pressed later could find the form ready by chance.
  const isStopped = page.evaluate(
    () =>
      new Promise<boolean>((tell) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector('dialog[open]')?.textContent.includes('which is not public')) return;
          observer.disconnect();
          const press = new KeyboardEvent('keydown', { key: 'Escape', cancelable: true, bubbles: true });
          tell(!document.querySelector('dialog[open]')?.dispatchEvent(press));
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );
  await sendTest('http://10.0.0.1/');
  expect(await isStopped).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a failure shows why, as text, and can be sent again with the same id', async () => {
  await sendTest(`${receiver.url}/broken`);
  await row('/broken').getByText('Retries soon').waitFor();
  await row('/broken').getByRole('button').first().click();
  await row('/broken').getByText('It answered 500.').first().waitFor();
  await row('/broken').getByText('<b>Not today</b>').first().waitFor();
  isBroken = false;
  await row('/broken').getByRole('button', { name: 'Send again' }).click();
  await row('/broken').getByText('Delivered').waitFor();
  const ids = receiver.at('/broken').map((request) => request.id);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
});

test('after a rotation webhooks pass with the old and the new secret', async () => {
  const { page } = user;
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByText('The previous secret also signs until').waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const fresh = (await shownSecret()) ?? '';
  expect(fresh).not.toBe(secret);
  await sendTest(`${receiver.url}/rotated`);
  await row('/rotated').getByText('Delivered').waitFor();
  const [request] = receiver.at('/rotated');
  if (!request) throw new Error('nothing arrived');
  for (const each of [secret, fresh]) expect(verify(each, request)).toMatchObject({ type: 'test' });
});

test('the metrics count the attempts; a secret is in no log line', async () => {
  const text = await (await fetch(`${harness.url}/metrics`)).text();
  expect(Number(/tintype_webhook_attempts_total\{state="delivered"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(2);
  expect(Number(/tintype_webhook_attempts_total\{state="pending"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(0);
  expect(text).toContain('tintype_webhooks_pending');
  expect(harness.logged.join('')).not.toContain(secret.slice(6));
});

test('an account can send 60 tests an hour', async () => {
  const send = () => harness.call(user.context, 'POST', '/api/webhooks/test', { url: `${receiver.url}/many` });
  const statuses = new Set<number>();
  for (let i = 0; i < 60; i++) statuses.add((await send()).status);
  const last = await send();
  expect([last.status, last.body]).toMatchObject([429, { code: 'rate_limited' }]);
  expect(statuses).toEqual(new Set([202, 429]));
  await user.page.reload();
  await user.page.getByRole('button', { name: 'Show older deliveries' }).click();
  await expect.poll(() => user.page.locator('ul button[aria-expanded]').count()).toBe(50);
});
