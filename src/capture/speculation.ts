// A guess that saves a round trip on a page without scripts. It is checked before its result is used, so the bytes are the
// same without it: `speculative: false` in the options of createCapturer switches it off.
import { evaluateAll, type RunFirst } from './in-page.ts';

/**
 * Guesses the id of our world, so that the initial script is sent together with the command that makes the world: a page
 * without scripts would otherwise be painted before the script arrives. In another world than ours the script does
 * nothing, and its result is dropped.
 */
export const runInGuessedWorld =
  (guess: number): RunFirst =>
  async <T>(...[session, made, scripts]: Parameters<RunFirst>) => {
    const guessed = evaluateAll<T | undefined>(session, guess, scripts);
    const contextId = await made;
    return (contextId === guess ? await guessed : undefined) ?? evaluateAll<T>(session, contextId, scripts);
  };
