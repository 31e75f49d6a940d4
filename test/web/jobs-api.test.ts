// What the dashboard's API says about jobs: lists and filters, progress, cancelling, running again, CSV.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebHarness, password, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let cookie = '';
let key = '';
beforeAll(async () => {
  harness = await openWebHarness({ PLAN_LIMITS: JSON.stringify({ free: { rendersPerMinute: 4 } }) });
  const signedUp = await ask('POST', '/api/sign-up', { email: 'jobs@example.com', name: 'Jobs', password });
  cookie = (signedUp.headers.getSetCookie() ?? []).map((each) => each.split(';', 1)[0]).join('; ');
  key = ((await (await ask('POST', '/api/keys', { name: 'jobs' })).json()) as { secret: string }).secret;
});
afterAll(() => harness?.close());

const ask = (method: string, path: string, body?: unknown) =>
  fetch(harness.url + path, {
    method,
    headers: { cookie, origin: harness.url, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const read = async <T>(path: string) => (await (await ask('GET', path)).json()) as T;
type Jobs = { jobs: { id: string; status: string; canRunAgain: boolean }[]; next: string | null; queued: number };

test('jobs are listed, counted, canceled, run again, and given as CSV without formulas', async () => {
  const page = (address: string, metadata?: object) => ({ kind: 'screenshot', request: { url: address }, metadata });
  const requests = [
    page(harness.target('/status'), { row: 1 }),
    page('https://nowhere.invalid/=cmd,"quoted"'),
    { kind: 'screenshot', request: { html: '<h1>Sent</h1>', selector: '#none' } },
    ...Array.from({ length: 30 }, (_, at) => page(`${harness.target('/status')}?page=${at}`)),
  ];
  const response = await fetch(`${harness.url}/v1/batches`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ requests }),
  });
  const { id } = (await response.json()) as { id: string };
  type Progress = { size: number; endedAt: number | null; counts: Record<string, number> };
  const progress = () => read<Progress>(`/api/batches/${id}`);
  const firstThree = async () => (await read<Jobs>(`/api/jobs?batch=${id}`)).jobs.slice(0, 3).map((job) => job.status);
  await expect.poll(firstThree, { timeout: 40_000 }).toEqual(['done', 'failed', 'failed']);
  const first = await read<Jobs>(`/api/jobs?batch=${id}`);
  expect([first.jobs.length, first.next]).toEqual([25, first.jobs[24]?.id]);
  expect(first.queued).toBeGreaterThan(20);
  expect(first.jobs[0]).toMatchObject({ status: 'done', metadata: { row: 1 }, subject: harness.target('/status') });
  expect((first.jobs[0] as unknown as { captureId: string }).captureId).toMatch(/^[0-9a-f]{64}/);
  const second = await read<Jobs>(`/api/jobs?batch=${id}&after=${first.next}`);
  expect([second.jobs.length, second.next]).toEqual([8, null]);

  const failed = await read<Jobs>('/api/jobs?status=failed&kind=screenshot');
  expect(failed.jobs.map((job) => job.canRunAgain)).toEqual([false, true]);
  expect((await read<Jobs>('/api/jobs?status=failed&kind=og')).jobs).toEqual([]);
  expect((await ask('GET', '/api/jobs?status=lost')).status).toBe(400);
  const again = (at: number) => ask('POST', `/api/jobs/${failed.jobs[at]?.id}/retry`, {});
  expect((await again(0)).status).toBe(409);
  const { id: newId } = (await (await again(1)).json()) as { id: string };
  expect(newId).not.toBe(failed.jobs[1]?.id);
  expect((await read<Jobs>('/api/jobs')).jobs[0]?.id).toBe(newId);
  expect((await ask('DELETE', `/api/jobs/${newId}`)).status).toBe(204);
  expect((await ask('DELETE', `/api/jobs/${failed.jobs[0]?.id}`)).status).toBe(409);

  expect((await ask('DELETE', `/api/batches/${id}`)).status).toBe(204);
  // What ran already goes on to its end.
  await expect.poll(async () => (await progress()).endedAt).not.toBeNull();
  expect((await progress()).size).toBe(33);
  const list = await read<{ batches: { id: string }[] }>('/api/batches');
  expect(list.batches.map((batch) => batch.id)).toEqual([id]);
  const csv = await (await ask('GET', '/api/jobs.csv')).text();
  expect(csv.trim().split('\r\n')).toHaveLength(35);
  expect(csv).toContain('"https://nowhere.invalid/=cmd,""quoted"""');
});
