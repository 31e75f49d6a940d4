// Sets a headline at the largest size at which it fits; if it fits at none, it is cut with an ellipsis.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { leadingOf, type TextStyle, text as textNode } from './type.ts';
import { breaksAtBlanks, linesOf, type Measure, type Ruler } from './words.ts';

export type FitBox = Omit<TextStyle, 'size' | 'lines'> & {
  readonly width: number;
  readonly height: number;
  /** From the largest to the smallest. */
  readonly sizes: readonly number[];
  /** The maximum number of lines, however much room there is. */
  readonly lines?: number;
};

export type Fitted = { readonly node: Node; readonly size: number; readonly height: number };

export type Tools = { readonly measure: Measure; readonly ruler: Ruler };

export async function fitText(text: string, box: FitBox, tools: Tools): Promise<Fitted> {
  const { width, height, sizes, lines = Number.POSITIVE_INFINITY, ...rest } = box;
  const style: FitStyle = { ...rest, style: { width, flexShrink: 0, ...rest.style } };
  const smallest = sizes.at(-1) ?? 40;
  if (text === '') return { node: textNode('', { ...style, size: smallest }), size: 0, height: 0 };
  const lineHeight = (size: number) => leadingOf(text, { ...style, size }) * size;
  const room = (size: number) => Math.min(lines, Math.floor((height + 1) / lineHeight(size)));

  const count = breaksAtBlanks(text) ? countByWords : countBySetting;
  const found = await largest(sizes, room, (some) => count(text, style, some, width, tools));
  if (found) {
    const { size, lines: taken } = found;
    return { node: textNode(text, { ...style, size }), size, height: taken * lineHeight(size) };
  }
  const shown = Math.max(1, room(smallest));
  return {
    node: textNode(text, { ...style, size: smallest, lines: shown }),
    size: smallest,
    height: shown * lineHeight(smallest),
  };
}

type FitStyle = Omit<TextStyle, 'size'>;
type CountLines = (sizes: readonly number[]) => Promise<readonly number[]>;

/** The largest size that fits. Tries every third size first, then the two above the one that fits. */
async function largest(
  sizes: readonly number[],
  room: (size: number) => number,
  count: CountLines,
): Promise<{ size: number; lines: number } | undefined> {
  const firstOf = async (some: readonly number[]) => {
    const counts = some.length > 0 ? await count(some) : [];
    const at = some.findIndex((size, i) => (counts[i] ?? Number.POSITIVE_INFINITY) <= room(size));
    return at < 0 ? undefined : { size: some[at] ?? 0, lines: counts[at] ?? 1 };
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
): Promise<number[]> {
  return Promise.all(
    sizes.map(async (size) => {
      const ruled = rulerSizes.find((some) => some <= size) ?? size;
      const words = await ruler(text, { ...style, size: ruled }, measure);
      return linesOf(words, (width * ruled) / size);
    }),
  );
}

/**
 * Characters are measured at a few sizes only. Smaller type is relatively wider (optical size), so the next smaller ruler
 * gives a safe estimate.
 */
const rulerSizes = [80, 64, 48, 36, 30, 24, 18];

/** The same for scripts that break between characters: the engine sets the text at every size. */
async function countBySetting(
  text: string,
  style: FitStyle,
  sizes: readonly number[],
  width: number,
  { measure }: Tools,
): Promise<number[]> {
  // Words are not broken, so that a word wider than the box is noticed.
  const unbroken = { ...style, balance: false, style: { ...style.style, overflowWrap: 'normal' } };
  const { children } = await measure(column(sizes.map((size) => textNode(text, { ...unbroken, size }))));
  return sizes.map((size, i) => {
    const set = children[i];
    if (!set || overflows(set, width)) return Number.POSITIVE_INFINITY;
    return Math.round(set.height / (leadingOf(text, { ...style, size }) * size));
  });
}

const column = (children: Node[]): Node => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start' } as never,
  children,
});

const overflows = (node: MeasuredNode, width: number): boolean =>
  node.width > width + 1 ||
  node.runs.some((run) => run.x + run.width > width + 1 || run.x < -1) ||
  node.children.some((child) => overflows(child, width));
