// Cuts right-to-left texts at their end: the engine's ellipsis removes words from the wrong end of such a line.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import type { TextNode } from '../card-types.ts';
import { nodeAt, pathTo, runsIn } from './measured-lines.ts';

export type TextToCut = { readonly node: TextNode; readonly lines: number };

/** Changes the nodes. Each is set on one line, which shows how wide its words are, and how wide its box. */
export async function cutTexts(
  root: Node,
  cuts: readonly TextToCut[],
  measure: () => Promise<MeasuredNode>,
): Promise<void> {
  if (cuts.length === 0) return;
  const styles = cuts.map(({ node }) => node.style);
  for (const { node } of cuts) node.style = { ...node.style, whiteSpace: 'nowrap', overflow: 'hidden' };
  const measured = await measure();
  for (const [i, { node, lines }] of cuts.entries()) {
    const found = nodeAt(measured, pathTo(root, node));
    if (found) node.text = cutText(node.text, found, lines);
    if (lines > 1) node.style = styles[i];
  }
}

function cutText(text: string, measured: MeasuredNode, lines: number): string {
  const runs = runsIn(measured);
  // The first word ends at the right edge of the box; the last ones may be outside, on the left.
  const right = Math.max(...runs.map(({ x, width }) => x + width));
  const left = Math.min(...runs.map(({ x }) => x));
  // The padding on the left is taken to be that on the right.
  const room = right - Math.max(0, measured.width - right);
  if (runs.length === 0 || right - left <= room + 1) return text;
  const widths = new Map(runs.map(({ text: word, width }) => [word, width]));
  const perLetter = (right - left) / text.length;
  const widthOf = (word: string) => widths.get(word.trim()) ?? word.length * perLetter;
  const blank = widths.get(' ') ?? perLetter;
  const ellipsis = 3 * perLetter;
  const words = text.split(/(?<=\s)/u);
  /** The words that these lines have room for, the last of which ends here. */
  const wordsWithin = (lastLine: number): string[] => {
    let line = 1;
    let used = 0;
    const end = words.findIndex((word) => {
      const width = widthOf(word);
      if (used + width > (line === lines ? lastLine : room)) {
        line++;
        used = 0;
      }
      used += width + blank;
      return line > lines;
    });
    return end < 0 ? words : words.slice(0, end);
  };
  if (wordsWithin(room).length === words.length) return text;
  const kept = wordsWithin(room - ellipsis).join('');
  const letters = Math.max(1, Math.floor((room - ellipsis) / perLetter));
  return `${(kept || text.slice(0, letters)).trimEnd()}…`;
}
