// Runs inside the page: elements that are fixed to the window, or stick to its edge, on a picture or paper that is taller.
export default function () {
  /**
   * Adapts elements that are fixed to the window to a picture that is taller than the window: a bar at the bottom moves to
   * the bottom of the picture, one that waits below the window stays below the picture, what lies behind the whole window
   * becomes as tall as the picture, a sticky element goes back to its place in the flow, and a fixed background scrolls with
   * its element, because it would be painted for the first window only. An element that is visible through a section further
   * down (parallax) moves into that section.
   */
  const placeFixed = async (height: number): Promise<void> => {
    const down = height - innerHeight;
    const changed: HTMLElement[] = [];
    const change = (element: HTMLElement, declarations: Readonly<Record<string, string>>) => {
      tintype.setAll(element, declarations);
      changed.push(element);
    };
    /** It is fixed to the window, not to a part of the page, and was not moved with another. */
    const isBelow = (element: HTMLElement) =>
      element.getBoundingClientRect().top >= innerHeight &&
      element.offsetParent === null &&
      !changed.some((other) => tintype.contains(other, element));
    for (const element of tintype.allElements()) {
      const style = getComputedStyle(element);
      if (/fixed/.test(style.backgroundAttachment)) change(element, { 'background-attachment': 'scroll' });
      if (isStickyBelow(style)) change(element, inFlow);
      if (style.position !== 'fixed') continue;
      if (down > 0 && (atBottom(element) || isBelow(element))) change(element, lowered(element, style, down));
      else if (isBelowTheWindow(clippingSection(element))) change(element, inItsSection);
      else if (down > 0 && isBehindAll(element, style)) change(element, stretched(style, height));
    }
    const stretchedAny = down > 0 && stretchBackdrops(height);
    // Otherwise, once in a hundred times, a bar that was just moved is missing in the picture.
    if (changed.length > 0 || stretchedAny) await tintype.twoFrames();
  };

  const isStickyBelow = ({ position, bottom }: CSSStyleDeclaration) => position === 'sticky' && bottom !== 'auto';
  const inFlow = { position: 'relative', inset: 'auto' };

  /**
   * On paper, an element that is sticky at the bottom would cover the text at the end of the first page, a fixed background
   * would be painted for the first page only, and a fixed element that is outside of the window would be painted on the next
   * page. Everything is read before anything is changed: the page is laid out once.
   */
  const unstick = (): void => {
    const looked = { left: 20_000 };
    const found = tintype.allElements().map((element) => [element, onPaper(element, looked)] as const);
    for (const [element, declarations] of found) tintype.setAll(element, declarations);
  };

  const onPaper = (element: HTMLElement, looked: { left: number }): Record<string, string> => {
    const style = getComputedStyle(element);
    return {
      // The background of the page itself is painted on every page.
      ...(!tintype.isPage(element) &&
        /fixed/.test(style.backgroundAttachment) && { 'background-attachment': 'scroll' }),
      ...(isStickyBelow(style) && inFlow),
      ...(style.position === 'fixed' && isOutside(element, looked) && { display: 'none' }),
    };
  };

  const isBeyondTheWindow = (element: Element) => {
    const { top, left, right, bottom } = element.getBoundingClientRect();
    return bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth;
  };

  const isEmpty = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width === 0 || height === 0;
  };

  /**
   * With all that is in it: a drawer may have a handle that is visible. An element that is fixed to a transformed element
   * instead of the window has an offsetParent.
   */
  const isOutside = (element: HTMLElement, looked: { left: number }): boolean => {
    if (isEmpty(element) || !isBeyondTheWindow(element) || element.offsetParent !== null || looked.left <= 0)
      return false;
    const inner = [...element.querySelectorAll('*')];
    looked.left -= inner.length;
    return looked.left > 0 && inner.every((each) => isEmpty(each) || isBeyondTheWindow(each));
  };

  const holdsFixed = (element: Element) =>
    [...element.querySelectorAll('*')].slice(0, 500).some((inner) => getComputedStyle(inner).position === 'fixed');

  /**
   * By `translate`, which only moves what is painted already: after a new layout, its text is missing in some pictures. But
   * fixed elements inside would then move with it, and by themselves again.
   */
  const lowered = (
    element: Element,
    { top, height, translate }: CSSStyleDeclaration,
    down: number,
  ): Record<string, string> => {
    if (holdsFixed(element))
      return { top: `${Number.parseFloat(top) + down}px`, bottom: 'auto', height, transition: 'none' };
    const [x = '0px', y = '0px'] = translate === 'none' ? [] : translate.split(' ');
    return { translate: `${x} calc(${y} + ${down}px)`, transition: 'none' };
  };

  /** A picture or canvas is cropped rather than distorted. */
  const stretched = ({ objectFit }: CSSStyleDeclaration, height: number) => ({
    height: `${height}px`,
    'object-fit': objectFit === 'fill' ? 'cover' : objectFit,
    transition: 'none',
  });

  const hasWords = (element: Element) =>
    [element, ...element.querySelectorAll(':not(script, style, canvas, video, noscript)')]
      .slice(0, 500)
      .some(
        (at) =>
          at.checkVisibility() && [...at.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
      );

  /** Fills the window, and the page's content is painted over it. One with words belongs to the first window. */
  const isBehindAll = (element: Element, { zIndex, pointerEvents }: CSSStyleDeclaration) => {
    const { top, left, right, bottom } = element.getBoundingClientRect();
    const fills = top <= 1 && left <= 1 && right >= innerWidth - 20 && Math.abs(bottom - innerHeight) <= 1;
    return fills && (Number(zIndex) < 0 || pointerEvents === 'none') && !hasWords(element);
  };

  /** The same for `::before` and `::after` of the page itself, which only a style sheet reaches. */
  const stretchBackdrops = (height: number): boolean => {
    const found = ['html', 'body'].flatMap((name) =>
      ['::before', '::after'].flatMap((part) => {
        const element = document.querySelector(name);
        const style = element && getComputedStyle(element, part);
        if (style?.position !== 'fixed' || style.content === 'none' || !(Number(style.zIndex) < 0)) return [];
        return Number.parseFloat(style.height) >= innerHeight - 1 ? [`${name}${part}`] : [];
      }),
    );
    if (found.length > 0) tintype.adopt(`${found.join()} { height: ${height}px !important; bottom: auto !important }`);
    return found.length > 0;
  };

  const inItsSection = {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    transform: 'none',
    translate: 'none',
  };

  /** An element that is fixed to the window is clipped by `clip` and `clip-path` only, not by `overflow`. */
  const clippingSection = (element: Element) => {
    for (let at = tintype.parentElement(element); at && at !== document.body; at = tintype.parentElement(at)) {
      const { clip, clipPath, position } = getComputedStyle(at);
      if (clipPath !== 'none' || (clip !== 'auto' && position === 'absolute')) return at;
    }
    return undefined;
  };

  const isBelowTheWindow = (section: Element | undefined) =>
    section !== undefined && section.getBoundingClientRect().bottom > innerHeight;

  const atBottom = (element: Element) => {
    const box = element.getBoundingClientRect();
    return box.height > 0 && box.top > innerHeight / 2 && box.top < innerHeight && box.bottom > innerHeight - 100;
  };

  return { placeFixed, unstick };
}
