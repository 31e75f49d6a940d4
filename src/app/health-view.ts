// How the service is, for the administrators' dashboard.
import packageJson from '../../package.json' with { type: 'json' };
import type { Cache } from '../cache/cache.ts';
import type { CaptureHealth } from '../capture/capture-types.ts';
import { readListState } from '../capture/clean/list-state.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config.ts';
import type { HealthView } from '../http/dashboard/contract.ts';
import { listsDir } from '../kernel/project-paths.ts';
import type { Executor } from '../render/executor.ts';
import type { Renderers } from './renderers.ts';

type Parts = {
  readonly config: Config;
  readonly cluster: Cluster | undefined;
  /** Not on an api node. */
  readonly renderers: Renderers | undefined;
  readonly cache: Cache;
  readonly slots: () => number;
  readonly load: Executor['load'];
  readonly database: string;
};

export function createHealthView({ config, cluster, renderers, cache, slots, load, database }: Parts) {
  return (): HealthView => {
    const [pages, cards] = [load('pages'), load('cards')];
    const { browser, ...browserState } = renderers?.capturer.health() ?? remoteBrowsers(cluster);
    const { source, fetchedAt, version } = renderers?.cleaner.lists ?? readListState(listsDir);
    return {
      version: packageJson.version,
      node: process.version,
      uptimeMs: Math.round(process.uptime() * 1000),
      memoryBytes: process.memoryUsage.rss(),
      database,
      browser: { name: browser, ...browserState },
      queue: {
        waiting: pages.waiting + cards.waiting,
        running: pages.running + cards.running,
        slots: slots(),
        places: cluster?.stats.pages.places ?? config.pagesAtOnce,
        // For pages, and again for cards.
        max: 2 * config.queueMax,
      },
      cache: { ...cache.totals(), maxBytes: config.cacheMaxBytes },
      lists: { source, fetchedAt: fetchedAt ?? null, version: version ?? null },
    };
  };
}

/** On an api node: the browsers of the render nodes. */
const remoteBrowsers = (cluster: Cluster | undefined): CaptureHealth => {
  const { renderers = 0, pages: { slots = 0, running = 0 } = {} } = cluster?.stats ?? {};
  return {
    ready: renderers > 0,
    browser: `on ${renderers} render ${renderers === 1 ? 'node' : 'nodes'}`,
    // Known to the render nodes only: it is in their logs.
    sandbox: undefined,
    restarts: 0,
    renders: 0,
    pagesReady: Math.max(0, slots - running),
    pagesOpen: running,
  };
};
