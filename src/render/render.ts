// A validated request becomes a stored result: the cache, or a render of the same key that is under way, or a new one
// (render-once.ts). If that fails, the last good result may be the answer; see freshness.ts.
import type { Cache } from '../cache/cache.ts';
import { Deadline, type Phases } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { newRequestId } from '../kernel/request-id.ts';
import { rejectIf } from '../kernel/verdict.ts';
import { sourceParameter } from './executor.ts';
import { createFlights } from './flights.ts';
import { badCode, isTransient, transientCode } from './freshness.ts';
import { createOutages, type OutageNews } from './outages.ts';
import { createRefreshes } from './refreshes.ts';
import { createRenderOnce, flightKey, type RenderDependencies } from './render-once.ts';
import type { Result } from './result.ts';
import { createStoredResults } from './stored-results.ts';
import { type UsageRecord, usageRecord } from './usage-record.ts';
import { storedParameters } from './usage-texts.ts';
import type { ValidatedRequest } from './validated-request.ts';
import { createVariants, isVariant, type VariantRequest } from './variants.ts';

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
  /**
   * `deadline` is the caller's own; it ends with the execution. At the end one usage record is written. Only the API
   * leaves `recordAs` out: it writes its record when the response has ended, because only then is its status known.
   */
  start(request: ValidatedRequest, deadline: Deadline, recordAs?: RecordAs): Execution;
  /** A cached result by its key, whoever asks: for links that carry their own signature. */
  stored(key: string): Promise<Result | undefined>;
  /** Another machine found out that a target is down, or up again. */
  onOutageMessage(news: OutageNews): void;
  /** Ends the renders that nobody waits for. */
  stop(): void;
};

/** The request's id, and its parameters as storedParameters() gives them. */
export type RecordAs = { readonly id: string; readonly parameters: string };

type Dependencies = RenderDependencies & {
  readonly cache: Cache;
  /** Is a slot free, and nobody waiting for one? */
  readonly isIdle: () => boolean;
  /** Sends to the other machines. */
  readonly broadcast?: (news: OutageNews) => void;
  /** Writes a usage record. */
  readonly record: (record: UsageRecord) => void;
};

/** Nobody waits for a refresh, so it may take longer than an impatient caller would. */
const refreshMs = ({ task }: ValidatedRequest) => Math.max(30_000, task.kind === 'og' ? 0 : task.request.timeout);
/** The time for reading a stored result once the caller's own time is over. */
const lastReadMs = 300;

/** The time ran out while the page was watched for an element: the error names it. */
function namingSelector(error: unknown, { task, timeoutMs }: ValidatedRequest): unknown {
  const selector = task.kind === 'og' ? undefined : task.request.waitForSelector;
  if (!(error instanceof Problem) || error.step !== 'wait' || selector === undefined) return error;
  return new Problem('render_timeout', {
    parameter: 'waitForSelector',
    message: `No element matched waitForSelector (${selector.slice(0, 200)}) within ${timeoutMs} ms.`,
  });
}

