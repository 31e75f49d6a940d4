// One execution with a fake executor and a cache in memory: what it gives back, and what its caller sees meanwhile.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testValidator } from '../../test/harness/validator.ts';
import { createMemoryLimits } from '../access/limits.ts';
import type { Quota } from '../access/quota.ts';
import type { Cache } from '../cache/cache.ts';
import { Cancelled, Deadline, sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { plans } from '../kernel/plans.ts';
import { verdictOf } from '../kernel/verdict.ts';
import type { CacheEntry } from '../store/store.ts';
import type { Executor, RenderOutput } from './executor.ts';
import { createRenderer } from './render.ts';
import type { UsageRecord } from './usage-record.ts';
import type { Requester, ValidatedRequest } from './validated-request.ts';

const requester: Requester = { account: { id: 'a1', plan: 'free' }, signed: false };
const validate = testValidator();
const asked = (parameters: Record<string, string> = {}, who = requester): ValidatedRequest =>
  validate(
    'screenshot',
    new Map(Object.entries({ url: 'https://example.com/', ...parameters })),
    who,
  ) as ValidatedRequest;

const captured: RenderOutput = {
  bytes: Buffer.from('picture'),
  type: 'image/png',
  width: 10,
  height: 20,
  warnings: [],
  page: { status: 200, finalUrl: 'https://example.com/', title: 'Example' },
  verdict: verdictOf([]),
};

function memoryCache(): Cache {
  const entries = new Map<string, { entry: CacheEntry; bytes: Buffer }>();
  return {
    find: async (key: string) => entries.get(key)?.entry,
    read: async ({ key }: CacheEntry) => entries.get(key)?.bytes,
    async put(entry: Omit<CacheEntry, 'usedAt'>, bytes: Buffer) {
      entries.set(entry.key, { entry: { ...entry, usedAt: 0 } as CacheEntry, bytes });
      return true;
    },
    lastRemoval: async () => '',
  } as Partial<Cache> as Cache;
}

let executions: number;
let execute: Executor['execute'];
let records: UsageRecord[];

beforeEach(() => {
  executions = 0;
  execute = async (_job, _applicant, work, _id, onStart) => {
    executions++;
    onStart();
    work.step('render');
    await work.pause(30);
    return captured;
  };
  records = [];
});

const noQuota: Quota = { take: async () => undefined, giveBack: async () => {}, peek: async () => undefined };

const opened = ({ limits = createMemoryLimits(), quota = noQuota } = {}) =>
  createRenderer({
    cache: memoryCache(),
    limits,
    quota,
    executor: { execute: (...how) => execute(...how), load: () => ({ waiting: 0, running: 0 }) },
    isIdle: () => true,
    record: (record) => void records.push(record),
  });

describe('a bad capture', () => {
  afterEach(() => vi.useRealTimers());

  it.each([
    ['of a job is behind its link for a week', { background: { onStart: () => {} } }, true],
    ['of a request is behind its link for a minute', {}, false],
  ])('%s, and serves no other request', async (_what, more, isKept) => {
    execute = async () => ({ ...captured, verdict: verdictOf(['blank']) });
    const { start, stored } = opened();
    const { key, expiresAt } = await start({ ...asked(), ...more }, new Deadline(1000)).result;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    expect(expiresAt > Date.now()).toBe(isKept);
    expect((await stored(key))?.bytes).toEqual(isKept ? captured.bytes : undefined);
    expect(await start(asked(), new Deadline(1000)).result).toMatchObject({ cache: 'MISS' });
  });
});

describe('an execution', () => {
  it('renders once, stores the result, and gives it from the cache the next time', async () => {
    const { start } = opened();
    const request = asked();
    const first = start(request, new Deadline(1000));
    expect(first.key).toBe(request.key);
    expect(await first.result).toMatchObject({ key: request.key, cache: 'MISS', stored: true, type: 'image/png' });
    expect(first.phases()).toHaveProperty('render');
    expect(await start(request, new Deadline(1000)).result).toMatchObject({ cache: 'HIT', bytes: captured.bytes });
    expect(executions).toBe(1);
  });

  it('is shared with identical requests, and each knows the step of the work', async () => {
    const { start } = opened();
    const both = [start(asked(), new Deadline(1000)), start(asked(), new Deadline(1000))];
    await sleep(10);
    expect(both.map((each) => each.step())).toEqual(['render', 'render']);
    expect((await Promise.all(both.map((each) => each.result))).map(({ cache }) => cache)).toEqual(['MISS', 'HIT']);
    expect(executions).toBe(1);
  });

  it('goes on for the other callers when one cancels, and stops with the last', async () => {
    const { start } = opened();
    let stopped: unknown;
    execute = async (_job, _applicant, work) => {
      try {
        await work.pause(40);
      } catch (error) {
        stopped = error;
        throw error;
      }
      return captured;
    };
    const [leaves, stays] = [start(asked(), new Deadline(1000)), start(asked(), new Deadline(1000))];
    await sleep(5);
    leaves.cancel();
    await expect(leaves.result).rejects.toBeInstanceOf(Cancelled);
    await expect(stays.result).resolves.toMatchObject({ stored: true });
    expect(stopped).toBeUndefined();
    const alone = start(asked({ fresh: 'true' }), new Deadline(1000));
    await sleep(5);
    alone.cancel();
    await expect(alone.result).rejects.toBeInstanceOf(Cancelled);
    await expect.poll(() => stopped).toBeInstanceOf(Cancelled);
  });

  it('ends with its deadline, and the error names the step', async () => {
    execute = async (_job, _applicant, work) => {
      work.step('load');
      await work.pause(1000);
      return captured;
    };
    await expect(opened().start(asked(), new Deadline(20)).result).rejects.toMatchObject({
      code: 'render_timeout',
      message: expect.stringContaining('"load"'),
    });
  });

  it('rejects what its caller does not accept, and stores nothing', async () => {
    const { start } = opened();
    execute = async () => ({ ...captured, verdict: verdictOf(['login_wall']) });
    const rejected = start(asked({ failOn: 'login_wall' }), new Deadline(1000));
    await expect(rejected.result).rejects.toMatchObject({ code: 'capture_rejected' });
    expect(await start(asked(), new Deadline(1000)).result).toMatchObject({ cache: 'MISS' });
  });

  it('is one record in the usage if it is to be recorded, also when it fails', async () => {
    const { start } = opened();
    const recordAs = { id: 'r1', parameters: '{"url":"https://example.com/"}' };
    await start(asked(), new Deadline(1000)).result;
    expect(records).toEqual([]);
    await start(asked({ widht: '1' }), new Deadline(1000), recordAs).result;
    expect(records).toMatchObject([{ ...recordAs, accountId: 'a1', outcome: 'hit', status: 200, code: null }]);
    expect(records[0]?.warnings).toContain('did you mean width?');
    execute = async () => {
      throw new Problem('target_unreachable');
    };
    await start(asked({ fresh: 'true' }), new Deadline(1000), recordAs).result.catch(() => {});
    expect(records[1]).toMatchObject({ ...recordAs, outcome: 'error', status: 502, code: 'target_unreachable' });
    const left = start(asked({ width: '99' }), new Deadline(1000), recordAs);
    left.cancel();
    await left.result.catch(() => {});
    expect(records).toHaveLength(2);
  });

  it('behind a stale result is one record in the usage of the account', async () => {
    const { start } = opened();
    const request = { ...asked({ stale: 'true' }), maxAgeMs: 1 };
    await start(request, new Deadline(1000)).result;
    await sleep(5);
    expect(await start(request, new Deadline(1000)).result).toMatchObject({ cache: 'HIT', stale: 'expired' });
    await expect.poll(() => records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      accountId: 'a1',
      keyId: 'playground',
      endpoint: 'screenshot',
      status: 200,
      outcome: 'render',
      cacheKey: request.key,
      parameters: '{"url":"https://example.com/"}',
    });
  });

  it('that fails behind a stale result is recorded as an error', async () => {
    const { start } = opened();
    const request = { ...asked({ stale: 'true' }), maxAgeMs: 1 };
    await start(request, new Deadline(1000)).result;
    await sleep(5);
    execute = async () => {
      throw new Problem('target_unreachable');
    };
    await start(request, new Deadline(1000)).result;
    await expect.poll(() => records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: 502, outcome: 'error', code: 'target_unreachable', renderMs: null });
    expect(records[0]?.warnings).toContain('stale');
  });

  it('behind a stale result leaves a quarter of the rate to requests that somebody waits for', async () => {
    const limits = createMemoryLimits();
    const rate = plans.free.rendersPerMinute;
    const { start } = opened({ limits });
    const request = { ...asked({ stale: 'true' }), maxAgeMs: 1 };
    await start(request, new Deadline(1000)).result;
    for (let taken = 1; taken < (rate * 3) / 4; taken++) await limits.take('a1', rate);
    await sleep(5);
    expect(await start(request, new Deadline(1000)).result).toMatchObject({ stale: 'expired' });
    await sleep(50);
    expect(executions).toBe(1);
    expect((await limits.peek('a1', rate)).remaining).toBe(rate / 4);
  });
});

