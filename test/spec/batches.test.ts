// Batches over HTTP: many jobs in one request, all of them or none.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';

type Counts = { queued: number; running: number; done: number; failed: number; canceled: number };
type Batch = {
  id: string;
  status: string;
  statusUrl: string;
  endedAt: number | null;
  counts: Counts;
  jobs: { id: string; status: string; metadata?: unknown; result?: unknown }[];
};

let service: Service;
let customer: Customer;
beforeAll(async () => {
  // Pro has too low a rate for more than one job in the tests' time.
  service = await startService({ PLAN_LIMITS: JSON.stringify({ pro: { rendersPerMinute: 1, jobsQueued: 600 } }) });
  customer = await service.customer('pro');
});
afterAll(() => service.stop());

const card = (title: string) => ({ kind: 'og', request: { template: 'quote', title, width: 200, height: 105 } });
const cards = (count: number) => Array.from({ length: count }, (_, at) => card(`Card ${at}`));
const submit = (body: unknown, key = customer.key, headers: Record<string, string> = {}) =>
  service.post('/v1/batches', body, key, headers);
const read = async (id: string, key = customer.key) =>
  (await (await service.get(`/v1/batches/${id}`, key)).json()) as Batch;
const queued = async ({ account }: Customer) =>
  (await service.store.jobs.list(account.id, { count: 1000, status: 'queued' })).length;

it('a batch is accepted as a whole, and has ended when its jobs have', async () => {
  const { key } = await service.customer('business');
  const requests = [
    { ...card('First'), metadata: { row: 1 } },
    card('Second'),
    { kind: 'screenshot', request: { html: '<h1>Page</h1>', width: 100, height: 100, timeout: 60_000 } },
    { kind: 'screenshot', request: { html: '<h1>Page</h1>', selector: '#none', timeout: 60_000 } },
  ];
  const response = await submit({ requests }, key);
  expect(response.status).toBe(202);
  const { id, statusUrl } = (await response.json()) as Batch;
  expect(id).toMatch(/^batch_[0-9a-z]+$/);
  expect(response.headers.get('location')).toBe(statusUrl);
  await expect.poll(async () => (await read(id, key)).status, { timeout: 110_000 }).toBe('done');
  const batch = await read(id, key);
  expect(batch.counts).toEqual({ queued: 0, running: 0, done: 3, failed: 1, canceled: 0 });
  expect(batch.jobs.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'failed']);
  expect(batch.jobs[0]).toMatchObject({ metadata: { row: 1 }, result: { template: 'quote' } });
  expect(batch.endedAt).toBeGreaterThan(0);
}, 120_000);

it('one wrong request of many is a 400 that names it, and nothing is queued', async () => {
  const own = await service.customer('pro');
  const requests: unknown[] = cards(500);
  requests[299] = { kind: 'screenshot', request: { url: 'https://example.com/', width: 0 } };
  const response = await submit({ requests }, own.key);
  const error = await errorOf(response);
  expect([response.status, error.code, error.parameter]).toEqual([
    400,
    'invalid_parameter',
    'requests[299].request.width',
  ]);
  expect(error.error).toContain('requests[299]');
  expect(await queued(own)).toBe(0);
});

it.each([
  ['more than 500', { requests: cards(501) }, 'requests'],
  ['none', { requests: [] }, 'requests'],
  ['no array', { requests: { 0: card('x') } }, 'requests'],
  ['no requests', {}, 'requests'],
  ['another field', { requests: cards(1), webhooks: [] }, 'webhooks'],
  ['a job with a webhook', { requests: [{ ...card('x'), webhook: 'https://example.com/' }] }, 'requests[0].webhook'],
  ['a job that is none', { requests: [card('x'), null] }, 'requests[1]'],
  ['a wrong kind', { requests: [card('x'), { kind: 'og2', request: {} }] }, 'requests[1].kind'],
  ['a private webhook', { requests: cards(1), webhook: 'http://169.254.169.254/' }, 'webhook'],
])('%s is a 400', async (_, body, parameter) => {
  const response = await submit(body);
  expect([response.status, (await errorOf(response)).parameter]).toEqual([400, parameter]);
});

it('500 requests are accepted together, and canceled together if they have not begun', async () => {
  const own = await service.customer('pro');
  const body = { requests: cards(500) };
  const headers = { 'idempotency-key': 'all of them' };
  const { id } = (await (await submit(body, own.key, headers)).json()) as Batch;
  const again = (await (await submit(body, own.key, headers)).json()) as Batch;
  expect(again.id).toBe(id);
  const tooMany = await submit({ requests: cards(200) }, own.key);
  expect([tooMany.status, (await errorOf(tooMany)).code]).toEqual([429, 'queue_full']);
  // The account's rate is one a minute.
  await expect.poll(async () => (await read(id, own.key)).counts).toMatchObject({ done: 1, running: 0 });
  const canceled = await fetch(`${service.url}/v1/batches/${id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': own.key },
  });
  expect(canceled.status).toBe(200);
  const batch = await read(id, own.key);
  expect(batch.counts).toEqual({ queued: 0, running: 0, done: 1, failed: 0, canceled: 499 });
  expect(batch.jobs).toHaveLength(500);
  expect(batch.status).toBe('done');
  expect(await queued(own)).toBe(0);
  expect((await service.get(`/v1/batches/${id}`, customer.key)).status).toBe(404);
});

it('10 jobs of one account do not wait for 400 of another', async () => {
  const [flood, quiet] = [await service.customer('business'), await service.customer('business')];
  await submit({ requests: cards(400) }, flood.key);
  const { id } = (await (await submit({ requests: cards(10) }, quiet.key)).json()) as Batch;
  await expect.poll(async () => (await read(id, quiet.key)).status, { timeout: 40_000, interval: 10 }).toBe('done');
  // Turn by turn: while ten of the quiet account ran, about as many of the other did.
  const lastOf = (jobs: readonly { endedAt: number | null }[]) => Math.max(...jobs.map((job) => job.endedAt ?? 0));
  const end = lastOf(await service.store.jobs.list(quiet.account.id, { count: 10, status: 'done' }));
  const others = await service.store.jobs.list(flood.account.id, { count: 1000, status: 'done' });
  expect(others.filter((job) => lastOf([job]) <= end).length).toBeLessThan(60);
});

it('the same batch with the same key at the same moment is one batch, also if a second one would be too many', async () => {
  const { key } = await service.customer('pro');
  const [wrong, ...same] = await Promise.all([
    submit({ requests: [card('First'), { kind: 'none' }] }, key),
    ...Array.from({ length: 4 }, () => submit({ requests: cards(400) }, key, { 'idempotency-key': 'one' })),
  ]);
  expect(wrong?.status).toBe(400);
  expect(same.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  const ids = await Promise.all(same.map(async (response) => ((await response.json()) as Batch).id));
  expect(new Set(ids).size).toBe(1);
  const replayed = same.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
  expect(replayed).toHaveLength(3);
});
