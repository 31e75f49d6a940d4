// Errors as JSON, for sending them from one machine to another.
import { type ErrorCode, errorTable, Problem } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';
import type { Verdict } from '../kernel/verdict.ts';

export type ProblemData = {
  code: ErrorCode;
  message: string;
  parameter?: string;
  requiredPlan?: PlanName;
  retryAfter?: number;
  verdict?: Verdict;
};

/** Any other error is a defect: its text stays in the log of the machine where it happened. */
export function problemData(error: unknown): ProblemData {
  if (!(error instanceof Problem)) return { code: 'internal_error', message: errorTable.internal_error.text };
  const { code, message, parameter, requiredPlan, retryAfter, verdict } = error;
  return {
    code,
    message,
    ...(parameter !== undefined && { parameter }),
    ...(requiredPlan !== undefined && { requiredPlan }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(verdict !== undefined && { verdict }),
  };
}

export const problemFrom = ({ code, ...details }: ProblemData): Problem => new Problem(code, details);
