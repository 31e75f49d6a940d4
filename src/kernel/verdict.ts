// The verdict on a capture: one code for each thing that makes it differ from the page a visitor would see.
import { Problem } from './errors.ts';

export const verdictCodes = [
  'http_error',
  'blank',
  'bot_wall',
  'login_wall',
  'banner_left',
  'cut',
  'images_failed',
  'unfinished',
] as const;
export type VerdictCode = (typeof verdictCodes)[number];

/** Captures with this code, with any, or with none. */
export type VerdictFilter = VerdictCode | 'any' | 'ok';

export type Verdict = { readonly ok: boolean; readonly codes: readonly VerdictCode[] };

/** The codes in the order of `verdictCodes`, each once. */
export function verdictOf(found: Iterable<VerdictCode>): Verdict {
  const set = new Set(found);
  const codes = verdictCodes.filter((code) => set.has(code));
  return { ok: codes.length === 0, codes };
}

/** The codes separated by commas, for a header and the database. */
export const verdictText = ({ codes }: Verdict): string => codes.join(',');

/** Throws 422 if `failOn` names one of the codes. */
export function rejectIf(verdict: Verdict | undefined, failOn: readonly VerdictCode[] | undefined): void {
  const named = verdict?.codes.filter((code) => failOn?.includes(code)) ?? [];
  if (verdict === undefined || named.length === 0) return;
  throw new Problem('capture_rejected', {
    message: `The capture was rejected: failOn names ${named.join(', ')}.`,
    verdict,
  });
}

/** A result with one of these codes is kept for a minute only, and never replaces a good one. */
export const isBad = ({ codes }: Verdict): boolean =>
  codes.some((code) => code === 'http_error' || code === 'blank' || code === 'bot_wall');
