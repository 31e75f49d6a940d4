// A request becomes a stored result: cache → a flight under way → the account's rate → the executor (the
// target's address → a slot → capture or card) → cache. When that fails, the last good result may be the answer; see
// freshness.ts. Read from top to bottom.
import type { Limits } from '../access/limits.ts';
import { type Cache, hashOf } from '../cache/cache.ts';
import { Deadline, type Phases } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { type Plan, type PlanName, ttlMs } from '../kernel/plans.ts';
import { rejectIf, type Verdict, type VerdictCode } from '../kernel/verdict.ts';
import { countsAsRender } from './counting.ts';
import type { Executor, Job, Made } from './executor.ts';
import { createFlights } from './flights.ts';
import { badCode, badKeyOf, badLifeMs, keptMs, mayPass, passingCode, type Stale } from './freshness.ts';
import { createOutages, type OutageNews } from './outages.ts';
import { createRefreshes } from './refreshes.ts';
import type { Meta } from './result.ts';
import { withoutSecrets } from './stored-meta.ts';
import { createStoredResults } from './stored-results.ts';

export type Order = {
  readonly accountId: string;
  /** Whose request it is in the account's usage; none in the playground. */
  readonly keyId?: string | undefined;
  readonly planName: PlanName;
  readonly plan: Plan;
  readonly key: string;
  readonly job: Job;
  /** Skip the read of the cache; the new result replaces the old. */
  readonly fresh: boolean;
  /** How old a result may be for this caller. */
  readonly maxAgeMs: number;
  readonly stale: Stale;
  /** A capture with one of these codes is an error to this caller. */
  readonly failOn?: readonly VerdictCode[] | undefined;
};

export type Result = {
  readonly key: string;
  readonly hash: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly meta: Meta;
  readonly cache: 'HIT' | 'MISS';
  readonly createdAt: number;
  /** When it was stored; null for a result that is fresh or could not be stored. */
  readonly cachedAt: number | null;
  /** Is there an entry behind it, so that a link to it can be given? */
  readonly stored: boolean;
  /** Milliseconds it may still be served from a cache. */
  readonly freshForMs: number;
  /** When its life by the plan is over, in Unix milliseconds: so long a link to it is good. */
  readonly expiresAt: number;
  /** Set where it is older than the caller wanted: why. */
  readonly stale?: string;
  readonly phases: Phases;
};

export type Renderer = {
  render(order: Order, deadline: Deadline): Promise<Result>;
  /** A cached result by its key, whoever asks: for links that carry their own signature. */
  stored(key: string): Promise<Result | undefined>;
  /** In which step the render of this order is, if one is under way. */
  step(order: Pick<Order, 'key' | 'failOn'>): string | undefined;
  readonly flights: number;
  /** What another machine found out about targets that are down. */
  hear(news: OutageNews): void;
  /** Ends the renders nobody waits for. */
  stop(): void;
};

type Parts = {
  cache: Cache;
  limits: Limits;
  executor: Executor;
  /** Is there a free slot, and nobody who waits for one? */
  isIdle: () => boolean;
  /** Among many machines: identical requests on any of them are one render. */
  shared?: SharedFlights;
  /** Tells the other machines. */
  tell?: (news: OutageNews) => void;
  /** A render nobody waited for has ended. */
  refreshed: (order: Order, outcome: Result | Problem) => void;
  /** Told of the verdict of every capture that was made. */
  captured?: (verdict: Verdict) => void;
};

/** `run` is called where this machine leads the flight; the others get its result. See cluster/shared-flights.ts. */
export type SharedFlights = {
  fly(key: string, work: Deadline, run: (id: string, again: boolean) => Promise<Result>): Promise<Result>;
};

/** Nobody waits for a refresh, so it may take longer than an impatient caller would. */
const refreshMs = ({ job }: Order) => Math.max(30_000, job.kind === 'screenshot' ? job.request.timeout : 0);
/** The time for reading a stored result once the caller's own is over. */
const lastReadMs = 300;

/**
 * Whoever rejects the same codes shares a render. What a caller rejects is neither stored nor counted, and what another
 * accepts is both: those are two renders. No dot in it: the cluster's ids begin with it and go on with one.
 */
const flightOf = ({ key, failOn }: Pick<Order, 'key' | 'failOn'>): string =>
  failOn === undefined ? key : `${key}-${failOn.join('-')}`;

