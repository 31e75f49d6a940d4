// Sets texts that have `data-fit` at the largest of their sizes at which they take few enough lines and are not higher than
// their box.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import type { TextNode } from '../card-types.ts';
import { directionOf } from '../script.ts';
import { cutTexts, type TextToCut } from './cut-texts.ts';
import { nodeAt, pathTo, readLines, type SetText } from './measured-lines.ts';

export type TextToFit = {
  readonly node: Node;
  readonly sizes: readonly number[];
  readonly lines: number;
  /** Texts of one group have the same size; '' if it is in none. */
  readonly group: string;
};
/** Measures the whole card as its nodes are now. */
export type MeasureCard = () => Promise<MeasuredNode>;

/** One of several searches that share the measuring of the card. */
type Search = TextToFit & {
  /** The smallest number that fits is in `from` … `to`. */
  from: number;
  to: number;
  /** How it is set now. */
  at: number;
  set(at: number): void;
  fits(measured: MeasuredNode): boolean;
  /** The first number after this one that could fit, if nothing else changes: judged by how the text was set last. */
  firstAfter(at: number): number;
  /** The lines that it has room for. */
  room(): number;
};

/** Changes the nodes. Returns the card as it was measured at last, if that is how it is set now. */
export async function fitTexts(
  root: Node,
  fits: readonly TextToFit[],
  measure: MeasureCard,
): Promise<MeasuredNode | undefined> {
  if (fits.length === 0) return undefined;
  const searches = fits.map(searchOf);
  const measured = await searchAll(root, searches, measure);
  const late: TextToCut[] = [];
  for (const { node, sizes, to, room } of searches) {
    if (to < sizes.length) continue;
    if (isRightToLeft(node)) late.push({ node, lines: room() });
    else node.style = { ...node.style, lineClamp: room(), textOverflow: 'ellipsis' } as never;
  }
  await cutTexts(root, late, measure);
  return searches.some(({ to, sizes }) => to === sizes.length) ? undefined : measured;
}

function searchOf(fit: TextToFit): Search {
  const { node, sizes, lines } = fit;
  const { style } = node;
  let found: SetText | undefined;
  let room = 1;
  return {
    ...fit,
    ...{ from: 0, to: sizes.length, at: 0 },
    set(at) {
      this.at = at;
      // With no more lines than it may have, a long text does not push the others aside while their sizes are found.
      const clamp = isRightToLeft(node) && at === sizes.length ? {} : { lineClamp: lines };
      node.style = { ...style, ...sizeStyle(sizes[at] ?? sizes.at(-1)), ...clamp } as never;
    },
    fits(measured) {
      found = readLines(node, measured);
      room = Math.max(1, Math.min(lines, found.room));
      return found.isWhole && found.lines <= Math.min(lines, found.room);
    },
    firstAfter(at) {
      const could = sizes.findIndex((size, i) => i > at && found?.couldFit(size / (sizes[at] ?? size), lines));
      // The smallest is always tried: it shows where the text is cut.
      return Math.max(at + 1, could < 0 ? sizes.length - 1 : could);
    },
    room: () => room,
  };
}

/** The whole card is measured once for all searches that go on. */
async function searchAll(
  root: Node,
  searches: readonly Search[],
  measure: MeasureCard,
): Promise<MeasuredNode | undefined> {
  const paths = new Map(searches.map((search) => [search, pathTo(root, search.node) ?? []]));
  let measured: MeasuredNode | undefined;
  const set = (search: Search, at: number) => {
    if (search.at !== at || measured === undefined) search.set(at);
  };
  const tooLargeIn = (card: MeasuredNode, tried: readonly Search[]): readonly Search[] =>
    tried.filter((search) => {
      const found = nodeAt(card, paths.get(search));
      return found !== undefined && !search.fits(found);
    });
  /** Which of them do not fit as they are set now? */
  const tooLarge = async (tried: readonly Search[]): Promise<readonly Search[]> => {
    measured = await measure();
    return tooLargeIn(measured, tried);
  };

  // Most cards have room for every text at its largest size, or for all but one. If two do not fit, each may be in the
  // other's way, so that this says nothing about either.
  for (const search of searches) set(search, 0);
  const tooLargeAtFirst = await tooLarge(searches);
  if (tooLargeAtFirst.length <= 1) narrow(searches, tooLargeAtFirst, () => 0);

  for (;;) {
    const open = searches.filter(({ from, to }) => from < to);
    if (open.length === 0) break;
    // A text that is alone probably fits where it could fit. Several are halved together.
    const tryOf = ({ from, to }: Search) => (open.length === 1 ? from : from + Math.floor((to - from) / 2));
    for (const search of open) set(search, tryOf(search));
    narrow(open, await tooLarge(open), tryOf);
  }
  // One that fitted may not any more, since another has grown after it.
  for (let tried = 0; tried < mostCorrections; tried++) {
    sameInGroups(searches);
    if (!measured || searches.some(({ at, to }) => at !== to)) {
      for (const search of searches) set(search, search.to);
      measured = await measure();
    }
    const wrong = tooLargeIn(
      measured,
      searches.filter(({ to, sizes }) => to < sizes.length),
    );
    if (wrong.length === 0) break;
    for (const search of wrong) search.to = wrong.length === 1 ? search.firstAfter(search.to) : search.to + 1;
  }
  return searches.every(({ at, to }) => at === to) ? measured : undefined;
}

const mostCorrections = 12;

/** The smallest size of a group is that of all in it. */
function sameInGroups(searches: readonly Search[]): void {
  for (const search of searches)
    if (search.group !== '')
      search.to = Math.max(...searches.filter(({ group }) => group === search.group).map(({ to }) => to));
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
const sizeStyle = (size = 0) => ({ fontSize: size, fontVariationSettings: `'opsz' ${Math.min(60, size * 0.75)}` });
