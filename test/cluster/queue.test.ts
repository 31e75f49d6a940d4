// The queue between machines, its admission and its flights, on a real Redis. The machines are in this process and
// what they render is a text: the promises are about who renders what, when, and how often.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCluster } from '../../src/cluster/cluster.ts';
import { takeScript } from '../../src/cluster/queue-scripts.ts';
import { Cancelled, Deadline, sleep } from '../../src/kernel/deadline.ts';
import { Problem } from '../../src/kernel/errors.ts';
import type { Lane } from '../../src/kernel/lanes.ts';
import { createLog } from '../../src/kernel/log.ts';
import type { PlanName } from '../../src/kernel/plans.ts';
import { createAdmission } from '../../src/render/admission.ts';
import { createFlights } from '../../src/render/flights.ts';
import { type RedisServer, startRedis } from '../harness/redis.ts';

type Task = { lane: Lane; text: string; ms: number };
type Made = { bytes: Buffer; node: string };

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

/** These tasks have none; see secrets.test.ts. */
const taskSecrets = { take: (task: Task) => ({ task, secrets: undefined }), put: (task: Task) => task };

const log = createLog('silent');
const stops: (() => Promise<void>)[] = [];
let rendered: string[] = [];
beforeEach(() => {
  redis.flush();
  rendered = [];
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** A machine that takes requests, as render.ts does: flights of its own, then those of the cluster. */
async function api(queueMax = 100) {
  const cluster = await openCluster({ url: redis.url, queueMax, log });
  const remote = {
    pages: cluster.remoteExecutor<Task, Made>('pages', taskSecrets),
    cards: cluster.remoteExecutor<Task, Made>('cards', taskSecrets),
  };
  const flights = createFlights<Made>();
  const shared = cluster.sharedFlights<Made>({
    toParts: ({ bytes, ...head }) => ({ head, bytes }),
    fromParts: (head, bytes) => ({ ...(head as Omit<Made, 'bytes'>), bytes }),
    abandoned: async (id, account) => {
      await Promise.all([remote.pages.drop(id, account), remote.cards.drop(id, account)]);
    },
  });
  stops.push(cluster.stop);
  return {
    cluster,
    ask(
      key: string,
      {
        ms = 50,
        timeout = 20_000,
        account = 'a',
        plan = 'business' as PlanName,
        atOnce = 16,
        weight = 1,
        lane = 'pages' as Lane,
        background = false,
      } = {},
    ) {
      const waiter = new Deadline(timeout);
      const applicant = { accountId: account, plan, atOnce, weight, background };
      const state = { waiter, began: false };
      const began = () => {
        state.began = true;
      };
      const result = flights.join(hex(key), waiter, (work) =>
        shared.join(hex(key), work, (id) => remote[lane].execute({ lane, text: key, ms }, applicant, work, id, began)),
      );
      result.catch(() => {}).finally(() => waiter.done());
      return Object.assign(result, { waiter, state });
    },
  };
}

/** What is named "waits…" gives its slot back while it is at it. */
async function renderer(slots = 2, name = 'r', places = slots) {
  const capacity = { pages: { slots, places }, cards: { slots, places } };
  const cluster = await openCluster({ url: redis.url, capacity, queueMax: 0, log });
  const bounds = { slots, places, queueMax: Number.POSITIVE_INFINITY, keepsPlaces: false };
  const admissions = { pages: createAdmission(bounds), cards: createAdmission(bounds) };
  const stopped: string[] = [];
  let running = 0;
  let most = 0;
  const node = await cluster.startRenderNode<Task, Made>({
    admissions,
    taskSecrets,
    async execute({ lane, text, ms }, applicant, work, _id, began) {
      const turn = await admissions[lane].enter(applicant, work);
      began();
      rendered.push(text);
      most = Math.max(most, ++running);
      try {
        work.step('load');
        if (text.startsWith('waits')) turn.pause();
        await work.pause(ms);
        if (text.startsWith('refused')) throw new Problem('target_refused', { parameter: 'url', message: 'No.' });
        return { bytes: Buffer.from(`picture of ${text}`), node: name };
      } catch (error) {
        if (error instanceof Cancelled) stopped.push(text);
        throw error;
      } finally {
        running--;
        turn.leave();
      }
    },
  });
  stops.push(async () => {
    await node.stop();
    await cluster.stop();
  });
  return { cluster, node, stopped, most: () => most };
}

const hex = (text: string) => Buffer.from(text).toString('hex');
const textOf = ({ bytes }: Made) => bytes.toString();

/** The machine knows of the one render node. */
const known = ({ cluster }: Awaited<ReturnType<typeof api>>) => expect.poll(() => cluster.stats.pages.slots).toBe(1);

describe('a render in the queue', () => {
  it('is made by a render node, and its bytes, facts and phases come back', async () => {
    const [one] = await Promise.all([api(), renderer(2, 'n1')]);
    const made = one.ask('a');
    expect(await made).toMatchObject({ node: 'n1', bytes: Buffer.from('picture of a') });
  });

  it('brings back the error of the render node, whole', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    await expect(one.ask('refused')).rejects.toMatchObject({
      code: 'target_refused',
      parameter: 'url',
      message: 'No.',
    });
  });

  it('ends at the deadline of the request, which says in which step', async () => {
    const [one, two] = await Promise.all([api(), renderer()]);
    const slow = one.ask('slow', { ms: 20_000, timeout: 2000 });
    // A timer of this process is late when the machine is busy; the request is hardly later.
    const timer = sleep(2500).then(() => 'timer');
    await expect(Promise.race([slow, timer])).rejects.toMatchObject({
      code: 'render_timeout',
      message: expect.stringMatching(/within 2000 ms.*"load"/),
    });
    await timer;
    expect(two.most()).toBe(1);
  });

  it('is never begun if nobody waits for it any more', async () => {
    const [one] = await Promise.all([api(), renderer(1)]);
    // Its flight has ended, and the message about that was lost.
    const leave = {
      name: 'testLeave',
      lua: `
redis.call('SET', P .. 'render:gone.1', ARGV[2])
redis.call('ZADD', P .. 'admission:pages:queue', 0, 'gone.1')
`,
    };
    const applicant = { accountId: 'a', plan: 'business', atOnce: 16, weight: 1 };
    const job = { lane: 'pages', text: 'unwanted', ms: 1 };
    await one.cluster.run(leave, JSON.stringify({ applicant, job, hasSecrets: false }));
    expect(textOf(await one.ask('wanted'))).toBe('picture of wanted');
    expect(rendered).toEqual(['wanted']);
    const left = { name: 'testLeft', lua: `return redis.call('EXISTS', P .. 'render:gone.1')` };
    await expect.poll(() => one.cluster.run(left)).toBe(0);
  });

  it('is never begun past its deadline', async () => {
    const one = await api();
    await expect(one.ask('late', { timeout: 300 })).rejects.toMatchObject({ code: 'render_timeout' });
    await renderer();
    await expect(one.ask('next')).resolves.toBeDefined();
    expect(rendered).toEqual(['next']);
  });

  it('is given again to a node that never got the answer of Redis', async () => {
    const one = await api();
    const asked = one.ask('astray', { timeout: 15_000 });
    // A reader of a machine that is alive, whose connection breaks each time.
    const take = async (): Promise<string | undefined> => {
      const alive = { name: 'testAlive', lua: `return redis.call('ZRANGE', P .. 'nodes', 0, 0)[1]` };
      const reader = `${await one.cluster.run(alive)}/pages`;
      const taken = (await one.cluster.run(takeScript, 'pages', reader, '')) as [string] | null;
      return taken?.[0];
    };
    await expect.poll(take).toBeDefined();
    const id = await take();
    expect(id).toBeDefined();
    expect(await take()).toBe(id);
    asked.waiter.cancel();
    await expect(asked).rejects.toThrow();
  });

  it('is given to another node if one dies, and is given up after three have died', async () => {
    const one = await api();
    const capacity = { pages: { slots: 1, places: 1 }, cards: { slots: 1, places: 1 } };
    const idle = await openCluster({ url: redis.url, capacity, queueMax: 0, log });
    stops.push(idle.stop);
    const asked = one.ask('deadly', { timeout: 30_000 });
    let deaths = 0;
    const dying = setInterval(async () => {
      const reader = `dead${deaths}/pages`;
      const taken = await one.cluster.run(takeScript, 'pages', reader, '').catch(() => null);
      if (taken !== null) deaths++;
    }, 50);
    await expect(asked).rejects.toMatchObject({ code: 'renderer_unavailable', status: 502 });
    clearInterval(dying);
    expect(deaths).toBe(3);
    // Its place is free again.
    await renderer(1);
    expect(textOf(await one.ask('next', { atOnce: 1 }))).toBe('picture of next');
  });

  it('is 502 when there has been no render node for a while, and works when one comes', async () => {
    const one = await api();
    await sleep(5200);
    await expect(one.ask('a')).rejects.toMatchObject({ code: 'renderer_unavailable', status: 502 });
    await renderer();
    await expect.poll(() => one.ask('a').then(textOf, () => '')).toBe('picture of a');
  });
});

describe('identical requests', () => {
  it('are one render, however many and on however many machines', async () => {
    const nodes = await Promise.all([api(), api(), api(), renderer(), renderer(), renderer()]);
    const apis = nodes.slice(0, 3) as Awaited<ReturnType<typeof api>>[];
    const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => apis[i % 3]?.ask('same', { ms: 300 })));
    expect(rendered).toEqual(['same']);
    expect(new Set(all.map((made) => made && textOf(made)))).toEqual(new Set(['picture of same']));
  });

  it('fail together', async () => {
    const [one, two] = await Promise.all([api(), api(), renderer()]);
    const both = [one.ask('refused', { ms: 200 }), two.ask('refused', { ms: 200 })];
    for (const each of both) await expect(each).rejects.toMatchObject({ code: 'target_refused', parameter: 'url' });
    expect(rendered).toEqual(['refused']);
  });

  it('stop when the last client anywhere has gone', async () => {
    const [one, two, worker] = await Promise.all([api(), api(), renderer()]);
    const both = [one.ask('long', { ms: 20_000 }), two.ask('long', { ms: 20_000 })];
    await expect.poll(() => rendered).toEqual(['long']);
    await sleep(300);
    both[1]?.waiter.cancel();
    await sleep(200);
    expect(worker.stopped).toEqual([]);
    both[0]?.waiter.cancel();
    await expect.poll(() => worker.stopped).toEqual(['long']);
    expect(rendered).toEqual(['long']);
  });

  it('are led on by another machine when the clients of the first have gone', async () => {
    const [one, two] = await Promise.all([api(), api(), renderer()]);
    const first = one.ask('handed', { ms: 600 });
    await sleep(100);
    const second = two.ask('handed', { ms: 600 });
    await sleep(100);
    first.waiter.cancel();
    expect(textOf(await second)).toBe('picture of handed');
    expect(rendered).toEqual(['handed']);
  });

  it('live as long as the most patient, on whichever machine', async () => {
    const [one, two] = await Promise.all([api(), api(), renderer()]);
    const hasty = one.ask('patience', { ms: 900, timeout: 400 });
    await sleep(50);
    const patient = two.ask('patience', { ms: 900, timeout: 5000 });
    await expect(hasty).rejects.toMatchObject({ code: 'render_timeout' });
    expect(textOf(await patient)).toBe('picture of patience');
    expect(rendered).toEqual(['patience']);
  });
});

