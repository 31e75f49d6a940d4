import { describe, expect, it } from 'vitest';
import { Deadline, sleep } from '../kernel/deadline.ts';
import { createResizeSlots } from './resize-slots.ts';

const minute = () => new Deadline(60_000);

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { began: false };
  return {
    state,
    end: resolve,
    run: () => {
      state.began = true;
      return promise;
    },
  };
}

describe('the slots for resizing', () => {
  it('are one for an account and two in all', async () => {
    const inSlot = createResizeSlots(2);
    const [first, second, other, third] = [work(), work(), work(), work()];
    const all = [
      inSlot('a', minute(), first.run),
      inSlot('a', minute(), second.run),
      inSlot('b', minute(), other.run),
      inSlot('c', minute(), third.run),
    ];
    await sleep(5);
    expect([first, second, other, third].map(({ state }) => state.began)).toEqual([true, false, true, false]);
    for (const each of [first, second, other, third]) each.end();
    await Promise.all(all);
    expect([second, third].map(({ state }) => state.began)).toEqual([true, true]);
  });

  it('stay taken until the work has ended, even if nobody waits for it', async () => {
    const inSlot = createResizeSlots(2);
    const [abandoned, next] = [work(), work()];
    const deadline = minute();
    const leaving = inSlot('a', deadline, abandoned.run);
    await expect.poll(() => abandoned.state.began).toBe(true);
    deadline.cancel();
    await expect(leaving).rejects.toThrow();
    const waiting = inSlot('a', minute(), next.run);
    await sleep(5);
    expect(next.state.began).toBe(false);
    abandoned.end();
    await expect.poll(() => next.state.began).toBe(true);
    next.end();
    await waiting;
  });

  it('are free again after work that failed, and after a caller that gave up waiting', async () => {
    const inSlot = createResizeSlots(2);
    await expect(inSlot('a', minute(), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const held = work();
    const holding = inSlot('a', minute(), held.run);
    await expect(inSlot('a', new Deadline(10), work().run)).rejects.toMatchObject({ code: 'render_timeout' });
    held.end();
    await holding;
    expect(await inSlot('a', minute(), async () => 'done')).toBe('done');
  });

  it('have a bounded queue for each account', async () => {
    const inSlot = createResizeSlots(2);
    const held = work();
    const waiting = Array.from({ length: 101 }, () => inSlot('a', minute(), held.run));
    await sleep(5);
    await expect(inSlot('a', minute(), held.run)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
    expect(await inSlot('b', minute(), async () => 'done')).toBe('done');
    held.end();
    await Promise.all(waiting);
  });
});
