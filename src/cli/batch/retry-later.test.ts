import { expect, it } from 'vitest';
import { Problem } from '../../kernel/errors.ts';
import { retryLater } from './retry-later.ts';

const { signal } = new AbortController();
const failing = (times: number, problem: Problem) => {
  let left = times;
  return async () => {
    if (left-- > 0) throw problem;
    return 'done';
  };
};

it('waits as long as the server asks, a minute at most, and tries again', async () => {
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const limited = new Problem('rate_limited', { retryAfter: 7 });
  expect(await retryLater(failing(2, limited), signal, pause)).toBe('done');
  expect(await retryLater(failing(1, new Problem('overloaded', { retryAfter: 900 })), signal, pause)).toBe('done');
  expect(pauses).toEqual([7000, 7000, 60_000]);
  await expect(retryLater(failing(20, limited), signal, pause)).rejects.toBe(limited);
});

it('gives other errors on, and stops waiting when the run is stopped', async () => {
  const other = new Problem('target_unreachable');
  await expect(retryLater(failing(1, other), signal)).rejects.toBe(other);
  const stopping = new AbortController();
  const waiting = retryLater(failing(1, new Problem('rate_limited', { retryAfter: 50 })), stopping.signal);
  // Once it waits.
  await new Promise((resolve) => setImmediate(resolve));
  stopping.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});
