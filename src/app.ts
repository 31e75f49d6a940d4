// The composition root: only this file and app/ construct the parts and connect them.
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import packageJson from '../package.json' with { type: 'json' };
import { loadAuth } from './access/auth.ts';
import { createKeyUse } from './access/keys.ts';
import { createSignIn } from './access/sign-in.ts';
import { processGauges } from './app/gauges.ts';
import { createHealthView } from './app/health-view.ts';
import { startRenderRole } from './app/render-role.ts';
import type { NameServers } from './app/renderers.ts';
import { openRendering } from './app/rendering.ts';
import { startRetention } from './app/retention.ts';
import type { Running } from './app/running.ts';
import { browserCheck } from './capture/capture-types.ts';
import type { Config } from './config.ts';
import { registerDashboard } from './http/dashboard/dashboard.ts';
import { allAnswered, createInFlight } from './http/in-flight.ts';
import { createMetrics } from './http/metrics.ts';
import { requestInWork } from './http/request-record.ts';
import { createServer } from './http/server.ts';
import { startWatchdog, type Watchdog } from './http/watchdog.ts';
import { createJobs } from './jobs/jobs.ts';
import { sleep } from './kernel/deadline.ts';
import { createLog, type Log } from './kernel/log.ts';
import { webDir } from './kernel/project-paths.ts';
import { describeResult } from './render/describe.ts';
import { createSites } from './sites/sites.ts';
import { serviceSecretName } from './store/service-secret.ts';
import { createWebhookSecrets } from './webhooks/secrets.ts';
import { startWebhookSender, type WebhookSender } from './webhooks/sender.ts';
import { checkWebhookUrl } from './webhooks/webhook-url.ts';

/** What the first picture does not need is loaded this long after the start: sign-in, and the fonts of cards. */
const prepareAfterMs = 1000;

/** A client that keeps its connection may have sent its next request already: that gets a 503 before the server closes. */
const nextRequestMs = 100;

/** What tests may replace; nothing else can be. */
export type Outside = NameServers & {
  readonly log?: Log;
  readonly print?: (line: string) => void;
};

