// Pages and cards wait in separate lanes: a card takes milliseconds and never waits for a page.
import type { PlanName } from './plans.ts';

export const lanes = ['pages', 'cards'] as const;
export type Lane = (typeof lanes)[number];

/**
 * The capacity of one machine for a lane: renders that work at once, and renders under way at once, waiting ones
 * included.
 */
export type Capacity = { readonly slots: number; readonly places: number };

/** The load of a lane. */
export type Load = {
  readonly waiting: number;
  /** Renders under way, those that only wait for their page included. */
  readonly running: number;
};

/** For whom a render is admitted. */
export type Applicant = {
  readonly accountId: string;
  readonly plan: PlanName;
  /** How many renders of weight 1 the account may have under way at once. */
  readonly atOnce: number;
  /** How many ordinary renders it counts for: more than one for a very large canvas. */
  readonly weight: number;
  /** Nobody waits for it: it starts only while nobody else waits, and leaves a slot free. */
  readonly background?: boolean;
};
