// Errors on their way between machines.
import { type ErrorCode, errorTable, Problem } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';

export type ProblemLetter = {
  code: ErrorCode;
  message: string;
  parameter?: string;
  requiredPlan?: PlanName;
  retryAfter?: number;
};

/** What is no Problem is a defect: its text stays in the log of the machine that met it. */
export function toLetter(error: unknown): ProblemLetter {
  if (!(error instanceof Problem)) return { code: 'internal_error', message: errorTable.internal_error.text };
  const { code, message, parameter, requiredPlan, retryAfter } = error;
  return {
    code,
    message,
    ...(parameter !== undefined && { parameter }),
    ...(requiredPlan !== undefined && { requiredPlan }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

export const fromLetter = ({ code, ...details }: ProblemLetter): Problem => new Problem(code, details);
