// The body of an error, wherever it is sent: in a response, a stream, a job or a webhook.
import type { Problem } from './errors.ts';
import { redact } from './log.ts';
import type { Verdict } from './verdict.ts';

/** The shape of every error. */
export type ErrorBody = {
  readonly error: string;
  readonly code: string;
  readonly parameter?: string;
  readonly requiredPlan?: string;
  readonly requestId?: string;
  readonly verdict?: Verdict;
  /** What is wrong with each field of a form. */
  readonly fields?: Readonly<Record<string, string>>;
};

/** Some texts quote the request: the response must not grow with it. */
const longestText = 2000;

/** `requestId` finds it in the log: the id of the request, or of the job. */
export const errorBody = (problem: Problem, requestId: string): ErrorBody => ({
  error: redact(problem.message.slice(0, longestText)),
  code: problem.code,
  ...(problem.parameter !== undefined && { parameter: redact(problem.parameter.slice(0, longestText)) }),
  ...(problem.requiredPlan !== undefined && { requiredPlan: problem.requiredPlan }),
  ...(problem.verdict !== undefined && { verdict: problem.verdict }),
  ...(problem.fields !== undefined && { fields: problem.fields }),
  requestId,
});