describe('the leader of identical requests', () => {
  it('is replaced by a follower if nobody has seen it for some seconds, and the render is not begun again', async () => {
    const [one, two] = await Promise.all([api(), api(), renderer()]);
    const first = one.ask('same', { ms: 4000 });
    await expect.poll(() => rendered).toEqual(['same']);
    // As if its last message had arrived six seconds ago.
    const unseen = {
      name: 'testUnseen',
      lua: `
local flight = P .. 'flight:' .. ARGV[2]
local gone = redis.call('HGET', flight, 'owner') .. 'gone'
redis.call('HSET', flight, 'owner', gone, 'seen:' .. gone, now - 6000)
`,
    };
    await one.cluster.run(unseen, hex('same'));
    expect(textOf(await two.ask('same', { ms: 4000 }))).toBe('picture of same');
    // The leader that was taken for gone gets the result, too.
    expect(textOf(await first)).toBe('picture of same');
    expect(rendered).toEqual(['same']);
  });

  it('stays if it is of a version that does not note when it was seen', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    const earlier = {
      name: 'testEarlier',
      lua: `
local owner = redis.call('ZRANGE', P .. 'nodes', 0, 0)[1] .. '/earlier'
redis.call('HSET', P .. 'flight:' .. ARGV[2], 'id', ARGV[2] .. '.1', 'owner', owner, 'endsAt', now + 30000)
`,
    };
    await one.cluster.run(earlier, hex('old'));
    await expect(one.ask('old', { timeout: 8000 })).rejects.toMatchObject({ code: 'render_timeout' });
    expect(rendered).toEqual([]);
  });
});

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

