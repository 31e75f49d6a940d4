// The composition root: the only file that constructs parts and joins them.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { findBrowser } from '../setup/find-browser.js';
import { createKeyUse } from './access/keys.ts';
import { createMemoryLimits } from './access/limits.ts';
import { createSignIn } from './access/sign-in.ts';
import { createCache } from './cache/cache.ts';
import { createDiskFiles } from './cache/disk.ts';
import { createCapturer } from './capture/capture.ts';
import { createCleaner } from './capture/clean/cleaner.ts';
import { effectiveRequest, screenshotParameters } from './capture/parameters.ts';
import type { Config } from './config.ts';
import { createEgress } from './egress/egress.ts';
import type { Resolver } from './egress/egress-types.ts';
import { createCount } from './http/count.ts';
import type { HealthView } from './http/dashboard/contract.ts';
import { registerDashboard } from './http/dashboard/dashboard.ts';
import { createJournal } from './http/journal.ts';
import { createMetrics } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { Deadline, sleep } from './kernel/deadline.ts';
import { createLog, type Log } from './kernel/log.ts';
import { parse } from './kernel/parameters.ts';
import { ttlMs } from './kernel/plans.ts';
import { cardTimeoutMs, createCardMaker } from './og/og.ts';
import { ogParameters } from './og/parameters.ts';
import { createAdmission } from './render/admission.ts';
import { createRenderer } from './render/render.ts';
import { createWorkshop } from './render/workshop.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

export type Running = {
  readonly url: string;
  readonly store: Store;
  /** Refuses new work, finishes what runs (bounded), and lets go of everything. */
  stop(): Promise<void>;
};

/** What tests put in place of the world: nothing else can be replaced. */
export type Outside = { readonly log?: Log; readonly resolver?: Resolver; readonly print?: (line: string) => void };

const projectDir = join(import.meta.dirname, '..');

export async function start(config: Config, outside: Outside = {}): Promise<Running> {
  const log = outside.log ?? createLog(config.logLevel);
  const print = outside.print ?? ((line: string) => process.stdout.write(`${line}\n`));
  const store = await openStore({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, log });
  const serviceSecret = await store.values.setIfAbsent('service_secret', randomBytes(32).toString('hex'));
  const makers = await createMakers(config, log, outside.resolver);
  const cache = await createCache({
    index: store.cache,
    files: createDiskFiles(join(config.dataDir, 'cache')),
    maxBytes: config.cacheMaxBytes,
    memoryBytes: config.cacheMemoryBytes,
    maxAgeMs: Math.max(...Object.values(config.planLimits).map(ttlMs)),
    log,
  });
  const limits = createMemoryLimits();
  const admission = createAdmission(config.rendersAtOnce, config.queueMax);
  const workshop = createWorkshop({ admission, ...makers, resolve: makers.egress.resolve });
  const renderer = createRenderer({ cache, limits, workshop });
  const journal = createJournal(store.usage, log);
  const keyUse = createKeyUse(store.keys, log);
  const signIn = createSignIn({ store, config, baseUrl: () => baseUrl, log });
  const metrics = createMetrics({
    queueDepth: () => workshop.waiting,
    rendersRunning: () => workshop.running,
    browserRestarts: () => makers.capturer.health().restarts,
    cacheBytes: () => cache.totals().bytes,
    cacheEntries: () => cache.totals().entries,
    cacheMemoryBytes: () => cache.totals().memoryBytes,
  });

  const health = (): HealthView => {
    const { browser, ...browserState } = makers.capturer.health();
    const { source, fetchedAt, version } = makers.cleaner.lists;
    return {
      version: packageJson.version,
      node: process.version,
      uptimeMs: Math.round(process.uptime() * 1000),
      memoryBytes: process.memoryUsage.rss(),
      database: store.dialect === 'postgres' ? 'PostgreSQL' : 'SQLite',
      browser: { name: browser, ...browserState },
      queue: {
        waiting: admission.waiting,
        running: admission.running,
        slots: config.rendersAtOnce,
        max: config.queueMax,
      },
      cache: { ...cache.totals(), maxBytes: config.cacheMaxBytes },
      lists: { source, fetchedAt: fetchedAt ?? null, version: version ?? null },
    };
  };

  const requests = createCount();
  let stopping = false;
  let baseUrl = config.baseUrl ?? '';
  const server = await createServer({
    baseUrl: () => baseUrl,
    trustProxy: config.trustProxy,
    plans: config.planLimits,
    log,
    store,
    limits,
    renderer,
    egress: makers.egress,
    cards: makers.cards,
    serviceSecret,
    keyUsed: keyUse.used,
    captureHealth: makers.capturer.health,
    journal,
    metrics,
    requests,
    stopping: () => stopping,
  });
  await registerDashboard(server, {
    baseUrl: () => baseUrl,
    log,
    plans: config.planLimits,
    store,
    signIn,
    limits,
    renderer,
    egress: makers.egress,
    cards: makers.cards,
    cache,
    journal,
    health,
    version: packageJson.version,
    webDir: join(projectDir, 'web', 'dist'),
  });
  await server.listen({ port: config.port, host: config.host });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  makers.egress.protectPort(port);
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  baseUrl ||= url;

  print(`Tintype is ready at ${baseUrl}`);
  if (!(await store.accounts.adminExists()))
    print(
      `No administrator yet. Open this link once to become it:\n  ${baseUrl}/setup?token=${await signIn.createSetupToken()}`,
    );

  return {
    url,
    store,
    async stop() {
      if (stopping) return;
      stopping = true;
      // The door stays open meanwhile, to tell newcomers 503 rather than to hang up on them.
      await Promise.race([requests.settled(), sleep(config.shutdownSeconds * 1000)]);
      await Promise.all([server.close(), makers.stop()]);
      signIn.stop();
      await Promise.all([cache.stop(), journal.stop(), keyUse.stop()]);
      await store.close();
    },
  };
}