export function createRenderer(parts: Parts): Renderer {
  const { cache, limits, executor, isIdle, shared, tell, captured, refreshed } = parts;
  const flights = createFlights<Result>();
  const outages = createOutages(tell);
  const refreshes = createRefreshes(isIdle);
  const stored = createStoredResults(cache);

  /** What the cache has for this caller: a result that is young enough, or a stale one that is accepted. */
  async function fromCache(order: Order): Promise<Result | undefined> {
    const good = await stored.good(order);
    if (good.young !== undefined) return good.young;
    const bad = await stored.bad(order);
    const down = badCode(bad?.meta.verdict) ?? outages.codeOf(order.key);
    if (order.stale === 'at once' || (order.stale === 'on failure' && down !== undefined && mayPass(down))) {
      const stale = await good.stale(down ?? 'expired');
      if (stale !== undefined) {
        if (outages.isDue(order.key)) refresh(order);
        return stale;
      }
    }
    return bad;
  }

  /** The last good result in place of a render that failed, where the caller accepts that. */
  async function insteadOf(order: Order, code: string): Promise<Result | undefined> {
    if (order.stale === 'never') return undefined;
    const deadline = new Deadline(lastReadMs);
    try {
      return await deadline.race(stored.good(order).then((good) => good.stale(code)));
    } catch {
      // The failure itself is the answer.
      return undefined;
    } finally {
      deadline.done();
    }
  }

  async function make(order: Order, work: Deadline, id: string): Promise<Result> {
    const { accountId, planName, plan, job } = order;
    const allowance = await limits.take(accountId, plan);
    if (!allowance.ok)
      throw new Problem('rate_limited', {
        retryAfter: allowance.retryAfter,
        message: `This account may render ${allowance.limit} times a minute. Try again in ${allowance.retryAfter} s.`,
      });
    let tookSlot = false;
    const began = () => {
      tookSlot = true;
    };
    try {
      const applicant = { accountId, plan: planName, atOnce: plan.rendersAtOnce, weight: job.weight };
      const made = await executor.make(job, applicant, work, id, began);
      if (made.verdict !== undefined) captured?.(made.verdict);
      rejectIf(made.verdict, order.failOn);
      return await store(order, made, work);
    } catch (error) {
      if (!countsAsRender(error, tookSlot)) await limits.giveBack(accountId, allowance);
      throw error;
    }
  }

  const flyTogether = (order: Order, work: Deadline): Promise<Result> =>
    shared === undefined
      ? make(order, work, order.key)
      : shared.fly(flightOf(order), work, async (id, again) => {
          // Another machine may have stored it between our look into the cache and our lead.
          const found = again && !order.fresh ? await stored.young(order) : undefined;
          return found ?? make(order, work, id);
        });

  async function store(order: Order, made: Made, work: Deadline): Promise<Result> {
    work.step('store');
    const phases = work.phases();
    const meta = withoutSecrets({
      ...(order.job.kind === 'og' ? { template: order.job.request.template } : { url: order.job.request.url }),
      width: made.width,
      height: made.height,
      renderTime: Math.round(work.elapsed() - (phases.queue ?? 0)),
      ...(made.pages !== undefined && { pages: made.pages }),
      ...(made.page !== undefined && { page: made.page }),
      ...(made.verdict !== undefined && { verdict: made.verdict }),
      warnings: made.warnings,
    });
    const isBad = badCode(made.verdict) !== undefined;
    const lifeMs = isBad ? Math.min(badLifeMs, ttlMs(order.plan)) : ttlMs(order.plan);
    const createdAt = Date.now();
    const entry = {
      key: isBad ? badKeyOf(order.key) : order.key,
      accountId: order.accountId,
      hash: hashOf(made.bytes),
      size: made.bytes.length,
      type: made.type,
      meta: JSON.stringify(meta),
      createdAt,
      maxAgeMs: isBad ? badLifeMs : null,
      keptUntil: createdAt + (isBad ? badLifeMs : keptMs(order.plan)),
    };
    const isStored = await cache.put(entry, made.bytes);
    return {
      key: entry.key,
      hash: entry.hash,
      type: made.type,
      bytes: made.bytes,
      meta: isStored
        ? meta
        : { ...meta, warnings: [...meta.warnings, 'This result could not be stored; it is not cached.'] },
      cache: 'MISS',
      createdAt,
      cachedAt: null,
      stored: isStored,
      freshForMs: isStored ? lifeMs : 0,
      expiresAt: createdAt + lifeMs,
      phases: work.phases(),
    };
  }

  /** Joins the render of this key that is under way, or starts one; notes what it says about the target. */
  async function renderNow(order: Order, deadline: Deadline): Promise<Result> {
    const flight = flightOf(order);
    const follows = flights.has(flight);
    try {
      const result = await flights.join(flight, deadline, (work) => flyTogether(order, work));
      const code = badCode(result.meta.verdict);
      if (code === undefined) outages.clear(order.key);
      else outages.note(order.key, code);
      const freshForMs = Math.min(result.freshForMs, order.maxAgeMs);
      return { ...result, freshForMs, ...(follows && result.stored && { cache: 'HIT', cachedAt: result.createdAt }) };
    } catch (error) {
      const code = passingCode(error);
      if (code !== undefined) outages.note(order.key, code);
      throw error;
    }
  }

  function refresh(order: Order): void {
    refreshes.start(order, refreshMs(order), async (deadline) => {
      // It may have been rendered while this one waited for its turn.
      if ((await stored.good(order)).young !== undefined) return;
      // A quarter of the account's minute is left to what somebody waits for.
      const { remaining, limit } = await limits.peek(order.accountId, order.plan);
      if (remaining <= limit / 4) return;
      try {
        refreshed(order, await renderNow({ ...order, fresh: false }, deadline));
      } catch (error) {
        if (!(error instanceof Problem)) return;
        // Also what is refused for good: it is not tried again for every caller.
        outages.note(order.key, error.code);
        refreshed(order, error);
      }
    });
  }

  async function resultFor(order: Order, deadline: Deadline): Promise<Result> {
    deadline.step('cache');
    if (!order.fresh) {
      const hit = await deadline.race(fromCache(order));
      if (hit !== undefined) return hit;
    }
    deadline.step('render');
    try {
      const result = await renderNow(order, deadline);
      const code = badCode(result.meta.verdict);
      return (code !== undefined && (await insteadOf(order, code))) || result;
    } catch (error) {
      const code = passingCode(error);
      const stale = code !== undefined && (await insteadOf(order, code));
      if (stale) return stale;
      throw error;
    }
  }

  return {
    async render(order, deadline) {
      const result = await resultFor(order, deadline);
      // A hit, another machine's result or one that was stored meanwhile was not made for this caller.
      rejectIf(result.meta.verdict, order.failOn);
      return result;
    },

    stored: stored.byKey,

    step: (order) => flights.step(flightOf(order)),

    get flights() {
      return flights.size;
    },

    hear: outages.hear,
    stop: refreshes.stop,
  };
}
