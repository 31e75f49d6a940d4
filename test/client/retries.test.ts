// When the TypeScript client tries again, how long it waits, and how it stops: against a server on loopback that fails as told.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { Tintype, type TintypeOptions } from '../../clients/typescript/src/index.ts';
import { type Site, startSite } from '../harness/site.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let site: Site | undefined;
afterEach(() => site?.close());

/** A client of a server that gives these answers, one after the other; the last one stays. */
async function clientOf(answers: readonly Answer[], options: Partial<TintypeOptions> = {}) {
  const seen: { at: number; headers: IncomingMessage['headers'] }[] = [];
  const page: Answer = (request, response) => {
    seen.push({ at: performance.now(), headers: request.headers });
    request.resume();
    (answers[seen.length - 1] ?? answers.at(-1))?.(request, response);
  };
  site = await startSite({ '/v1/og': page, '/v1/usage': page, '/v1/jobs': page, '/v1/jobs/1': page });
  return { tintype: new Tintype({ baseUrl: site.url, apiKey: 'sk_live_test', ...options }), seen };
}

const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: `It is ${code}.`, code, requestId: 'r1' }));
const accept: Answer = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"plan":"pro"}');
const hangUp: Answer = (request) => void request.socket.destroy();
const hang: Answer = () => {};
const card = { template: 'quote' } as const;

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error) => error);

it('429, 503 and a connection that breaks are tried again, never before Retry-After', async () => {
  const { tintype, seen } = await clientOf(
    [refuse(429, 'rate_limited', { 'retry-after': '1' }), hangUp, refuse(503, 'overloaded'), accept],
    { retries: 3 },
  );
  expect(await tintype.usage()).toEqual({ plan: 'pro' });
  expect(seen).toHaveLength(4);
  const [first = 0, second = 0, third = 0, fourth = 0] = seen.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(1000);
  // The pauses grow: at least 0.5 s before the second retry, 1 s before the third.
  expect(third - second).toBeGreaterThanOrEqual(490);
  expect(fourth - third).toBeGreaterThanOrEqual(990);
});

it('after the last retry the error is thrown, with Retry-After', async () => {
  const { tintype, seen } = await clientOf([refuse(502, 'renderer_unavailable'), refuse(504, 'render_timeout')], {
    retries: 1,
  });
  expect(await failure(tintype.og(card))).toMatchObject({ code: 'render_timeout', status: 504, requestId: 'r1' });
  expect(seen).toHaveLength(2);
});

it('errors of the caller, and a Retry-After of more than a minute, are thrown at once', async () => {
  const wrong = await clientOf([refuse(400, 'invalid_parameter')]);
  expect(await failure(wrong.tintype.og(card))).toMatchObject({ code: 'invalid_parameter' });
  expect(wrong.seen).toHaveLength(1);
  await site?.close();
  const inTwoHours = new Date(Date.now() + 7_200_000).toUTCString();
  const spent = await clientOf([refuse(429, 'quota_exceeded', { 'retry-after': inTwoHours })]);
  const error = await failure(spent.tintype.og(card));
  expect(error).toMatchObject({ code: 'quota_exceeded', retryAfter: expect.any(Number) });
  expect((error as { retryAfter: number }).retryAfter).toBeGreaterThan(7000);
  expect(spent.seen).toHaveLength(1);
});

it('an abort ends a pause, a request and a body at once, with its own reason', async () => {
  const reason = new Error('changed my mind');
  const abortSoon = (ms: number) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), ms);
    return { signal: controller.signal };
  };
  const pausing = await clientOf([refuse(503, 'overloaded', { 'retry-after': '30' })]);
  const begun = performance.now();
  expect(await failure(pausing.tintype.usage(abortSoon(1000)))).toBe(reason);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(pausing.seen).toHaveLength(1);
  await site?.close();

  const hanging = await clientOf([hang]);
  expect(await failure(hanging.tintype.usage(abortSoon(200)))).toBe(reason);
  await site?.close();

  const half = await clientOf([(_request, response) => void response.writeHead(200).write('half')]);
  const result = await half.tintype.og(card, abortSoon(1000));
  expect(await failure(result.bytes())).toBe(reason);
  expect(await failure(half.tintype.usage({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(half.seen).toHaveLength(1);
});

it('a server that never answers, or stops in the middle, is an error after the timeout', async () => {
  const hanging = await clientOf([hang], { timeout: 1000 });
  expect(await failure(hanging.tintype.og(card))).toMatchObject({ code: 'timeout', status: 0 });
  expect(hanging.seen).toHaveLength(1);
  await site?.close();
  const half = await clientOf([(_request, response) => void response.writeHead(200).write('half')], { timeout: 1000 });
  expect(await failure((await half.tintype.og(card)).bytes())).toMatchObject({ code: 'timeout' });
  await site?.close();
  const cut: Answer = (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => request.socket.destroy(), 100);
  };
  const broken = await clientOf([cut]);
  expect(await failure((await broken.tintype.og(card)).bytes())).toMatchObject({ code: 'network_error' });
});

it('a wait for a job ends after its timeout, also where the server does not answer', async () => {
  const job: Answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1","status":"running"}');
  for (const answers of [[hang], [job, hang], [refuse(503, 'overloaded', { 'retry-after': '30' })], [job]]) {
    const { tintype } = await clientOf(answers);
    const begun = performance.now();
    expect(await failure(tintype.jobs.wait('1', { timeout: 1500 }))).toMatchObject({
      code: 'timeout',
      message: 'It has not ended within 1500 ms.',
    });
    expect(performance.now() - begun).toBeLessThan(10_000);
    await site?.close();
  }
  const { tintype } = await clientOf([hang]);
  const reason = new Error('changed my mind');
  expect(await failure(tintype.jobs.wait('1', { signal: AbortSignal.abort(reason) }))).toBe(reason);
});

it('a timeout of Infinity, or of more than timers can count, is no timeout', async () => {
  const slow: Answer = (request, response) => void setTimeout(() => accept(request, response), 300);
  const { tintype } = await clientOf([slow], { timeout: Infinity });
  expect(await tintype.usage()).toEqual({ plan: 'pro' });
  expect(await tintype.usage({ timeout: 2 ** 31 })).toEqual({ plan: 'pro' });
});

it('what is no Tintype server is named as such, and the key goes to no other address', async () => {
  const proxy = await clientOf([(_q, response) => void response.writeHead(404).end('x'.repeat(1_000_000))]);
  expect(await failure(proxy.tintype.usage())).toMatchObject({ code: 'unexpected_response', status: 404 });
  await site?.close();
  const page = await clientOf([(_q, response) => void response.writeHead(200).end('<html>')]);
  expect(await failure(page.tintype.usage())).toMatchObject({ code: 'unexpected_response', status: 200 });
  await site?.close();
  const moved = await clientOf([(_q, response) => void response.writeHead(302, { location: '/v1/jobs' }).end()]);
  expect(await failure(moved.tintype.usage())).toMatchObject({ message: expect.stringContaining('redirect') });
  expect(moved.seen).toHaveLength(1);
  for (const baseUrl of ['shots.example.com', 'ftp://shots.example.com', 'https://shots.example.com/?a=1'])
    expect(() => new Tintype({ baseUrl })).toThrow(/baseUrl must be/);
});

it('a job that is sent again has the same idempotency key, another job another', async () => {
  const { tintype, seen } = await clientOf([hangUp, accept, accept]);
  const job = { kind: 'og', request: card } as const;
  await tintype.jobs.create(job);
  await tintype.jobs.create(job);
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
});
