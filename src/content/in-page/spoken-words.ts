// Runs inside the page: words that a page shows, and for which it gives screen readers others. It hides them from those with
// `aria-hidden`, as it does with decoration.
import type { ElementState, Inherited } from './reading-types.ts';

export default function () {
  /** A larger element is not looked into. */
  const mostElements = 200;
  const mostAround = 3;

  /** Stars of a rating, and marks of a table: no words, but a reader sees what they say. */
  const sign = /[★☆⭐✓✔✕✖✗✘☑☒✅❌]/u;

  const wordsOf = (element: Element): string =>
    Element.prototype.getElementsByTagName.call(element, '*').length > mostElements
      ? ''
      : reader.lettersOf(reader.cut(reader.textContent(element) ?? '', 1000));

  /** Has words, and is taken out of sight in one of the usual ways. */
  const isForScreenReaders = (element: Element | null): boolean => {
    if (!element || reader.attribute(element, 'aria-hidden') === 'true') return false;
    const style = getComputedStyle(element);
    if (style.position !== 'absolute' || style.display === 'none') return false;
    const { width, height, right } = reader.rectOf(element);
    const isOutOfSight = width <= 1 || height <= 1 || right <= 0 || reader.isClippedAway(style.clip);
    return isOutOfSight && wordsOf(element) !== '';
  };

  /** A heading whose words or letters are moved one by one has all of them as its label. */
  const isInLabel = (words: string, parent: Inherited): boolean => {
    let at = 'element' in parent ? (parent as ElementState) : null;
    for (let i = 0; at && i < mostAround && !/^(a|button)$/.test(at.name); i++, at = at.parent) {
      const label = reader.shortAttribute(at.element, 'aria-label', 1000);
      if (label) return reader.lettersOf(label).includes(words);
    }
    return false;
  };

  /** The words for screen readers that stand beside an element. */
  const spokenBeside = (element: Element): Element | null => {
    const before = reader.previousElement(element);
    const beside = [before, before && reader.lastElement(before), reader.nextElement(element)];
    return beside.find(isForScreenReaders) ?? null;
  };

  /** A price, a unit or an icon beside its words for screen readers, or a piece of what a label says. */
  const isSpokenOtherwise = (element: Element, parent: Inherited): boolean => {
    const words = wordsOf(element);
    const isWritten = words !== '' || sign.test(reader.cut(reader.textContent(element) ?? '', 1000));
    return (
      (isWritten && isInLabel(words, parent)) || ((isWritten || parent.isInTable) && spokenBeside(element) !== null)
    );
  };

  return { isSpokenOtherwise, isForScreenReaders, spokenBeside };
}
