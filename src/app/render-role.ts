// ROLE=render: takes renders from the queue. Over HTTP it serves health and metrics only; it opens no database and no
// bucket.
import { browserCheck } from '../capture/capture-types.ts';
import type { Config } from '../config.ts';
import { createHealthServer } from '../http/health.ts';
import { createInFlight } from '../http/in-flight.ts';
import { createMetrics } from '../http/metrics.ts';
import { type InWork, startWatchdog } from '../http/watchdog.ts';
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import type { Store } from '../store/store.ts';
import { clusterOf, createExecutors, type LocalRenderers } from './executors.ts';
import { processGauges } from './gauges.ts';
import { createRenderers, type NameServers } from './renderers.ts';
import type { Running } from './running.ts';

export async function startRenderRole(
  config: Config,
  log: Log,
  names: NameServers,
  print: (line: string) => void,
): Promise<Running> {
  const renderers = await createRenderers(config, log, names);
  const cluster = await clusterOf(config, log);
  if (cluster === undefined) throw new Error('ROLE=render needs REDIS_URL.');
  renderers.templateFiles.read = cluster.files.read;
  const watched = watchRenders({ ...renderers, resolve: renderers.egress.resolve });
  const executors = await createExecutors(config, cluster, watched.renderers);
  const watchdog = startWatchdog(log, watched.inFlight, renderInWork);
  let stopping = false;
  const { health } = renderers.capturer;
  const server = createHealthServer({
    checks: async () => ({ browser: browserCheck(health()), queue: cluster.up }),
    stopping: () => stopping,
    metrics: createMetrics(
      processGauges({
        cluster,
        load: (lane) => cluster.stats[lane],
        pages: { health, working: executors.pagesWorking },
        watchdog: () => watchdog,
      }),
    ),
  });
  const url = await server.listen({ port: config.port, host: config.host });
  const port = Number(new URL(url).port);
  renderers.egress.protectPort(port);
  print(`A render node of Tintype is ready at ${url}`);
  return {
    url,
    get store(): Store {
      throw new Error('A render node has no store.');
    },
    prepared: Promise.resolve(),
    async stop() {
      if (stopping) return;
      stopping = true;
      const patience = new Deadline(config.shutdownSeconds * 1000, 'The stop');
      await patience
        .race(executors.stop())
        .catch(() => log.warn('stopped before all renders ended; other nodes take them over'));
      patience.done();
      watchdog.stop();
      await Promise.all([server.close(), renderers.stop(), cluster.stop()]);
    },
  };
}

type RenderInFlight = { readonly id: string; readonly endpoint: string; readonly work: Deadline };

/** The same renderers; what they render is in flight. */
function watchRenders({ capturer, cards, resolve }: LocalRenderers) {
  const inFlight = createInFlight<RenderInFlight>();
  let made = 0;
  const counted = async <T>(endpoint: string, work: Deadline, make: () => Promise<T>): Promise<T> => {
    const render = { id: String(++made), endpoint, work };
    inFlight.begin(render);
    try {
      return await make();
    } finally {
      inFlight.end(render);
    }
  };
  const renderers: LocalRenderers = {
    resolve,
    capturer: {
      capture: (request, work, turn) => counted('screenshot', work, () => capturer.capture(request, work, turn)),
      evaluate: (request, script, work, turn) =>
        counted('content', work, () => capturer.evaluate(request, script, work, turn)),
    },
    cards: { render: (request, work, turn) => counted('og', work, () => cards.render(request, work, turn)) },
  };
  return { renderers, inFlight };
}

/** For the log of the watchdog: never what is captured. */
const renderInWork = ({ id, endpoint, work }: RenderInFlight): InWork => ({
  id,
  endpoint,
  step: work.currentStep,
  ageMs: Math.round(work.elapsed()),
});