export async function start(config: Config, outside: Outside = {}): Promise<Running> {
  const log = outside.log ?? createLog(config.logLevel);
  const print = outside.print ?? ((line: string) => process.stdout.write(`${line}\n`));
  if (config.role === 'render') return startRenderRole(config, log, outside, print);
  const rendering = await openRendering(config, log, outside, (verdict) => metrics.captured(verdict));
  const { storage, egress, renderers, cards, ownTemplates, renderer, validate, slots, load } = rendering;
  const { store, serviceSecret, cluster, cache, limits, quota, journal } = storage;
  const isAlone = store.dialect === 'sqlite';
  const jobs = createJobs({
    jobs: store.jobs,
    keys: store.keys,
    plans: config.planLimits,
    limits,
    validate,
    renderer,
    describe: (result, validated) => describeResult(result, validated, { baseUrl: () => baseUrl, serviceSecret }),
    capacity: rendering.jobCapacity,
    record: journal.write,
    onEnd: (status) => {
      metrics.jobEnded(status);
      webhooks?.wake();
    },
    baseUrl: () => baseUrl,
    serviceSecret,
    alone: isAlone,
    log,
  });
  const sites = createSites({
    store: store.sites,
    egress,
    limits,
    validate,
    renderer,
    catalogue: () => cards.catalogue,
    ownTemplates,
    record: journal.write,
    pageRead: (outcome) => metrics.sitePageRead(outcome),
    isTurn: cluster?.isTurn,
    log,
  });
  const keyUse = createKeyUse(store.keys, log);
  const signIn = createSignIn({ store, config, baseUrl: () => baseUrl, log });
  const requests = createInFlight<FastifyRequest>();
  // Started when the server listens: the start itself may block the event loop.
  let watchdog: Watchdog | undefined;
  const webhookSecrets = createWebhookSecrets(store.webhooks.secrets, serviceSecret, {
    isCurrent: async () => (await store.values.get(serviceSecretName)) === serviceSecret,
    log,
  });
  // Started when the server listens: its own port is protected then.
  let webhooks: WebhookSender | undefined;
  const metrics = createMetrics({
    ...processGauges({
      cluster,
      load,
      pages: renderers && { health: renderers.capturer.health, working: rendering.pagesWorking },
      watchdog: () => watchdog,
    }),
    cacheBytes: () => cache.totals().bytes,
    cacheEntries: () => cache.totals().entries,
    cacheMemoryBytes: () => cache.totals().memoryBytes,
    jobsQueued: () => jobs.totals.queued,
    jobsRunning: () => jobs.totals.running,
    jobsOldest: () => (jobs.totals.oldestAt === null ? 0 : Math.max(0, Date.now() - jobs.totals.oldestAt) / 1000),
    webhooksPending: () => webhooks?.stats.pending ?? 0,
    webhooksOverdue: () => webhooks?.stats.overdueSeconds ?? 0,
  });

  const health = createHealthView({
    config,
    cluster,
    renderers,
    cache,
    slots,
    load,
    database: store.dialect === 'postgres' ? 'PostgreSQL' : 'SQLite',
  });

  let stopping = false;
  let baseUrl = config.baseUrl ?? '';
  const apiAndDashboard = {
    version: packageJson.version,
    baseUrl: () => baseUrl,
    plans: config.planLimits,
    log,
    store,
    limits,
    quota,
    validate,
    renderer,
    jobs,
    sites,
    cards,
    ownTemplates,
    journal,
  };
  const server = await createServer({
    ...apiAndDashboard,
    trustProxy: config.trustProxy,
    jobChecks: { validate, checkWebhook: (url) => checkWebhookUrl(url, egress) },
    removeResults: cache.removeSubject,
    serviceSecret,
    keyUsed: keyUse.used,
    checks: async () => ({
      ...(renderers && { browser: browserCheck(renderers.capturer.health()) }),
      database: await store.ping().then(
        () => true,
        () => false,
      ),
    }),
    metrics,
    requests,
    stopping: () => stopping,
  });
  await registerDashboard(server, {
    ...apiAndDashboard,
    signIn,
    cache,
    health,
    webDir,
    webhooks: { secrets: webhookSecrets, wake: () => webhooks?.wake() },
    egress,
  });
  await server.listen({ port: config.port, host: config.host });
  watchdog = startWatchdog(log, requests, requestInWork);
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  egress.protectPort(port);
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  baseUrl ||= url;
  webhooks = startWebhookSender({
    webhooks: store.webhooks,
    accounts: store.accounts,
    secrets: webhookSecrets,
    post: egress.post,
    attempted: metrics.webhookAttempted,
    alone: isAlone,
    log,
  });

  await jobs.start();
  sites.start();
  const retention = startRetention(store, log);
  print(`Tintype is ready at ${baseUrl}`);
  const stopped = new AbortController();
  const prepared = sleep(prepareAfterMs, stopped.signal)
    .then(loadAuth)
    .then(cards.prepare)
    .catch((error) => stopped.signal.aborted || log.error({ err: error }, 'the sign-in library cannot be loaded'));
  // If several nodes start at once, one prints the link: only the latest link is valid.
  if (!(await store.accounts.adminExists()) && (await (cluster?.isTurn('setup-link', 60_000) ?? true)))
    print(
      `There is no administrator yet. Open this link to create that account (it works once):\n  ${baseUrl}/setup?token=${await signIn.createSetupToken()}`,
    );

  return {
    url,
    store,
    prepared,
    async stop() {
      if (stopping) return;
      stopping = true;
      renderer.stop();
      stopped.abort();
      // The server listens meanwhile: new requests get a 503 instead of a refused connection.
      const timeIsUp = sleep(config.shutdownSeconds * 1000);
      await Promise.race([Promise.all([allAnswered(requests), jobs.drain()]), timeIsUp]);
      await jobs.stop();
      await Promise.race([rendering.drain(), timeIsUp]);
      await Promise.all([webhooks?.stop(), sites.stop()]);
      await Promise.all([rendering.stop(), sleep(nextRequestMs)]);
      // What has arrived by now is read first.
      await setImmediate();
      await Promise.race([allAnswered(requests), timeIsUp]);
      await server.close();
      retention.stop();
      watchdog?.stop();
      await keyUse.stop();
      await storage.close();
    },
  };
}
