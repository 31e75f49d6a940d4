// The limit of renders a minute on a real Redis: the promises of src/access/limits.test.ts, across machines.
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Limits } from '../../src/access/limits.ts';
import { createRedisLimits } from '../../src/access/redis-limits.ts';
import { openCluster } from '../../src/cluster/cluster.ts';
import { space } from '../../src/cluster/link.ts';
import { createLog } from '../../src/kernel/log.ts';
import { type RedisServer, startRedis } from '../harness/redis.ts';

let redis: RedisServer;
let client: Redis;
const machines: Awaited<ReturnType<typeof openCluster>>[] = [];
let one: Limits;
let two: Limits;
beforeAll(async () => {
  redis = await startRedis();
  client = new Redis(redis.url);
  client.on('error', () => {});
  for (let i = 0; i < 2; i++)
    machines.push(await openCluster({ url: redis.url, queueMax: 0, log: createLog('silent') }));
});
beforeEach(() => {
  redis.flush();
  [one, two] = machines.map(({ run }) => createRedisLimits(run)) as [Limits, Limits];
});
afterAll(async () => {
  client.disconnect();
  await Promise.all(machines.map((machine) => machine.stop()));
  await redis.remove();
});

/** As if so much time had passed: every render was so much earlier. */
async function pass(accountId: string, ms: number): Promise<void> {
  const key = `${space}:rate:${accountId}`;
  for (const ticket of await client.zrange(key, '0', '-1')) await client.zincrby(key, String(-ms), ticket);
}

it('lets the limit through on all machines together, and then says when the next one is possible', async () => {
  expect(await one.take('a', 3)).toMatchObject({ ok: true, limit: 3, remaining: 2, retryAfter: 0 });
  await pass('a', 10_000);
  await two.take('a', 3);
  expect(await one.take('a', 3)).toMatchObject({ ok: true, remaining: 0, retryAfter: 0 });
  const refused = await two.take('a', 3);
  expect(refused).toMatchObject({ ok: false, remaining: 0 });
  expect(refused.retryAfter).toBeGreaterThanOrEqual(49);
  expect(refused.retryAfter).toBeLessThanOrEqual(50);
  await pass('a', 50_000);
  expect((await two.take('a', 3)).ok).toBe(true);
  expect((await one.take('a', 3)).ok).toBe(false);
});

it('never lets more than the limit through, however many ask at once', async () => {
  const all = await Promise.all(Array.from({ length: 100 }, (_, i) => (i % 2 ? one : two).take('a', 7)));
  expect(all.filter(({ ok }) => ok)).toHaveLength(7);
});

it('counts nothing that was given back', async () => {
  const taken = await one.take('a', 1);
  await one.giveBack('a', taken);
  expect((await two.take('a', 1)).ok).toBe(true);
});

it('takes nothing by looking, and sees at once what this machine takes', async () => {
  for (let i = 0; i < 5; i++) expect(await one.peek('a', 2)).toMatchObject({ ok: true, remaining: 2 });
  await one.take('a', 2);
  expect(await one.peek('a', 2)).toMatchObject({ remaining: 1 });
  expect(await two.peek('a', 2)).toMatchObject({ remaining: 1 });
});

it('heeds a plan that was lowered', async () => {
  for (let i = 0; i < 4; i++) await one.take('a', 4);
  expect(await one.take('a', 2)).toMatchObject({ ok: false, limit: 2, remaining: 0 });
});

it('does not hold up a hit while Redis is away, and refuses renders', async () => {
  await one.take('a', 5);
  await redis.stop();
  try {
    const before = performance.now();
    expect(await one.peek('a', 5)).toMatchObject({ limit: 5 });
    expect(await one.peek('other', 5)).toMatchObject({ limit: 5, remaining: 5 });
    expect(performance.now() - before).toBeLessThan(1200);
    await expect(one.take('a', 5)).rejects.toMatchObject({ status: 503 });
  } finally {
    await redis.start();
  }
});
