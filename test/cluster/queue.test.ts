// The queue between machines, on a real Redis; see machines.ts.
import { describe, expect, it } from 'vitest';
import { finishScript } from '../../src/cluster/admission-scripts.ts';
import { openCluster } from '../../src/cluster/cluster.ts';
import { takeScript } from '../../src/cluster/queue-scripts.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { pack } from '../../src/kernel/payload.ts';
import { api, log, redis, rendered, renderer, stops, textOf } from './machines.ts';

type Machine = Awaited<ReturnType<typeof api>>;

/** Takes a render from the queue, as a reader of this machine that never got anything before. */
async function taken({ cluster }: Machine): Promise<string> {
  const alive = { name: 'testAlive', lua: `return redis.call('ZRANGE', P .. 'nodes', 0, 0)[1]` };
  const reader = `${await cluster.run(alive)}/pages`;
  const take = async () => ((await cluster.run(takeScript, 'pages', reader, '')) as [string] | null)?.[0];
  await expect.poll(take).toBeDefined();
  return (await take()) ?? '';
}

/** Queues a render whose flight has ended; the message about that was lost. */
async function queueUnwanted({ cluster }: Machine): Promise<void> {
  const queue = {
    name: 'testUnwanted',
    lua: `
redis.call('SET', P .. 'render:gone.1', ARGV[2])
redis.call('ZADD', P .. 'admission:pages:queue', 0, 'gone.1')
redis.call('LPUSH', P .. 'admission:pages:bell', 1)
`,
  };
  const applicant = { accountId: 'a', plan: 'business', atOnce: 16, weight: 1 };
  const job = { lane: 'pages', text: 'unwanted', ms: 1 };
  await cluster.run(queue, JSON.stringify({ applicant, job, hasSecrets: false }));
}
const isUnwantedKnown = { name: 'testUnwantedKnown', lua: `return redis.call('EXISTS', P .. 'render:gone.1')` };

/** Ends a render as the node that has it would. */
const send = ({ cluster }: Machine, id: string, text: string) =>
  cluster.run(finishScript, 'pages', id, 'a', pack({ id, made: {}, began: true, phases: {} }, Buffer.from(text)), '');

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
    await queueUnwanted(one);
    expect(textOf(await one.ask('wanted'))).toBe('picture of wanted');
    expect(rendered).toEqual(['wanted']);
    await expect.poll(() => one.cluster.run(isUnwantedKnown)).toBe(0);
  });

  it('is not begun twice by a node that was given one that nobody waits for after it', async () => {
    const [one] = await Promise.all([api(), renderer(3)]);
    const long = one.ask('long', { ms: 2500 });
    await expect.poll(() => rendered).toEqual(['long']);
    await queueUnwanted(one);
    await expect.poll(() => one.cluster.run(isUnwantedKnown)).toBe(0);
    await one.ask('next');
    await long;
    expect(rendered).toEqual(['long', 'next']);
  });

  it('is not begun twice if a request with more time has joined it', async () => {
    const [one] = await Promise.all([api(), renderer(2)]);
    const long = one.ask('long', { ms: 3500 });
    await expect.poll(() => rendered).toEqual(['long']);
    // As when its first deadline is over.
    const over = { name: 'testOver', lua: `return redis.call('DEL', P .. 'admission:pages:run:a')` };
    expect(await one.cluster.run(over)).toBe(1);
    await long;
    expect(rendered).toEqual(['long']);
  });

  it('is not queued again while its result is on its way', async () => {
    const one = await api();
    await renderer(1).then(({ node }) => node.stop());
    const asked = one.ask('large');
    const id = await taken(one);
    const forget = {
      name: 'testForget',
      lua: `
redis.call('DEL', P .. 'render:' .. ARGV[2], P .. 'taken:' .. ARGV[2])
for _, key in ipairs({ 'jobs', 'running', 'run:a' }) do redis.call('ZREM', P .. 'admission:pages:' .. key, ARGV[2]) end
send(redis.call('ZRANGE', P .. 'nodes', 0, 0)[1], ARGV[2], { says = 'look' })
`,
    };
    await one.cluster.run(forget, id);
    await sleep(100);
    const queued = { name: 'testQueued', lua: `return redis.call('ZCARD', P .. 'admission:pages:queue')` };
    expect(await one.cluster.run(queued)).toBe(0);
    await send(one, id, 'picture of large');
    expect(textOf(await asked)).toBe('picture of large');
  });

  it('does not fail with a node that was taken for dead while another one has it', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    const asked = one.ask('refused', { ms: 800 });
    await expect.poll(() => rendered).toEqual(['refused']);
    const other = {
      name: 'testOther',
      lua: `
local id = redis.call('ZRANGE', P .. 'admission:pages:running', 0, 0)[1]
redis.call('SET', P .. 'taken:' .. id, redis.call('ZRANGE', P .. 'nodes', 0, 0)[1] .. '/other')
return id
`,
    };
    const id = String(await one.cluster.run(other));
    await sleep(1300);
    await send(one, id, 'picture of another');
    expect(textOf(await asked)).toBe('picture of another');
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
    // A reader whose connection breaks each time.
    const id = await taken(one);
    expect(await taken(one)).toBe(id);
    asked.waiter.cancel();
    await expect(asked).rejects.toThrow();
  });

  it('is taken by a node that another account fills, past the renders of that account', async () => {
    const [one] = await Promise.all([api(), renderer(2, 'r', 8)]);
    const crowd = Array.from({ length: 6 }, (_, at) => one.ask(`crowd ${at}`, { account: 'crowd', ms: 4000 }));
    await expect.poll(() => rendered.length).toBe(2);
    await one.ask('single', { account: 'single', plan: 'free', timeout: 3000 });
    expect(rendered.slice(0, 3)).toEqual(['crowd 0', 'crowd 1', 'single']);
    for (const { waiter } of crowd) waiter.cancel();
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
