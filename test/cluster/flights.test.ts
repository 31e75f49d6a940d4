// Identical requests to several machines are one render; see machines.ts.
import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/kernel/deadline.ts';
import { api, hex, rendered, renderer, textOf } from './machines.ts';

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
