// What a run found, as tables.
import { median, table } from '../measure.ts';
import { knownFor } from './known.ts';
import type { ModeName } from './modes.ts';

/** A page differs from its reference beyond this share of its pixels. */
export const limit = 0.02;

export type Result = {
  readonly page: string;
  readonly mode: ModeName;
  /** 1 where the capture failed. */
  readonly share: number;
  /** Share of the reference that never came to rest. */
  readonly moving: number;
  /** The largest difference between the first picture and one that was taken after it (`--times`). */
  readonly varies?: number;
  readonly ms: number;
  readonly sizes: string;
  readonly warnings: readonly string[];
  readonly error?: string;
  readonly triple?: string;
};

/** No two pictures of the page are alike: its difference is told apart and has a tolerance. */
export const alwaysMoving = ({ page, mode, moving }: Result): boolean =>
  moving > limit || knownFor(page, mode)?.reason === 'always moving';

export const differs = (result: Result): boolean => result.share > limit;

export function summary(results: readonly Result[], modes: readonly ModeName[]): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const rows = modes.map((mode) => {
    const all = results.filter((result) => result.mode === mode);
    const judged = all.filter((result) => !alwaysMoving(result));
    const restless = all.filter(alwaysMoving);
    const bad = judged.filter(differs);
    const unexplained = bad.filter(({ page }) => knownFor(page, mode)?.reason !== 'reference is wrong');
    const beyond = restless.filter(({ share, moving }) => share > 2 * moving + limit);
    return [
      mode,
      judged.length,
      `${bad.length} (${percent(bad.length / Math.max(1, judged.length))})`,
      `${unexplained.length} (${percent(unexplained.length / Math.max(1, judged.length))})`,
      `${(median(judged.map(({ share }) => share)) * 100).toFixed(2)} %`,
      all.filter(({ error }) => error).length,
      Math.round(median(all.filter(({ error }) => !error).map(({ ms }) => ms))),
      `${restless.length}, ${beyond.length} beyond`,
    ];
  });
  const head = [
    'mode',
    'pages',
    'differ > 2 %',
    'less "reference is wrong"',
    'median',
    'failed',
    'p50 ms',
    'always moving',
  ];
  return table('Pictures against the reference', head, rows);
}

export function worst(results: readonly Result[], count: number): Result[] {
  return results
    .filter((result) => result.share > limit)
    .sort((a, b) => Number(alwaysMoving(a)) - Number(alwaysMoving(b)) || b.share - a.share)
    .slice(0, count);
}

export function list(results: readonly Result[]): string {
  const rows = worst(results, results.length).map((result) => {
    const known = knownFor(result.page, result.mode);
    const why = known ? `${known.reason}: ${known.why}` : alwaysMoving(result) ? 'always moving' : '';
    return [
      result.page,
      result.mode,
      `${(result.share * 100).toFixed(1)} %`,
      result.moving > 0 ? `${(result.moving * 100).toFixed(1)} %` : '',
      result.sizes,
      result.error ?? why,
    ];
  });
  return table('Pages that differ', ['page', 'mode', 'differs', 'moves', 'ours / reference', 'known'], rows);
}

/** Pages that were captured several times, and whose pictures are not all alike. */
export function varying(results: readonly Result[], times: number): string {
  const rows = results
    .flatMap(({ varies = 0, ...result }) => (varies > 0 ? [{ ...result, varies }] : []))
    .sort((a, b) => b.varies - a.varies)
    .map(({ page, mode, varies, moving }) => [
      page,
      mode,
      `${(varies * 100).toFixed(2)} %`,
      moving > 0 ? `${(moving * 100).toFixed(1)} %` : '',
    ]);
  return table(
    `${rows.length} of ${results.length} differ within ${times} runs`,
    ['page', 'mode', 'by', 'moves'],
    rows,
  );
}
