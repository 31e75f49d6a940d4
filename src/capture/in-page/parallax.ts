// Runs inside the page: pictures that fill a box which clips them, and that a script moves while the page is scrolled. At the
// top of the page, those further down may be moved so far that their boxes are partly empty.
type Place = Pick<CSSStyleDeclaration, 'transform' | 'translate' | 'scale'>;

export default function () {
  /** How far up the box may be, how many pictures are followed, and the smallest box: a digit that rolls is no picture. */
  const mostAround = 3;
  const mostFollowed = 200;
  const smallestBox = 150;

  /** The pictures, their boxes, and their styles when they were last seen to fill them. */
  const followed = new Map<HTMLElement, { readonly around: Element; filled?: Place }>();

  const isPicture = (element: Element, { backgroundImage }: CSSStyleDeclaration) =>
    /^(img|picture|video|canvas)$/.test(element.localName) || backgroundImage.includes('url(');

  const isMoved = ({ transform, translate }: Place) => transform !== 'none' || translate !== 'none';

  const boxAround = (element: Element): Element | undefined => {
    let around = tintype.parentElement(element);
    for (
      let left = mostAround;
      around && around !== document.body && left > 0;
      left--, around = tintype.parentElement(around)
    )
      if (/hidden|clip/.test(getComputedStyle(around).overflowY)) return around;
    return undefined;
  };

  /** Follows the element if it is such a picture. */
  const followParallax = (element: HTMLElement, style: CSSStyleDeclaration): void => {
    if (followed.size >= mostFollowed || followed.has(element)) return;
    if (!isMoved(style) || !isPicture(element, style)) return;
    const around = boxAround(element);
    if (!around) return;
    const { width, height } = around.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    const isAsLarge = own.width >= width - 1 && own.height >= height - 1;
    if (isAsLarge && width >= smallestBox && height >= smallestBox) followed.set(element, { around });
  };

  /** How many rows of the box the picture leaves empty. One that is moved sideways is a slide. */
  const emptyRows = (element: Element, around: Element) => {
    const own = element.getBoundingClientRect();
    const box = around.getBoundingClientRect();
    if (own.left > box.left + 1 || own.right < box.right - 1) return undefined;
    return Math.min(box.height, Math.max(0, own.top - box.top) + Math.max(0, box.bottom - own.bottom));
  };

  const noteParallax = (): void => {
    for (const [element, seen] of followed) {
      if (!tintype.inView(seen.around) || (emptyRows(element, seen.around) ?? 2) > 1) continue;
      const { transform, translate, scale } = getComputedStyle(element);
      seen.filled = { transform, translate, scale };
    }
  };

  /** A box that is a tenth empty now, and was full in view, is filled again. */
  const holdParallax = (): void => {
    for (const [element, { around, filled }] of followed)
      if (filled && (emptyRows(element, around) ?? 0) > around.getBoundingClientRect().height / 10)
        tintype.hold(element, { ...filled });
  };

  return { followParallax, noteParallax, holdParallax };
}
