// Runs inside the page: texts that can be seen, but are not what a reader reads: numbers of lines, prompts, and the names of icons.
import type { ElementState } from './reading-types.ts';

export default function () {
  /** Fonts of icons draw the names of icons, or characters that mean nothing in another font. */
  const isIconName = ({ isPreformatted, style }: ElementState, text: string): boolean =>
    !isPreformatted &&
    (/^[\s\p{Co}]+$/u.test(text) ||
      (/^\s*[a-z][a-z0-9_]{1,40}\s*$/.test(text) && /^["']?[^,"']*\b(icons|symbols)\b/i.test(style.fontFamily)));

  /** The classes that Pygments, Chroma and others give to the number of a line, which can be selected with the code. */
  const lineNumber = /(?:^|\s)(?:linenos?|line-?numbers?|ln|lnt)(?:\s|$)/i;

  const isLineNumber = ({ element }: ElementState, text: string): boolean =>
    /^\s*\d{1,7}\s*$/.test(text) && lineNumber.test(reader.shortAttribute(element, 'class', 200));

  /** Beside the code, in a box of their own. */
  const isMonacoNumber = ({ element }: ElementState, text: string): boolean =>
    /^\d{1,7}$/.test(text) && reader.shortAttribute(element, 'class', 200).startsWith('line-numbers');

  /** The numbers of lines in code, and its prompts: a person who copies the code does not get them. */
  const isUncopied = (state: ElementState, text: string): boolean => {
    if (!state.isPreformatted) return isMonacoNumber(state, text);
    if (isLineNumber(state, text)) return true;
    if (state.style.userSelect !== 'none') return false;
    let at: ElementState | null = state;
    while (at?.parent?.isPreformatted) at = at.parent;
    return at.style.userSelect !== 'none';
  };

  return { isUncopied, isIconName };
}
