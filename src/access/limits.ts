// Limits how often something happens in a minute: the renders of an account, the pages and checks of a site. The window
// slides: a fixed one would allow twice the rate around its edge.

export type Allowance = {
  readonly ok: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the whole limit is available again, in Unix seconds. */
  readonly reset: number;
  /** Seconds until the next one is possible; 0 if it is now. */
  readonly retryAfter: number;
  /** Identifies what was taken, for giving it back. */
  readonly ticket?: string;
};

/** Whole ones a minute, at least one. */
export const limitOf = (perMinute: number): number => Math.max(1, Math.floor(perMinute));

/** Implemented in memory, and in Redis for several machines. */
export interface Limits {
  /** Takes one, if this name has one left in this minute: the id of an account or a site, or an address. */
  take(name: string, perMinute: number): Promise<Allowance>;
  /** For a render that does not count: see render/counting.ts. */
  giveBack(name: string, taken: Pick<Allowance, 'ticket'>): Promise<void>;
  /** The state, without taking one. */
  peek(name: string, perMinute: number): Promise<Allowance>;
}

const windowMs = 60_000;

/** `clock` is in Unix milliseconds and never goes backwards, even if the system time does. */
export function createMemoryLimits(clock = () => performance.timeOrigin + performance.now()): Limits {
  // The times of what each name took in the last minute, oldest first.
  const taken = new Map<string, number[]>();
  let sweptAt = clock();

  function sweep(now: number): void {
    if (now - sweptAt < windowMs) return;
    sweptAt = now;
    for (const [name, times] of taken) if ((times.at(-1) ?? 0) <= now - windowMs) taken.delete(name);
  }

  function timesOf(name: string, now: number): number[] {
    const times = taken.get(name) ?? [];
    const firstInside = times.findIndex((time) => time > now - windowMs);
    times.splice(0, firstInside < 0 ? times.length : firstInside);
    return times;
  }

  function allowance(times: readonly number[], limit: number, now: number): Allowance {
    const remaining = Math.max(0, limit - times.length);
    // After a change to a lower plan, more than one may have to leave the window first.
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
    async take(name, perMinute) {
      const now = clock();
      sweep(now);
      const times = timesOf(name, now);
      const limit = limitOf(perMinute);
      const before = allowance(times, limit, now);
      if (!before.ok) return before;
      times.push(now);
      taken.set(name, times);
      return { ...allowance(times, limit, now), ok: true, retryAfter: 0, ticket: String(now) };
    },
    async giveBack(name, { ticket }) {
      const times = taken.get(name) ?? [];
      const at = times.lastIndexOf(Number(ticket));
      if (at >= 0) times.splice(at, 1);
      if (times.length === 0) taken.delete(name);
    },
    async peek(name, perMinute) {
      const now = clock();
      return allowance(timesOf(name, now), limitOf(perMinute), now);
    },
  };
}