it('whoever hangs up, or runs out of time, learns whether the render had got a slot', async () => {
  const [one] = await Promise.all([api(), renderer(1)]);
  const running = one.ask('running', { ms: 20_000 });
  const queued = one.ask('queued', { timeout: 600 });
  await expect(queued).rejects.toMatchObject({ code: 'render_timeout' });
  expect([running.state.began, queued.state.began]).toEqual([true, false]);
  running.waiter.cancel();
  await Promise.allSettled([running]);
  const late = one.ask('late', { ms: 20_000, timeout: 2000 });
  await expect(late).rejects.toMatchObject({ code: 'render_timeout' });
  expect(late.state.began).toBe(true);
});

describe('when Redis is away', () => {
  it('renders are 503 with Retry-After at once, and work again by themselves', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    await one.ask('before');
    await redis.stop();
    await sleep(100);
    const asked = performance.now();
    await expect(one.ask('during')).rejects.toMatchObject({ status: 503, retryAfter: 2 });
    expect(performance.now() - asked).toBeLessThan(1200);
    await redis.start();
    await expect.poll(() => one.ask('after').then(textOf, () => ''), { timeout: 8000 }).toBe('picture of after');
  });

  it('a render under way outlives a restart of Redis', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    const made = one.ask('through', { ms: 1200 });
    await sleep(1100); // the append-only file is written every second
    await redis.stop();
    await redis.start();
    expect(textOf(await made)).toBe('picture of through');
  });

  it('a Redis that hangs is 503 too, soon at once', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    await one.ask('before');
    redis.freeze();
    try {
      await expect(one.ask('first')).rejects.toMatchObject({ status: 503 });
      const asked = performance.now();
      await expect(one.ask('second')).rejects.toMatchObject({ status: 503 });
      expect(performance.now() - asked).toBeLessThan(1200);
    } finally {
      redis.thaw();
    }
    await expect.poll(() => one.ask('after').then(textOf, () => ''), { timeout: 8000 }).toBe('picture of after');
  });

  it('a request that failed during a short stall succeeds as soon as Redis answers again', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    await one.ask('before');
    redis.freeze();
    try {
      await expect(one.ask('stalled')).rejects.toMatchObject({ status: 503 });
    } finally {
      redis.thaw();
    }
    await expect.poll(() => one.cluster.up).toBe(true);
    expect(textOf(await one.ask('stalled'))).toBe('picture of stalled');
  });

  it('a request that failed during a long stall succeeds again, although it is repeated all the time', async () => {
    const [one, two] = await Promise.all([api(), api(), renderer()]);
    await one.ask('before');
    redis.freeze();
    try {
      await expect(one.ask('stalled')).rejects.toMatchObject({ status: 503 });
      // Until the node no longer tries to leave the flight.
      await sleep(8000);
    } finally {
      redis.thaw();
    }
    const repeat = () => two.ask('stalled', { timeout: 2500 }).then(textOf, () => '');
    await expect.poll(repeat, { timeout: 30_000 }).toBe('picture of stalled');
  });

  it('a request that failed while it took over the flight of a dead machine succeeds again', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    const dead = {
      name: 'testDead',
      lua: `redis.call('HSET', P .. 'flight:' .. ARGV[2], 'id', ARGV[2] .. '.1', 'owner', 'dead/1', 'endsAt', now + 30000)`,
    };
    await one.cluster.run(dead, hex('orphan'));
    redis.freeze();
    try {
      await expect(one.ask('orphan')).rejects.toMatchObject({ status: 503 });
    } finally {
      redis.thaw();
    }
    await expect.poll(() => one.cluster.up).toBe(true);
    const repeat = () => one.ask('orphan', { timeout: 8000 }).then(textOf, () => '');
    await expect.poll(repeat, { timeout: 30_000 }).toBe('picture of orphan');
  });

  it('a request whose render was lost with Redis succeeds again', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    const lost = one.ask('lost', { ms: 3000 });
    lost.catch(() => {});
    await sleep(1500); // the append-only file is written every second
    await redis.stop();
    await expect(lost).rejects.toMatchObject({ status: 503 });
    // Until the node no longer tries to end the flight.
    await sleep(7000);
    await redis.start();
    // Until Redis knows again that the machine is alive.
    const isKnown = { name: 'testKnown', lua: `return redis.call('ZCOUNT', P .. 'nodes', now, '+inf')` };
    await expect.poll(() => one.cluster.run(isKnown).catch(() => 0)).toBe(2);
    const repeat = () => one.ask('lost', { timeout: 8000 }).then(textOf, () => '');
    await expect.poll(repeat, { timeout: 30_000 }).toBe('picture of lost');
  });

  it('a Redis that forgot everything gets the renders that are waited for again', async () => {
    const one = await api();
    const made = one.ask('forgotten', { timeout: 15_000 });
    await sleep(300);
    redis.flush();
    await renderer();
    expect(textOf(await made)).toBe('picture of forgotten');
  });
});

it('a stop of a render node finishes what it has and takes no more', async () => {
  const [one, worker] = await Promise.all([api(), renderer(2, 'old')]);
  const running = one.ask('running', { ms: 1500 });
  await expect.poll(() => rendered).toEqual(['running']);
  const stopping = worker.node.stop();
  await renderer(2, 'new');
  expect((await one.ask('next')).node).toBe('new');
  expect((await running).node).toBe('old');
  await stopping;
});

it('a turn is had by one machine in its time', async () => {
  const [one, two] = await Promise.all([api(), api()]);
  const turns = await Promise.all([one, two, one, two].map(({ cluster }) => cluster.isTurn('tidy', 500)));
  expect(turns.filter(Boolean)).toHaveLength(1);
  await sleep(600);
  expect(await two.cluster.isTurn('tidy', 500)).toBe(true);
});
