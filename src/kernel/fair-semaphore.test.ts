import { afterAll, expect, it } from 'vitest';
import { Deadline } from './deadline.ts';
import { createFairSemaphore } from './fair-semaphore.ts';

const deadline = new Deadline(60_000);
afterAll(() => deadline.done());

it('an account that comes later waits for one end only, however many another account has waiting', async () => {
  const semaphore = createFairSemaphore(2);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const enter = async (accountId: string) => {
    ends.push(await semaphore.acquire(accountId, deadline));
    order.push(accountId);
  };
  for (const accountId of ['a', 'a', 'a', 'a', 'a', 'b', 'b']) void enter(accountId);
  await expect.poll(() => order.join('')).toBe('aa');
  for (const expected of ['aab', 'aaba', 'aabab', 'aababa', 'aababaa']) {
    ends.shift()?.();
    await expect.poll(() => order.join('')).toBe(expected);
  }
});

it('a caller whose time is over leaves its turn to the next', async () => {
  const semaphore = createFairSemaphore(1);
  const release = await semaphore.acquire('a', deadline);
  const short = new Deadline(20);
  await expect(semaphore.acquire('b', short)).rejects.toThrow();
  short.done();
  const next = semaphore.acquire('c', deadline);
  release();
  release();
  (await next)();
  (await semaphore.acquire('d', deadline))();
});

it('when too many wait, the newest of the account with the most is refused, and every turn is given back', async () => {
  const semaphore = createFairSemaphore(1, 3);
  const full = { code: 'overloaded' };
  const enter = (accountId: string) => semaphore.acquire(accountId, deadline);
  const release = await enter('a');
  const [first, second, third] = [enter('a'), enter('a'), enter('a')];
  await expect(enter('a')).rejects.toMatchObject(full);
  const other = enter('b');
  await expect(third).rejects.toMatchObject(full);
  const another = enter('b');
  await expect(another).rejects.toMatchObject(full);
  release();
  (await other)();
  (await first)();
  (await second)();
  (await enter('c'))();
});
