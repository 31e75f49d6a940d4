// The Jobs page in a real browser: the first job, its failure, a batch with its progress, filters, CSV.
import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let user: Visitor;
let key = '';

beforeAll(async () => {
  // Six jobs a minute: the others of a batch stay in the queue.
  harness = await openWebHarness({ PLAN_LIMITS: JSON.stringify({ free: { rendersPerMinute: 8 } }) });
  user = await harness.visitor();
  await harness.call(user.context, 'POST', '/api/sign-up', { email: 'a@example.com', name: 'A', password });
  const created = await harness.call(user.context, 'POST', '/api/keys', { name: 'jobs' });
  key = (created.body as { secret: string }).secret;
});
afterAll(() => harness?.close());
afterEach(() => expect(user.faults).toEqual([]));

const rows = () => user.page.locator('li').filter({ has: user.page.locator('button[aria-expanded]') });
const send = (path: string, body: unknown) =>
  fetch(harness.url + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then(async (response) => (await response.json()) as { id: string });

test('without jobs, the page shows a command that sends the first one', async () => {
  const { page } = user;
  await page.goto('/jobs');
  await page.getByText('No jobs yet').waitFor();
  const command = (await page.getByRole('region', { name: 'Code: First job' }).textContent()) ?? '';
  const curl = spawn('sh', ['-c', `${command} --silent --fail`], { env: { ...process.env, KEY: key } });
  expect(await new Promise((resolve) => curl.on('exit', resolve))).toBe(0);
  await rows().filter({ hasText: 'https://example.com/' }).waitFor();
});

test('a job that failed says why, and runs again as another job', async () => {
  const { page } = user;
  const row = rows().first();
  await row.getByText('Failed', { exact: true }).waitFor();
  await row.getByRole('button').first().press('Enter');
  await row.getByText('target_unreachable').waitFor();
  await row.getByRole('button', { name: 'Run again' }).click();
  await page.getByText('Sent again as a new job').waitFor();
  await expect.poll(() => rows().count()).toBe(2);
});

test('a batch shows its progress while it runs, its pictures, and can be canceled', async () => {
  const { page } = user;
  const requests = Array.from({ length: 30 }, (_, at) => ({
    kind: 'screenshot',
    request: { url: `${harness.target('/status')}?page=${at}`, width: 400, delay: 2000 },
    metadata: { row: at },
  }));
  const { id } = await send('/v1/batches', { requests });
  // The list finds it by itself.
  await page.getByRole('link', { name: id }).first().click();
  const bar = page.getByRole('progressbar', { name: `Progress of ${id}` });
  expect(await bar.getAttribute('aria-valuemax')).toBe('30');
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
  expect(await bar.getAttribute('aria-valuetext')).toMatch(/^\d+ of 30 jobs ended: \d+ done/);
  const first = rows().filter({ hasText: '?page=0' });
  await first.getByText('Done', { exact: true }).waitFor();
  const width = () =>
    first
      .locator('img')
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  await first.getByRole('button').first().click();
  expect(await first.getByRole('region', { name: 'Code: Metadata' }).textContent()).toContain('"row": 0');
  await page.getByRole('button', { name: 'Show more jobs' }).click();
  await expect.poll(() => rows().count()).toBe(30);
  await page.getByRole('button', { name: `Cancel ${id}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the batch' }).click();
  await page.getByText('Batch canceled').waitFor();
  await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('30');
  await rows().filter({ hasText: '?page=29' }).getByText('Canceled').waitFor();
});

test('a batch that is gone says so, with no list of jobs and nothing to try again', async () => {
  const { page } = user;
  await page.goto('/jobs?batch=batch_gone');
  await page.getByText('There is no such batch').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await expect.poll(() => page.getByText('Its jobs').count()).toBe(0);
  await page.getByRole('link', { name: 'All jobs' }).click();
  await rows().first().waitFor();
});

test('one job can be canceled before it begins', async () => {
  const { page } = user;
  for (let at = 0; at < 9; at++)
    await send('/v1/jobs', { kind: 'screenshot', request: { url: harness.target(`/?job=${at}`), delay: 3000 } });
  await page.goto('/jobs?status=queued');
  const row = rows().filter({ hasText: '?job=8' });
  await row.getByRole('button').first().click();
  await row.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Job canceled').waitFor();
  await expect.poll(() => row.count()).toBe(0);
});

test('the list is filtered by status and kind, and downloaded as it is filtered', async () => {
  const { page } = user;
  await page.goto('/jobs');
  await page.getByLabel('Status').selectOption('failed');
  await expect.poll(() => rows().filter({ hasText: 'https://example.com/' }).count()).toBe(2);
  await expect.poll(() => rows().count()).toBe(2);
  const href = (await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '';
  const { body } = await harness.call(user.context, 'GET', href);
  expect(
    (body as string)
      .trim()
      .split('\r\n')
      .map((line) => line.split(',')[4]),
  ).toEqual(['status', 'failed', 'failed']);
  await page.getByLabel('Kind').selectOption('content');
  await page.getByText('Nothing matches').waitFor();
  expect(new URL(page.url()).search).toBe('?status=failed&kind=content');
});
