// ROLE=render: takes renders from the queue, and answers nothing but how it is. It opens no database and no bucket.

import type { Capturer } from '../capture/capture-types.ts';
import type { Config } from '../config.ts';
import { createHealthServer } from '../http/health.ts';
import { createMetrics } from '../http/metrics.ts';
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { clusterOf, createWorkshops, type LocalParts } from './workshops.ts';

type Makers = LocalParts & { readonly capturer: Capturer; readonly egress: { protectPort(port: number): void } } & {
  stop(): Promise<void>;
};

export async function startRenderRole(config: Config, makers: Makers, log: Log, print: (line: string) => void) {
  const cluster = await clusterOf(config, log);
  if (cluster === undefined) throw new Error('ROLE=render needs REDIS_URL.');
  const workshops = await createWorkshops(config, cluster, makers);
  let stopping = false;
  const { health } = makers.capturer;
  const server = createHealthServer({
    checks: async () => ({ browser: health().ready, queue: cluster.up }),
    stopping: () => stopping,
    metrics: createMetrics({
      queueDepth: () => cluster.standing.waiting,
      rendersRunning: () => cluster.standing.running,
      nodeSlotsBusy: () => health().slotsBusy,
      browserRestarts: () => health().restarts,
      nodeRenders: () => health().renders,
      renderNodes: () => cluster.standing.renderers,
      renderSlots: () => cluster.standing.slots,
      redisUp: () => Number(cluster.up),
    }),
  });
  const url = await server.listen({ port: config.port, host: config.host });
  const port = Number(new URL(url).port);
  makers.egress.protectPort(port);
  print(`A render node of Tintype is ready at ${url}`);
  return {
    url,
    async stop() {
      if (stopping) return;
      stopping = true;
      const patience = new Deadline(config.shutdownSeconds * 1000, 'The stop');
      await patience.race(workshops.stop()).catch(() => log.warn('renders under way are left to other nodes'));
      patience.done();
      await Promise.all([server.close(), makers.stop(), cluster.stop()]);
    },
  };
}
