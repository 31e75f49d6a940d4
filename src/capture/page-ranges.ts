// Pages of a document as `pageRanges` names them.

export type PageRanges = {
  /** In ascending order, without overlaps. */
  readonly text: string;
  /** How many pages they name. */
  readonly pages: number;
  readonly last: number;
};

/** Reads a text that the parameter table has checked. */
export function readPageRanges(text: string): PageRanges {
  const joined: { from: number; to: number }[] = [];
  const named = text.split(',').map((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return { from, to };
  });
  for (const range of named.sort((a, b) => a.from - b.from)) {
    const before = joined.at(-1);
    if (before !== undefined && range.from <= before.to + 1) before.to = Math.max(before.to, range.to);
    else joined.push(range);
  }
  return {
    text: joined.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(),
    pages: joined.reduce((sum, { from, to }) => sum + to - from + 1, 0),
    last: joined.at(-1)?.to ?? 0,
  };
}
