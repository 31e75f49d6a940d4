import { describe, expect, it } from 'vitest';
import { Deadline, sleep } from '../kernel/deadline.ts';
import type { PlanName } from '../kernel/plans.ts';
import { type Admission, createAdmission } from './admission.ts';

const long = () => new Deadline(5000);
const from = (accountId: string, plan: PlanName = 'free', atOnce = 10, weight = 1) => ({
  accountId,
  plan,
  atOnce,
  weight,
});

/** Asks, and writes the account down when its turn comes; the turn ends at once. */
const ask = (admission: ReturnType<typeof createAdmission>, order: string[], applicant: ReturnType<typeof from>) =>
  admission.enter(applicant, long()).then(({ leave }) => {
    order.push(applicant.accountId);
    leave();
  });

describe('admission', () => {
  it('lets in as many as there are slots, then one for each that leaves', async () => {
    const admission = createAdmission({ slots: 2, queueMax: 10 });
    const first = await admission.enter(from('a'), long());
    expect(first.account).toBe('a');
    await admission.enter(from('a'), long());
    let third = false;
    const waiting = admission.enter(from('a'), long()).then(() => {
      third = true;
    });
    await sleep(5);
    expect([third, admission.waiting, admission.running]).toEqual([false, 1, 2]);
    first.leave();
    first.leave(); // a second call must not free a second slot
    await waiting;
    expect([admission.waiting, admission.running]).toEqual([0, 2]);
  });

  it('gives a quiet account its turn amid the flood of another', async () => {
    const admission = createAdmission({ slots: 1, queueMax: 100 });
    const { leave } = await admission.enter(from('flood'), long());
    const order: string[] = [];
    const all = Array.from({ length: 20 }, () => ask(admission, order, from('flood')));
    all.push(ask(admission, order, from('quiet')));
    leave();
    await Promise.all(all);
    expect(order.indexOf('quiet')).toBeLessThan(3);
  });

  it('serves a higher plan more often than a lower one', async () => {
    const admission = createAdmission({ slots: 1, queueMax: 100 });
    const { leave } = await admission.enter(from('x'), long());
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
    const admission = createAdmission({ slots: 4, queueMax: 100 });
    const { leave } = await admission.enter(from('a', 'free', 1), long());
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
    const admission = createAdmission({ slots: 1, queueMax: 1 });
    await admission.enter(from('a'), long());
    admission.enter(from('a'), long()).catch(() => {});
    expect(() => admission.throwIfFull(from('a'))).toThrow(/Too many/);
    await expect(admission.enter(from('a'), long())).rejects.toMatchObject({
      code: 'overloaded',
      status: 503,
      retryAfter: 2,
    });
    expect(admission.waiting).toBe(1);
  });

  it('drops the newest of the account with the most waiting, not a newcomer', async () => {
    const admission = createAdmission({ slots: 1, queueMax: 3 });
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
    const admission = createAdmission({ slots: 1, queueMax: 10 });
    const { leave } = await admission.enter(from('a'), long());
    await expect(admission.enter(from('b'), new Deadline(20))).rejects.toMatchObject({ code: 'render_timeout' });
    expect(admission.waiting).toBe(0);
    leave();
    const again = await admission.enter(from('c'), long());
    expect(admission.running).toBe(1);
    again.leave();
    expect(admission.running).toBe(0);
  });

  it('lets a giant canvas take several slots, and waits for them together', async () => {
    const admission = createAdmission({ slots: 3, queueMax: 10 });
    const small = await admission.enter(from('a'), long());
    let giant = false;
    const waiting = admission.enter(from('b', 'free', 10, 3), long()).then(() => {
      giant = true;
    });
    await sleep(5);
    expect(giant).toBe(false);
    small.leave();
    await waiting;
    expect(admission.working).toBe(3);
  });

  it('counts a heavy render by its weight towards what its account may do at once', async () => {
    const admission = createAdmission({ slots: 10, queueMax: 10 });
    const heavy = await admission.enter(from('a', 'free', 4, 3), long());
    await admission.enter(from('a', 'free', 4, 1), long());
    const more = started(admission, from('a', 'free', 4, 1));
    await sleep(5);
    expect(more.now).toBe(false);
    heavy.leave();
    await more.turn;
    // Alone, a render that is heavier than that starts all the same.
    await admission.enter(from('b', 'free', 2, 5), long());
  });

  it('lets a heavy render have its turn while light ones of others keep coming', async () => {
    const admission = createAdmission({ slots: 4, queueMax: 100 });
    const first = await admission.enter(from('x'), long());
    const heavy = started(admission, from('heavy', 'free', 10, 4));
    let served = 0;
    let last = first;
    // One light render at a time, of an account that is new each time.
    while (!heavy.now && served < 50) {
      const light = admission.enter(from(`light-${served}`), long());
      last.leave();
      last = await Promise.race([light, heavy.turn]);
      served++;
    }
    expect(heavy.now).toBe(true);
    expect(served).toBeLessThan(10);
  });
});

