// Chooses the executor of this process: its own browsers, or the render nodes of the cluster, of which it may be one.
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { CardMaker } from '../cards/card-types.ts';
import { type Cluster, openCluster } from '../cluster/cluster.ts';
import type { SharedFlights } from '../cluster/shared-flights.ts';
import type { Config } from '../config.ts';
import { type Capacity, type Lane, lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { highestPlan } from '../kernel/plans.ts';
import { createAdmission } from '../render/admission.ts';
import { createExecutor, type Executor, laneOf, type RenderOutput, type RenderTask } from '../render/executor.ts';
import type { Result } from '../render/result.ts';
import { taskSecrets } from './task-secrets.ts';

export type LocalRenderers = Omit<Parameters<typeof createExecutor>[0], 'admissions'>;

export type Executors = {
  readonly executor: Executor;
  readonly shared?: SharedFlights<Result>;
  /** How many pages of this process hold a slot. */
  readonly pagesWorking: () => number;
  /** Renders cards for the service itself, such as the pictures of the catalogue. */
  readonly paint: CardMaker['render'];
  stop(): Promise<void>;
};

// One card per core (see cards/painter.ts). A card that waits for its images holds a few megabytes.
const cards: Capacity = { slots: availableParallelism(), places: 8 * availableParallelism() };

const capacityOf = ({ rendersAtOnce, pagesAtOnce }: Config): Record<Lane, Capacity> => ({
  pages: { slots: rendersAtOnce, places: pagesAtOnce },
  cards,
});

/** Joins the cluster if REDIS_URL names one. */
export const clusterOf = async (config: Config, log: Log) => {
  const { redisUrl: url, role, queueMax } = config;
  const capacity = role === 'api' ? undefined : capacityOf(config);
  return url === undefined ? undefined : openCluster({ url, capacity, queueMax, log });
};

export async function createExecutors(
  config: Config,
  cluster: Cluster | undefined,
  local: LocalRenderers | undefined,
  readFile?: (hash: string) => Promise<Buffer>,
): Promise<Executors> {
  // In a cluster the admission before the queue decides who waits; a node only admits what it took from the queue.
  const queueMax = cluster === undefined ? config.queueMax : Number.POSITIVE_INFINITY;
  const capacity = capacityOf(config);
  const openAdmission = (lane: Lane) =>
    createAdmission({ ...capacity[lane], queueMax, keepsPlaces: cluster === undefined });
  const admissions = { pages: openAdmission('pages'), cards: openAdmission('cards') };
  const pagesWorking = () => admissions.pages.working;
  const own = local && createExecutor({ admissions, ...local });
  if (cluster === undefined) {
    if (own === undefined || local === undefined)
      throw new Error('An api node needs REDIS_URL: without a cluster there is nothing to render on.');
    return { executor: own, pagesWorking, paint: local.cards.render, async stop() {} };
  }
  const node =
    own && (await cluster.startRenderNode<RenderTask, RenderOutput>({ execute: own.execute, admissions, taskSecrets }));
  const remote = {
    pages: cluster.remoteExecutor<RenderTask, RenderOutput>('pages', taskSecrets),
    cards: cluster.remoteExecutor<RenderTask, RenderOutput>('cards', taskSecrets),
  };
  const executor: Executor = {
    async execute(task, ...how) {
      const files = task.kind === 'og' ? (task.request.html?.files ?? []) : [];
      if (readFile) await Promise.all(files.map(({ hash }) => cluster.files.share(hash, () => readFile(hash))));
      return remote[laneOf(task)].execute(task, ...how);
    },
    load: (lane) => remote[lane].load,
  };
  const abandoned = async (id: string, accountId: string) => {
    await Promise.all(lanes.map((lane) => remote[lane].drop(id, accountId)));
  };
  const shared = cluster.sharedFlights<Result>({
    toParts: ({ bytes, ...head }) => ({ head, bytes }),
    fromParts: (head, bytes) => asFollower({ ...(head as Omit<Result, 'bytes'>), bytes }),
    abandoned,
  });
  const cardFlights = cluster.sharedFlights<RenderOutput>({
    toParts: ({ bytes, ...head }) => ({ head, bytes }),
    fromParts: (head, bytes) => ({ ...(head as Omit<RenderOutput, 'bytes'>), bytes }),
    abandoned,
  });
  return {
    executor,
    shared,
    pagesWorking,
    paint(request, deadline) {
      const key = createHash('sha256').update(JSON.stringify(request)).digest('hex');
      const applicant = { accountId: 'service', plan: highestPlan, atOnce: 2, weight: 1 };
      return cardFlights.join(key, deadline, (id) =>
        executor.execute({ kind: 'og', request, weight: 1 }, applicant, deadline, id, () => {}),
      );
    },
    stop: async () => node?.stop(),
  };
}

/** A request that got another's render counts as a hit, on this machine (render.ts) as on another. */
const asFollower = (result: Result): Result =>
  result.stored ? { ...result, cache: 'HIT', cachedAt: result.createdAt } : result;
