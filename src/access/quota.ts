// The monthly allowance of renders that a plan may have. The database counts, so the number is exact in a cluster and
// after a restart. Months are those of UTC.
import { BoundedMap } from '../kernel/bounded-map.ts';
import type { Log } from '../kernel/log.ts';
import type { Plan } from '../kernel/plans.ts';
import type { Store } from '../store/store.ts';

export type QuotaState = {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the next month begins, in Unix seconds. */
  readonly reset: number;
};

/** A render taken from the allowance; `month` identifies what is given back. */
export type QuotaTaken = QuotaState & { readonly ok: boolean; readonly month: number };

type MonthlyPlan = Pick<Plan, 'rendersPerMonth'>;

export interface Quota {
  /** Takes one render if the account has one left in this month. Undefined where the plan has no allowance. */
  take(accountId: string, plan: MonthlyPlan): Promise<QuotaTaken | undefined>;
  /** For a render that does not count: see render/counting.ts. */
  giveBack(accountId: string, taken: QuotaTaken): Promise<void>;
  /** The state, without taking a render. Undefined where the plan has no allowance. */
  peek(accountId: string, plan: MonthlyPlan): Promise<QuotaState | undefined>;
}

/** When the month of this time begins, in Unix milliseconds. */
export function monthOf(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

export function nextMonth(month: number): number {
  const date = new Date(month);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

// Every response reports the allowance, cache hits too. The database is asked at most once a second for each account;
// what this machine takes is visible at once.
const seenMs = 1000;

export function createQuota(store: Pick<Store, 'quota'>, log: Log, clock: () => number = Date.now): Quota {
  const seen = new BoundedMap<string, { at: number; month: number; used: number }>(10_000);

  const stateOf = (limit: number, used: number, month: number): QuotaState => ({
    limit,
    used,
    remaining: Math.max(0, limit - used),
    reset: nextMonth(month) / 1000,
  });
  const remember = (accountId: string, month: number, used: number) =>
    seen.set(accountId, { at: clock(), month, used });

  return {
    async take(accountId, { rendersPerMonth: limit }) {
      if (limit === undefined) return undefined;
      const month = monthOf(clock());
      const used = await store.quota.take(accountId, month, limit);
      const now = used ?? (await store.quota.used(accountId, month));
      remember(accountId, month, now);
      return { ...stateOf(limit, now, month), ok: used !== undefined, month };
    },

    async giveBack(accountId, { month }) {
      seen.delete(accountId);
      await store.quota
        .giveBack(accountId, month)
        .catch((error: Error) =>
          log.warn({ account: accountId, reason: error.message }, 'a render was not given back'),
        );
    },

    async peek(accountId, { rendersPerMonth: limit }) {
      if (limit === undefined) return undefined;
      const month = monthOf(clock());
      const known = seen.get(accountId);
      const isKnown = known?.month === month;
      if (isKnown && Math.abs(clock() - known.at) < seenMs) return stateOf(limit, known.used, month);
      // If the database does not answer: the last known number. A render is refused then, a hit is not.
      const used = await store.quota.used(accountId, month).catch(() => (isKnown ? known.used : 0));
      remember(accountId, month, used);
      return stateOf(limit, used, month);
    },
  };
}
