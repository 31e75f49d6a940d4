// Sets a headline at the largest size at which it fits; if it fits at none, it is cut with an ellipsis.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import type { Draft } from '../card-types.ts';
import { leadingOf, type TextStyle, text as textNode } from './type.ts';
import { breaksAtBlanks, type Lines, linesOf, type Measure, type Ruler, tooWide } from './words.ts';

export type FitBox = Omit<TextStyle, 'size' | 'lines'> & {
  readonly width: number;
  readonly height: number;
  /** From the largest to the smallest. */
  readonly sizes: readonly number[];
  /** The maximum number of lines, however much room there is. */
  readonly lines?: number;
};

export type Fitted = {
  readonly node: Node;
  readonly size: number;
  readonly height: number;
  /** The width of the longest line, at most a few percent more than it takes; that of the box if the text is cut. */
  readonly width: number;
  /** It fits at no size, so it ends with an ellipsis. */
  readonly isCut: boolean;
};

/** The size of a text on one line, however long. Its width is at most a few percent more than it takes. */
export async function lineSize(
  draft: Pick<Draft, 'fit'>,
  text: string,
  { size, ...style }: TextStyle,
): Promise<{ readonly width: number; readonly height: number }> {
  const anyRoom = 1_000_000;
  const box = { ...style, width: anyRoom, height: anyRoom, lines: 1, sizes: [size] };
  const { width, height } = await draft.fit(text, { ...box, style: { ...style.style, width: undefined } });
  return { width, height };
}

export type Tools = { readonly measure: Measure; readonly ruler: Ruler };

export async function fitText(text: string, box: FitBox, tools: Tools): Promise<Fitted> {
  const { width, height, sizes, lines = Number.POSITIVE_INFINITY, ...rest } = box;
  const style: FitStyle = { ...rest, style: { width, flexShrink: 0, ...rest.style } };
  const smallest = sizes.at(-1) ?? 40;
  if (text === '')
    return { node: textNode('', { ...style, size: smallest }), size: 0, height: 0, width: 0, isCut: false };
  const lineHeight = (size: number) => leadingOf(text, { ...style, size }) * size;
  const room = (size: number) => Math.min(lines, Math.floor((height + 1) / lineHeight(size)));

  const count = breaksAtBlanks(text) ? countByWords : countBySetting;
  const found = await largest(sizes, room, (some) => count(text, style, some, width, tools));
  if (found) {
    const { size, lines: taken } = found;
    return {
      node: textNode(text, { ...style, size }),
      size,
      height: taken.count * lineHeight(size),
      width: taken.longest,
      isCut: false,
    };
  }
  const shown = Math.max(1, room(smallest));
  return {
    node: textNode(text, { ...style, size: smallest, lines: shown }),
    size: smallest,
    height: shown * lineHeight(smallest),
    width,
    isCut: true,
  };
}

type FitStyle = Omit<TextStyle, 'size'>;
type CountLines = (sizes: readonly number[]) => Promise<readonly Lines[]>;

/** The largest size that fits. Tries every third size first, then the two above the one that fits. */
async function largest(
  sizes: readonly number[],
  room: (size: number) => number,
  count: CountLines,
): Promise<{ size: number; lines: Lines } | undefined> {
  const firstOf = async (some: readonly number[]) => {
    const counts = some.length > 0 ? await count(some) : [];
    const at = some.findIndex((size, i) => (counts[i] ?? tooWide).count <= room(size));
    return at < 0 ? undefined : { size: some[at] ?? 0, lines: counts[at] ?? tooWide };
  };
  const coarse = await firstOf(sizes.filter((_, i) => i % 3 === 0 || i === sizes.length - 1));
  if (!coarse) return undefined;
  const at = sizes.indexOf(coarse.size);
  const above = sizes.slice(Math.max(0, Math.floor((at - 1) / 3) * 3 + 1), at);
  return (await firstOf(above)) ?? coarse;
}

/** The number of lines at each size, calculated from the widths of the words. */
async function countByWords(
  text: string,
  style: FitStyle,
  sizes: readonly number[],
  width: number,
  { measure, ruler }: Tools,
): Promise<Lines[]> {
  return Promise.all(
    sizes.map(async (size) => {
      const ruled = rulerSizes.find((some) => some <= size) ?? size;
      const words = await ruler(text, { ...style, size: ruled }, measure);
      const { count, longest } = linesOf(words, (width * ruled) / size);
      return { count, longest: (longest * size) / ruled };
    }),
  );
}

/**
 * Characters are measured at a few sizes only. Smaller type is relatively wider (optical size), so the next smaller
 * ruler gives a safe estimate.
 */
const rulerSizes = [80, 64, 48, 36, 30, 24, 18];

/** The same for scripts that break between characters: the engine sets the text at every size. */
async function countBySetting(
  text: string,
  style: FitStyle,
  sizes: readonly number[],
  width: number,
  { measure }: Tools,
): Promise<Lines[]> {
  // Words are not broken, so that a word wider than the box is noticed.
  const unbroken = { ...style, balance: false, style: { ...style.style, overflowWrap: 'normal' } };
  const { children } = await measure(column(sizes.map((size) => textNode(text, { ...unbroken, size }))));
  return sizes.map((size, i) => {
    const set = children[i];
    if (!set || overflows(set, width)) return tooWide;
    return { count: Math.round(set.height / (leadingOf(text, { ...style, size }) * size)), longest: longestOf(set) };
  });
}

const column = (children: Node[]): Node => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start' } as never,
  children,
});

/** From the start of the lines to the end of the longest. Emoji are children, not runs: with them it is the whole node. */
function longestOf({ runs, children, width }: MeasuredNode): number {
  if (children.length > 0 || runs.length === 0) return width;
  return Math.max(...runs.map((run) => run.x + run.width)) - Math.min(...runs.map((run) => run.x));
}

const overflows = (node: MeasuredNode, width: number): boolean =>
  node.width > width + 1 ||
  node.runs.some((run) => run.x + run.width > width + 1 || run.x < -1) ||
  node.children.some((child) => overflows(child, width));
