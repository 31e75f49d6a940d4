// Sets code at the largest of its sizes at which no line is broken and all have room; at the smallest, lines are broken.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { nodeAt, pathTo, runsIn } from './measured-lines.ts';

/** It is measured at the first of its sizes, without broken lines. */
export type CodeToFit = { readonly node: Extract<Node, { type: 'container' }>; readonly sizes: readonly number[] };

export const unbroken = { whiteSpace: 'pre' } as const;

/** Changes the nodes. Returns those that show all of their lines. */
export function fitCode(root: Node, codes: readonly CodeToFit[], measured: MeasuredNode): ReadonlySet<Node> {
  const whole = new Set<Node>();
  for (const { node, sizes } of codes) {
    const [largest = 32] = sizes;
    const found = nodeAt(measured, pathTo(root, node));
    const part = found ? partThatFits(found) : 1;
    const size = sizes.find((each) => each <= largest * part) ?? sizes.at(-1) ?? largest;
    const isBroken = size > largest * part;
    node.style = { ...node.style, fontSize: size, whiteSpace: isBroken ? 'pre-wrap' : 'pre' } as never;
    if (isBroken || !found) continue;
    node.children = node.children?.slice(0, -1);
    whole.add(node);
  }
  return whole;
}

/** The part of its size at which the longest line is as wide as the box, and all lines are as high. */
function partThatFits({ children, height, width }: MeasuredNode): number {
  // The last child stands for lines that have no room.
  const lines = children.slice(0, -1);
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return 1;
  const longest = Math.max(...lines.map(lineWidth));
  const high = last.transform[5] + last.height - first.transform[5];
  return Math.min(width / longest, (height + 1) / high);
}

/** With the number before it, and the space of an indented line. */
function lineWidth(line: MeasuredNode): number {
  const text = line.children.at(-1);
  const runs = text ? runsIn(text) : [];
  if (!text || runs.length === 0) return 0;
  const before = line.width - text.width;
  return before + Math.max(...runs.map(({ x, width }) => x + width)) - Math.min(...runs.map(({ x }) => x));
}
