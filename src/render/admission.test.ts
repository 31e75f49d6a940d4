import { describe, expect, it } from 'vitest';
import { Deadline, sleep } from '../kernel/deadline.ts';
import type { PlanName } from '../kernel/plans.ts';
import { createAdmission } from './admission.ts';

const long = () => new Deadline(5000);
const from = (accountId: string, plan: PlanName = 'free', atOnce = 10, weight = 1) => ({
  accountId,
  plan,
  atOnce,
  weight,
});

/** Asks, and writes the account down when its turn comes; the turn ends at once. */
const ask = (admission: ReturnType<typeof createAdmission>, order: string[], applicant: ReturnType<typeof from>) =>
  admission.enter(applicant, long()).then((leave) => {
    order.push(applicant.accountId);
    leave();
  });

describe('admission', () => {
  it('lets in as many as there are slots, then one for each that leaves', async () => {
    const admission = createAdmission(2, 10);
    const first = await admission.enter(from('a'), long());
    await admission.enter(from('a'), long());
    let third = false;
    const waiting = admission.enter(from('a'), long()).then(() => {
      third = true;
    });
    await sleep(5);
    expect([third, admission.waiting, admission.running]).toEqual([false, 1, 2]);
    first();
    first(); // a second call must not free a second slot
    await waiting;
    expect([admission.waiting, admission.running]).toEqual([0, 2]);
  });

  it('gives a quiet account its turn amid the flood of another', async () => {
    const admission = createAdmission(1, 100);
    const leave = await admission.enter(from('flood'), long());
    const order: string[] = [];
    const all = Array.from({ length: 20 }, () => ask(admission, order, from('flood')));
    all.push(ask(admission, order, from('quiet')));
    leave();
    await Promise.all(all);
    expect(order.indexOf('quiet')).toBeLessThan(3);
  });

  it('serves a higher plan more often than a lower one', async () => {
    const admission = createAdmission(1, 100);
    const leave = await admission.enter(from('x'), long());
    const order: string[] = [];
    const all = Array.from({ length: 16 }, () => [
      ask(admission, order, from('free', 'free')),
      ask(admission, order, from('business', 'business')),
    ]).flat();
    leave();
    await Promise.all(all);
    const early = order.slice(0, 10);
    expect(early.filter((id) => id === 'business').length).toBeGreaterThan(
      early.filter((id) => id === 'free').length * 3,
    );
    expect(early).toContain('free');
  });

  it('makes an account wait at its own limit without holding up the others', async () => {
    const admission = createAdmission(4, 100);
    const leave = await admission.enter(from('a', 'free', 1), long());
    let second = false;
    const waiting = admission.enter(from('a', 'free', 1), long()).then((done) => {
      second = true;
      return done;
    });
    await admission.enter(from('b', 'free', 1), long());
    expect(second).toBe(false);
    leave();
    await waiting;
    expect(second).toBe(true);
  });

  it('refuses with 503 and Retry-After when the queue is full', async () => {
    const admission = createAdmission(1, 1);
    await admission.enter(from('a'), long());
    admission.enter(from('a'), long()).catch(() => {});
    expect(() => admission.throwIfFull('a')).toThrow(/Too many/);
    await expect(admission.enter(from('a'), long())).rejects.toMatchObject({
      code: 'overloaded',
      status: 503,
      retryAfter: 2,
    });
    expect(admission.waiting).toBe(1);
  });

  it('drops the newest of the account with the most waiting, not a newcomer', async () => {
    const admission = createAdmission(1, 3);
    await admission.enter(from('a'), long());
    const flood = Array.from({ length: 3 }, () => admission.enter(from('a'), long()));
    for (const each of flood) each.catch(() => {});
    let refused = false;
    admission.enter(from('b'), long()).catch(() => {
      refused = true;
    });
    await expect(flood[2]).rejects.toMatchObject({ code: 'overloaded' });
    expect([refused, admission.waiting]).toEqual([false, 3]);
  });

  it('forgets who gives up, and leaves no slot behind', async () => {
    const admission = createAdmission(1, 10);
    const leave = await admission.enter(from('a'), long());
    await expect(admission.enter(from('b'), new Deadline(20))).rejects.toMatchObject({ code: 'render_timeout' });
    expect(admission.waiting).toBe(0);
    leave();
    const again = await admission.enter(from('c'), long());
    expect(admission.running).toBe(1);
    again();
    expect(admission.running).toBe(0);
  });

  it('lets a giant canvas take several slots, and waits for them together', async () => {
    const admission = createAdmission(3, 10);
    const small = await admission.enter(from('a'), long());
    let giant = false;
    const waiting = admission.enter(from('b', 'free', 10, 3), long()).then(() => {
      giant = true;
    });
    await sleep(5);
    expect(giant).toBe(false);
    small();
    await waiting;
    expect(admission.running).toBe(3);
  });
});
