// A headline takes the largest size at which it fits; where none fits it is cut with an ellipsis.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { leadingOf, type TextStyle, text as textNode } from './type.ts';

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
  const { width, height, sizes, lines, ...rest } = box;
  const style: Omit<TextStyle, 'size'> = { ...rest, style: { width, flexShrink: 0, ...rest.style } };
  const lineHeight = (size: number) => leadingOf(text, { ...style, size }) * size;
  const linesAt = (size: number) =>
    Math.max(1, Math.min(lines ?? Number.POSITIVE_INFINITY, Math.floor((height + 1) / lineHeight(size))));
  const largestOf = async (candidates: readonly number[]): Promise<Fitted | undefined> => {
    if (candidates.length === 0) return undefined;
    const measured = await measure(column(candidates.map((size) => unbroken(text, { ...style, size }))));
    for (const [i, size] of candidates.entries()) {
      const child = measured.children[i];
      if (!child || child.height > Math.min(height, linesAt(size) * lineHeight(size)) + 1) continue;
      if (overflows(child, width)) continue;
      return { node: textNode(text, { ...style, size }), size, height: child.height };
    }
    return undefined;
  };
  if (text === '') return { node: textNode('', { ...style, size: sizes.at(-1) ?? 40 }), size: 0, height: 0 };
  // Most texts fit at the guessed size or next to it; the others are measured only if they do not.
  const guess = sizes.findIndex(
    (size) => lineHeight(size) <= height + 1 && guessedLines(text, size, width) <= linesAt(size),
  );
  const middle = guess < 0 ? sizes.length - 1 : guess;
  const near = sizes.slice(Math.max(0, middle - 1), middle + 2);
  const found = (await largestOf(near)) ?? (await largestOf(sizes.slice(middle + 2)));
  if (found) return found;
  const size = sizes.at(-1) ?? 40;
  const lastLines = linesAt(size);
  return { node: textNode(text, { ...style, size, lines: lastLines }), size, height: lastLines * lineHeight(size) };
}

const wideLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/gu;

/** From the mean width of letters: half an em, and one em for square ones. Words leave a tenth of a line empty. */
function guessedLines(text: string, size: number, width: number): number {
  const wide = text.match(wideLetter)?.length ?? 0;
  const ems = (text.length - wide) * 0.5 + wide;
  const rows = (ems * size) / width;
  return rows <= 1 ? 1 : Math.ceil(rows * 1.1);
}

/** As it would be set if no word could be broken: a word that is wider than the box then shows. */
const unbroken = (text: string, style: TextStyle): Node =>
  textNode(text, { ...style, balance: false, style: { ...style.style, overflowWrap: 'normal' } });

const column = (children: Node[]): Node => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start' } as never,
  children,
});

const overflows = (node: MeasuredNode, width: number): boolean =>
  node.width > width + 1 ||
  node.runs.some((run) => run.x + run.width > width + 1 || run.x < -1) ||
  node.children.some((child) => overflows(child, width));
