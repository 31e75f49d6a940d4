// A headline takes the largest size at which it fits; where none fits it is cut with an ellipsis.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { directionOf } from '../script.ts';
import { type TextStyle, text as textNode, textStyle } from './type.ts';

export type FitBox = Omit<TextStyle, 'size' | 'lines'> & {
  readonly width: number;
  readonly height: number;
  /** From the largest to the smallest. */
  readonly sizes: readonly number[];
  /** At most so many lines, however much room there is. */
  readonly lines?: number;
};

export type Fitted = { readonly node: Node; readonly size: number; readonly height: number };

export type Measure = (node: Node) => Promise<MeasuredNode>;

export async function fitText(text: string, box: FitBox, measure: Measure): Promise<Fitted> {
  const { width, height, sizes, lines, ...style } = box;
  const leading = (size: number) => Number(textStyle(text, { ...style, size }).lineHeight) * size;
  const linesAt = (size: number) => Math.max(1, Math.min(lines ?? Infinity, Math.floor((height + 1) / leading(size))));
  const candidates = sizes.filter((size) => roughLines(text, size, width) <= linesAt(size) * 1.5);
  if (candidates.length > 0) {
    const measured = await measure(column(candidates.map((size) => ruled(text, { ...style, size }, width))));
    for (const [i, size] of candidates.entries()) {
      const child = measured.children[i];
      if (!child || child.height > linesAt(size) * leading(size) + 1 || overflows(child, width)) continue;
      return { node: textNode(text, { ...style, size }), size, height: child.height };
    }
  }
  const size = sizes.at(-1) ?? 40;
  const shown = directionOf(text) === 'rtl' ? await cut(text, linesAt(size), { ...style, size }, width, measure) : text;
  return {
    node: textNode(shown, { ...style, size, lines: linesAt(size) }),
    size,
    height: linesAt(size) * leading(size),
  };
}

/** A guess from below, which spares measuring sizes that cannot fit: no script is narrower on average. */
const roughLines = (text: string, size: number, width: number): number => (text.length * size * 0.4) / width;

const ruled = (text: string, style: TextStyle, width: number): Node =>
  textNode(text, { ...style, style: { ...style.style, width, overflowWrap: 'normal', textWrap: undefined } });

const column = (children: Node[]): Node => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start' } as never,
  children,
});

/** Does a single word reach over the line? */
const overflows = (node: MeasuredNode, width: number): boolean =>
  node.width > width + 1 ||
  node.runs.some((run) => run.x + run.width > width + 1 || run.x < -1) ||
  node.children.some((child) => overflows(child, width));

/**
 * The longest beginning that fits with an ellipsis. The engine's own clamp takes words away from the
 * wrong end of a line that runs from right to left, so there the place is searched.
 */
export async function cut(
  text: string,
  lines: number,
  style: TextStyle,
  width: number,
  measure: Measure,
): Promise<string> {
  const limit = lines * Number(textStyle(text, style).lineHeight) * style.size + 1;
  const words = text.split(/(?<=\s)/);
  const shortened = (count: number) => `${words.slice(0, count).join('').trimEnd()}…`;
  const fits = async (value: string) =>
    (await measure(column([textNode(value, { ...style, style: { ...style.style, width } })]))).height <= limit;
  if (await fits(text)) return text;
  let low = 1;
  let high = words.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await fits(shortened(middle))) low = middle;
    else high = middle - 1;
  }
  return shortened(low);
}
