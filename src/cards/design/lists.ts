// Lists that show as many items as there is room for.

export type ShownItems = { readonly shown: readonly string[]; readonly more: number };

/**
 * The items that fit on these rows. If some are left out, the last row is for their number (`more`), unless it is the
 * only one or the list does not say it.
 */
export function shownItems(items: readonly string[], rows: number, saysMore = true): ShownItems {
  if (items.length <= rows) return { shown: items, more: 0 };
  if (!saysMore || rows <= 1) return { shown: items.slice(0, Math.max(0, rows)), more: 0 };
  return { shown: items.slice(0, rows - 1), more: items.length - (rows - 1) };
}

/** The rows without which a list says too little: two items and the number of the others. */
const leastRows = 3;

export type ListLayout = {
  /** The rows that each list has room for. */
  readonly rows: readonly number[];
  /** A title of the layout ends with an ellipsis. */
  readonly isCut: boolean;
};

/**
 * Takes the first layout in which every list has enough rows; if there is none, the one with the most. A layout that cuts
 * a title which the first one shows whole is not taken.
 */
export async function roomiest<T extends ListLayout>(
  lengths: readonly number[],
  first: () => Promise<T>,
  others: readonly (() => Promise<T>)[],
): Promise<T> {
  const missing = ({ rows }: T) =>
    Math.max(0, ...lengths.map((length, i) => Math.min(length, leastRows) - (rows[i] ?? 0)));
  let best = await first();
  const mayCut = best.isCut;
  for (const layout of others) {
    if (missing(best) === 0) break;
    const tried = await layout();
    if (missing(tried) < missing(best) && (mayCut || !tried.isCut)) best = tried;
  }
  return best;
}
