// The progress of the opt-out in each document of a page, and how long to wait for it.
import type { ConsentState } from '@duckduckgo/autoconsent';

type Lifecycle = ConsentState['lifecycle'];

export type Progress = { lifecycle: Lifecycle; attempts: number; popup: boolean };

export const noProgress = (): Progress => ({ lifecycle: 'loading', attempts: 0, popup: false });

const acting: readonly Lifecycle[] = ['openPopupDetected', 'runningOptOut'];

/** A consent product shows its banner within a second or not at all. */
const popupWaitMs = 1000;
/** The heuristics run at every second attempt, half a second after the first. */
const heuristicsWaitMs = 800;
/** Some products open their dialog in a frame, where a second script opts out. */
const otherHalfWaitMs = 1500;

/**
 * How long to wait, in ms after the load; 0 if no opt-out has begun. `seen`: a banner is visible that no rule has matched
 * yet.
 */
export function waitUntil(states: readonly Progress[], seen: boolean): number {
  const some = (...wanted: Lifecycle[]) => states.some(({ lifecycle }) => wanted.includes(lifecycle));
  if (some(...acting)) return Number.POSITIVE_INFINITY;
  if (some('optOutSucceeded') && !some('done')) return otherHalfWaitMs;
  if (states.some(({ popup }) => popup)) return 0;
  if (some('cmpDetected')) return popupWaitMs;
  return seen && states.every(({ attempts }) => attempts < 2) ? heuristicsWaitMs : 0;
}
