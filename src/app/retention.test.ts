import { afterEach, expect, it, vi } from 'vitest';
import { createLog } from '../kernel/log.ts';
import { startRetention } from './retention.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

afterEach(() => {
  vi.useRealTimers();
});

/** A store that notes the ages, in days, of what it is told to remove. */
function createStore(broken?: string) {
  const removed: [string, ...number[]][] = [];
  const table = (name: string) => ({
    async prune(...times: number[]) {
      removed.push([name, ...times.map((time) => (Date.now() - time) / day)]);
      if (name === broken) throw new Error('The database is unavailable.');
    },
  });
  const names = ['signIn', 'invitations', 'audit', 'quota', 'usage', 'jobs', 'webhooks'];
  return { removed, store: Object.fromEntries(names.map((name) => [name, table(name)])) as never };
}

it('removes old rows of each kind every hour, and those of jobs soon after the start, until it is stopped', async () => {
  vi.useFakeTimers();
  const { store, removed } = createStore();
  const retention = startRetention(store, createLog('silent'));
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(removed.splice(0)).toEqual([['jobs', 7, 0]]);
  await vi.advanceTimersByTimeAsync(58 * minute);
  expect(removed.splice(0)).toEqual([
    ['signIn', 0, 1, 180],
    ['invitations', 0],
    ['audit', 365],
    ['quota', 62],
    ['usage', 90],
    ['jobs', 7, 0],
    ['webhooks', 7],
  ]);
  await vi.advanceTimersByTimeAsync(60 * minute);
  expect(removed.splice(0)).toHaveLength(7);
  retention.stop();
  await vi.advanceTimersByTimeAsync(120 * minute);
  expect(removed).toEqual([]);
});

it('goes on with the other kinds if one cannot be removed', async () => {
  vi.useFakeTimers();
  const { store, removed } = createStore('audit');
  const retention = startRetention(store, createLog('silent'));
  await vi.advanceTimersByTimeAsync(60 * minute);
  expect(removed.map(([name]) => name)).toContain('webhooks');
  retention.stop();
});
