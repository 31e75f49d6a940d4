// The plan table: how long results are kept, and how much an account may render. `PLAN_LIMITS` changes the numbers
// (see config.ts). Which plan a parameter needs is in the table of parameters.
import { isObject } from './is-object.ts';

export const planNames = ['free', 'starter', 'pro', 'business'] as const;
export type PlanName = (typeof planNames)[number];

export type Plan = {
  readonly label: string;
  readonly ttlDays: number;
  readonly keys: number;
  readonly rendersPerMinute: number;
  readonly rendersAtOnce: number;
  /** Renders in a calendar month; unlimited without. */
  readonly rendersPerMonth?: number;
  /** Jobs that may wait. */
  readonly jobsQueued: number;
  /** What the account may keep. */
  readonly storageMb: number;
};

export type Plans = Readonly<Record<PlanName, Plan>>;

export const plans: Plans = {
  free: {
    label: 'Free',
    ttlDays: 7,
    keys: 2,
    rendersPerMinute: 60,
    rendersAtOnce: 2,
    jobsQueued: 100,
    storageMb: 2_000,
  },
  starter: {
    label: 'Starter',
    ttlDays: 14,
    keys: 5,
    rendersPerMinute: 120,
    rendersAtOnce: 4,
    jobsQueued: 1_000,
    storageMb: 5_000,
  },
  pro: {
    label: 'Pro',
    ttlDays: 30,
    keys: 20,
    rendersPerMinute: 300,
    rendersAtOnce: 8,
    jobsQueued: 10_000,
    storageMb: 20_000,
  },
  business: {
    label: 'Business',
    ttlDays: 60,
    keys: 100,
    rendersPerMinute: 600,
    rendersAtOnce: 16,
    jobsQueued: 100_000,
    storageMb: 100_000,
  },
};

/** The plan of a new account. */
export const defaultPlan: PlanName = 'free';

/** The plan of the administrator, and of the service itself. */
export const highestPlan: PlanName = 'business';

/** The lowest plan that may render Open Graph images. */
export const ogPlan: PlanName = 'pro';

/** The weight of a plan when accounts compete for a busy machine. */
export const planShares: Readonly<Record<PlanName, number>> = { free: 1, starter: 2, pro: 4, business: 8 };

/**
 * The part of the places for pages that the accounts of a plan and of the plans below it may take together, so that
 * many small accounts with pages that never answer cannot take them all.
 */
export const planPlaces: Readonly<Record<PlanName, number>> = { free: 0.5, starter: 0.625, pro: 0.75, business: 1 };

/** One account takes at most this part of them, so that its pages cannot keep out everybody. */
const accountPlaces = 0.75;

/** How many renders of weight 1 an account may have under way at once, on machines with these slots and places. */
export const mostAtOnce = (atOnce: number, slots: number, places: number): number =>
  Math.min(atOnce, Math.max(slots, Math.floor(places * accountPlaces)));

export const isPlanName = (text: string): text is PlanName => (planNames as readonly string[]).includes(text);

/** Is `plan` the plan `lowest` or a higher one? */
export const planIncludes = (plan: PlanName, lowest: PlanName): boolean =>
  planNames.indexOf(plan) >= planNames.indexOf(lowest);

/** Whole milliseconds: PostgreSQL refuses a fraction in a bigint. */
export const ttlMs = (plan: Plan): number => Math.round(plan.ttlDays * 24 * 60 * 60 * 1000);

/**
 * The parts of `storageMb`. Cached results, ended jobs and single requests above theirs are removed, the oldest first; jobs that
 * wait and templates are refused. Jobs have room for those of seven days at the plan's rate.
 */
const storageShares = { cache: 0.7, jobs: 0.2, templates: 0.05, usage: 0.05 } as const;

/** What accounts of each plan may keep of one kind, in bytes. */
export const storageOf = (plans: Plans, kind: keyof typeof storageShares): Readonly<Record<PlanName, number>> =>
  Object.fromEntries(
    planNames.map((name) => [name, Math.floor(plans[name].storageMb * 1e6 * storageShares[kind])]),
  ) as Record<PlanName, number>;

/** The numbers of a plan that an operator may change. */
export const limitNames = [
  'ttlDays',
  'keys',
  'rendersPerMinute',
  'rendersAtOnce',
  'rendersPerMonth',
  'jobsQueued',
  'storageMb',
] as const;

/** Ten years. */
export const mostTtlDays = 3650;
/** Of every other limit. It fits into every column and counter that holds one. */
export const mostOfLimit = 1e9;

/** The table with an operator's numbers in it: `{"free":{"rendersPerMinute":10}}`. */
export function withLimits(overrides: unknown): Plans {
  if (!isObject(overrides)) throw new Error('it must be a JSON object, for example {"free":{"rendersPerMinute":10}}.');
  const result: Record<PlanName, Plan> = { ...plans };
  for (const [name, limits] of Object.entries(overrides)) {
    if (!isPlanName(name)) throw new Error(`there is no plan "${name}". Plans: ${planNames.join(', ')}.`);
    if (!isObject(limits)) throw new Error(`${name} must be an object of limits, for example {"rendersPerMinute":10}.`);
    const plan: Record<string, string | number> = { ...result[name] };
    for (const [limit, value] of Object.entries(limits)) {
      if (!(limitNames as readonly string[]).includes(limit))
        throw new Error(`${name} has no limit "${limit}". Limits: ${limitNames.join(', ')}.`);
      plan[limit] = limit === 'ttlDays' ? checkTtlDays(value, name) : checkCount(value, `${name}.${limit}`);
    }
    result[name] = plan as unknown as Plan;
  }
  return result;
}

function checkTtlDays(value: unknown, plan: PlanName): number {
  if (typeof value === 'number' && value > 0 && value <= mostTtlDays) return value;
  throw new Error(`${plan}.ttlDays must be a number above 0 and at most ${mostTtlDays}.`);
}

function checkCount(value: unknown, name: string): number {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= mostOfLimit) return value as number;
  throw new Error(`${name} must be a whole number from 1 to ${mostOfLimit}.`);
}
