// The values of the gauges in /metrics that every role has; http/metrics.ts has their names.
import type { CaptureHealth } from '../capture/capture-types.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type Gauges, laneGauges } from '../http/metrics.ts';
import type { Watchdog } from '../http/watchdog.ts';
import type { Executor } from '../render/executor.ts';

type Parts = {
  readonly cluster: Cluster | undefined;
  readonly load: Executor['load'];
  /** The browsers of this process, and how many of its pages hold a slot; not on an api node. */
  readonly pages: { readonly health: () => CaptureHealth; readonly working: () => number } | undefined;
  /** Undefined until the server listens. */
  readonly watchdog: () => Watchdog | undefined;
};

export const processGauges = ({ cluster, load, pages, watchdog }: Parts): Gauges => ({
  ...laneGauges(load),
  ...(cluster && {
    renderNodes: () => cluster.stats.renderers,
    renderSlots: () => cluster.stats.pages.slots,
    redisUp: () => Number(cluster.up),
  }),
  ...(pages && {
    nodePagesOpen: () => pages.health().pagesOpen,
    nodePagesWorking: pages.working,
    nodeRenders: () => pages.health().renders,
    browserRestarts: () => pages.health().restarts,
  }),
  eventLoopDelay: () => watchdog()?.longest() ?? 0,
  eventLoopBlocks: () => watchdog()?.blocks ?? 0,
});
