// Jobs over HTTP: accepted work that nobody waits for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenStore } from '../../src/store/open.ts';
import { freePort } from '../harness/ports.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';

type Job = {
  id: string;
  status: string;
  statusUrl: string;
  createdAt: number;
  metadata?: unknown;
  result?: Record<string, unknown>;
  error?: { code: string; requestId: string; parameter?: string };
};

let service: Service;
let customer: Customer;
beforeAll(async () => {
  service = await startService({
    PLAN_LIMITS: JSON.stringify({ starter: { jobsQueued: 3, rendersPerMinute: 1 } }),
  });
  customer = await service.customer('business');
});
afterAll(() => service.stop());

const small = { html: '<title>A job</title><h1>Hello</h1>', width: 200, height: 100, timeout: 60_000 };
const submit = (body: unknown, headers: Record<string, string> = {}, key = customer.key) =>
  service.post('/v1/jobs', body, key, headers);
const accepted = async (body: unknown, headers: Record<string, string> = {}, key = customer.key): Promise<Job> => {
  const response = await submit(body, headers, key);
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Job;
};
const read = async (id: string, key = customer.key) => (await (await service.get(`/v1/jobs/${id}`, key)).json()) as Job;
const remove = (path: string, key = customer.key) =>
  fetch(service.url + path, { method: 'DELETE', headers: { 'x-api-key': key } });
