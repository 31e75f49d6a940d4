// Pages and cards wait apart: a card takes milliseconds, and never waits for a page.

export const lanes = ['pages', 'cards'] as const;
export type Lane = (typeof lanes)[number];

/** How much of a lane one machine takes: renders with work at once, and renders under way at once (those that wait included). */
export type Capacity = { readonly slots: number; readonly places: number };

/** How a lane stands. */
export type Load = {
  readonly waiting: number;
  /** Under way, those that only wait for their page included. */
  readonly running: number;
};
