// A validated request becomes a stored result: cache → a render of the same key that is under way → the account's rate →
// the executor (the target's address → a slot → capture or card) → cache. If that fails, the last good result may be
// the answer; see freshness.ts.
import { randomBytes } from 'node:crypto';
import type { Limits } from '../access/limits.ts';
import type { Cache } from '../cache/cache.ts';
import { Deadline, type Phases } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { rejectIf, type Verdict } from '../kernel/verdict.ts';
import { countsAsRender } from './counting.ts';
import type { Executor } from './executor.ts';
import { createFlights } from './flights.ts';
import { badCode, mayPass, passingCode } from './freshness.ts';
import { createOutages, type OutageNews } from './outages.ts';
import { createRefreshes } from './refreshes.ts';
import type { Result } from './result.ts';
import { createStoredResults } from './stored-results.ts';
import { storedParameters } from './stored-texts.ts';
import { type UsageRecord, usageRecord } from './usage-record.ts';
import type { ValidatedRequest } from './validated-request.ts';

/** One render execution, from the validated request to the stored result. */
export type Execution = {
  /** The cache key. */
  readonly key: string;
  readonly result: Promise<Result>;
  /** The step it is in now. */
  step(): string;
  /** Milliseconds spent in each step of the request so far. */
  phases(): Phases;
  /** The caller no longer waits. A render that others wait for goes on. */
  cancel(): void;
};

export type Renderer = {
  /** `deadline` is the caller's own; it ends with the execution. */
  start(request: ValidatedRequest, deadline: Deadline): Execution;
  /** A cached result by its key, whoever asks: for links that carry their own signature. */
  stored(key: string): Promise<Result | undefined>;
  /** Another machine found out that a target is down, or up again. */
  onOutageMessage(news: OutageNews): void;
  /** Ends the renders that nobody waits for. */
  stop(): void;
};

type Dependencies = {
  cache: Cache;
  limits: Limits;
  executor: Executor;
  /** Is a slot free, and nobody waiting for one? */
  isIdle: () => boolean;
  /** In a cluster: identical requests on any machine are one render. */
  shared?: SharedFlights;
  /** Sends to the other machines. */
  broadcast?: (news: OutageNews) => void;
  /** Takes the usage record of a refresh. The other executions are recorded by who started them. */
  record: (record: UsageRecord) => void;
  /** Called with the verdict of every capture. */
  captured?: (verdict: Verdict) => void;
};

/** `lead` is called on the machine that renders; the others get its result. See cluster/shared-flights.ts. */
export type SharedFlights = {
  join(key: string, work: Deadline, lead: (id: string, again: boolean) => Promise<Result>): Promise<Result>;
};

/** Nobody waits for a refresh, so it may take longer than an impatient caller would. */
const refreshMs = ({ job }: ValidatedRequest) => Math.max(30_000, job.kind === 'screenshot' ? job.request.timeout : 0);
/** The time for reading a stored result once the caller's own time is over. */
const lastReadMs = 300;

/**
 * Requests that reject the same codes share a render. A capture that one caller rejects is neither stored nor counted,
 * and one that another accepts is both: those are two renders. There is no dot in the key, because in a cluster the id of
 * a render is this key, a dot and a random part.
 */
const flightKey = ({ key, failOn }: ValidatedRequest): string =>
  failOn === undefined ? key : `${key}-${failOn.join('-')}`;

