// A request in its account's usage: one record for each that ends, whoever asked and whatever became of it.
import type { Phases } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { verdictText } from '../kernel/verdict.ts';
import type { Result } from './result.ts';
import { storedWarnings } from './usage-texts.ts';
import type { Endpoint, Requester } from './validated-request.ts';

/** Requests of the playground have no key, and are in the usage under this id; cards of a site under the id of the site. */
export const playgroundKeyId = 'playground';

export type EndedRequest = {
  readonly id: string;
  readonly requester: Requester;
  readonly endpoint: Endpoint;
  /** As storedParameters() gives them. */
  readonly parameters: string;
  /** Undefined if the client left before there was one. */
  readonly outcome: Result | Problem | undefined;
  /** What was sent, where the outcome does not say it: 304, or 499 to a client that left. */
  readonly status?: number | undefined;
  readonly totalMs: number;
  readonly phases?: Phases | undefined;
  /** About the request; those of the result come with it. */
  readonly warnings?: readonly string[] | undefined;
};

export type UsageRecord = ReturnType<typeof usageRecord>;

export function usageRecord(request: EndedRequest) {
  const { id, requester, endpoint, outcome, warnings = [] } = request;
  const problem = outcome instanceof Problem ? outcome : undefined;
  const result = outcome instanceof Problem ? undefined : outcome;
  const status = request.status ?? problem?.status ?? 200;
  const verdict = problem?.verdict ?? result?.meta.verdict;
  return {
    id,
    accountId: requester.account.id,
    keyId: requester.key?.id ?? requester.siteId ?? playgroundKeyId,
    /** It had neither a key nor a session. */
    isPublic: requester.key === undefined && requester.siteId !== undefined,
    at: Date.now(),
    endpoint,
    status,
    outcome: status >= 400 ? ('error' as const) : result?.cache === 'MISS' ? ('render' as const) : ('hit' as const),
    code: problem?.code ?? null,
    renderMs: result?.meta.renderTime ?? null,
    totalMs: Math.round(request.totalMs),
    parameters: request.parameters,
    // A hit has no phases.
    phases: request.phases === undefined ? '{}' : JSON.stringify(roundedPhases(request.phases)),
    warnings: storedWarnings(result?.meta.warnings.length ? [...warnings, ...result.meta.warnings] : warnings),
    cacheKey: result?.stored ? result.key : null,
    verdict: verdict === undefined ? null : verdictText(verdict),
  };
}

/** To tenths of a millisecond. */
export const roundedPhases = (phases: Phases): Record<string, number> =>
  Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, Math.round(ms * 10) / 10]));