/** Asks, and says whether the turn has come. */
const started = (admission: Admission, applicant: ReturnType<typeof from>) => {
  const asked = { now: false, turn: admission.enter(applicant, long()) };
  asked.turn.then(
    () => {
      asked.now = true;
    },
    () => {},
  );
  return asked;
};

describe('renders that only wait', () => {
  it('give their slot to another, and keep their place', async () => {
    const admission = createAdmission({ slots: 1, places: 2, queueMax: 10 });
    const first = await admission.enter(from('a', 'business'), long());
    const second = started(admission, from('b', 'business'));
    const third = started(admission, from('c', 'business'));
    await sleep(5);
    expect(second.now).toBe(false);
    first.pause();
    const { pause } = await second.turn;
    expect([admission.running, admission.working]).toEqual([2, 1]);
    // There is a slot now, and no place.
    pause();
    await sleep(5);
    expect([third.now, admission.working]).toEqual([false, 0]);
    first.leave();
    await third.turn;
  });

  it('get their slot back before anybody who has not begun, and not before one is free', async () => {
    const admission = createAdmission({ slots: 1, places: 3, queueMax: 10 });
    const order: string[] = [];
    const first = await admission.enter(from('a', 'business'), long());
    first.pause();
    const second = await admission.enter(from('b', 'business'), long());
    const newcomer = admission.enter(from('c', 'business'), long()).then((turn) => {
      order.push('newcomer');
      return turn;
    });
    const back = first.resume().then(() => order.push('back'));
    await sleep(5);
    expect([order, admission.working]).toEqual([[], 1]);
    second.leave();
    await back;
    expect(order).toEqual(['back']);
    first.leave();
    await newcomer;
    expect(order).toEqual(['back', 'newcomer']);
  });

  it('hold nobody up when they end while they wait for a slot', async () => {
    const admission = createAdmission({ slots: 1, places: 3, queueMax: 10 });
    const first = await admission.enter(from('a', 'business'), long());
    first.pause();
    const second = await admission.enter(from('b', 'business'), long());
    const back = first.resume();
    first.leave();
    await back;
    const third = started(admission, from('c', 'business'));
    second.leave();
    await third.turn;
    expect([admission.running, admission.working]).toEqual([1, 1]);
  });

  it('lose their slot when they have held it for long, and go on without', async () => {
    const admission = createAdmission({ slots: 1, places: 4, queueMax: 10, slotMs: 20 });
    const greedy = await admission.enter(from('a'), long());
    // It never pauses, and others begin all the same.
    const second = await admission.enter(from('b'), long());
    second.pause();
    await greedy.resume();
    expect(admission.working).toBe(0);
    second.leave();
    greedy.leave();
    expect([admission.running, admission.working]).toEqual([0, 0]);
  });

  it('of an account with several slots lose one to an account with none, and go on without', async () => {
    const admission = createAdmission({ slots: 2, places: 8, queueMax: 10 });
    const crowd = await Promise.all([admission.enter(from('crowd'), long()), admission.enter(from('crowd'), long())]);
    const more = started(admission, from('crowd'));
    const single = await admission.enter(from('single'), long());
    expect([admission.running, admission.working, more.now]).toEqual([3, 2, false]);
    // Each has one now, so a third account waits.
    const third = started(admission, from('third'));
    await sleep(250);
    expect(third.now).toBe(false);
    single.leave();
    await third.turn;
    for (const { leave } of crowd) leave();
    await more.turn;
  });

  it('get their slot back before the other renders of an account that has some', async () => {
    const admission = createAdmission({ slots: 2, places: 8, queueMax: 10 });
    const quiet = await admission.enter(from('quiet'), long());
    quiet.pause();
    const crowd = await Promise.all(Array.from({ length: 2 }, () => admission.enter(from('crowd'), long())));
    await quiet.resume();
    expect(admission.working).toBe(2);
    for (const { leave } of [quiet, ...crowd]) leave();
    expect([admission.running, admission.working]).toEqual([0, 0]);
  });

  it('cannot hold a slot for longer by giving it back in between', async () => {
    const admission = createAdmission({ slots: 1, places: 4, queueMax: 10, slotMs: 50 });
    const dripping = await admission.enter(from('a'), long());
    const other = started(admission, from('b'));
    for (let i = 0; i < 100 && !other.now; i++) {
      await sleep(5);
      dripping.pause();
      void dripping.resume();
    }
    expect(other.now).toBe(true);
  });

  it('of lower plans never take all places, however many accounts they come from', async () => {
    const admission = createAdmission({ slots: 2, places: 8, queueMax: 100 });
    for (let i = 0; i < 4; i++) (await admission.enter(from(`free-${i}`), long())).pause();
    const oneMore = started(admission, from('free-more'));
    (await admission.enter(from('starter', 'starter'), long())).pause();
    (await admission.enter(from('pro', 'pro'), long())).pause();
    for (let i = 0; i < 2; i++) (await admission.enter(from('business', 'business'), long())).pause();
    expect([oneMore.now, admission.running]).toEqual([false, 8]);
  });

  it('of one account leave a quarter of the places, whatever its plan', async () => {
    const admission = createAdmission({ slots: 2, places: 8, queueMax: 100 });
    for (let i = 0; i < 6; i++) (await admission.enter(from('crowd', 'business'), long())).pause();
    const oneMore = started(admission, from('crowd', 'business'));
    (await admission.enter(from('other', 'business'), long())).pause();
    expect([admission.running, oneMore.now]).toEqual([7, false]);
  });

  it('of a higher plan leave lower ones their part', async () => {
    const admission = createAdmission({ slots: 1, places: 8, queueMax: 100 });
    for (let i = 0; i < 6; i++) (await admission.enter(from('business', 'business'), long())).pause();
    await admission.enter(from('free'), long());
    expect(admission.running).toBe(7);
  });

  it('do not keep a giant out, which takes half the places at most', async () => {
    const admission = createAdmission({ slots: 2, places: 8, queueMax: 100 });
    for (let i = 0; i < 4; i++) (await admission.enter(from('a'), long())).pause();
    await admission.enter(from('b', 'business', 16, 16), long());
    expect(admission.running).toBe(8);
  });

  it('that find no place are overtaken by those that do', async () => {
    const admission = createAdmission({ slots: 2, places: 8, queueMax: 100 });
    for (let i = 0; i < 5; i++) (await admission.enter(from('a', 'business'), long())).pause();
    const giant = started(admission, from('b', 'business', 16, 16));
    await admission.enter(from('c', 'business'), long());
    expect(giant.now).toBe(false);
  });
});

