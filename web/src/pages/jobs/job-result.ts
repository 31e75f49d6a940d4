// The result of a job is what `response=json` gives: JSON whose fields depend on the kind.
import type { JobItemView, Verdict } from '../../api.ts';
import { bytes, ms, number, plural } from '../../format.ts';

export type JobResult = {
  readonly verdict: Verdict | null;
  readonly warnings: readonly string[];
  /** In a few words each. */
  readonly facts: readonly string[];
};

type Known = {
  readonly format?: string;
  readonly width?: number;
  readonly height?: number;
  readonly size?: number;
  readonly pages?: number;
  readonly words?: number;
  readonly renderTime?: number;
  readonly page?: { readonly status?: number; readonly title?: string };
  readonly verdict?: Verdict;
  readonly warnings?: readonly string[];
};

export function resultOf({ kind, result }: JobItemView): JobResult | undefined {
  if (result === null) return undefined;
  const { format, width, height, size, pages, words, renderTime, page, verdict, warnings }: Known = result;
  const isPicture = kind !== 'content' && format !== 'pdf';
  return {
    verdict: verdict ?? null,
    warnings: warnings ?? [],
    facts: [
      ...(page?.title ? [page.title] : []),
      ...(format ? [format] : []),
      ...(isPicture && width && height ? [`${width} × ${height}`] : []),
      ...(pages ? [plural(pages, 'page')] : []),
      ...(words === undefined ? [] : [`${number(words)} words`]),
      ...(size === undefined ? [] : [bytes(size)]),
      ...(renderTime === undefined ? [] : [`rendered in ${ms(renderTime)}`]),
    ],
  };
}
