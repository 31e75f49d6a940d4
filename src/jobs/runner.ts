// Runs jobs, on every machine that has the database: takes the next job of the account that was served longest ago, holds
// it by a lease, renders it behind everything that somebody waits for, and ends it. If this process dies, the lease ends
// and another runner takes the job over; only whoever has the lease can end it.
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isUsable } from '../access/keys.ts';
import type { Limits } from '../access/limits.ts';
import { Deadline, sleep } from '../kernel/deadline.ts';
import { errorBody } from '../kernel/error-body.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { type Plans, planNames, storageOf } from '../kernel/plans.ts';
import type { Renderer } from '../render/render.ts';
import type { Result } from '../render/result.ts';
import { type UsageRecord, usageRecord } from '../render/usage-record.ts';
import { storedParameters } from '../render/usage-texts.ts';
import type { Validate } from '../render/validate.ts';
import type { Requester, ValidatedRequest } from '../render/validated-request.ts';
import type { ClaimedJob, JobEnd, JobStore, JobWebhooks } from '../store/job-types.ts';
import type { Store } from '../store/store.ts';
import { failureOf, mostAttempts } from './failure.ts';
import { summaryOf } from './job-view.ts';
import type { RequestSealing } from './stored-request.ts';

export type RunnerDependencies = {
  readonly jobs: JobStore;
  readonly keys: Pick<Store['keys'], 'findForSigning'>;
  readonly plans: Plans;
  readonly limits: Pick<Limits, 'peek'>;
  readonly validate: Validate;
  readonly renderer: Pick<Renderer, 'start'>;
  readonly sealing: RequestSealing;
  readonly webhooks: JobWebhooks;
  readonly describe: (result: Result, validated: ValidatedRequest) => Record<string, unknown>;
  /** How many jobs this process may run at once now: 0 while it cannot render, or somebody waits. */
  readonly capacity: () => number;
  readonly record: (record: UsageRecord) => void;
  readonly onEnd: (status: JobEnd['status']) => void;
  readonly log: Log;
};

export type Runner = {
  start(): void;
  /** There may be something to do. */
  wake(): void;
  /** The jobs that run now. */
  readonly running: number;
  /** Takes no more jobs; resolves when those that run have ended. */
  drain(): Promise<void>;
  /** Puts the jobs that still run back into the queue. */
  stop(): Promise<void>;
};

type Running = { readonly job: ClaimedJob; cancel: () => void };

const pollMs = 1000;
const leaseMs = 15_000;
const renewEveryMs = 5000;
/** An account that has used up its rate is looked at again after this time. */
const rateMs = 3000;
/** How long the end of a job may wait for the database; its lease is over by then. */
const endPatienceMs = 30_000;

