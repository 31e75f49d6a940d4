// Webhooks of jobs and batches, from POST /v1/jobs to a receiver that checks them with the package standardwebhooks.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { OpenStore } from '../../src/store/open.ts';
import { createWebhookSecrets } from '../../src/webhooks/secrets.ts';
import { freePort } from '../harness/ports.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';
import { type Receiver, startReceiver, verify } from '../webhooks/receiver.ts';

let service: Service;
let customer: Customer;
let receiver: Receiver;
let secret: string;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService();
  customer = await service.customer('business');
  const { webhooks, values } = service.store as OpenStore;
  const serviceSecret = (await values.get('service_secret')) ?? '';
  secret = (await createWebhookSecrets(webhooks.secrets, serviceSecret).of(customer.account.id)).secret;
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
});

type Event = { type: string; timestamp: string; data: Record<string, unknown> & { id: string } };

/** Sends it with a webhook to this path, and returns its id and what arrived there. */
async function eventOf(route: '/v1/jobs' | '/v1/batches', path: string, body: object) {
  const response = await service.post(route, { ...body, webhook: receiver.url + path }, customer.key);
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  const request = await vi.waitUntil(() => receiver.at(path)[0], { timeout: 50_000, interval: 20 });
  return { id, event: verify(secret, request) as Event, request };
}
const now = async (path: string) => (await (await service.get(path, customer.key)).json()) as Record<string, unknown>;
const withoutSignedUrls = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\?expires=[^"]*/g, ''));

it('a job that is done sends the job as its GET returns it, signed, with its metadata', async () => {
  const request = { template: 'quote', title: 'Grüße', width: 400, height: 210 };
  const {
    id,
    event,
    request: arrived,
  } = await eventOf('/v1/jobs', '/done', {
    kind: 'og',
    request,
    metadata: { order: 'ü 7' },
  });
  expect(event).toMatchObject({ type: 'job.done', data: { id, status: 'done', metadata: { order: 'ü 7' } } });
  expect(new Date(event.timestamp).getTime()).toBe(event.data.endedAt);
  expect(withoutSignedUrls(event.data)).toEqual(withoutSignedUrls(await now(`/v1/jobs/${id}`)));
  expect(arrived.headers['webhook-id']).toMatch(/^msg_\w+$/);
  const picture = await fetch(String((event.data.result as { imageUrl: string }).imageUrl));
  expect(picture.headers.get('content-type')).toBe('image/png');
});

it('a job that failed sends its error', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const { id, event } = await eventOf('/v1/jobs', '/failed', { kind: 'screenshot', request: { url } });
  expect(event).toMatchObject({ type: 'job.failed', data: { id, error: { code: 'target_unreachable' } } });
});

it('a text of some pages is in the webhook, as it is in the job', async () => {
  const html = `<p>${'Wörter einer Seite. '.repeat(500)}</p>`;
  const { id, event } = await eventOf('/v1/jobs', '/pages', { kind: 'content', request: { html, timeout: 60_000 } });
  expect(event.data).toEqual(await now(`/v1/jobs/${id}`));
  expect(event.data.result).toHaveProperty('content');
});

it('a long text is left out of the webhook, and named', async () => {
  const html = `<p>${'Words of a page. '.repeat(5000)}</p>`;
  const { event, request } = await eventOf('/v1/jobs', '/long', {
    kind: 'content',
    request: { html, timeout: 60_000 },
  });
  expect(event.data.result).toMatchObject({ omitted: ['content'], format: 'markdown' });
  expect(request.body.length).toBeLessThan(20_000);
});

it('a batch sends one webhook when all its jobs have ended, without them', async () => {
  const requests = ['one', 'two', 'three'].map((title) => ({
    kind: 'og',
    request: { template: 'quote', title, width: 400, height: 210 },
  }));
  const { id, event } = await eventOf('/v1/batches', '/batch', { requests });
  const counts = { queued: 0, running: 0, done: 3, failed: 0, canceled: 0 };
  expect(event).toMatchObject({ type: 'batch.done', data: { id, counts } });
  expect(event.data).not.toHaveProperty('jobs');
  const { jobs: _, ...batch } = await now(`/v1/batches/${id}`);
  expect(event.data).toEqual(batch);
  expect(receiver.at('/batch')).toHaveLength(1);
});

it.each([
  ['http://10.0.0.1/', 'webhook leads to 10.0.0.1, which is not public (private network).'],
  ['https://user:pw@example.com/', 'webhook must not contain a user name or password.'],
  ['/hook', 'webhook is not a complete URL with a valid host and port.'],
  [7, 'webhook must be an http or https URL of at most 2048 characters.'],
])('the webhook %j is refused with the job', async (webhook, text) => {
  const job = { kind: 'og', request: { template: 'quote', title: 'x' } };
  for (const [path, body] of [
    ['/v1/jobs', job],
    ['/v1/batches', { requests: [job] }],
  ] as const) {
    const response = await service.post(path, { ...body, webhook }, customer.key);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter: 'webhook', error: text });
  }
});
