// Prometheus metrics. Requests are counted when they end; gauges are read when the metrics are scraped.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Problem } from '../kernel/errors.ts';
import type { Lane, Load } from '../kernel/lanes.ts';
import { isBad, type Verdict } from '../kernel/verdict.ts';
import type { RequestContext } from './request-context.ts';

const gaugeTable = {
  queueDepth: ['tintype_queue_depth', 'Renders that wait, of the whole cluster if there is one.'],
  rendersRunning: ['tintype_renders_running', 'Renders under way, of the whole cluster if there is one.'],
  pagesWaiting: ['tintype_pages_waiting', 'Pages that wait for their turn.'],
  pagesRunning: ['tintype_pages_running', 'Pages under way, including those that only wait for the network.'],
  cardsWaiting: ['tintype_cards_waiting', 'Cards that wait for their turn.'],
  cardsRunning: ['tintype_cards_running', 'Cards under way.'],
  renderNodes: ['tintype_render_nodes', 'Render nodes of the cluster that are alive.'],
  renderSlots: ['tintype_render_slots', 'Pages that all render nodes together can capture at once.'],
  redisUp: ['tintype_redis_up', '1 if Redis answers, otherwise 0.'],
  nodePagesOpen: ['tintype_node_pages_open', 'Pages open in the browser of this process.'],
  nodePagesWorking: [
    'tintype_node_pages_working',
    'Pages of this process that hold a slot, because they have work to do.',
  ],
  nodeRenders: ['tintype_node_renders', 'Renders this process has made since it started.'],
  browserRestarts: ['tintype_browser_restarts', 'Browsers restarted since the server started.'],
  eventLoopDelay: [
    'tintype_event_loop_delay_seconds',
    'The longest time in the last minute for which the event loop was blocked.',
  ],
  eventLoopBlocks: [
    'tintype_event_loop_blocks',
    'How often the event loop was blocked for more than 250 ms since the start.',
  ],
  cacheBytes: ['tintype_cache_bytes', 'Bytes in the cache.'],
  cacheEntries: ['tintype_cache_entries', 'Results in the cache.'],
  cacheMemoryBytes: ['tintype_cache_memory_bytes', 'Bytes of cached results in memory.'],
  jobsQueued: ['tintype_jobs_queued', 'Jobs that wait, of the whole cluster if there is one.'],
  jobsRunning: ['tintype_jobs_running', 'Jobs that run, of the whole cluster if there is one.'],
  jobsOldest: ['tintype_jobs_oldest_seconds', 'For how long the job that waits longest has waited.'],
  webhooksPending: ['tintype_webhooks_pending', 'Webhooks that are not delivered yet, of the whole cluster.'],
  webhooksOverdue: [
    'tintype_webhooks_overdue_seconds',
    'How long the webhook that waits longest has been due, in the whole cluster.',
  ],
} as const;

/** The gauges that this process has; the others are left out. */
export type Gauges = { readonly [Name in keyof typeof gaugeTable]?: (() => number) | undefined };

/** The load of pages, of cards, and of both. */
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
  /** A capture was made, whether the caller rejects it or not. */
  captured(verdict: Verdict): void;
  jobEnded(status: 'done' | 'failed'): void;
  webhookAttempted(state: 'delivered' | 'pending' | 'failed'): void;
  sitePageRead(outcome: 'read' | 'missing' | 'failed'): void;
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
    help: 'Response time by route.',
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
    help: 'Results by what the cache had: hit, miss or stale.',
    labelNames: ['result'],
    registers,
  });
  const captures = new Counter({
    name: 'tintype_captures_total',
    help: 'Captures made; bad ones show an error page, a blank page or a bot wall.',
    labelNames: ['bad'],
    registers,
  });
  const verdicts = new Counter({
    name: 'tintype_verdicts_total',
    help: 'Captures made, by each code of their verdict; ok if there is none.',
    labelNames: ['code'],
    registers,
  });
  const jobsEnded = new Counter({
    name: 'tintype_jobs_ended_total',
    help: 'Jobs that this process has ended, by status.',
    labelNames: ['status'],
    registers,
  });
  const webhookAttempts = new Counter({
    name: 'tintype_webhook_attempts_total',
    help: 'Attempts to deliver a webhook: delivered, pending (it failed and is tried again) or failed (it was the last).',
    labelNames: ['state'],
    registers,
  });
  const sitePages = new Counter({
    name: 'tintype_site_pages_total',
    help: 'Pages of sites that were fetched for their cards: read, missing or failed.',
    labelNames: ['outcome'],
    registers,
  });
  // From the start, so that an alert sees that there are none.
  for (const status of ['done', 'failed', 'canceled']) jobsEnded.inc({ status }, 0);
  for (const state of ['delivered', 'pending', 'failed']) webhookAttempts.inc({ state }, 0);
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
      if (result !== undefined || (problem?.status ?? status) >= 500)
        renders.inc({ endpoint, outcome: problem?.code ?? 'ok' });
      for (const [name, ms] of Object.entries(context.phases ?? {})) phase.observe({ phase: name }, ms / 1000);
    },
    captured(verdict) {
      captures.inc({ bad: String(isBad(verdict)) });
      for (const code of verdict.ok ? ['ok'] : verdict.codes) verdicts.inc({ code });
    },
    jobEnded: (status) => jobsEnded.inc({ status }),
    webhookAttempted: (state) => webhookAttempts.inc({ state }),
    sitePageRead: (outcome) => sitePages.inc({ outcome }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