export type Shot = { readonly bytes: Buffer; readonly type: string; readonly warnings: readonly string[] };

/** One render for the command line: no server, no key, no plan, no cache; the guard and the rules are the same. */
export async function oneShot(
  config: Config,
  kind: 'screenshot' | 'og',
  query: ReadonlyMap<string, string>,
): Promise<Shot> {
  const makers = await createMakers(config, createLog('silent'));
  try {
    if (kind === 'screenshot') {
      const parsed = parse(query, screenshotParameters);
      const target = makers.egress.check(parsed.values.url);
      const deadline = new Deadline(parsed.values.timeout);
      await makers.egress.resolve(target, deadline.signal);
      return await makers.capturer.capture({ ...effectiveRequest(parsed), url: target.href }, deadline);
    }
    const { values, unknown } = parse(query, ogParameters);
    const { variables, warnings } = makers.cards.check(values.template, unknown);
    const card = await makers.cards.render({ ...values, variables }, new Deadline(cardTimeoutMs));
    return { ...card, warnings: [...warnings, ...card.warnings] };
  } finally {
    await makers.stop();
  }
}

async function createMakers(config: Config, log: Log, resolver?: Resolver) {
  const egress = createEgress({ allowPrivate: config.allowPrivateTargets, resolver, log });
  const browser = await findBrowser({ browserPath: config.browserPath, projectDir });
  if (browser === undefined) throw new Error('No browser was found. Run `npm run setup`, or set BROWSER_PATH.');
  const cleaner = createCleaner({ dir: join(projectDir, '.tintype', 'lists'), log });
  const [capturer, cards] = await Promise.all([
    createCapturer({ egress, browser, cleaner, concurrency: config.rendersAtOnce, log }),
    createCardMaker({ egress, templatesDir: config.templatesDir, log }),
  ]);
  return {
    egress,
    capturer,
    cleaner,
    cards,
    async stop() {
      await Promise.all([capturer.stop(), cards.stop()]);
      await egress.stop();
    },
  };
}