export function createRenderer(dependencies: Dependencies): Renderer {
  const { cache, limits, executor, isIdle, shared, broadcast, captured, record } = dependencies;
  const flights = createFlights<Result>();
  const outages = createOutages(broadcast);
  const refreshes = createRefreshes(isIdle);
  const stored = createStoredResults(cache);

  /** What the cache has for this request: a result that is young enough, or a stale one that is accepted. */
  async function fromCache(request: ValidatedRequest): Promise<Result | undefined> {
    const good = await stored.good(request);
    if (good.young !== undefined) return good.young;
    const bad = await stored.bad(request);
    const down = badCode(bad?.meta.verdict) ?? outages.codeOf(request.key);
    if (request.stale === 'at once' || (request.stale === 'on failure' && down !== undefined && mayPass(down))) {
      const stale = await good.stale(down ?? 'expired');
      if (stale !== undefined) {
        if (outages.isDue(request.key)) refresh(request);
        return stale;
      }
    }
    return bad;
  }

  /** The last good result in place of a render that failed, where the caller accepts that. */
  async function insteadOf(request: ValidatedRequest, code: string): Promise<Result | undefined> {
    if (request.stale === 'never') return undefined;
    const deadline = new Deadline(lastReadMs);
    try {
      return await deadline.race(stored.good(request).then((good) => good.stale(code)));
    } catch {
      // The failure itself is the answer.
      return undefined;
    } finally {
      deadline.done();
    }
  }

  async function renderAndStore(request: ValidatedRequest, work: Deadline, id: string): Promise<Result> {
    const { requester, plan, job } = request;
    const { id: accountId, plan: planName } = requester.account;
    const allowance = await limits.take(accountId, plan);
    if (!allowance.ok)
      throw new Problem('rate_limited', {
        retryAfter: allowance.retryAfter,
        message: `This account may render ${allowance.limit} times a minute. Try again in ${allowance.retryAfter} s.`,
      });
    let tookSlot = false;
    const onStart = () => {
      tookSlot = true;
    };
    try {
      const applicant = { accountId, plan: planName, atOnce: plan.rendersAtOnce, weight: job.weight };
      const output = await executor.execute(job, applicant, work, id, onStart);
      if (output.verdict !== undefined) captured?.(output.verdict);
      rejectIf(output.verdict, request.failOn);
      return await stored.save(request, output, work);
    } catch (error) {
      if (!countsAsRender(error, tookSlot)) await limits.giveBack(accountId, allowance);
      throw error;
    }
  }

  const renderOnce = (request: ValidatedRequest, work: Deadline): Promise<Result> =>
    shared === undefined
      ? renderAndStore(request, work, request.key)
      : shared.join(flightKey(request), work, async (id, again) => {
          // Another machine may have stored it since this one looked into the cache.
          const found = again && !request.fresh ? await stored.young(request) : undefined;
          return found ?? renderAndStore(request, work, id);
        });

  /** Joins the render of this key that is under way, or starts one; notes what it says about the target. */
  async function renderNow(request: ValidatedRequest, deadline: Deadline): Promise<Result> {
    const flight = flightKey(request);
    const follows = flights.has(flight);
    try {
      const result = await flights.join(flight, deadline, (work) => renderOnce(request, work));
      const code = badCode(result.meta.verdict);
      if (code === undefined) outages.clear(request.key);
      else outages.note(request.key, code);
      const freshForMs = Math.min(result.freshForMs, request.maxAgeMs);
      return { ...result, freshForMs, ...(follows && result.stored && { cache: 'HIT', cachedAt: result.createdAt }) };
    } catch (error) {
      const code = passingCode(error);
      if (code !== undefined) outages.note(request.key, code);
      throw error;
    }
  }

  function refresh(request: ValidatedRequest): void {
    const { requester, plan, key, job } = request;
    const { id: accountId } = requester.account;
    const ended = (outcome: Result | Problem) => {
      const subject: [string, string] =
        job.kind === 'og' ? ['template', job.request.template] : ['url', job.request.url];
      record(
        usageRecord({
          id: randomBytes(9).toString('base64url'),
          requester,
          endpoint: job.kind,
          parameters: storedParameters(new Map([subject])),
          outcome,
          totalMs: outcome instanceof Problem ? 0 : outcome.meta.renderTime,
          warnings: ['Rendered anew behind a stale answer.'],
        }),
      );
    };
    refreshes.start({ key, accountId, plan }, refreshMs(request), async (deadline) => {
      // It may have been rendered while this refresh waited for its turn.
      if ((await stored.good(request)).young !== undefined) return;
      // A quarter of the account's rate is kept for requests that somebody waits for.
      const { remaining, limit } = await limits.peek(accountId, plan);
      if (remaining <= limit / 4) return;
      try {
        ended(await renderNow({ ...request, fresh: false }, deadline));
      } catch (error) {
        if (!(error instanceof Problem)) return;
        // Permanent refusals too: otherwise every caller would start another try.
        outages.note(key, error.code);
        ended(error);
      }
    });
  }

  async function resultFor(request: ValidatedRequest, deadline: Deadline): Promise<Result> {
    deadline.step('cache');
    if (!request.fresh) {
      const hit = await deadline.race(fromCache(request));
      if (hit !== undefined) return hit;
    }
    deadline.step('render');
    try {
      const result = await renderNow(request, deadline);
      const code = badCode(result.meta.verdict);
      return (code !== undefined && (await insteadOf(request, code))) || result;
    } catch (error) {
      const code = passingCode(error);
      const stale = code !== undefined && (await insteadOf(request, code));
      if (stale) return stale;
      throw error;
    }
  }

  async function run(request: ValidatedRequest, deadline: Deadline): Promise<Result> {
    try {
      const result = await resultFor(request, deadline);
      // A hit, another machine's result or one that was stored meanwhile was not rendered for this caller.
      rejectIf(result.meta.verdict, request.failOn);
      return result;
    } finally {
      deadline.done();
    }
  }

  return {
    start: (request, deadline) => ({
      key: request.key,
      result: run(request, deadline),
      step: () => flights.step(flightKey(request)) ?? deadline.currentStep,
      phases: () => deadline.phases(),
      cancel: () => deadline.cancel(),
    }),
    stored: stored.byKey,
    onOutageMessage: outages.onMessage,
    stop: refreshes.stop,
  };
}
