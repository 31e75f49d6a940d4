// Errors on their way between machines.
import { type ErrorCode, errorTable, Problem } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';
import type { Verdict } from '../kernel/verdict.ts';

export type ProblemLetter = {
  code: ErrorCode;
  message: string;
  parameter?: string;
  requiredPlan?: PlanName;
  retryAfter?: number;
  verdict?: Verdict;
};

/** What is no Problem is a defect: its text stays in the log of the machine that met it. */
export function toLetter(error: unknown): ProblemLetter {
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

export const fromLetter = ({ code, ...details }: ProblemLetter): Problem => new Problem(code, details);
