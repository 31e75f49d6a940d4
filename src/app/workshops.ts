// Who makes the renders of this process: its own browsers, or those of the cluster's render nodes, of which it may
// be one itself.
import { createHash } from 'node:crypto';
import { type Cluster, openCluster } from '../cluster/cluster.ts';
import type { Config } from '../config.ts';
import type { Log } from '../kernel/log.ts';
import type { CardMaker } from '../og/og-types.ts';
import { createAdmission } from '../render/admission.ts';
import type { Result, SharedFlights } from '../render/render.ts';
import { createWorkshop, type Job, type Made, type Workshop } from '../render/workshop.ts';

export type LocalParts = Omit<Parameters<typeof createWorkshop>[0], 'admission'>;

export type Workshops = {
  readonly workshop: Workshop;
  readonly shared?: SharedFlights;
  /** Cards for the house itself, such as the pictures of the catalogue. */
  readonly paint: CardMaker['render'];
  stop(): Promise<void>;
};

/** Joins the cluster where there is one. */
export const clusterOf = async ({ redisUrl, role, rendersAtOnce, queueMax }: Config, log: Log) =>
  redisUrl === undefined
    ? undefined
    : openCluster({ url: redisUrl, slots: role === 'api' ? undefined : rendersAtOnce, queueMax, log });

export async function createWorkshops(
  config: Config,
  cluster: Cluster | undefined,
  local: LocalParts | undefined,
): Promise<Workshops> {
  // In a cluster the gate before the queue decides who waits; here there is only a place for what was taken.
  const queueMax = cluster === undefined ? config.queueMax : Number.POSITIVE_INFINITY;
  const own = local && createWorkshop({ admission: createAdmission(config.rendersAtOnce, queueMax), ...local });
  if (cluster === undefined) {
    if (own === undefined || local === undefined) throw new Error('There is nobody to render.');
    return { workshop: own, paint: local.cards.render, async stop() {} };
  }
  const node = own && (await cluster.startRenderNode<Job, Made>(own.make));
  const workshop = cluster.remoteWorkshop<Job, Made>();
  const shared = cluster.sharedFlights<Result>({
    toParts: ({ bytes, ...head }) => ({ head, bytes }),
    fromParts: (head, bytes) => asFollower({ ...(head as Omit<Result, 'bytes'>), bytes }),
    abandoned: workshop.drop,
  });
  const cardFlights = cluster.sharedFlights<Made>({
    toParts: ({ bytes, ...head }) => ({ head, bytes }),
    fromParts: (head, bytes) => ({ ...(head as Omit<Made, 'bytes'>), bytes }),
    abandoned: workshop.drop,
  });
  return {
    workshop,
    shared,
    paint(request, deadline) {
      const key = createHash('sha256').update(JSON.stringify(request)).digest('hex');
      const applicant = { accountId: 'house', plan: 'business', atOnce: 2, weight: 1 } as const;
      return cardFlights.fly(key, deadline, (id) =>
        workshop.make({ kind: 'og', request, weight: 1 }, applicant, deadline, id),
      );
    },
    stop: async () => node?.stop(),
  };
}

/** A follower counts as a hit, on this machine (render.ts) and on another. */
const asFollower = (result: Result): Result =>
  result.stored ? { ...result, cache: 'HIT', cachedAt: result.createdAt } : result;
