// How old a result may be, and which result is served if it cannot be rendered again. A good result and a bad one (an error
// page, a blank page, a bot wall) are stored side by side: the bad one lives for a minute and never replaces the good one.
import { Problem } from '../kernel/errors.ts';
import { type Plan, ttlMs } from '../kernel/plans.ts';
import { isBad, type Verdict, type VerdictCode } from '../kernel/verdict.ts';

/** When may a result that is too old be the answer? */
export type Stale = 'never' | 'on failure' | 'at once';

export const badLifeMs = 60_000;
/** Links in the result of a job work for as long as the job is kept, also those to a bad capture. */
export const jobLinkMs = 7 * 24 * 60 * 60 * 1000;
/** How long caches may keep a stale result. */
export const staleForMs = 60_000;

export const badKeyOf = (key: string): string => `${key}-bad`;

/** Good results outlive their TTL, for when the target is down. */
export const keptMs = (plan: Plan): number => 2 * ttlMs(plan);

// Errors after which a later try may succeed. Callers get every other error, whatever is stored.
const transientErrors: ReadonlySet<string> = new Set([
  'target_unreachable',
  'render_timeout',
  'renderer_unavailable',
  'overloaded',
  'rate_limited',
  'quota_exceeded',
]);

/** Is it an error or a bad capture after which a later try may succeed? */
export const isTransient = (code: string): boolean =>
  transientErrors.has(code) || isBad({ ok: false, codes: [code as VerdictCode] });

/** The code of such an error, otherwise undefined. */
export function transientCode(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.code === 'capture_rejected') return badCode(error.verdict);
  return transientErrors.has(error.code) ? error.code : undefined;
}

/** The code that makes a capture bad, otherwise undefined. */
export const badCode = (verdict: Verdict | undefined): string | undefined =>
  verdict?.codes.find((code) => isBad({ ok: false, codes: [code] }));

const reasons: Readonly<Record<string, string>> = {
  expired: 'a new one is being rendered',
  target_unreachable: 'the target could not be reached',
  render_timeout: 'the target did not answer in time',
  renderer_unavailable: 'no browser was available',
  overloaded: 'too many renders were waiting',
  rate_limited: "the account's renders a minute were used up",
  quota_exceeded: "the account's renders of the month were used up",
  http_error: 'the target answered with an error',
  blank: 'the target showed a blank page',
  bot_wall: 'the target showed a bot check',
};

/** Why the response is an old result, for people. */
export const staleWarning = (createdAt: number, code: string): string =>
  `This result is from ${new Date(createdAt).toISOString()} and is stale: ${reasons[code] ?? `rendering it again failed (${code})`}.`;
