// Sets texts that have `data-fit` at the largest of their sizes at which they take few enough lines and are not higher than
// their box.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import type { TextNode } from '../card-types.ts';
import type { Measure } from '../design/words.ts';
import { directionOf } from '../script.ts';
import { cutTexts, type TextToCut } from './cut-texts.ts';
import { nodeAt, pathTo, readLines, type SetText } from './measured-lines.ts';

export type TextToFit = { readonly node: Node; readonly sizes: readonly number[]; readonly lines: number };
/** One of several searches that share the measuring of the card. */
type Search = {
  readonly node: Node;
  /** The smallest number that fits is in `from` … `to`. */
  from: number;
  to: number;
  set(at: number): void;
  fits(measured: MeasuredNode): boolean;
  /** The first number after this one that could fit, if nothing else changes: judged by how the text was set last. */
  firstAfter(at: number): number;
};

/** Changes the nodes. `cuts` are right-to-left texts with Tailwind's truncate or line-clamp. */
export async function fitTexts(
  root: Node,
  fits: readonly TextToFit[],
  cuts: readonly TextToCut[],
  measure: Measure,
): Promise<void> {
  await cutTexts(root, cuts, measure);
  const late: TextToCut[] = [];
  const shown = new Map<Node, number>();
  const searches = fits.map(({ node, sizes, lines }): Search & TextToFit => {
    const { style } = node;
    let found: SetText | undefined;
    return {
      ...{ node, sizes, lines, from: 0, to: sizes.length },
      set: (at) => {
        // With no more lines than it may have, a long text does not push the others aside while their sizes are found.
        const clamp = isRightToLeft(node) && at === sizes.length ? {} : { lineClamp: lines };
        node.style = { ...style, ...sizeStyle(sizes[at] ?? sizes.at(-1)), ...clamp } as never;
      },
      fits(measured) {
        found = readLines(node, measured);
        shown.set(node, Math.max(1, Math.min(lines, found.room)));
        return found.isWhole && found.lines <= Math.min(lines, found.room);
      },
      firstAfter(at) {
        const could = sizes.findIndex((size, i) => i > at && found?.couldFit(size / (sizes[at] ?? size), lines));
        // The smallest is always tried: it shows where the text is cut.
        return Math.max(at + 1, could < 0 ? sizes.length - 1 : could);
      },
    };
  });
  await searchAll(root, searches, measure);
  for (const { node, sizes, to } of searches) {
    if (to < sizes.length) continue;
    const lines = shown.get(node) ?? 1;
    if (isRightToLeft(node)) late.push({ node, lines });
    else node.style = { ...node.style, lineClamp: lines, textOverflow: 'ellipsis' } as never;
  }
  await cutTexts(root, late, measure);
}

/** The whole card is measured once for all searches that go on. */
async function searchAll(root: Node, searches: readonly Search[], measure: Measure): Promise<void> {
  const paths = new Map(searches.map((search) => [search, pathTo(root, search.node) ?? []]));
  /** Which of them do not fit as they are set now? */
  const tooLarge = async (tried: readonly Search[]): Promise<readonly Search[]> => {
    const measured = await measure(root);
    return tried.filter((search) => {
      const found = nodeAt(measured, paths.get(search));
      return found !== undefined && !search.fits(found);
    });
  };

  // Most cards have room for every text at its largest size, or for all but one. If two do not fit, each may be in the
  // other's way, so that this says nothing about either.
  for (const search of searches) search.set(0);
  const tooLargeAtFirst = searches.length > 0 ? await tooLarge(searches) : [];
  if (tooLargeAtFirst.length <= 1) narrow(searches, tooLargeAtFirst, () => 0);

  for (;;) {
    const open = searches.filter(({ from, to }) => from < to);
    if (open.length === 0) break;
    // A text that is alone probably fits where it could fit. Several are halved together.
    const tryOf = ({ from, to }: Search) => (open.length === 1 ? from : from + Math.floor((to - from) / 2));
    for (const search of open) search.set(tryOf(search));
    narrow(open, await tooLarge(open), tryOf);
  }
  for (const search of searches) search.set(search.to);
}

/** Smaller sizes only for what was too large, otherwise this one or larger. */
function narrow(tried: readonly Search[], tooLarge: readonly Search[], tryOf: (search: Search) => number): void {
  for (const search of tried) {
    const at = tryOf(search);
    if (!tooLarge.includes(search)) search.to = at;
    else search.from = tooLarge.length === 1 ? search.firstAfter(at) : at + 1;
  }
}

const isRightToLeft = (node: Node): node is TextNode => node.type === 'text' && directionOf(node.text) === 'rtl';

/** Fonts with optical sizes are fine and tight when they are large. */
const sizeStyle = (size = 0) => ({ fontSize: size, fontVariationSettings: `'opsz' ${Math.min(32, size * 0.75)}` });
