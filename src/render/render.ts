// A request becomes a stored result: cache → a flight under way → the account's rate → the workshop (the
// target's address → a slot → capture or card) → cache. Read from top to bottom.
import type { Limits } from '../access/limits.ts';
import { type Cache, hashOf } from '../cache/cache.ts';
import type { Deadline, Phases } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { type Plan, type PlanName, ttlMs } from '../kernel/plans.ts';
import { rejectIf, type Verdict, type VerdictCode } from '../kernel/verdict.ts';
import { createFlights } from './flights.ts';
import { type Meta, readMeta } from './meta.ts';
import type { Job, Made, Workshop } from './workshop.ts';

export type Order = {
  readonly accountId: string;
  readonly planName: PlanName;
  readonly plan: Plan;
  readonly key: string;
  readonly job: Job;
  /** Skip the read of the cache; the new result replaces the old. */
  readonly fresh: boolean;
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
  readonly phases: Phases;
};

export type Renderer = {
  render(order: Order, deadline: Deadline): Promise<Result>;
  /** A cached result by its key, whoever asks: for links that carry their own signature. */
  stored(key: string): Promise<Result | undefined>;
  /** In which step the render of this order is, if one is under way. */
  step(order: Pick<Order, 'key' | 'failOn'>): string | undefined;
  readonly flights: number;
};

type Parts = {
  cache: Cache;
  limits: Limits;
  workshop: Workshop;
  /** Among many machines: identical requests on any of them are one render. */
  shared?: SharedFlights;
  /** Told of the verdict of every capture that was made. */
  captured?: (verdict: Verdict) => void;
};

/** `run` is called where this machine leads the flight; the others get its result. See cluster/shared-flights.ts. */
export type SharedFlights = {
  fly(key: string, work: Deadline, run: (id: string, again: boolean) => Promise<Result>): Promise<Result>;
};

// A page that answers 404 or 500 is a page, but a passing failure must not stay for a week.
const failedPageTtlMs = 60_000;

/**
 * Whoever rejects the same codes shares a render. What a caller rejects is neither stored nor counted, and what another
 * accepts is both: those are two renders. No dot in it: the cluster's ids begin with it and go on with one.
 */
const flightOf = ({ key, failOn }: Pick<Order, 'key' | 'failOn'>): string =>
  failOn === undefined ? key : `${key}-${failOn.join('-')}`;

export function createRenderer({ cache, limits, workshop, shared, captured }: Parts): Renderer {
  const flights = createFlights<Result>();

  async function fromCache(key: string, maxAge: (entryMaxAge: number | null) => number): Promise<Result | undefined> {
    const entry = await cache.find(key);
    if (entry === undefined) return undefined;
    const freshForMs = entry.createdAt + maxAge(entry.maxAgeMs) - Date.now();
    if (freshForMs <= 0) return undefined;
    const bytes = await cache.read(entry);
    if (bytes === undefined) return undefined;
    const { hash, type, createdAt } = entry;
    return {
      key,
      hash,
      type,
      bytes,
      meta: readMeta(entry.meta),
      cache: 'HIT',
      createdAt,
      cachedAt: createdAt,
      stored: true,
      freshForMs,
      phases: {},
    };
  }

  const fromCacheFor = ({ key, plan }: Order) =>
    fromCache(key, (entryMaxAge) => Math.min(ttlMs(plan), entryMaxAge ?? Number.POSITIVE_INFINITY));

  async function make(order: Order, work: Deadline, id: string): Promise<Result> {
    const { accountId, planName, plan, job } = order;
    const allowance = await limits.take(accountId, plan);
    if (!allowance.ok)
      throw new Problem('rate_limited', {
        retryAfter: allowance.retryAfter,
        message: `This account may render ${allowance.limit} times a minute. Try again in ${allowance.retryAfter} s.`,
      });
    try {
      const applicant = { accountId, plan: planName, atOnce: plan.rendersAtOnce, weight: job.weight };
      const made = await workshop.make(job, applicant, work, id);
      if (made.verdict !== undefined) captured?.(made.verdict);
      rejectIf(made.verdict, order.failOn);
      return await store(order, made, work);
    } catch (error) {
      // Only renders count: what failed, for whatever reason, is free.
      await limits.giveBack(accountId, allowance);
      throw error;
    }
  }

  const flyTogether = (order: Order, work: Deadline): Promise<Result> =>
    shared === undefined
      ? make(order, work, order.key)
      : shared.fly(flightOf(order), work, async (id, again) => {
          // Another machine may have stored it between our look into the cache and our lead.
          const stored = again && !order.fresh ? await fromCacheFor(order) : undefined;
          return stored ?? make(order, work, id);
        });

  async function store(order: Order, made: Made, work: Deadline): Promise<Result> {
    work.step('store');
    const phases = work.phases();
    const meta: Meta = {
      ...(order.job.kind === 'og' ? { template: order.job.request.template } : { url: order.job.request.url }),
      width: made.width,
      height: made.height,
      renderTime: Math.round(work.elapsed() - (phases.queue ?? 0)),
      ...(made.pages !== undefined && { pages: made.pages }),
      ...(made.page !== undefined && { page: made.page }),
      ...(made.verdict !== undefined && { verdict: made.verdict }),
      warnings: made.warnings,
    };
    const failed = made.page !== undefined && made.page.status >= 400;
    const createdAt = Date.now();
    const entry = {
      key: order.key,
      accountId: order.accountId,
      hash: hashOf(made.bytes),
      size: made.bytes.length,
      type: made.type,
      meta: JSON.stringify(meta),
      createdAt,
      maxAgeMs: failed ? failedPageTtlMs : null,
    };
    const stored = await cache.put(entry, made.bytes);
    return {
      key: entry.key,
      hash: entry.hash,
      type: made.type,
      bytes: made.bytes,
      meta: stored
        ? meta
        : { ...meta, warnings: [...meta.warnings, 'This result could not be stored; it is not cached.'] },
      cache: 'MISS',
      createdAt,
      cachedAt: null,
      stored,
      freshForMs: stored ? Math.min(ttlMs(order.plan), entry.maxAgeMs ?? Number.POSITIVE_INFINITY) : 0,
      phases: work.phases(),
    };
  }

  return {
    async render(order, deadline) {
      deadline.step('cache');
      if (!order.fresh) {
        const hit = await deadline.race(fromCacheFor(order));
        if (hit !== undefined) {
          rejectIf(hit.meta.verdict, order.failOn);
          return hit;
        }
      }
      deadline.step('render');
      const flight = flightOf(order);
      const follows = flights.has(flight);
      const result = await flights.board(flight, deadline, (work) => flyTogether(order, work));
      // Another machine's result, or one that was stored meanwhile, was not made for this caller.
      rejectIf(result.meta.verdict, order.failOn);
      return follows && result.stored ? { ...result, cache: 'HIT', cachedAt: result.createdAt } : result;
    },

    stored: (key) => fromCache(key, (entryMaxAge) => entryMaxAge ?? Number.POSITIVE_INFINITY),

    step: (order) => flights.step(flightOf(order)),

    get flights() {
      return flights.size;
    },
  };
}
