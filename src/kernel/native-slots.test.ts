import { describe, expect, it } from 'vitest';
import { Deadline, sleep } from './deadline.ts';
import { createNativeSlots } from './native-slots.ts';

/** Work that ends when it is told to. */
function job<T>(value: T) {
  let end = () => {};
  let began = false;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    began = true;
    await done;
    return value;
  };
  return { work, end, began: () => began };
}

describe('slots', () => {
  it('let no more work run at once than there are of them, first come first served', async () => {
    const inSlot = createNativeSlots(2);
    const jobs = [job(1), job(2), job(3), job(4)];
    const deadline = new Deadline(5000);
    const results = jobs.map(({ work }) => inSlot(deadline, work));
    await sleep(5);
    expect(jobs.map(({ began }) => began())).toEqual([true, true, false, false]);
    jobs[1]?.end();
    await results[1];
    await sleep(5);
    expect(jobs.map(({ began }) => began())).toEqual([true, true, true, false]);
    for (const { end } of jobs) end();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
    deadline.done();
  });

  it('answer 504 at the deadline, and stay taken until the work has ended', async () => {
    const inSlot = createNativeSlots(1);
    const stuck = job('late');
    await expect(inSlot(new Deadline(20), stuck.work)).rejects.toMatchObject({ status: 504, code: 'render_timeout' });
    const next = job('next');
    const deadline = new Deadline(5000);
    const result = inSlot(deadline, next.work);
    await sleep(20);
    expect(next.began()).toBe(false);
    stuck.end();
    next.end();
    expect(await result).toBe('next');
    deadline.done();
  });

  it('are not waited for past the deadline, and the place in the queue is freed', async () => {
    const inSlot = createNativeSlots(1);
    const first = job('first');
    const deadline = new Deadline(5000);
    const running = inSlot(deadline, first.work);
    const impatient = job('impatient');
    await expect(inSlot(new Deadline(20), impatient.work)).rejects.toMatchObject({ status: 504 });
    const last = job('last');
    const waiting = inSlot(deadline, last.work);
    first.end();
    last.end();
    expect(await Promise.all([running, waiting])).toEqual(['first', 'last']);
    expect(impatient.began()).toBe(false);
    deadline.done();
  });

  it('are free again after work that fails', async () => {
    const inSlot = createNativeSlots(1);
    const deadline = new Deadline(5000);
    await expect(inSlot(deadline, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await inSlot(deadline, async () => 'well')).toBe('well');
    deadline.done();
  });
});
