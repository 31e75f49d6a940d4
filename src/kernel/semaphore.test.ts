import { describe, expect, it } from 'vitest';
import { Deadline } from './deadline.ts';
import { createSemaphore } from './semaphore.ts';

describe('a semaphore', () => {
  it('gives its permits in the order of the callers', async () => {
    const semaphore = createSemaphore(1);
    const order: number[] = [];
    const use = async (id: number) => {
      const release = await semaphore.acquire();
      order.push(id);
      return release;
    };
    const [first, second, third] = [use(1), use(2), use(3)];
    (await first)();
    expect(semaphore.waiting).toBe(1);
    (await second)();
    (await third)();
    expect([order, semaphore.waiting]).toEqual([[1, 2, 3], 0]);
  });

  it('counts a permit that is released twice once', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    release();
    release();
    await semaphore.acquire();
    await expect(semaphore.acquire(new Deadline(10))).rejects.toMatchObject({ code: 'render_timeout' });
  });

  it('loses no permit to a caller whose deadline ends', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    const deadline = new Deadline(10_000);
    const late = semaphore.acquire(deadline);
    // The permit and the end come in the same moment.
    release();
    deadline.cancel(new Error('gone'));
    await late.then(
      (releaseLate) => releaseLate(),
      () => {},
    );
    await expect(semaphore.acquire(new Deadline(10))).resolves.toBeTypeOf('function');
  });

  it('rejects everyone who waits when it is closed, and keeps its count', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    const waiting = semaphore.acquire();
    semaphore.close(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    release();
    await semaphore.acquire();
    await expect(semaphore.acquire(new Deadline(10))).rejects.toMatchObject({ code: 'render_timeout' });
  });
});
