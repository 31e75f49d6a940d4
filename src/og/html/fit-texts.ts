// Sets texts that have `data-fit` at the largest of their sizes at which they take few enough lines.
import type { MeasuredNode, Node } from '@takumi-rs/core';

export type TextToFit = { readonly node: Node; readonly sizes: readonly number[]; readonly lines: number };

/** Changes the nodes. Halves the sizes of all texts at once; the whole card is measured each time. */
export async function fitTexts(
  root: Node,
  fits: readonly TextToFit[],
  measure: (node: Node) => Promise<MeasuredNode>,
): Promise<void> {
  // `from` is the largest size that may fit; those from `to` on do.
  const searches = fits.map((fit) => ({ ...fit, path: pathTo(root, fit.node) ?? [], from: 0, to: fit.sizes.length }));
  for (;;) {
    const open = searches.filter(({ from, to }) => from < to);
    if (open.length === 0) break;
    for (const { node, sizes, from, to } of open) setSize(node, sizes[(from + to) >> 1]);
    const measured = await measure(root);
    for (const search of open) {
      const middle = (search.from + search.to) >> 1;
      const found = search.path.reduce<MeasuredNode | undefined>((node, index) => node?.children[index], measured);
      if (found === undefined || linesIn(found) <= search.lines) search.to = middle;
      else search.from = middle + 1;
    }
  }
  for (const { node, sizes, lines, to } of searches) {
    setSize(node, sizes[to] ?? sizes.at(-1));
    if (to === sizes.length) node.style = { ...node.style, lineClamp: lines, textOverflow: 'ellipsis' } as never;
  }
}

const setSize = (node: Node, size: number | undefined) => {
  node.style = { ...node.style, fontSize: size };
};

function pathTo(root: Node, wanted: Node): number[] | undefined {
  if (root === wanted) return [];
  for (const [index, child] of (root.type === 'container' ? (root.children ?? []) : []).entries()) {
    const path = pathTo(child, wanted);
    if (path) return [index, ...path];
  }
  return undefined;
}

/** Texts of one line begin at nearly the same height. */
function linesIn(node: MeasuredNode): number {
  const tops = runsIn(node)
    .filter(({ text }) => text.trim() !== '')
    .map(({ y, height }) => ({ top: y, bottom: y + height }))
    .sort((a, b) => a.top - b.top);
  let lines = 0;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const line of tops) {
    if (line.top + line.bottom < 2 * bottom) continue;
    lines++;
    bottom = line.bottom;
  }
  return lines;
}

const runsIn = (node: MeasuredNode): MeasuredNode['runs'] => [...node.runs, ...node.children.flatMap(runsIn)];
