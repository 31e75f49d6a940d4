// Whose render begins next, in the whole cluster; see machines.ts.
import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/kernel/deadline.ts';
import { api, known, rendered, renderer, textOf } from './machines.ts';

describe('accounts', () => {
  it('have no more renders under way than their plan allows at once, across machines', async () => {
    const [one, two, r1, r2] = await Promise.all([api(), api(), renderer(4), renderer(4)]);
    const all = Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? one : two).ask(`job${i}`, { ms: 100, plan: 'free', atOnce: 2 }),
    );
    await Promise.all(all);
    expect(rendered).toHaveLength(12);
    expect(r1.most() + r2.most()).toBeLessThanOrEqual(4);
    expect(Math.max(r1.most(), r2.most())).toBeLessThanOrEqual(2);
  });

  it('are served by their share: a higher plan more often, a lower one all the same', async () => {
    const [one] = await Promise.all([api(), renderer(1)]);
    const all = [one.ask('first', { ms: 2000, account: 'x' })];
    await sleep(100);
    for (let i = 0; i < 16; i++) {
      all.push(one.ask(`free${i}`, { ms: 5, account: 'f', plan: 'free' }));
      all.push(one.ask(`business${i}`, { ms: 5, account: 'b', plan: 'business' }));
    }
    await Promise.all(all);
    const early = rendered.slice(1, 11);
    const free = early.filter((text) => text.startsWith('free')).length;
    expect(free).toBeGreaterThan(0);
    expect(early.length - free).toBeGreaterThan(free * 3);
  });

  it('get 503 with Retry-After when the queue is full, and a quiet one still gets in', async () => {
    const [one] = await Promise.all([api(4), renderer(1)]);
    await known(one);
    const flood = Array.from({ length: 9 }, (_, i) => one.ask(`flood${i}`, { ms: 300, account: 'flood', atOnce: 1 }));
    const refused = (await Promise.allSettled(flood.slice(5))).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const each of refused)
      expect((each as PromiseRejectedResult).reason).toMatchObject({ code: 'overloaded', status: 503, retryAfter: 2 });
    await expect(one.ask('quiet', { account: 'quiet' })).resolves.toBeDefined();
  });
});

it('renders keep their order however long the queue has been busy: nobody is behind the background', async () => {
  const [one] = await Promise.all([api(), renderer(1, 'r', 4)]);
  await known(one);
  const all = [one.ask('first', { ms: 1500 })];
  await expect.poll(() => rendered).toEqual(['first']);
  // As after a million renders.
  await one.cluster.run({ name: 'testBusy', lua: `redis.call('SET', P .. 'admission:pages:virtual', 8000000)` });
  all.push(one.ask('job', { account: 'a:jobs', background: true }));
  await sleep(200);
  all.push(one.ask('waited'));
  await Promise.all(all);
  expect(rendered).toEqual(['first', 'waited', 'job']);
});

it('renders keep their order when ten thousand accounts are busy', async () => {
  const [one] = await Promise.all([api(), renderer(1, 'r', 4)]);
  await known(one);
  const all = [one.ask('first', { ms: 1500 })];
  await expect.poll(() => rendered).toEqual(['first']);
  await one.cluster.run({ name: 'testBusy', lua: `redis.call('SET', P .. 'admission:pages:virtual', 5000)` });
  all.push(one.ask('queued', { account: 'b' }));
  await sleep(200);
  const accounts = {
    name: 'testAccounts',
    lua: `for each = 1, 10000 do redis.call('HSET', P .. 'admission:pages:passes', 'busy' .. each, 5000) end`,
  };
  await one.cluster.run(accounts);
  all.push(one.ask('later', { account: 'c' }));
  await Promise.all(all);
  expect(rendered).toEqual(['first', 'queued', 'later']);
});

describe('renders that only wait', () => {
  it('do not keep a node from taking others, and one that waits for nothing is done first', async () => {
    const [one] = await Promise.all([api(), renderer(1, 'r', 8)]);
    const hanging = Array.from({ length: 4 }, (_, i) => one.ask(`waits${i}`, { ms: 60_000, timeout: 60_000 }));
    await expect.poll(() => rendered.length).toBe(4);
    for (let i = 0; i < 5; i++) expect(textOf(await one.ask(`quick${i}`))).toBe(`picture of quick${i}`);
    for (const each of hanging) each.waiter.cancel();
    await Promise.allSettled(hanging);
  });

  it('make a node take no more than it can begin: what would wait here is begun elsewhere', async () => {
    const [one, a, b] = await Promise.all([api(), renderer(1, 'a', 8), renderer(1, 'b', 8)]);
    const hanging = [one.ask('waits1', { ms: 20_000 }), one.ask('waits2', { ms: 20_000 })];
    await expect.poll(() => rendered.length).toBe(2);
    // Two that work for long: one on each node, wherever the waiting ones are.
    const busy = [one.ask('busy1', { ms: 1500 }), one.ask('busy2', { ms: 1500 })];
    expect(new Set((await Promise.all(busy)).map(({ node }) => node))).toEqual(new Set(['a', 'b']));
    expect(a.most() + b.most()).toBe(4);
    for (const each of hanging) each.waiter.cancel();
    await Promise.allSettled(hanging);
  });

  it('of many small accounts leave places to a higher plan', async () => {
    const [one] = await Promise.all([api(), renderer(1, 'r', 4)]);
    await known(one);
    const small = Array.from({ length: 8 }, (_, i) =>
      one.ask(`waits${i}`, { ms: 60_000, timeout: 60_000, account: `small${i}`, plan: 'free', atOnce: 2 }),
    );
    await expect.poll(() => rendered.length).toBe(2);
    expect(textOf(await one.ask('paid', { account: 'b', plan: 'business' }))).toBe('picture of paid');
    // The next of them passes when one of them has ended.
    small.find((_, i) => rendered.includes(`waits${i}`))?.waiter.cancel();
    await expect.poll(() => rendered.filter((text) => text.startsWith('waits')).length).toBe(3);
    for (const each of small) each.waiter.cancel();
    await Promise.allSettled(small);
  });
});

