import { describe, expect, it } from 'vitest';
import { Problem } from '../kernel/errors.ts';
import { verdictOf } from '../kernel/verdict.ts';
import type { Result } from './result.ts';
import { usageRecord } from './usage-record.ts';

const key = { id: 'key1', allowedHosts: null, allowedTemplates: null };
const requester = { account: { id: 'a1', plan: 'free' }, key, signed: false } as const;
const request = { id: 'r1', requester, endpoint: 'screenshot', parameters: '{"url":"x"}', totalMs: 12.6 } as const;

const result: Result = {
  key: 'k',
  hash: 'h',
  type: 'image/png',
  bytes: Buffer.alloc(1),
  meta: { width: 1, height: 1, renderTime: 7, warnings: ['The page is blank.'], verdict: verdictOf(['blank']) },
  cache: 'MISS',
  createdAt: 1,
  cachedAt: null,
  stored: true,
  freshForMs: 1,
  expiresAt: 2,
  phases: {},
};

describe('the usage record of a request', () => {
  it('that was rendered', () => {
    expect(usageRecord({ ...request, outcome: result, phases: { load: 3.149 }, warnings: ['a: unknown'] })).toEqual({
      id: 'r1',
      accountId: 'a1',
      keyId: 'key1',
      isPublic: false,
      at: expect.any(Number),
      endpoint: 'screenshot',
      status: 200,
      outcome: 'render',
      code: null,
      renderMs: 7,
      totalMs: 13,
      parameters: '{"url":"x"}',
      phases: '{"load":3.1}',
      warnings: '["a: unknown","The page is blank."]',
      cacheKey: 'k',
      verdict: 'blank',
    });
  });

  it('that was a hit, also if the client had it already', () => {
    const outcome: Result = { ...result, cache: 'HIT' };
    expect(usageRecord({ ...request, outcome })).toMatchObject({ status: 200, outcome: 'hit' });
    expect(usageRecord({ ...request, outcome, status: 304 })).toMatchObject({ status: 304, outcome: 'hit' });
  });

  it('that failed', () => {
    const outcome = new Problem('render_timeout');
    expect(usageRecord({ ...request, outcome })).toMatchObject({
      status: 504,
      outcome: 'error',
      code: 'render_timeout',
      renderMs: null,
      cacheKey: null,
      verdict: null,
      warnings: '[]',
    });
  });

  it('whose client left, with and without an outcome', () => {
    const gone = { status: 499, outcome: 'error' };
    expect(usageRecord({ ...request, outcome: undefined, status: 499 })).toMatchObject({ ...gone, code: null });
    expect(usageRecord({ ...request, outcome: result, status: 499 })).toMatchObject({ ...gone, renderMs: 7 });
  });

  it('of a result that could not be stored has no cache key', () => {
    expect(usageRecord({ ...request, outcome: { ...result, stored: false } }).cacheKey).toBeNull();
  });

  it('without a key is that of the playground', () => {
    const { key: _, ...person } = requester;
    expect(usageRecord({ ...request, requester: person, outcome: result }).keyId).toBe('playground');
  });
});
