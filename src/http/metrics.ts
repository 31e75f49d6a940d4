// Prometheus figures. What a request tells is counted when it ends; what the house knows is asked when
// somebody looks.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Story } from './story.ts';

export type Gauges = {
  readonly queueDepth: () => number;
  readonly rendersRunning: () => number;
  readonly browserRestarts: () => number;
  readonly cacheBytes: () => number;
  readonly cacheEntries: () => number;
  readonly cacheMemoryBytes: () => number;
};

export type Metrics = {
  observe(route: string, method: string, status: number, seconds: number, story: Story): void;
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
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('tintype_queue_depth', 'Renders waiting for a slot.', gauges.queueDepth);
  gauge('tintype_renders_running', 'Slots in use.', gauges.rendersRunning);
  gauge('tintype_browser_restarts', 'Browsers started anew since the server started.', gauges.browserRestarts);
  gauge('tintype_cache_bytes', 'Bytes in the cache.', gauges.cacheBytes);
  gauge('tintype_cache_entries', 'Results in the cache.', gauges.cacheEntries);
  gauge('tintype_cache_memory_bytes', 'Bytes of hot results in memory.', gauges.cacheMemoryBytes);

  return {
    observe(route, method, status, seconds, story) {
      requests.inc({ route, method, status });
      duration.observe({ route }, seconds);
      if (story.endpoint === undefined) return;
      if (story.cache !== undefined) hits.inc({ result: story.cache.toLowerCase() });
      if (story.cache === 'HIT') return;
      if (story.cache === 'MISS' || status >= 500)
        renders.inc({ endpoint: story.endpoint, outcome: story.code ?? 'ok' });
      for (const [name, ms] of Object.entries(story.phases ?? {})) phase.observe({ phase: name }, ms / 1000);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