export function createRenderer(dependencies: Dependencies): Renderer {
  const { cache, limits, isIdle, broadcast, record } = dependencies;
  const flights = createFlights<Result>();
  const outages = createOutages(broadcast);
  const refreshes = createRefreshes(isIdle);
  const stored = createStoredResults(cache);
  const variants = createVariants(stored);
  const renderOnce = createRenderOnce(dependencies, stored);

  /** What the cache has for this request: a result that is young enough, or a stale one that is accepted. */
  async function fromCache(request: ValidatedRequest): Promise<Result | undefined> {
    const good = await stored.good(request);
    if (good.young !== undefined) return good.young;
    const bad = await stored.bad(request);
    const down = badCode(bad?.meta.verdict) ?? outages.codeOf(request.key);
    if (request.stale === 'at once' || (request.stale === 'on failure' && down !== undefined && isTransient(down))) {
      const stale = await good.stale(down ?? 'expired');
      if (stale !== undefined) {
        if (outages.isDue(request.key)) refresh(request);
        return stale;
      }
    }
    return bad;
  }

  /** The last good result in place of a render that failed, where the caller accepts that. */
  async function insteadOf(request: ValidatedRequest, code: string, remaining: number): Promise<Result | undefined> {
    if (request.stale === 'never') return undefined;
    const deadline = new Deadline(Math.max(lastReadMs, remaining));
    try {
      return await deadline.race(stored.good(request).then((good) => good.stale(code)));
    } catch {
      // The failure itself is the answer.
      return undefined;
    } finally {
      deadline.done();
    }
  }

  /** Joins the render of this key that is under way, or starts one; notes what it says about the target. */
  async function renderNow(request: ValidatedRequest, deadline: Deadline): Promise<Result> {
    const lastRemoval = await stored.lastRemoval(request);
    const flight = flightKey(request, lastRemoval);
    const follows = flights.has(flight);
    try {
      const result = await flights.join(flight, deadline, (work) => renderOnce(request, work, lastRemoval));
      const code = badCode(result.meta.verdict);
      if (code === undefined) outages.clear(request.key);
      else outages.note(request.key, code);
      const freshForMs = Math.min(result.freshForMs, request.maxAgeMs);
      return { ...result, freshForMs, ...(follows && result.stored && { cache: 'HIT', cachedAt: result.createdAt }) };
    } catch (error) {
      const code = transientCode(error);
      if (code !== undefined) outages.note(request.key, code);
      throw error;
    }
  }

  function refresh(request: ValidatedRequest): void {
    const { requester, plan, key, task } = request;
    const accountId = requester.account.id;
    const ended = (outcome: Result | Problem) =>
      record(
        usageRecord({
          id: newRequestId(),
          requester,
          endpoint: task.kind,
          parameters: storedParameters(new Map([sourceParameter(task)])),
          outcome,
          totalMs: outcome instanceof Problem ? 0 : outcome.meta.renderTime,
          warnings: ['Background render after a stale response.'],
        }),
      );
    refreshes.start({ key, accountId, plan }, refreshMs(request), async (deadline) => {
      // It may have been rendered while this refresh waited for its turn.
      if ((await stored.good(request)).young !== undefined) return;
      // A quarter of the account's rate is kept for requests that somebody waits for.
      const { remaining, limit } = await limits.peek(accountId, plan.rendersPerMinute);
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

  /** A smaller picture: the stored one, or made from the original, which is obtained like any other result. */
  async function variantFor(request: VariantRequest, deadline: Deadline): Promise<Result> {
    deadline.step('cache');
    const cached = request.fresh ? undefined : await variants.fromCache(request, deadline);
    return cached ?? variants.of(await resultFor(request.original, deadline), request, deadline);
  }

  async function resultFor(request: ValidatedRequest, deadline: Deadline): Promise<Result> {
    if (isVariant(request)) return variantFor(request, deadline);
    deadline.step('cache');
    if (!request.fresh) {
      const hit = await deadline.race(fromCache(request));
      if (hit !== undefined) return hit;
    }
    deadline.step('render');
    try {
      const result = await renderNow(request, deadline);
      const code = badCode(result.meta.verdict);
      return (code !== undefined && (await insteadOf(request, code, deadline.remaining()))) || result;
    } catch (error) {
      const code = transientCode(error);
      const stale = code !== undefined && (await insteadOf(request, code, deadline.remaining()));
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
    } catch (error) {
      throw namingSelector(error, request);
    } finally {
      deadline.done();
    }
  }

  /** A caller that left and a defect of the service are not in the usage. */
  function recordEnd(result: Promise<Result>, request: ValidatedRequest, deadline: Deadline, recordAs: RecordAs): void {
    const { requester, task } = request;
    const about = () => ({ ...recordAs, requester, endpoint: task.kind, totalMs: deadline.elapsed() });
    result.then(
      (outcome) => record(usageRecord({ ...about(), outcome, phases: outcome.phases, warnings: request.warnings })),
      (outcome) => {
        if (outcome instanceof Problem) record(usageRecord({ ...about(), outcome, phases: deadline.phases() }));
      },
    );
  }

  return {
    start(request, deadline, recordAs) {
      const result = run(request, deadline);
      if (recordAs !== undefined) recordEnd(result, request, deadline, recordAs);
      return {
        key: request.key,
        result,
        step: () => flights.step(deadline) ?? deadline.currentStep,
        phases: () => deadline.phases(),
        cancel: () => deadline.cancel(),
      };
    },
    stored: stored.byKey,
    onOutageMessage: outages.onMessage,
    stop: refreshes.stop,
  };
}
