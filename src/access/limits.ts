// How many renders an account may make a minute. In any minute that one looks at there are never more than the
// limit: a fixed window would let twice the rate through at its edge.
import type { Plan } from '../kernel/plans.ts';

export type Allowance = {
  readonly ok: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds when the whole limit is free again. */
  readonly reset: number;
  /** Seconds until the next render is possible; 0 if it is now. */
  readonly retryAfter: number;
  /** What was taken, for giving it back. */
  readonly ticket?: string;
};

export type Rate = Pick<Plan, 'rendersPerMinute'>;

/** Whole renders a minute, at least one. */
export const limitOf = ({ rendersPerMinute }: Rate): number => Math.max(1, Math.floor(rendersPerMinute));

/** In this process, or shared between machines by Redis. */
export interface Limits {
  /** Takes one render of the account's minute, if there is one left. */
  take(accountId: string, plan: Rate): Promise<Allowance>;
  /** The render does not count: see render/counting.ts. */
  giveBack(accountId: string, taken: Pick<Allowance, 'ticket'>): Promise<void>;
  /** How things stand, without taking. */
  peek(accountId: string, plan: Rate): Promise<Allowance>;
}

const windowMs = 60_000;

/** `clock` is Unix milliseconds that never go backwards, whatever happens to the system's time. */
export function createMemoryLimits(clock = () => performance.timeOrigin + performance.now()): Limits {
  // The times of the renders of the last minute, oldest first; never more than the limit for an account.
  const taken = new Map<string, number[]>();
  let sweptAt = clock();

  function sweep(now: number): void {
    if (now - sweptAt < windowMs) return;
    sweptAt = now;
    for (const [accountId, times] of taken) if ((times.at(-1) ?? 0) <= now - windowMs) taken.delete(accountId);
  }

  function timesOf(accountId: string, now: number): number[] {
    const times = taken.get(accountId) ?? [];
    const firstInside = times.findIndex((time) => time > now - windowMs);
    times.splice(0, firstInside < 0 ? times.length : firstInside);
    return times;
  }

  function stand(times: readonly number[], limit: number, now: number): Allowance {
    const remaining = Math.max(0, limit - times.length);
    // Of a plan that was lowered more than one may have to run out before there is room.
    const blocking = remaining > 0 ? undefined : times[times.length - limit];
    return {
      ok: remaining > 0,
      limit,
      remaining,
      reset: Math.ceil(((times.at(-1) ?? now - windowMs) + windowMs) / 1000),
      retryAfter: blocking === undefined ? 0 : Math.max(1, Math.ceil((blocking + windowMs - now) / 1000)),
    };
  }

  return {
    async take(accountId, plan) {
      const now = clock();
      sweep(now);
      const times = timesOf(accountId, now);
      const limit = limitOf(plan);
      const before = stand(times, limit, now);
      if (!before.ok) return before;
      times.push(now);
      taken.set(accountId, times);
      return { ...stand(times, limit, now), ok: true, retryAfter: 0, ticket: String(now) };
    },
    async giveBack(accountId, { ticket }) {
      const times = taken.get(accountId) ?? [];
      const at = times.lastIndexOf(Number(ticket));
      if (at >= 0) times.splice(at, 1);
      if (times.length === 0) taken.delete(accountId);
    },
    async peek(accountId, plan) {
      const now = clock();
      return stand(timesOf(accountId, now), limitOf(plan), now);
    },
  };
}
