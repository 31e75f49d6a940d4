// Runs inside the page: short texts that a flex box puts beside each other, as a label and its value. A browser takes each of
// them for a block; a reader sees one line.
import type { Inherited } from './reading-types.ts';

export default function () {
  /** Columns of text stay apart. */
  const longestText = 80;
  const mostNodes = 30;
  const mostHidden = 3;

  const canBeInLine =
    /^(a|abbr|b|button|code|data|del|div|em|i|ins|kbd|label|mark|p|s|small|span|strong|sub|sup|time|u)$/;

  /** Looks at a few nodes only: flex boxes may be nested, around a text of megabytes. */
  const isShort = (element: Element): boolean => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let length = 0;
    for (let nodes = 0; walker.nextNode(); nodes++) {
      const node = walker.currentNode;
      if (reader.nodeType(node) === Node.TEXT_NODE) length += (node as Text).data.trim().length;
      if (length > longestText || nodes === mostNodes) return false;
    }
    return true;
  };

  /** In heights of the letters around it. */
  const tallest = 3;

  /** Of the element, and of those beside it: an item is as tall as its row, and the number of a price is larger than its words. */
  const letterHeight = (element: Element): number =>
    Math.max(
      ...[reader.previousElement(element), element, reader.nextElement(element)].map((each) =>
        each ? Number.parseFloat(getComputedStyle(each).fontSize) : 0,
      ),
    );

  /** The first one, or one that is not in a line below. A card is taller than a line. */
  const isBesideLast = (element: Element, fontSize: number): boolean => {
    const { top, bottom } = reader.rectOf(element);
    const height = bottom - top;
    if (height > tallest * fontSize && height > tallest * letterHeight(element)) return false;
    let before = reader.previousElement(element);
    for (let left = mostHidden; before; before = reader.previousElement(before)) {
      const box = reader.rectOf(before);
      if (box.height > 0 || left-- === 0) return box.top < bottom && box.bottom > top;
    }
    return true;
  };

  const isRowItem = (element: Element, name: string, parent: Inherited): boolean => {
    const style = 'style' in parent ? (parent.style as CSSStyleDeclaration) : undefined;
    return (
      style !== undefined &&
      canBeInLine.test(name) &&
      /^(inline-)?flex$/.test(style.display) &&
      !style.flexDirection.startsWith('column') &&
      isShort(element) &&
      isBesideLast(element, Number.parseFloat(style.fontSize))
    );
  };

  return { isRowItem };
}
