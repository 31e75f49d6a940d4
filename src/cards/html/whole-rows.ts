// Lists show whole rows only. Where some have no room, an element with `data-more` takes the place of the last ones and says how
// many are left out.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { nodeAt, pathTo } from './measured-lines.ts';

type Container = Extract<Node, { type: 'container' }>;

/** `more` is the last child of its list. */
export type List = { readonly node: Container; readonly more: Node };

/** Stands in a text for the number of rows that are left out: a character that no value contains. */
export const moreMark = '\uE000';

const topOf = ({ transform }: MeasuredNode): number => transform[5];
const bottomOf = (row: MeasuredNode): number => topOf(row) + row.height;

/** Changes the nodes. */
export function showWholeRows(root: Node, lists: readonly List[], measured: MeasuredNode): void {
  for (const { node, more } of lists) {
    const found = nodeAt(measured, pathTo(root, node));
    if (!found || !node.children) continue;
    const all = node.children.length - 1;
    const shown = rowsWithRoom(found, all);
    node.children = node.children.slice(0, shown);
    if (shown < all && shown > 0 && hasRoom(found, shown, all)) node.children.push(withNumber(more, all - shown));
  }
}

/** How many rows are shown: one less where the number of the others is shown, too. It is never shown alone. */
function rowsWithRoom(list: MeasuredNode, all: number): number {
  const count = (isRoom: (shown: number) => boolean) => {
    let shown = all;
    while (shown > 0 && !isRoom(shown)) shown--;
    return shown;
  };
  const plain = count((shown) => heightOf(list, shown) <= list.height + 1);
  return plain === all ? all : count((shown) => hasRoom(list, shown, all)) || plain;
}

const hasRoom = (list: MeasuredNode, shown: number, all: number): boolean => {
  const more = list.children[all];
  const [first, second] = list.children;
  if (!more || !first) return false;
  const gap = second && all > 1 ? Math.max(0, topOf(second) - bottomOf(first)) : 0;
  return heightOf(list, shown) + (more.height > 0 ? gap + more.height : 0) <= list.height + 1;
};

/** From the top of the first row: rows that have no room may begin above the list. */
function heightOf({ children }: MeasuredNode, shown: number): number {
  const [first] = children;
  const rows = children.slice(0, shown);
  return first ? Math.max(0, ...rows.map(bottomOf)) - topOf(first) : 0;
}

function withNumber(node: Node, number: number): Node {
  if (node.type === 'text') return { ...node, text: node.text.replaceAll(moreMark, String(number)) };
  if (node.type !== 'container') return node;
  return { ...node, children: (node.children ?? []).map((child) => withNumber(child, number)) };
}
