import { describe, expect, it } from 'vitest';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { createRefreshes } from './refreshes.ts';

const refreshOf = (key: string, accountId = 'a', rendersAtOnce = 8) => ({ key, accountId, plan: { rendersAtOnce } });

function opened() {
  let idle = true;
  const started: string[] = [];
  const running: Deadline[] = [];
  const refreshes = createRefreshes(() => idle);
  return {
    refreshes,
    started,
    running,
    setIdle(value: boolean) {
      idle = value;
    },
    start(key: string, accountId?: string, atOnce?: number) {
      refreshes.start(refreshOf(key, accountId, atOnce), 30_000, (deadline) => {
        started.push(key);
        running.push(deadline);
        return deadline.race(new Promise(() => {}));
      });
    },
  };
}

describe('a render that nobody waits for', () => {
  it('does not begin while anything else wants the machine', async () => {
    const { start, started, setIdle, refreshes } = opened();
    setIdle(false);
    start('k');
    await sleep(500);
    expect(started).toEqual([]);
    setIdle(true);
    await expect.poll(() => started).toEqual(['k']);
    refreshes.stop();
  });

  it('is one for a key, two for an account, sixteen for all, and they begin one after the other', async () => {
    const { start, started, refreshes } = opened();
    for (let i = 0; i < 5; i++) start('same');
    for (let i = 0; i < 5; i++) start(`a${i}`);
    start('free', 'b', 2);
    start('free too', 'b', 2);
    for (let i = 0; i < 50; i++) start(`c${i}`, `c${i}`);
    expect(started.length).toBeLessThanOrEqual(1);
    await expect.poll(() => started.length, { timeout: 20_000 }).toBe(16);
    await sleep(400);
    expect([started.length, new Set(started).size]).toEqual([16, 16]);
    expect(started.filter((key) => /^(same|a\d)$/.test(key)).sort()).toEqual(['a0', 'same']);
    expect(started).not.toContain('free too');
    refreshes.stop();
  });

  it('makes room for the next when it has ended', async () => {
    const { start, started, running, refreshes } = opened();
    start('k');
    await expect.poll(() => started).toEqual(['k']);
    running[0]?.cancel();
    await sleep(10);
    start('k');
    await expect.poll(() => started).toEqual(['k', 'k']);
    refreshes.stop();
  });

  it('ends when the server stops, and none begins after that', async () => {
    const { start, started, running, refreshes } = opened();
    start('k');
    await expect.poll(() => started).toEqual(['k']);
    refreshes.stop();
    expect(running[0]?.signal.aborted).toBe(true);
    start('later');
    await sleep(300);
    expect(started).toEqual(['k']);
  });
});
