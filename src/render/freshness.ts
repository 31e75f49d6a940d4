// How old a result may be, and which one is served in its place when it cannot be rendered anew. A good result and a bad
// one (an error page, a blank one, a bot wall) are stored side by side: the bad one lives for a minute and never
// replaces the good one.
import { Problem } from '../kernel/errors.ts';
import { type Plan, ttlMs } from '../kernel/plans.ts';
import { isBad, type Verdict, type VerdictCode } from '../kernel/verdict.ts';

/** When may a result that is too old be the answer? */
export type Stale = 'never' | 'on failure' | 'at once';

export const badLifeMs = 60_000;
/** Who got a stale answer asks again after this time. */
export const staleForMs = 60_000;

export const badKeyOf = (key: string): string => `${key}-bad`;

/** Good results outlive their TTL, for when the target is down. */
export const keptMs = (plan: Plan): number => 2 * ttlMs(plan);

// A try later may succeed. What is refused for good is told to the caller, whatever is stored.
const passing: ReadonlySet<string> = new Set([
  'target_unreachable',
  'render_timeout',
  'renderer_unavailable',
  'overloaded',
  'rate_limited',
]);

/** Is it a failure or a bad capture that may pass? */
export const mayPass = (code: string): boolean =>
  passing.has(code) || isBad({ ok: false, codes: [code as VerdictCode] });

/** The code of a failure that may pass, else undefined. */
export function passingCode(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.code === 'capture_rejected') return badCode(error.verdict);
  return passing.has(error.code) ? error.code : undefined;
}

/** The code by which a capture is bad, else undefined. */
export const badCode = (verdict: Verdict | undefined): string | undefined =>
  verdict?.codes.find((code) => isBad({ ok: false, codes: [code] }));

const reasons: Readonly<Record<string, string>> = {
  expired: 'it is rendered anew',
  target_unreachable: 'the target could not be reached',
  render_timeout: 'the target did not answer in time',
  renderer_unavailable: 'no browser was available',
  overloaded: 'too many renders were waiting',
  rate_limited: "the account's renders a minute were used up",
  http_error: 'the target answered with an error',
  blank: 'the target showed a blank page',
  bot_wall: 'the target showed a bot check',
};

/** For a person: why the answer is an old result. */
export const staleWarning = (createdAt: number, code: string): string =>
  `This result is stale, of ${new Date(createdAt).toISOString()}: ${reasons[code] ?? `rendering it anew failed (${code})`}.`;
