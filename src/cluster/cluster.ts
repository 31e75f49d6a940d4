// The face of the cluster: everything that changes when there are many machines, made from one REDIS_URL.
import { type Capacity, type Lane, lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { createGate } from './gate.ts';
import { openLink, space } from './link.ts';
import { joinCluster } from './member.ts';
import { createRemoteWorkshop } from './remote-workshop.ts';
import { startRenderNode } from './render-node.ts';
import { createSharedFlights } from './shared-flights.ts';

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

type Options = {
  readonly url: string;
  /** What this machine renders at once; none if it renders nothing. */
  readonly capacity?: Record<Lane, Capacity> | undefined;
  readonly queueMax: number;
  readonly log: Log;
};

export async function openCluster({ url, capacity, queueMax, log }: Options) {
  const link = await openLink(url, log);
  const member = await joinCluster(link, log, capacity);
  const { Queue } = await import('bullmq');
  const openLane = (lane: Lane) => {
    const queue = new Queue(lane, {
      connection: link.redis,
      prefix: space,
      // Nobody reads BullMQ's own stream of events: what happened is told by letters.
      streams: { events: { maxLen: 100 } },
    });
    queue.on('error', (error) => log.debug({ err: error }, 'the queue'));
    return { lane, queue, gate: createGate(link, lane) };
  };
  const ways = { pages: openLane('pages'), cards: openLane('cards') };

  return {
    run: link.run,
    get standing() {
      return member.standing;
    },
    get up() {
      return link.up;
    },
    remoteWorkshop: <Job, Made>(lane: Lane) =>
      createRemoteWorkshop<Job, Made>({ link, member, ...ways[lane], queueMax }),
    sharedFlights: <T>(
      parts: Pick<Parameters<typeof createSharedFlights<T>>[0], 'toParts' | 'fromParts' | 'abandoned'>,
    ) => createSharedFlights<T>({ link, member, log, ...parts }),
    startRenderNode: <Job, Made extends { readonly bytes: Buffer }>(
      parts: Pick<Parameters<typeof startRenderNode<Job, Made>>[0], 'make' | 'admissions'>,
    ) =>
      startRenderNode<Job, Made>({
        link,
        member,
        gates: { pages: ways.pages.gate, cards: ways.cards.gate },
        log,
        ...parts,
      }),
    /** True for one machine in the whole cluster, once in this time: whose turn it is to tidy up. */
    turn: async (name: string, everyMs: number): Promise<boolean> =>
      (await link
        .call((redis) => redis.set(`${space}:turn:${name}`, member.id, 'PX', everyMs, 'NX'))
        .catch(() => null)) === 'OK',
    /** Does this, unless another machine is just at it. One that dies meanwhile holds up the others for half a minute. */
    async alone(name: string, work: () => Promise<void>): Promise<boolean> {
      const key = `${space}:alone:${name}`;
      const mine = await link.call((redis) => redis.set(key, member.id, 'PX', 30_000, 'NX')).catch(() => null);
      if (mine !== 'OK') return false;
      await work().finally(() => link.call((redis) => redis.del(key)).catch(() => {}));
      return true;
    },
    listen: member.listen,
    tell: (channel: string, text: string) => void member.tell(channel, text).catch(() => {}),
    async stop() {
      await member.stop();
      await Promise.all(lanes.map((lane) => ways[lane].queue.close().catch(() => {})));
      await link.stop();
    },
  };
}