const ended = async (id: string, key = customer.key): Promise<Job> => {
  for (;;) {
    const job = await read(id, key);
    if (job.status !== 'queued' && job.status !== 'running') return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('a job', () => {
  it('is accepted with 202, its address and its id, and ends with what response=json gives', async () => {
    const before = Date.now();
    const response = await submit({ kind: 'screenshot', request: small, metadata: { order: 7 } });
    expect(response.status).toBe(202);
    const job = (await response.json()) as Job;
    expect(Object.keys(job).sort()).toEqual(['createdAt', 'id', 'status', 'statusUrl']);
    expect(job.id).toMatch(/^job_[0-9a-z]+$/);
    expect(response.headers.get('location')).toBe(job.statusUrl);
    expect(job.createdAt).toBeGreaterThanOrEqual(before);

    const done = await ended(job.id);
    expect(done).toMatchObject({ status: 'done', metadata: { order: 7 } });
    const again = await service.post('/v1/screenshot', { ...small, response: 'json' }, customer.key);
    expect(again.headers.get('x-cache')).toBe('HIT');
    const { cachedAt: _, imageUrl, ...expected } = (await again.json()) as Record<string, unknown>;
    expect(done.result).toMatchObject(expected);
    const picture = await fetch(String(done.result?.imageUrl));
    expect(picture.status).toBe(200);
    expect(new URL(String(imageUrl)).pathname).toBe(new URL(String(done.result?.imageUrl)).pathname);
  });

  it('is a card or a text, too', async () => {
    const [card, text] = await Promise.all([
      accepted({ kind: 'og', request: { template: 'quote', title: 'Later', width: 400, height: 210 } }),
      accepted({
        kind: 'content',
        request: { html: `<p>${'Words of a page. '.repeat(500)}</p>`, format: 'text', timeout: 60_000 },
      }),
    ]);
    expect((await ended(card.id)).result).toMatchObject({ template: 'quote', width: 400 });
    const result = (await ended(text.id)).result;
    expect(result?.content).toContain('Words of a page.');
    const { jobs } = (await (await service.get('/v1/jobs?limit=5', customer.key)).json()) as { jobs: Job[] };
    const listed = jobs.find(({ id }) => id === text.id)?.result;
    expect(listed).toMatchObject({ omitted: ['content'], format: 'text' });
    expect(listed).not.toHaveProperty('content');
  });

  it('whose page fails ends with the body of that error', async () => {
    const job = await accepted({ kind: 'screenshot', request: { url: `http://127.0.0.1:${await freePort()}/` } });
    const { status, error, result } = await ended(job.id);
    expect({ status, result }).toEqual({ status: 'failed', result: undefined });
    expect(error).toMatchObject({ code: 'target_unreachable', requestId: job.id });
  });

  it.each([
    [{ kind: 'screenshot', request: { url: 'https://example.com/', width: 0 } }, 400, 'invalid_parameter', 'width'],
    [{ kind: 'screenshot', request: { ...small, hide: 'a >' } }, 400, 'invalid_parameter', 'hide'],
    [
      { kind: 'screenshot', request: { ...small, format: 'pdf', margin: [200, 0, 200, 0] } },
      400,
      'invalid_parameter',
      'margin',
    ],
    [{ kind: 'screenshot', request: {} }, 400, 'missing_parameter', 'url'],
    [{ kind: 'screenshot', request: { url: 'http://10.0.0.1/' } }, 400, 'target_refused', 'url'],
    [{ kind: 'screenshot', request: small, webhook: 'http://10.0.0.1/' }, 400, 'invalid_parameter', 'webhook'],
    [{ kind: 'screenshot', request: small, webhook: 'ftp://example.com/' }, 400, 'invalid_parameter', 'webhook'],
    [{ kind: 'screenshot', request: small, webhok: 'https://example.com/' }, 400, 'invalid_parameter', 'webhok'],
    [{ kind: 'screenshot', request: small, metadata: [1] }, 400, 'invalid_parameter', 'metadata'],
    [{ kind: 'screenshot', request: small, metadata: { a: 'x'.repeat(5000) } }, 400, 'invalid_parameter', 'metadata'],
    [{ kind: 'page', request: small }, 400, 'invalid_parameter', 'kind'],
    [{ request: small }, 400, 'missing_parameter', 'kind'],
    [{ kind: 'og' }, 400, 'missing_parameter', 'request'],
    [{ kind: 'og', request: { template: 'none such' } }, 400, 'template_not_found', 'template'],
    [[], 400, 'invalid_body', undefined],
  ])('that is wrong is refused at once: %j', async (body, status, code, parameter) => {
    const response = await submit(body);
    const error = await errorOf(response);
    expect([response.status, error.code, error.parameter]).toEqual([status, code, parameter]);
  });

  it('needs the plan that the request needs, and a key before anything is read', async () => {
    const free = await service.customer('free');
    const denied = await submit({ kind: 'screenshot', request: { ...small, timezone: 'UTC' } }, {}, free.key);
    expect([denied.status, (await errorOf(denied)).requiredPlan]).toEqual([403, 'pro']);
    const unknown = await service.post('/v1/jobs', 'not JSON');
    expect(unknown.status).toBe(401);
  });

  it('is seen by its account only', async () => {
    const { id } = await accepted({ kind: 'screenshot', request: small });
    const other = await service.customer('pro');
    for (const response of [
      await service.get(`/v1/jobs/${id}`, other.key),
      await remove(`/v1/jobs/${id}`, other.key),
      await service.get('/v1/jobs/job_none', customer.key),
      await service.get('/v1/jobs/%00', customer.key),
    ])
      expect([response.status, (await errorOf(response)).code]).toEqual([404, 'not_found']);
    const { jobs } = (await (await service.get('/v1/jobs', other.key)).json()) as { jobs: Job[] };
    expect(jobs).toEqual([]);
  });

  it('counts as a render of its account, in the usage too', async () => {
    const own = await service.customer('pro');
    const { id } = await accepted({ kind: 'screenshot', request: { ...small, width: 201 } }, {}, own.key);
    await ended(id, own.key);
    const response = await service.get(`/v1/jobs/${id}`, own.key);
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBe(299);
    const recent = () => service.store.usage.recent(own.account.id, { count: 10 });
    // Written in batches, once a second.
    await expect.poll(async () => (await recent()).length).toBe(1);
    const records = await recent();
    expect(records).toMatchObject([{ id, endpoint: 'screenshot', status: 200, outcome: 'render' }]);
    expect(records[0]?.parameters).not.toContain('Hello');
  });
});

describe('waiting jobs', () => {
  it('that are sent and canceled again and again are refused for the rest of the minute', async () => {
    // Three may wait, and one be rendered in a minute.
    const { key } = await service.customer('starter');
    let refused: Response | undefined;
    for (let at = 0; at < 10 && refused === undefined; at++) {
      const answer = await submit({ kind: 'screenshot', request: { ...small, width: 500 + at } }, {}, key);
      if (answer.status === 429) refused = answer;
      else await remove(`/v1/jobs/${((await answer.json()) as Job).id}`, key);
    }
    expect(refused?.status).toBe(429);
    expect(refused && (await errorOf(refused))).toMatchObject({
      code: 'rate_limited',
      error: 'Starter allows 7 jobs to be sent in a minute.',
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('are as many as the plan allows; above it is 429 with Retry-After', async () => {
    // One render a minute: the first uses it up.
    const { key } = await service.customer('starter');
    const first = await accepted({ kind: 'screenshot', request: small }, {}, key);
    await ended(first.id, key);
    const answers: number[] = [];
    for (let at = 0; at < 5; at++)
      answers.push((await submit({ kind: 'screenshot', request: { ...small, width: 300 + at } }, {}, key)).status);
    expect(answers).toEqual([202, 202, 202, 429, 429]);
    const refused = await submit({ kind: 'screenshot', request: small }, {}, key);
    expect((await errorOf(refused)).code).toBe('queue_full');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const list = async (query: string) =>
      (await (await service.get(`/v1/jobs?${query}`, key)).json()) as { jobs: Job[]; next: string | null };
    const page = await list('limit=2&status=queued');
    expect(page.jobs).toHaveLength(2);
    expect(page.next).toBe(page.jobs[1]?.id);
    const rest = await list(`limit=2&status=queued&after=${page.next}`);
    expect([rest.jobs.length, rest.next]).toEqual([1, null]);
    const ids = [...page.jobs, ...rest.jobs].map(({ id }) => id);
    expect([...ids].sort().reverse()).toEqual(ids);
    expect((await list('status=done')).jobs.map(({ id }) => id)).toEqual([first.id]);
    // Not the first page again, which a program that reads them all would read for ever.
    for (const after of ['zzz', `${page.next}.`, 'batch_1', 'job_', '']) {
      const wrong = await service.get(`/v1/jobs?after=${after}`, key);
      expect([wrong.status, await errorOf(wrong)]).toMatchObject([400, { parameter: 'after' }]);
    }

    const [waiting = ''] = ids;
    const canceled = await remove(`/v1/jobs/${waiting}`, key);
    expect([canceled.status, ((await canceled.json()) as Job).status]).toEqual([200, 'canceled']);
    expect((await remove(`/v1/jobs/${waiting}`, key)).status).toBe(200);
    const begun = await remove(`/v1/jobs/${first.id}`, key);
    expect([begun.status, (await errorOf(begun)).code]).toEqual([409, 'conflict']);
    expect((await submit({ kind: 'screenshot', request: small }, {}, key)).status).toBe(202);
    for (const wrong of ['limit=0', 'limit=101', 'status=over'])
      expect((await service.get(`/v1/jobs?${wrong}`, key)).status).toBe(400);
  });

  it('do not keep the secrets and pages they were sent with once they have ended', async () => {
    const { key } = await service.customer('business');
    const request = {
      url: `http://127.0.0.1:${await freePort()}/`,
      basicAuth: { username: 'me', password: 'canary-4711' },
    };
    const { id } = await accepted({ kind: 'screenshot', request, metadata: { a: 1 } }, {}, key);
    await ended(id, key);
    const sent = await accepted({ kind: 'screenshot', request: { ...small, html: 'canary-4712' } }, {}, key);
    await ended(sent.id, key);
    const { db } = service.store as OpenStore;
    const rows = await db.selectFrom('jobs').selectAll().where('id', 'in', [id, sent.id]).execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('canary-471');
    for (const row of rows) expect(row.sealed).toBeNull();
    expect(service.logLines.join()).not.toContain('canary-471');
  });
});

describe('an idempotency key', () => {
  it('makes the same body the same job, and another body 409', async () => {
    const body = { kind: 'screenshot', request: { ...small, width: 250 } };
    const headers = { 'idempotency-key': 'order 7' };
    const all = await Promise.all(Array.from({ length: 5 }, () => accepted(body, headers)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    const again = await submit(body, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await submit({ ...body, metadata: {} }, headers);
    expect([other.status, (await errorOf(other)).code]).toEqual([409, 'idempotency_conflict']);
    const elsewhere = await service.post('/v1/batches', { requests: [body] }, customer.key, headers);
    expect(elsewhere.status).toBe(409);
    const stranger = await service.customer('pro');
    expect((await submit(body, headers, stranger.key)).status).toBe(202);
  });

  it('has 1 to 200 characters, and is free after a request that was refused', async () => {
    const body = { kind: 'screenshot', request: { ...small, width: 251 } };
    expect((await submit(body, { 'idempotency-key': 'x'.repeat(201) })).status).toBe(400);
    expect((await submit({ ...body, kind: 'x' }, { 'idempotency-key': 'order 8' })).status).toBe(400);
    expect((await submit(body, { 'idempotency-key': 'order 8' })).status).toBe(202);
    expect((await submit(body, { 'idempotency-key': 'x'.repeat(200) })).status).toBe(202);
  });
});
