// Runs inside the page: gaps that a reader sees between two texts without a blank between them.
import type { Box, ElementState, TextBefore } from './reading-types.ts';

export default function () {
  /** Often painted with some room around it, also within a word. */
  const isPartOfWord = /^(a|b|code|del|em|i|ins|kbd|mark|s|samp|strong|sub|sup|tt|u|var)$/;
  /** These even with much room. */
  const isPadded = /^(code|kbd|mark|samp|sub|sup|tt|var)$/;

  /** Does the text stand apart from the one before, as badges and buttons do? */
  const isApart = (before: TextBefore, text: string, box: Box, state: ElementState, isInRow: boolean): boolean => {
    const { name, isPreformatted, isFolded, style } = state;
    if (before.isInitial || isPreformatted || isFolded || isPadded.test(name) || isPadded.test(before.name))
      return false;
    if (box.top >= before.box.bottom || box.bottom <= before.box.top) return false;
    if (/[\p{Ps}\p{Pi}]/u.test(before.end) || /^[\p{Pe}\p{Pf}.,;:!?]/u.test(text)) return false;
    const gap = Math.max(box.left - before.box.right, before.box.left - box.right);
    const isWithin = isPartOfWord.test(name) || isPartOfWord.test(before.name);
    const least = isWithin && !isInRow ? 0.6 : 0.2;
    return gap > least * Number.parseFloat(style.fontSize);
  };

  return { isApart };
}
