// A Redis that is away, hangs or forgets, while machines render; see machines.ts.
import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/kernel/deadline.ts';
import { api, hex, redis, renderer, textOf } from './machines.ts';

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

  it('a render that ends meanwhile gives its place back when Redis answers again', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    const first = one.ask('first', { ms: 2000, atOnce: 1, timeout: 60_000 });
    await sleep(1500); // the append-only file is written every second
    await redis.stop();
    await expect(first).rejects.toMatchObject({ status: 503 });
    // Longer than other news are told again.
    await sleep(4000);
    await redis.start();
    const next = () => one.ask('next', { atOnce: 1, timeout: 8000 }).then(textOf, () => '');
    await expect.poll(next, { timeout: 9000 }).toBe('picture of next');
  });

  it('renders are 503 while Redis has no memory left', async () => {
    const [one] = await Promise.all([api(), renderer()]);
    redis.set('maxmemory', '1');
    try {
      await expect(one.ask('during')).rejects.toMatchObject({ status: 503, retryAfter: 2 });
    } finally {
      redis.set('maxmemory', '0');
    }
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
