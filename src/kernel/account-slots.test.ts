import { describe, expect, it } from 'vitest';
import { createAccountSlots } from './account-slots.ts';
import { Deadline } from './deadline.ts';

/** Work that ends when it is told to. */
function createWork() {
  const ends: (() => void)[] = [];
  return {
    ends,
    run: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    },
  };
}

describe('the slots of an account', () => {
  it('run the work of one account, so many at once, and do not delay another', async () => {
    const inSlot = createAccountSlots(2);
    const [own, other] = [createWork(), createWork()];
    const all = [1, 2, 3].map(() => inSlot('a', undefined, own.run));
    all.push(inSlot('b', undefined, other.run));
    await expect.poll(() => [own.ends.length, other.ends.length]).toEqual([2, 1]);
    own.ends[0]?.();
    await expect.poll(() => own.ends.length).toBe(3);
    for (const end of [...own.ends, ...other.ends]) end();
    await Promise.all(all);
  });

  it('refuse more callers than may wait, until one has ended', async () => {
    const inSlot = createAccountSlots(1, { most: 2, message: 'Too many.' });
    const work = createWork();
    const all = [1, 2].map(() => inSlot('a', undefined, work.run));
    await expect(inSlot('a', undefined, work.run)).rejects.toMatchObject({ code: 'overloaded', message: 'Too many.' });
    for (const at of [0, 1]) {
      await expect.poll(() => work.ends.length).toBe(at + 1);
      work.ends[at]?.();
    }
    await Promise.all(all);
    expect(await inSlot('a', undefined, async () => 'done')).toBe('done');
  });

  it('are free again after work that failed, and after a caller whose deadline ended', async () => {
    const inSlot = createAccountSlots(1, { most: 2, message: 'Too many.' });
    await expect(inSlot('a', undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const work = createWork();
    const holding = inSlot('a', undefined, work.run);
    await expect(inSlot('a', new Deadline(10), work.run)).rejects.toMatchObject({ code: 'render_timeout' });
    work.ends[0]?.();
    await holding;
    expect(await inSlot('a', new Deadline(60_000), async () => 'done')).toBe('done');
  });
});
