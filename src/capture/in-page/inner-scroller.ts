// Runs inside the page: the element that contains the page and scrolls, where the document itself does not.
export default function () {
  /** The content of a frame, if the page may read it. */
  const contentOf = (box: Element) =>
    box instanceof HTMLIFrameElement || box instanceof HTMLFrameElement
      ? (box.contentDocument?.scrollingElement as HTMLElement | null)
      : undefined;

  /** It may be the document of a frame. */
  let scroller: HTMLElement | undefined;
  /** It has been expanded in vain, and is shown as it is. */
  let isClosed = false;

  const innerScroller = (): HTMLElement | undefined => {
    if (isClosed) return undefined;
    // Once found it does not change, even if the window was made taller since.
    if (scroller?.isConnected) return scroller;
    const root = document.scrollingElement ?? document.documentElement;
    if (tintype.isTall(root) && getComputedStyle(root).overflowY !== 'hidden') return undefined;
    let best: HTMLElement | undefined;
    let bestArea = (innerWidth * innerHeight) / 3;
    for (const box of tintype.allElements()) {
      const element = contentOf(box) ?? box;
      if (element.scrollHeight <= element.clientHeight + 1) continue;
      if (element === root || element === document.documentElement) continue;
      if (element === box && !/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
      const area = element.clientWidth * element.clientHeight;
      if (area > bestArea) {
        best = element;
        bestArea = area;
      }
    }
    scroller = best;
    return best;
  };

  /** The element that a reader scrolls. */
  const scrolled = (): Element => innerScroller() ?? document.scrollingElement ?? document.documentElement;

  const heightNow = (): number => scrolled().scrollHeight;

  /** As tall as its content. */
  const open = (element: HTMLElement) => {
    const content = contentOf(element);
    return { height: content ? `${content.scrollHeight}px` : 'auto', 'max-height': 'none', overflow: 'visible' };
  };

  /** The style attributes of the elements that were expanded. */
  const unexpanded = new Map<HTMLElement, string | null>();

  /** An inner scroller that did not grow with the window has a fixed height: it becomes as tall as its content. */
  const expandInner = async (): Promise<void> => {
    await tintype.twoFrames();
    const element = innerScroller();
    if (!element) return;
    const height = element.scrollHeight;
    for (let at: HTMLElement | null = element; at && at !== document.documentElement; at = tintype.parentOf(at)) {
      unexpanded.set(at, at.getAttribute('style'));
      tintype.setAll(at, open(at));
    }
    tintype.setAll(element, { 'min-height': `${height}px` });
    await tintype.twoFrames();
  };

  /** The inner scroller becomes what it was. */
  const closeInner = async (): Promise<void> => {
    isClosed = true;
    for (const [element, style] of unexpanded)
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
    await tintype.twoFrames();
  };

  /**
   * For printing, the inner scroller and its ancestors become as tall as their content. Returns how many pixels it still
   * hides. A frameset is printed on one page, which has `room` for it, or is as tall as the window.
   */
  const openForPrint = (room: number | null): number => {
    const element = innerScroller();
    if (!element) return 0;
    if (document.body?.localName === 'frameset')
      return Math.max(0, element.scrollHeight - (room ?? element.clientHeight));
    for (let at: HTMLElement | null = element; at; at = tintype.parentOf(at)) {
      const { position } = getComputedStyle(at);
      const isApart = position === 'fixed' || position === 'absolute';
      tintype.setAll(at, {
        ...open(at),
        'min-height': '0',
        contain: 'none',
        ...(isApart && { position: 'absolute', bottom: 'auto' }),
      });
    }
    return element.scrollHeight - element.clientHeight;
  };

  return {
    innerScroller,
    hasInnerScroller: () => innerScroller() !== undefined,
    scrolled,
    heightNow,
    expandInner,
    closeInner,
    openForPrint,
  };
}
