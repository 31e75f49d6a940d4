// Runs inside the page: drawings and icons that say something, such as the stars of a rating, as the words that the page gives
// screen readers for them.
import type { ElementState } from './reading-types.ts';

export default function () {
  /** A name that nobody sees stands for an icon that can be seen: a picture, a background or a pseudo-element. */
  const showsIcon = (link: Element): boolean => {
    const inside = Element.prototype.querySelectorAll.call(link, '*');
    for (let i = -1; i < inside.length && i < 20; i++) {
      const element = i < 0 ? link : (inside[i] as Element);
      if (!reader.isRendered(element, { visibilityProperty: true, opacityProperty: true })) continue;
      const { width, height } = reader.rectOf(element);
      if (width < 4 || height < 4) continue;
      if (/^(img|svg|canvas|video|object)$/.test(reader.localName(element))) return true;
      const { backgroundImage, maskImage } = getComputedStyle(element);
      if (backgroundImage !== 'none' || (maskImage && maskImage !== 'none')) return true;
      if (['::before', '::after'].some((part) => !/^(none|normal|"")$/.test(getComputedStyle(element, part).content)))
        return true;
    }
    return false;
  };

  const mostAround = 10;

  const isNothing = (node: Node): boolean =>
    reader.nodeType(node) === Node.COMMENT_NODE ||
    (reader.nodeType(node) === Node.ELEMENT_NODE && reader.isForScreenReaders(node as Element)) ||
    (reader.nodeType(node) === Node.TEXT_NODE && !/\S/.test(node.nodeValue ?? ''));

  const isAlone = (element: Element): boolean =>
    [reader.previousSibling, reader.nextSibling].every((step) => {
      let at = step(element);
      while (at && isNothing(at)) at = step(at);
      return !at;
    });

  /** Does its cell hold nothing else? */
  const isAloneInCell = ({ element, parent }: ElementState): boolean => {
    let inner = element;
    for (let at = parent, i = 0; at && i < mostAround && isAlone(inner); at = at.parent, i++) {
      if (at.name === 'td' || at.name === 'th') return true;
      inner = at.element;
    }
    return false;
  };

  /**
   * The name that a page gives to a drawing counts like the alternative text of a picture, if the page says that it is one, or
   * if a cell has nothing else. Words for screen readers beside it are such a name. In a link or a button it says what happens
   * on a click.
   */
  const drawingLabel = (state: ElementState): string => {
    const { element, isPreformatted, isInTable } = state;
    const isPicture = reader.shortAttribute(element, 'role', 10) === 'img';
    const isCell = isInTable && isAloneInCell(state);
    if (isPreformatted || !(isPicture || isCell) || !reader.hasSeenBox(state, 4)) return '';
    let at = state.parent;
    for (let i = 0; at && i < mostAround; i++, at = at.parent) if (/^(a|button|summary)$/.test(at.name)) return '';
    const spoken = isCell ? reader.spokenBeside(element)?.textContent?.slice(0, 2000) : undefined;
    const label =
      spoken ||
      reader.shortAttribute(element, 'aria-label', 2000) ||
      reader.oneIn(element, ':scope > title')?.textContent?.slice(0, 2000);
    return reader.cut(reader.tidy(label ?? ''), 1000);
  };

  /** An icon of a font, or of a style. */
  const isIconBox = (state: ElementState): boolean => isNamedPicture(state) || isCellIcon(state);

  /** The stars of a rating, which are drawings or backgrounds. */
  const isNamedPicture = ({ element }: ElementState): boolean =>
    reader.shortAttribute(element, 'role', 10) === 'img' &&
    !/\S/.test(reader.textContent(element) ?? '') &&
    reader.shortAttribute(element, 'aria-label', 1) !== '' &&
    showsIcon(element);

  const isCellIcon = ({ element, name, isInTable }: ElementState): boolean =>
    isInTable &&
    /^(i|span|em|b|div)$/.test(name) &&
    reader.firstChild(element) === null &&
    reader.spokenBeside(element) !== null &&
    showsIcon(element);

  return { showsIcon, drawingLabel, isIconBox };
}
