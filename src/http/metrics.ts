// Prometheus figures. What a request tells is counted when it ends; what the house knows is asked when
// somebody looks.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Problem } from '../kernel/errors.ts';
import type { Lane, Load } from '../kernel/lanes.ts';
import { isBad, type Verdict } from '../kernel/verdict.ts';
import type { RequestContext } from './request-context.ts';

const gaugeTable = {
  queueDepth: ['tintype_queue_depth', 'Renders that wait; in a cluster those of all of it.'],
  rendersRunning: ['tintype_renders_running', 'Renders under way; in a cluster those of all of it.'],
  pagesWaiting: ['tintype_pages_waiting', 'Pages that wait for their turn.'],
  pagesRunning: ['tintype_pages_running', 'Pages under way, those that only wait for their network included.'],
  cardsWaiting: ['tintype_cards_waiting', 'Cards that wait for their turn.'],
  cardsRunning: ['tintype_cards_running', 'Cards under way.'],
  renderNodes: ['tintype_render_nodes', 'Render nodes of the cluster that are alive.'],
  renderSlots: ['tintype_render_slots', 'Pages that all render nodes together capture at once.'],
  redisUp: ['tintype_redis_up', 'Does Redis answer? 1 or 0.'],
  nodeSlotsBusy: ['tintype_node_slots_busy', 'Pages open in the browser of this process.'],
  nodePagesWorking: ['tintype_node_pages_working', 'Pages of this process that hold one of its processors.'],
  nodeRenders: ['tintype_node_renders', 'Renders this process has made since it started.'],
  browserRestarts: ['tintype_browser_restarts', 'Browsers started anew since the server started.'],
  eventLoopDelay: [
    'tintype_event_loop_delay_seconds',
    'The longest time of the last minute for which this process could answer nobody.',
  ],
  eventLoopHolds: [
    'tintype_event_loop_holds',
    'How often since the start this process could answer nobody for more than 250 ms.',
  ],
  cacheBytes: ['tintype_cache_bytes', 'Bytes in the cache.'],
  cacheEntries: ['tintype_cache_entries', 'Results in the cache.'],
  cacheMemoryBytes: ['tintype_cache_memory_bytes', 'Bytes of hot results in memory.'],
} as const;

/** What this process can tell of; the others are left out. */
export type Gauges = { readonly [Name in keyof typeof gaugeTable]?: (() => number) | undefined };

/** Pages and cards, apart and together. */
export const laneGauges = (load: (lane: Lane) => Load): Gauges => ({
  queueDepth: () => load('pages').waiting + load('cards').waiting,
  rendersRunning: () => load('pages').running + load('cards').running,
  pagesWaiting: () => load('pages').waiting,
  pagesRunning: () => load('pages').running,
  cardsWaiting: () => load('cards').waiting,
  cardsRunning: () => load('cards').running,
});

export type Metrics = {
  observe(route: string, method: string, status: number, seconds: number, context: RequestContext): void;
  /** A capture was made, whatever the caller thinks of it. */
  captured(verdict: Verdict): void;
  text(): Promise<string>;
  readonly contentType: string;
};

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(gauges: Gauges): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'tintype_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'tintype_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['route'],
    buckets,
    registers,
  });
  const renders = new Counter({
    name: 'tintype_renders_total',
    help: 'Renders by endpoint and outcome (ok or the error code).',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  const phase = new Histogram({
    name: 'tintype_phase_seconds',
    help: 'Time of a render by phase.',
    labelNames: ['phase'],
    buckets,
    registers,
  });
  const hits = new Counter({
    name: 'tintype_cache_requests_total',
    help: 'Answers by what the cache had.',
    labelNames: ['result'],
    registers,
  });
  const captures = new Counter({
    name: 'tintype_captures_total',
    help: 'Captures made; bad ones are an error page, blank or a bot wall.',
    labelNames: ['bad'],
    registers,
  });
  const verdicts = new Counter({
    name: 'tintype_verdicts_total',
    help: 'Captures made, by each code of their verdict; ok where there is none.',
    labelNames: ['code'],
    registers,
  });
  for (const [key, [name, help]] of Object.entries(gaugeTable)) {
    const read = gauges[key as keyof Gauges];
    if (read !== undefined)
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
  }

  return {
    observe(route, method, status, seconds, context) {
      requests.inc({ route, method, status });
      duration.observe({ route }, seconds);
      const { endpoint, outcome } = context;
      if (endpoint === undefined) return;
      const problem = outcome instanceof Problem ? outcome : undefined;
      const result = outcome instanceof Problem ? undefined : outcome;
      if (result !== undefined) hits.inc({ result: result.stale === undefined ? result.cache.toLowerCase() : 'stale' });
      if (result?.cache === 'HIT') return;
      if (result !== undefined || status >= 500) renders.inc({ endpoint, outcome: problem?.code ?? 'ok' });
      for (const [name, ms] of Object.entries(context.phases ?? {})) phase.observe({ phase: name }, ms / 1000);
    },
    captured(verdict) {
      captures.inc({ bad: String(isBad(verdict)) });
      for (const code of verdict.ok ? ['ok'] : verdict.codes) verdicts.inc({ code });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
