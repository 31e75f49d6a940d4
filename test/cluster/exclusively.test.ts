// Work that one machine of the cluster does while the others do not, such as reducing a full cache.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, openCluster } from '../../src/cluster/cluster.ts';
import { createLog } from '../../src/kernel/log.ts';
import { type RedisServer, startRedis } from '../harness/redis.ts';

let redis: RedisServer;
let one: Cluster;
let two: Cluster;
beforeAll(async () => {
  redis = await startRedis();
  const open = () => openCluster({ url: redis.url, queueMax: 0, log: createLog('silent') });
  [one, two] = await Promise.all([open(), open()]);
});
afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()]);
  await redis?.remove();
});

/** Begins the work; `end` ends it. */
async function begin(machine: Cluster, name: string) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const done = machine.exclusively(name, () => {
    begun.resolve();
    return end.promise;
  });
  await begun.promise;
  return { done, end: end.resolve };
}
const nothing = async () => {};

it('is held for as long as it takes', async () => {
  const work = await begin(one, 'long');
  expect(await two.exclusively('long', nothing)).toBe(false);
  await one.run({ name: 'testShorten', lua: `redis.call('PEXPIRE', P .. 'alone:long', 20000)` });
  const left = () => one.run({ name: 'testLeft', lua: `return redis.call('PTTL', P .. 'alone:long')` });
  await expect.poll(left, { timeout: 15_000 }).toBeGreaterThan(20_000);
  work.end();
  expect(await work.done).toBe(true);
  expect(await two.exclusively('long', nothing)).toBe(true);
});

it('stays with the machine that has it now when the one before it comes to its end', async () => {
  const before = await begin(one, 'lost');
  // As after an outage of Redis.
  await one.run({ name: 'testLose', lua: `redis.call('DEL', P .. 'alone:lost')` });
  const now = await begin(two, 'lost');
  before.end();
  await before.done;
  expect(await one.exclusively('lost', nothing)).toBe(false);
  now.end();
  expect(await now.done).toBe(true);
});
