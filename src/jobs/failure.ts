// What the failure of a job means: it is the answer, or it is tried again.
import { Cancelled } from '../kernel/deadline.ts';
import { type ErrorCode, Problem } from '../kernel/errors.ts';

/** `again` is how the attempt counts; see JobStore.putBack. */
export type JobFailure =
  | { readonly final: Problem }
  | { readonly again: 'as nothing' | 'as try' | 'as failure'; readonly afterMs: number };

/** The service could not try it now: that says nothing about the job. */
const notNow: readonly ErrorCode[] = ['rate_limited', 'overloaded', 'shutting_down', 'storage_unavailable'];
const ours: readonly ErrorCode[] = ['renderer_unavailable', 'internal_error'];

const retryMs = [5000, 30_000, 120_000] as const;
const notNowMs = 3000;
/** Less than what the store takes for a clock that went back. */
const longestPauseMs = 300_000;
/** A job that was begun this often, because the service ended while it ran, fails. */
export const mostAttempts = 10;
/** A render that waited this long for its slot had not all of its time for the page. */
const longWaitMs = 1000;

type Tried = { readonly attempts: number; readonly failures: number; readonly queuedMs: number };

export function failureOf(error: unknown, { attempts, failures, queuedMs }: Tried): JobFailure {
  if (error instanceof Cancelled) return { again: 'as nothing', afterMs: 0 };
  const problem = error instanceof Problem ? error : new Problem('internal_error', { cause: error });
  if (notNow.includes(problem.code))
    return {
      again: 'as nothing',
      afterMs: Math.min(longestPauseMs, Math.max(notNowMs, (problem.retryAfter ?? 0) * 1000)),
    };
  if (attempts > mostAttempts) return { final: problem };
  if (problem.code === 'render_timeout' && queuedMs > longWaitMs && attempts < mostAttempts)
    return { again: 'as try', afterMs: notNowMs };
  const pause = ours.includes(problem.code) ? retryMs[failures] : undefined;
  return pause === undefined ? { final: problem } : { again: 'as failure', afterMs: pause };
}
