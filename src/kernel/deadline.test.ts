import { describe, expect, it } from 'vitest';
import { Cancelled, Deadline, sleep } from './deadline.ts';

describe('a deadline', () => {
  it('rejects with a 504 that names the time and the step it ran out in', async () => {
    const deadline = new Deadline(30);
    deadline.step('load');
    await expect(deadline.race(new Promise(() => {}))).rejects.toMatchObject({
      code: 'render_timeout',
      status: 504,
      message: expect.stringMatching(/30 ms.*"load"/),
    });
    expect(deadline.remaining()).toBe(0);
  });

  it('gives the promise back when it comes first', async () => {
    const deadline = new Deadline(1000);
    await expect(deadline.race(Promise.resolve(7))).resolves.toBe(7);
    await expect(deadline.race(Promise.reject(new Error('own')))).rejects.toThrow('own');
    deadline.done();
  });

  it('can be extended by a more patient waiter, never shortened', async () => {
    const deadline = new Deadline(30);
    deadline.extendTo(performance.now() + 200);
    deadline.extendTo(performance.now() + 10);
    await sleep(80);
    expect(deadline.signal.aborted).toBe(false);
    deadline.done();
  });

  it('stops everything when it is cancelled', async () => {
    const deadline = new Deadline(1000);
    const waiting = deadline.race(new Promise(() => {}));
    deadline.cancel();
    await expect(waiting).rejects.toBeInstanceOf(Cancelled);
    await expect(deadline.pause(5)).rejects.toBeInstanceOf(Cancelled);
  });

  it('waits within a part of itself without failing', async () => {
    const deadline = new Deadline(1000);
    expect(await deadline.within(20, new Promise(() => {}))).toBe(false);
    expect(await deadline.within(500, sleep(5))).toBe(true);
    deadline.done();
  });

  it('knows how long each step took, and adds up a step entered twice', async () => {
    const deadline = new Deadline(1000);
    deadline.step('a');
    await sleep(20);
    deadline.step('b');
    deadline.step('a');
    await sleep(20);
    const phases = deadline.phases();
    expect(Object.keys(phases)).toEqual(['start', 'a', 'b']);
    expect(phases.a).toBeGreaterThan(30);
    deadline.done();
  });

  it('counts steps taken on another machine as theirs, and names them when the time runs out', async () => {
    const deadline = new Deadline(150);
    deadline.step('queue');
    await sleep(60);
    const before = performance.now();
    const { queue: waited = 0 } = deadline.phases();
    deadline.include({ load: 40 });
    const { queue, load } = deadline.phases();
    expect(load).toBe(40);
    // The 40 ms are no longer the queue's, which has gone on meanwhile.
    expect(queue).toBeLessThanOrEqual(waited - 40 + (performance.now() - before));
    deadline.elsewhere('settle');
    await expect(deadline.pause(500)).rejects.toMatchObject({ message: expect.stringContaining('"settle"') });
  });

  it('tells who carries it elsewhere that it moved', () => {
    const deadline = new Deadline(1000);
    let moved = 0;
    deadline.onExtend = () => moved++;
    deadline.extendTo(performance.now() + 10);
    deadline.extendTo(performance.now() + 5000);
    expect(moved).toBe(1);
    deadline.done();
  });
});
