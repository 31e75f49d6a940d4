// How far the opt-out has come in each document of a page, and how long it is worth waiting for.
import type { ConsentState } from '@duckduckgo/autoconsent';

type Lifecycle = ConsentState['lifecycle'];

export type Progress = { lifecycle: Lifecycle; attempts: number; popup: boolean };

export const noProgress = (): Progress => ({ lifecycle: 'loading', attempts: 0, popup: false });

const acting: readonly Lifecycle[] = ['openPopupDetected', 'runningOptOut'];

/** A product that is there shows its banner within the second, or not at all. */
const popupWaitMs = 1000;
/** The heuristics look at every second attempt, half a second after the first. */
const heuristicsWaitMs = 800;
/** What one half has opened, the other half answers in a frame. */
const otherHalfWaitMs = 1500;

/**
 * Milliseconds after the load until which to wait, by what is known now; 0 where nothing is under way.
 * `seen`: a banner is in sight, though no rule has named it yet.
 */
export function waitUntil(states: readonly Progress[], seen: boolean): number {
  const some = (...wanted: Lifecycle[]) => states.some(({ lifecycle }) => wanted.includes(lifecycle));
  if (some(...acting)) return Number.POSITIVE_INFINITY;
  if (some('optOutSucceeded') && !some('done')) return otherHalfWaitMs;
  if (states.some(({ popup }) => popup)) return 0;
  if (some('cmpDetected')) return popupWaitMs;
  return seen && states.every(({ attempts }) => attempts < 2) ? heuristicsWaitMs : 0;
}