describe('background renders', () => {
  const job = (accountId: string, weight = 1) => ({
    ...from(`${accountId}:jobs`, 'free', 10, weight),
    background: true,
  });
  const settled = async (promise: Promise<unknown>) =>
    Promise.race([promise.then(() => true), sleep(5).then(() => false)]);

  it('leave one slot free, and somebody who comes finds it at once', async () => {
    const admission = createAdmission({ slots: 3, queueMax: 10 });
    const jobs = Array.from({ length: 5 }, () => admission.enter(job('a'), long()));
    expect(await Promise.all(jobs.map(settled))).toEqual([true, true, false, false, false]);
    expect(admission.waiting).toBe(0);
    expect(await settled(admission.enter(from('a'), long()))).toBe(true);
  });

  it('run one at a time while somebody waits for a render', async () => {
    const admission = createAdmission({ slots: 4, queueMax: 10 });
    const waited = await admission.enter(from('a'), long());
    const jobs = Array.from({ length: 3 }, () => admission.enter(job('a'), long()));
    expect(await Promise.all(jobs.map(settled))).toEqual([true, false, false]);
    waited.leave();
    expect(await Promise.all(jobs.map(settled))).toEqual([true, true, true]);
  });

  it('start only while nobody else could start', async () => {
    const admission = createAdmission({ slots: 1, queueMax: 10 });
    const { leave } = await admission.enter(from('a'), long());
    const order: string[] = [];
    const all = [ask(admission, order, job('b')), ask(admission, order, from('a')), ask(admission, order, from('c'))];
    leave();
    await Promise.all(all);
    expect(order).toEqual(['a', 'c', 'b:jobs']);
  });

  it('start behind somebody who waits only for their own account', async () => {
    const admission = createAdmission({ slots: 3, queueMax: 10 });
    await admission.enter(from('a', 'free', 1), long());
    admission.enter(from('a', 'free', 1), long()).catch(() => {});
    expect(await settled(admission.enter(job('b'), long()))).toBe(true);
  });

  it('neither fill the queue nor are dropped from it', async () => {
    const admission = createAdmission({ slots: 1, queueMax: 1 });
    await admission.enter(from('a'), long());
    const jobs = Array.from({ length: 5 }, () => admission.enter(job('a'), long()));
    const refused = jobs.map((each) => each.catch(() => 'refused'));
    const waiting = admission.enter(from('b'), long());
    expect(await settled(waiting)).toBe(false);
    expect(await settled(Promise.race(refused))).toBe(false);
    await expect(admission.enter(from('b'), long())).rejects.toMatchObject({ code: 'overloaded' });
  });
});
