// Machines of a cluster, in the process of the test, on a real Redis that is empty before each test. What they render is a
// text: the promises are about who renders what, when, and how often.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openCluster } from '../../src/cluster/cluster.ts';
import { Cancelled, Deadline } from '../../src/kernel/deadline.ts';
import { Problem } from '../../src/kernel/errors.ts';
import type { Lane } from '../../src/kernel/lanes.ts';
import { createLog } from '../../src/kernel/log.ts';
import type { PlanName } from '../../src/kernel/plans.ts';
import { createAdmission } from '../../src/render/admission.ts';
import { createFlights } from '../../src/render/flights.ts';
import { type RedisServer, startRedis } from '../harness/redis.ts';

type Task = { lane: Lane; text: string; ms: number };
type Made = { bytes: Buffer; node: string };

export let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

/** These tasks have none; see secrets.test.ts. */
const taskSecrets = { take: (task: Task) => ({ task, secrets: undefined }), put: (task: Task) => task };

export const log = createLog('silent');
/** Called after each test. */
export const stops: (() => Promise<void>)[] = [];
/** The texts whose renders began, in this order. */
export let rendered: string[] = [];
beforeEach(() => {
  redis.flush();
  rendered = [];
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

/** A machine that takes requests, as render.ts does: flights of its own, then those of the cluster. */
export async function api(queueMax = 100) {
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
export async function renderer(slots = 2, name = 'r', places = slots) {
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

export const hex = (text: string) => Buffer.from(text).toString('hex');
export const textOf = ({ bytes }: Made) => bytes.toString();

/** The machine knows of the one render node. */
export const known = ({ cluster }: Awaited<ReturnType<typeof api>>) =>
  expect.poll(() => cluster.stats.pages.slots).toBe(1);
