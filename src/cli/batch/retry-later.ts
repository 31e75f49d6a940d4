// A server may ask to try again later: its rate is used up, or its queue is full.
import { sleep } from '../../kernel/deadline.ts';
import { Problem } from '../../kernel/errors.ts';

const mostTries = 20;
const longestPauseMs = 60_000;

/** Does the work again after the time that its error names. */
export async function retryLater<T>(work: () => Promise<T>, signal: AbortSignal, pause = sleep): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const seconds = error instanceof Problem ? error.retryAfter : undefined;
      if (seconds === undefined || tries === mostTries || signal.aborted) throw error;
      await pause(Math.min(seconds * 1000, longestPauseMs), signal);
    }
}
