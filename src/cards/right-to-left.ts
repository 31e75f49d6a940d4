// Truncates text that runs from right to left. The engine's line clamp removes words from the wrong end of such a line,
// so the length that fits is searched by measuring.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import type { TextNode } from './card-types.ts';
import type { Measure } from './design/words.ts';

const isClamped = (node: Node): node is TextNode =>
  node.type === 'text' && node.dir === 'rtl' && typeof node.style?.lineClamp === 'number';

const hasClamped = (node: Node): boolean =>
  isClamped(node) || (node.type === 'container' && (node.children ?? []).some(hasClamped));

/** The tree with every clamped right-to-left text truncated to its lines. */
export async function cutRightToLeft(root: Node, measureCard: Measure, measure: Measure): Promise<Node> {
  if (!hasClamped(root)) return root;
  const visit = async (node: Node, measured: MeasuredNode | undefined): Promise<Node> => {
    if (isClamped(node)) return measured ? cut(node, measured.width, measure) : node;
    if (node.type !== 'container' || !node.children) return node;
    const children = node.children.map((child, i) => visit(child, measured?.children[i]));
    return { ...node, children: await Promise.all(children) };
  };
  return visit(root, await measureCard(root));
}

async function cut(node: TextNode, width: number, measure: Measure): Promise<TextNode> {
  const { lineClamp, textOverflow: _, ...style } = node.style as Record<string, unknown>;
  const limit = Number(lineClamp) * Number(style.lineHeight) * Number(style.fontSize) + 1;
  const set = (text: string): TextNode => ({ ...node, text, style: { ...style, width } as never });
  const fits = async (text: string) => {
    const { children } = await measure({
      type: 'container',
      style: { display: 'flex' } as never,
      children: [set(text)],
    });
    return (children[0]?.height ?? 0) <= limit;
  };
  if (await fits(node.text)) return node;
  const words = node.text.split(/(?<=\s)/u);
  // On a single line, or with few words, single characters are removed: whole words would leave too much room.
  const parts = Number(lineClamp) > 1 && words.length > 3 ? words : [...node.text];
  const shortened = (count: number) => `${parts.slice(0, count).join('').trimEnd()}…`;
  let low = 1;
  let high = parts.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await fits(shortened(middle))) low = middle;
    else high = middle - 1;
  }
  return set(shortened(low));
}
