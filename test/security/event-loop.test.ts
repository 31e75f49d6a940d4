// No request blocks another. A server gets every hostile request and, at the same time, a request for /healthz. The test
// measures the CPU time of the server's thread, as its watchdog logs it, so a busy machine does not change the result.
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest } from '../harness/raw-request.ts';
import { type ServerProcess, startServerProcess, tintype } from '../harness/server-process.ts';
import { hostileBodyRequests } from './hostile-bodies.ts';
import {
  type HostileRequest,
  hostileBodyParameters,
  hostileCards,
  hostileHeaders,
  hostileParameters,
  hostilePaths,
  hostileQueries,
} from './hostile-input.ts';

let server: ServerProcess;
let key = '';
const agent = new Agent({ keepAlive: true });
const beside = new Agent({ keepAlive: true });
beforeAll(async () => {
  server = await startServerProcess({ LOG_LEVEL: 'warn' });
  const env = { DATA_DIR: server.dataDir };
  await tintype(['account', 'create', 'a@example.test', '--plan', 'business'], env);
  key = (await tintype(['key', 'create', 'a@example.test'], env)).trim().split('\n').at(-1) ?? '';
});
afterAll(async () => {
  agent.destroy();
  beside.destroy();
  await server.clean();
});

/** The promise for /healthz. A linear reader of 384 KB takes some milliseconds; a quadratic one takes 5 to 15 seconds. */
const mostMs = 250;

type Block = { msg: string; processorMs: number; ms: number };
const blocks = (): Block[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes('event loop was blocked'))
    .map((line) => JSON.parse(line) as Block)
    .filter(({ processorMs }) => processorMs > mostMs);

async function tryAll(requests: Iterable<HostileRequest>, headers: Record<string, string>): Promise<number> {
  let tried = 0;
  for (const each of requests) {
    const hostile = rawRequest(server.url, { ...each, headers: { ...headers, ...each.headers } }, agent);
    const health = rawRequest(server.url, { path: '/healthz' }, beside);
    const [answer, alive] = await Promise.all([hostile, health]);
    const isAnswer = answer.status >= 200 && answer.status < 500;
    if (!isAnswer) expect([each.name, answer]).toEqual([each.name, 'an answer that is no 5xx']);
    expect([each.name, alive.status, answer.body.length < 20_000 || answer.status === 200]).toEqual([
      each.name,
      200,
      true,
    ]);
    tried++;
  }
  expect(blocks()).toEqual([]);
  return tried;
}

it('the watchdog counts blocks of the event loop', async () => {
  const { body } = await rawRequest(server.url, { path: '/metrics' }, agent);
  expect(body).toMatch(/^tintype_event_loop_blocks \d+$/m);
});

it('queries of 64 and of 360 KB of any character, and 4,000 parameters, without a key', async () => {
  expect(await tryAll(hostileQueries(), {})).toBeGreaterThan(200);
});

it('4,000 parameters with a key are one 400', async () => {
  for (const { path } of [...hostileQueries()].filter(({ name }) => name.includes('4,000'))) {
    const answer = await rawRequest(server.url, { path, headers: { 'x-api-key': key } }, agent);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      400,
      { code: 'invalid_parameter', error: 'A request has at most 200 parameters.' },
    ]);
  }
  expect(blocks()).toEqual([]);
});

it('every parameter of both endpoints, by 3 and by 64 KB', async () => {
  const some = (parameter: number, character: number) => (parameter + character) % 11 === 0;
  expect(await tryAll(hostileParameters(some), { 'x-api-key': key })).toBeGreaterThan(200);
});

it('every parameter of both endpoints in a body, by 3 and by 1,900 KB', async () => {
  const some = (parameter: number, character: number) => (parameter + character) % 37 === 0;
  expect(await tryAll(hostileBodyParameters(some), { 'x-api-key': key })).toBeGreaterThan(100);
});

it('bodies of 4 MB that are hostile as a whole', async () => {
  expect(await tryAll(hostileBodyRequests(), { 'x-api-key': key })).toBeGreaterThan(50);
});

it('every header that is read, by 30 and by 300 KB', async () => {
  const some = (header: number, character: number) => (header + character) % 5 === 0;
  expect(await tryAll(hostileHeaders(some), {})).toBeGreaterThan(100);
});

it('paths of 360 KB', async () => {
  expect(await tryAll(hostilePaths(), {})).toBeGreaterThan(200);
});

it('cards of the longest texts that are taken', async () => {
  const some = (template: number, character: number) => (template + character) % 8 === 0;
  expect(await tryAll(hostileCards(some), { 'x-api-key': key })).toBeGreaterThan(10);
});