it('an account with many renders does not keep the places from another one of its plan', async () => {
  const [one] = await Promise.all([api(), renderer(1, 'r', 4)]);
  await known(one);
  // Lower plans have two of the four places.
  const many = Array.from({ length: 8 }, (_, i) =>
    one.ask(`waits${i}`, { ms: 400, account: 'many', plan: 'free', atOnce: 2 }),
  );
  await expect.poll(() => rendered.length).toBe(2);
  const late = one.ask('late', { account: 'late', plan: 'free', atOnce: 2 });
  await Promise.all([...many, late]);
  expect(rendered.indexOf('late')).toBeLessThan(4);
});

it('a giant that finds no place does not keep its node from what does', async () => {
  const [one] = await Promise.all([api(), renderer(1, 'r', 4)]);
  await known(one);
  const hanging = Array.from({ length: 3 }, (_, i) => one.ask(`waits${i}`, { ms: 60_000, timeout: 60_000 }));
  await expect.poll(() => rendered.length).toBe(3);
  const giant = one.ask('giant', { account: 'b', weight: 16, timeout: 60_000 });
  await sleep(300);
  expect(textOf(await one.ask('small', { account: 'c' }))).toBe('picture of small');
  expect(rendered).not.toContain('giant');
  hanging[0]?.waiter.cancel();
  expect(textOf(await giant)).toBe('picture of giant');
  for (const each of hanging) each.waiter.cancel();
  await Promise.allSettled(hanging);
});

it('cards never wait for pages, at admission, in the queue or on the node', async () => {
  const [one] = await Promise.all([api(1), renderer(1)]);
  await known(one);
  const pages = Array.from({ length: 2 }, (_, i) => one.ask(`page${i}`, { ms: 20_000 }));
  await expect.poll(() => rendered).toEqual(['page0']);
  await expect(one.ask('refused for a full queue')).rejects.toMatchObject({ code: 'overloaded' });
  expect(textOf(await one.ask('card', { lane: 'cards' }))).toBe('picture of card');
  for (const each of pages) each.waiter.cancel();
  await Promise.allSettled(pages);
});

it('background renders leave a slot free, come after all others, and are all made in the end', async () => {
  const [one, two] = await Promise.all([api(), renderer(3)]);
  await expect.poll(() => one.cluster.stats.pages.slots).toBe(3);
  const jobs = Array.from({ length: 6 }, (_, at) =>
    one.ask(`job ${at}`, { ms: 1000, account: 'a:jobs', background: true }),
  );
  await expect.poll(() => rendered.length).toBe(2);
  await sleep(50);
  expect(two.most()).toBe(2);
  const waited = Array.from({ length: 4 }, (_, at) => one.ask(`waited ${at}`, { ms: 100 }));
  await Promise.all([...jobs, ...waited]);
  expect(two.most()).toBe(3);
  // Two jobs ran already, and two more may have been admitted to the queue: nobody who waits is behind the other two.
  const last = (name: string) => rendered.findLastIndex((text) => text.startsWith(name));
  expect(last('waited')).toBeLessThan(last('job'));
  expect(rendered.filter((text) => text.startsWith('job'))).toHaveLength(6);
  // The next ones find the admission as it was.
  await Promise.all([one.ask('more'), one.ask('more jobs', { account: 'a:jobs', background: true })]);
});

it('a full queue refuses a background render, and loses nobody who waits', async () => {
  const [one] = await Promise.all([api(2), renderer(1)]);
  await known(one);
  const waiting = Array.from({ length: 3 }, (_, i) => one.ask(`waiting${i}`, { ms: 700, atOnce: 1 }));
  const entered = { name: 'testEntered', lua: `return redis.call('ZCARD', P .. 'admission:pages:jobs')` };
  await expect.poll(() => one.cluster.run(entered)).toBe(3);
  await expect(one.ask('job', { account: 'a:jobs', background: true })).rejects.toMatchObject({ code: 'overloaded' });
  expect((await Promise.all(waiting)).map(textOf)).toEqual([0, 1, 2].map((i) => `picture of waiting${i}`));
});

it('a heavy render counts by its weight towards what its account may do at once', async () => {
  const [one] = await Promise.all([api(), renderer(8)]);
  const heavy = one.ask('heavy', { ms: 20_000, atOnce: 4, weight: 3 });
  await one.ask('light', { atOnce: 4 });
  const second = one.ask('second', { atOnce: 4, weight: 2 });
  await one.ask('of another', { account: 'b' });
  expect(rendered).not.toContain('second');
  heavy.waiter.cancel();
  await second;
  await Promise.allSettled([heavy]);
});