describe('the rate and the monthly allowance', () => {
  const rate = plans.free.rendersPerMinute;
  const state = { limit: 5, used: 5, remaining: 0, reset: 2_000_000_000, month: 7 };

  it.each([
    ['that the month has none left for', async () => ({ ...state, ok: false }), 'quota_exceeded'],
    ['whose month cannot be read', () => Promise.reject(new Problem('storage_unavailable')), 'storage_unavailable'],
  ])('a render %s takes nothing from the rate', async (_what, take, code) => {
    const limits = createMemoryLimits();
    const { start } = opened({ limits, quota: { ...noQuota, take } });
    await expect(start(asked(), new Deadline(1000)).result).rejects.toMatchObject({ code });
    expect(executions).toBe(0);
    expect((await limits.peek('a1', rate)).remaining).toBe(rate);
  });

  it.each([
    ['is given back for a fault of the service', 'renderer_unavailable', true],
    ['is taken for a fault of the page', 'target_unreachable', false],
  ] as const)('%s, in the minute and in the month', async (_what, code, free) => {
    const limits = createMemoryLimits();
    const given: unknown[] = [];
    const quota: Quota = {
      ...noQuota,
      take: async () => ({ ...state, ok: true }),
      giveBack: async (accountId, { month }) => void given.push([accountId, month]),
    };
    execute = async (_job, _applicant, _work, _id, onStart) => {
      onStart();
      throw new Problem(code);
    };
    const { start } = opened({ limits, quota });
    await expect(start(asked(), new Deadline(1000)).result).rejects.toMatchObject({ code });
    expect(given).toEqual(free ? [['a1', 7]] : []);
    expect((await limits.peek('a1', rate)).remaining).toBe(free ? rate : rate - 1);
  });
});
