// Runs inside the page: the children of an element in the order in which a reader sees them, with those of its shadow root or slot.
import type { ElementState } from './reading-types.ts';

export default function () {
  const eachOf = (nodes: readonly Node[]): (() => Node | undefined) => {
    let at = 0;
    return () => nodes[at++];
  };

  /** Gives the next child with each call. */
  const childrenOf = (state: ElementState): (() => Node | undefined) => {
    if (state.name === 'slot') {
      // An SVG or XML element of that name has no such method.
      const slotted = (state.element as Partial<HTMLSlotElement>).assignedNodes?.() ?? [];
      if (slotted.length > 0) return eachOf(slotted);
    }
    if (state.isCode && reader.isEditorText(state.element)) return eachOf(reader.linesInOrder(state.element));
    const root = reader.shadowRoot(state.element) ?? state.element;
    const isBackward = reader.isReversed(state.style);
    let next = isBackward ? reader.lastChild(root) : reader.firstChild(root);
    return () => {
      const node = next ?? undefined;
      if (node) next = isBackward ? reader.previousSibling(node) : reader.nextSibling(node);
      return node;
    };
  };

  return { childrenOf };
}
