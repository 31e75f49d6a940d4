import { describe, expect, it } from 'vitest';
import { Deadline, sleep } from '../kernel/deadline.ts';
import { createFlights } from './flights.ts';

describe('identical requests', () => {
  it('are one piece of work', async () => {
    const flights = createFlights<number>();
    let runs = 0;
    const run = async () => {
      runs++;
      await sleep(20);
      return runs;
    };
    const all = await Promise.all(Array.from({ length: 50 }, () => flights.join('k', new Deadline(1000), run)));
    expect([runs, new Set(all).size, flights.size]).toEqual([1, 1, 0]);
  });

  it('keep each waiter to its own deadline, and the work to the longest', async () => {
    const flights = createFlights<string>();
    const run = async (work: Deadline) => {
      work.step('load');
      await work.pause(120);
      return 'made';
    };
    const hasty = flights.join('k', new Deadline(30), run);
    const patient = flights.join('k', new Deadline(1000), run);
    await expect(hasty).rejects.toMatchObject({ status: 504, message: expect.stringContaining('"load"') });
    await expect(patient).resolves.toBe('made');
  });

  it('tell a waiter its own time, whichever timer comes first', async () => {
    const flights = createFlights<never>();
    for (let round = 0; round < 20; round++) {
      const waiter = new Deadline(40);
      await sleep(10);
      const join = flights.join('k', waiter, (work) => work.race(new Promise<never>(() => {})));
      await expect(join).rejects.toMatchObject({ message: expect.stringContaining('within 40 ms') });
    }
  });

  it('stop the work when the last waiter has gone', async () => {
    const flights = createFlights<string>();
    let stopped = false;
    const waiter = new Deadline(1000);
    const waiting = flights.join('k', waiter, async (work) => {
      await work.pause(500).catch((error) => {
        stopped = true;
        throw error;
      });
      return 'made';
    });
    await sleep(10);
    waiter.cancel();
    await expect(waiting).rejects.toThrow();
    await sleep(10);
    expect([stopped, flights.size]).toEqual([true, 0]);
  });

  it('fail together, and the next one tries anew', async () => {
    const flights = createFlights<string>();
    const fail = () => sleep(10).then(() => Promise.reject(new Error('no')));
    const both = [flights.join('k', new Deadline(1000), fail), flights.join('k', new Deadline(1000), fail)];
    for (const each of both) await expect(each).rejects.toThrow('no');
    await expect(flights.join('k', new Deadline(1000), async () => 'yes')).resolves.toBe('yes');
  });
});
