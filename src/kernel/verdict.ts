// What a capture is worth: one code for each thing that keeps a picture from being the page a reader would see.
import { Problem } from './errors.ts';

export const verdictCodes = [
  'http_error',
  'blank',
  'bot_wall',
  'login_wall',
  'banner_left',
  'cut',
  'images_failed',
] as const;
export type VerdictCode = (typeof verdictCodes)[number];

export type Verdict = { readonly ok: boolean; readonly codes: readonly VerdictCode[] };

/** The codes in the order of the table, each once. */
export function verdictOf(found: Iterable<VerdictCode>): Verdict {
  const set = new Set(found);
  const codes = verdictCodes.filter((code) => set.has(code));
  return { ok: codes.length === 0, codes };
}

/** As a header and in the database: the codes separated by commas. */
export const verdictText = ({ codes }: Verdict): string => codes.join(',');

/** Throws the 422 where the caller does not want such a capture. */
export function rejectIf(verdict: Verdict | undefined, failOn: readonly VerdictCode[] | undefined): void {
  const named = verdict?.codes.filter((code) => failOn?.includes(code)) ?? [];
  if (verdict === undefined || named.length === 0) return;
  throw new Problem('capture_rejected', {
    message: `The capture was rejected: failOn names ${named.join(', ')}.`,
    verdict,
  });
}

/** A result with one of these is not the page: it lives for a minute and never replaces one without them. */
export const isBad = ({ codes }: Verdict): boolean =>
  codes.some((code) => code === 'http_error' || code === 'blank' || code === 'bot_wall');
