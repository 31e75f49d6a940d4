// A target that is down, among many machines: what one of them found out the others know, and one of them tries again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signLink } from '../../src/access/signatures.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { type ChangingTarget, startChangingTarget } from '../harness/changing-target.ts';
import { query } from '../harness/service.ts';
import { type Node, shot, startTopology, type Topology } from './topology.ts';

let target: ChangingTarget;
let cluster: Topology;
beforeAll(async () => {
  [target, cluster] = await Promise.all([startChangingTarget(), startTopology({ apis: 2, renderers: 1 })]);
});
afterAll(() => Promise.all([cluster.remove(), target.close()]));

const day = 24 * 60 * 60 * 1000;
const about = ({ status, headers }: Response) => [status, headers.get('x-cache'), headers.get('x-stale')];
const node = (i: number) => cluster.apis[i % 2] as Node;

/** A customer with one good result that is past its age. */
async function goodResult(page: number) {
  await target.be('good');
  const { key, keyId, accountId } = await cluster.customer('business');
  const parameters = { url: `${target.url}/?n=${page}`, width: 200, height: 100 };
  const ask = (i: number, more: Record<string, string | number | boolean> = {}) =>
    shot(node(i), key, { ...parameters, ...more });
  expect(about(await ask(0))).toEqual([200, 'MISS', null]);
  const [entry] = await cluster.store.cache.ofAccount(accountId, 1);
  if (entry === undefined) throw new Error('nothing cached');
  await cluster.store.cache.put({ ...entry, createdAt: Date.now() - 61 * day });
  const signing = await cluster.store.keys.findForSigning(keyId);
  const path = `/v1/screenshot?${query({ ...parameters, timeout: 5000 })}`;
  const link = signLink({ path, keyId, secret: signing?.signingSecret ?? '' });
  return { ask, follow: (i: number) => fetch(node(i).url + link) };
}

it('what one node found to be down is answered with the last good result by all, and the target is asked once', async () => {
  const { ask, follow } = await goodResult(1);
  await target.be('hanging');
  const before = target.hits;
  expect(about(await follow(0))).toEqual([200, 'HIT', 'render_timeout']);
  // The other node hears of it a moment later, and does not try for itself.
  await sleep(1000);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 3 ? follow(i) : ask(i, { stale: true }))),
  );
  expect(answers.map(about)).toEqual(answers.map(() => [200, 'HIT', 'render_timeout']));
  expect(target.hits - before).toBe(1);
});

it('a stale result asked for on every node is rendered anew once', async () => {
  const { ask } = await goodResult(2);
  await target.be('held');
  const before = target.hits;
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i, { stale: true })));
  expect(answers.map(about)).toEqual(answers.map(() => [200, 'HIT', 'expired']));
  await expect.poll(() => target.hits - before).toBe(1);
  await target.be('good');
  for (const i of [0, 1])
    await expect.poll(async () => about(await ask(i, { stale: true }))).toEqual([200, 'HIT', null]);
  expect(target.hits - before).toBe(1);
});
