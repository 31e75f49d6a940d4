// A body of 4 MB, however awkward, costs the event loop less than 50 ms in one turn, changes no prototype, and is a 4xx.
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { readJson } from '../../src/http/body-reader.ts';
import { bodyParameters, createShapeCheck, readJsonObject } from '../../src/kernel/json-body.ts';
import { plans } from '../../src/kernel/plans.ts';
import { storedParameters } from '../../src/render/usage-texts.ts';
import { validatePage } from '../../src/render/validate-page.ts';
import type { Requester } from '../../src/render/validated-request.ts';
import { measureTurns } from '../harness/measure-turns.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';
import { hostileBodies, hostileBodyRequests } from './hostile-bodies.ts';

const mostMs = 50;
/** What Node reads from a socket at once. */
const chunkBytes = 64 * 1024;
const requester: Requester = { account: { id: 'a', plan: 'business' }, signed: false };
// It takes every target: what comes after that check is measured too.
const egress = { check: (url: string) => new URL(url) };

/** The turns of the event loop that reading and validating a body takes (http/body-reader.ts, http/post.ts). */
function* turns(bytes: Buffer): Generator<void> {
  const check = createShapeCheck();
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    check(bytes.subarray(at, at + chunkBytes));
    yield;
  }
  const body = readJsonObject(bytes);
  yield;
  const parameters = bodyParameters(body, screenshotParameters);
  storedParameters(parameters);
  validatePage('screenshot', parameters, requester, { plans, egress, secret: 'secret' });
}

/** Milliseconds of processor time of the longest turn: that a machine is busy does not count. */
function longestTurn(bytes: Buffer): number {
  let longest = 0;
  let before = process.threadCpuUsage();
  const told = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  try {
    for (const _ of turns(bytes)) told();
  } catch {
    // A refusal is what most of it should get.
  }
  told();
  return longest;
}

it.each(Object.entries(hostileBodies))('%s: no turn takes more than 50 ms', (_name, body) => {
  const bytes = Buffer.from(body);
  expect(bytes.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  // The better of two: the first may run before the code is compiled.
  expect(Math.min(longestTurn(bytes), longestTurn(bytes))).toBeLessThan(mostMs);
});

describe('sent to the service', () => {
  let service: Service;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService();
    customer = await service.customer('business');
  });
  afterAll(() => service.stop());

  let last: Response;
  it('each is a 4xx with a short text, and no prototype has changed', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const { name, path, body = '' } of hostileBodyRequests()) {
      const response = await service.post(path, body, customer.key);
      const text = await response.text();
      last = response;
      expect([name, response.status >= 400 && response.status < 500, text.length < 3000]).toEqual([name, true, true]);
      expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining(['error', 'code', 'requestId']));
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('what is stored of them is bounded', async () => {
    const records = await service.usageUpTo(last, customer.account);
    expect(records.length).toBeGreaterThan(20);
    for (const { parameters, warnings } of records)
      expect(Buffer.byteLength(parameters) + Buffer.byteLength(warnings)).toBeLessThanOrEqual(8192);
    expect(Math.max(...service.logLines.map((line) => line.length))).toBeLessThan(3000);
  });

  it('the names of prototypes are names like any other', async () => {
    const response = await service.post(
      '/v1/screenshot',
      hostileBodies['the name of a prototype as a text'],
      customer.key,
    );
    expect((await errorOf(response)).code).toBe('target_refused');
  });
});

describe('16 of them at the same moment', () => {
  const keep = new EventEmitter().setMaxListeners(1000);
  async function* arriving(body: Buffer) {
    for (let at = 0; at < body.length; at += chunkBytes) {
      await setImmediate();
      yield body.subarray(at, at + chunkBytes);
    }
  }
  /** As http/post.ts does it. */
  async function read(body: Buffer, accountId: string): Promise<void> {
    const raw = Readable.from(arriving(body));
    const headers = { 'content-type': 'application/json' };
    const values = await readJson({ raw, headers } as never, { raw: keep } as never, accountId);
    const parameters = bodyParameters(values, screenshotParameters);
    storedParameters(parameters);
    await validatePage('screenshot', parameters, requester, { plans, egress, secret: 'secret' });
  }
  const numbers = Array.from({ length: 9900 }, (_, i) => i);
  const bodies = {
    '10,000 numbers': JSON.stringify({ url: 'https://example.com/', numbers }),
    '10,000 values of headers': JSON.stringify({
      url: 'https://example.com/',
      headers: Object.fromEntries(numbers.map((i) => [`x-${i}`, 'a'])),
    }),
    '9,900 values of cookies': JSON.stringify({
      url: 'https://example.com/',
      cookies: numbers.slice(0, 3300).map((i) => ({ name: `c${i}`, value: 'a' })),
    }),
    '4 MB': JSON.stringify({ html: 'ü"'.repeat(900_000) }),
  };

  it.each(Object.entries(bodies))('with %s take no turn of more than 50 ms together', async (_name, text) => {
    const body = Buffer.from(text);
    let longest = Number.POSITIVE_INFINITY;
    // The best of three: the first runs before the code is compiled.
    for (let round = 0; round < 3; round++) {
      const all = Array.from({ length: 16 }, (_, i) => read(body, `account ${i}`).catch(() => {}));
      longest = Math.min(longest, (await measureTurns(Promise.all(all))).longest);
    }
    expect(longest).toBeLessThan(mostMs);
  });
});