export function createRunner(dependencies: RunnerDependencies): Runner {
  const { jobs, keys, plans, limits, capacity, log, webhooks } = dependencies;
  const mostBytes = storageOf(plans, 'jobs');
  const atOnce = Object.fromEntries(planNames.map((plan) => [plan, plans[plan].rendersAtOnce])) as Record<
    (typeof planNames)[number],
    number
  >;
  // By token: a job that was taken over may run here a second time while its first run has not ended.
  const running = new Map<string, Running>();
  const stopped = new AbortController();
  // Until it is started.
  let draining = true;
  const timers: NodeJS.Timeout[] = [];
  let filling: Promise<void> | undefined;
  let again = false;
  let drained: (() => void) | undefined;

  function wake(): void {
    again = true;
    filling ??= fill()
      .catch((error) => log.debug({ err: error }, 'no job could be taken'))
      .finally(() => {
        filling = undefined;
      });
  }

  async function fill(): Promise<void> {
    while (again) {
      again = false;
      while (!draining && running.size < capacity()) {
        const job = await takeNext();
        if (job === undefined) break;
        run(job);
      }
    }
  }

  /** The next job, of the first account in turn that has some of its rate left. */
  async function takeNext(): Promise<ClaimedJob | undefined> {
    for (;;) {
      // With SQLite and results in memory nothing below waits: all jobs would run in one turn of the event loop.
      await setImmediate();
      const now = Date.now();
      const next = await jobs.nextAccount(atOnce, now);
      if (next === undefined) return undefined;
      const { remaining, limit, retryAfter } = await limits.peek(next.accountId, plans[next.plan].rendersPerMinute);
      // A quarter of the account's rate is kept for requests that somebody waits for.
      if (remaining > limit / 4) {
        const token = randomBytes(12).toString('base64url');
        const job = await jobs.claim(next.accountId, token, now + leaseMs, now);
        if (job !== undefined) return job;
      } else await jobs.postpone(next, now + Math.max(rateMs, retryAfter * 1000));
    }
  }

  function run(job: ClaimedJob): void {
    const entry: Running = { job, cancel: () => {} };
    running.set(job.token, entry);
    attempt(entry)
      .catch((error) => log.error({ err: error, job: job.id }, 'the end of a job could not be written'))
      .finally(() => {
        running.delete(job.token);
        if (running.size === 0) drained?.();
        wake();
      });
  }

  async function attempt(entry: Running): Promise<void> {
    const { job } = entry;
    const startedAt = performance.now();
    let about: Pick<Parameters<typeof usageRecord>[0], 'id' | 'requester' | 'endpoint' | 'parameters'> | undefined;
    let begunAt: number | undefined;
    try {
      if (job.attempts > mostAttempts) throw interrupted();
      const requester = await requesterOf(job);
      const parameters = dependencies.sealing.read(job.request, job.sealed, job.id);
      about = { id: job.id, requester, endpoint: job.kind, parameters: storedParameters(parameters) };
      const validated = inBackground(await dependencies.validate(job.kind, parameters, requester), () => {
        begunAt ??= performance.now();
      });
      const deadline = new Deadline(validated.timeoutMs);
      const execution = dependencies.renderer.start(validated, deadline);
      entry.cancel = execution.cancel;
      if (stopped.signal.aborted) execution.cancel();
      const outcome = await execution.result;
      const result = dependencies.describe(outcome, validated);
      const text = JSON.stringify(result);
      const cacheKey = outcome.stored ? outcome.key : null;
      const ended = await end(job, { status: 'done', result: text, summary: summaryOf(result, text), cacheKey });
      const totalMs = performance.now() - startedAt;
      if (ended)
        dependencies.record(
          usageRecord({ ...about, outcome, totalMs, phases: outcome.phases, warnings: validated.warnings }),
        );
    } catch (error) {
      const failure = failureOf(error, { ...job, queuedMs: (begunAt ?? performance.now()) - startedAt });
      if ('again' in failure) {
        if (failure.again === 'as failure') log.warn({ err: error, job: job.id }, 'a job failed and is tried again');
        await persist(() => jobs.putBack(job, failure.again, Date.now() + failure.afterMs));
        return;
      }
      const problem = failure.final;
      if (problem.code === 'internal_error') log.error({ err: problem.cause ?? problem, job: job.id }, 'a job failed');
      const ended = await end(job, { status: 'failed', error: JSON.stringify(errorBody(problem, job.id)) });
      if (ended && about !== undefined)
        dependencies.record(usageRecord({ ...about, outcome: problem, totalMs: performance.now() - startedAt }));
    }
  }

  /** The account may have been disabled, or its key revoked, since the job was accepted. */
  async function requesterOf({ keyId }: ClaimedJob): Promise<Requester> {
    const found = await keys.findForSigning(keyId);
    // A key that has only expired was valid when the job was accepted.
    if (found === undefined || !isUsable({ ...found, key: { ...found.key, expiresAt: null } }, Date.now()))
      throw new Problem('invalid_api_key', { message: 'The key of this job was revoked, or its account disabled.' });
    return { account: found.account, key: found.key, signed: false };
  }

  async function end(job: ClaimedJob, how: JobEnd): Promise<boolean> {
    const ended = await persist(() => jobs.end(job, how, webhooks, Date.now(), mostBytes));
    if (ended) dependencies.onEnd(how.status);
    else log.info({ job: job.id }, 'another runner took the job over');
    return ended;
  }

  /** Tries until the database answers, or somebody else has the job. */
  async function persist(write: () => Promise<boolean>): Promise<boolean> {
    const giveUpAt = performance.now() + endPatienceMs;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const isAway = error instanceof Problem && error.code === 'storage_unavailable';
        if (!isAway || performance.now() > giveUpAt || stopped.signal.aborted) throw error;
      }
      await sleep(500 + Math.random() * 500);
    }
  }

  const quietly = (what: string, work: () => Promise<unknown>) => () =>
    void work().catch((error) => log.debug({ err: error }, `${what} failed`));
  const startTimers = (): NodeJS.Timeout[] => [
    setInterval(wake, pollMs),
    setInterval(quietly('renewing leases', renewAndTakeBack), renewEveryMs),
  ];

  /** In this order: after an outage of the database the leases of this process are over, too. */
  async function renewAndTakeBack(): Promise<void> {
    const held = [...running.values()];
    const renewed = new Set(
      await jobs.renew(
        held.map(({ job }) => job),
        Date.now() + leaseMs,
      ),
    );
    // Somebody else has the job now, or it has just ended.
    for (const { job, cancel } of held) if (!renewed.has(job.token)) cancel();
    const count = await jobs.takeBack(Date.now());
    if (count > 0) log.warn({ count }, 'jobs of a process that is gone were put back into the queue');
  }

  return {
    start() {
      draining = false;
      timers.push(...startTimers());
      for (const timer of timers) timer.unref();
      wake();
    },
    wake,
    get running() {
      return running.size;
    },
    async drain() {
      draining = true;
      await filling;
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
    async stop() {
      draining = true;
      stopped.abort();
      for (const timer of timers) clearInterval(timer);
      await filling;
      for (const { cancel } of running.values()) cancel();
      if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve));
    },
  };
}

const interrupted = (): Problem =>
  new Problem('internal_error', { message: `The service ended ${mostAttempts} times while it ran this job.` });

/** Behind everything that somebody waits for. */
const inBackground = (validated: ValidatedRequest, onStart: () => void): ValidatedRequest => ({
  ...validated,
  background: { onStart },
  ...(validated.original && { original: { ...validated.original, background: { onStart } } }),
});
