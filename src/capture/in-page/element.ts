// Runs inside the page: brings the element that `selector` names into view, and measures it.
import type { ElementPlace } from '../in-page-types.ts';

export default function () {
  /** A taller box in one that scrolls is probably a list that has only what is in view. */
  const tallestOpened = 30_000;

  /** How large the element is drawn. Its own width is a whole number, so less than a pixel is no difference. */
  const scaleOf = (element: Element) => {
    const { width } = element.getBoundingClientRect();
    const { offsetWidth } = element as HTMLElement;
    return offsetWidth > 0 && Math.abs(width - offsetWidth) >= 1 ? width / offsetWidth : 1;
  };

  /** The border box in the coordinates of the window. Frames may be moved and scaled, but not turned. */
  const boxOf = (element: Element): DOMRect => {
    let box = element.getBoundingClientRect();
    for (let frame = tintype.frameOf(element); frame; frame = tintype.frameOf(frame)) {
      const { left, top } = frame.getBoundingClientRect();
      const scale = scaleOf(frame);
      const { paddingLeft, paddingTop } = getComputedStyle(frame);
      box = new DOMRect(
        left + (frame.clientLeft + Number.parseFloat(paddingLeft) + box.left) * scale,
        top + (frame.clientTop + Number.parseFloat(paddingTop) + box.top) * scale,
        box.width * scale,
        box.height * scale,
      );
    }
    return box;
  };

  /** Boxes are drawn with their edges at whole CSS pixels, whatever the scale, unless something transforms them. */
  const isDrawnOnPixels = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = tintype.drawnParent(at)) {
      const { transform, rotate, scale, translate } = getComputedStyle(at);
      if ([transform, rotate, scale, translate].some((value) => value !== 'none')) return false;
    }
    const frame = tintype.frameOf(element);
    return !(element as SVGElement).ownerSVGElement && (frame === null || isDrawnOnPixels(frame));
  };

  const drawnBox = (element: Element): DOMRect => {
    const box = boxOf(element);
    if (!isDrawnOnPixels(element)) return box;
    const [left, top] = [Math.round(box.left), Math.round(box.top)];
    // A thin line keeps its pixel.
    const side = (end: number, start: number) => Math.max(1, Math.round(end) - start);
    return new DOMRect(left, top, side(box.right, left), side(box.bottom, top));
  };

  /** How far to scroll so that what is from `start` to `end` is between `first` and `last`, or begins there if it is larger. */
  const shift = (start: number, end: number, first: number, last: number) => {
    if (start < first || end - start > last - first) return start - first;
    return end > last ? end - last : 0;
  };

  /** The part of a scrolling element that shows its content, in the coordinates of its window. */
  const viewOf = (scroller: Element) => {
    const { scrollingElement, defaultView } = scroller.ownerDocument;
    if (scroller === scrollingElement)
      return { left: 0, top: 0, right: defaultView?.innerWidth ?? 0, bottom: defaultView?.innerHeight ?? 0, scale: 1 };
    const box = scroller.getBoundingClientRect();
    const scale = scaleOf(scroller);
    const left = box.left + scroller.clientLeft * scale;
    const top = box.top + scroller.clientTop * scale;
    return {
      left,
      top,
      right: left + scroller.clientWidth * scale,
      bottom: top + scroller.clientHeight * scale,
      scale,
    };
  };

  /** A box that scrolls becomes as large as its content. */
  const open = (scroller: HTMLElement) =>
    tintype.setAll(scroller, {
      ...{ overflow: 'visible', 'max-width': 'none', 'max-height': 'none' },
      ...{ 'min-width': `${scroller.scrollWidth}px`, 'min-height': `${scroller.scrollHeight}px` },
    });

  /**
   * Scrolls everything but the window of the page until the element is visible in it. What is smaller than the element is
   * opened. True if that moved anything.
   */
  const scrollTo = (element: Element): boolean => {
    const frame = tintype.frameOf(element);
    const scrollers = tintype.cuttingAncestors(element).filter(({ scrolls }) => scrolls);
    const own = element.ownerDocument.scrollingElement;
    let moved = false;
    for (const scroller of [...scrollers.map(({ at }) => at), ...(frame && own ? [own] : [])]) {
      const box = element.getBoundingClientRect();
      const view = viewOf(scroller);
      const isSmaller = box.height > view.bottom - view.top + 1 || box.width > view.right - view.left + 1;
      if (isSmaller && scroller !== own && scroller !== tintype.scrolled() && box.height < tallestOpened) {
        open(scroller as HTMLElement);
        moved = true;
        continue;
      }
      const before = [scroller.scrollLeft, scroller.scrollTop];
      scroller.scrollBy({
        left: shift(box.left, box.right, view.left, view.right) / view.scale,
        top: shift(box.top, box.bottom, view.top, view.bottom) / view.scale,
        behavior: 'instant',
      });
      moved ||= scroller.scrollLeft !== before[0] || scroller.scrollTop !== before[1];
    }
    return (frame !== null && scrollTo(frame)) || moved;
  };

  /** Measures the first visible match where it is now. The page is expected at its top. */
  const placeOfElement = (selector: string, padding: number): ElementPlace => {
    const { element, visible } = tintype.findElement(selector);
    if (!element || !visible) return { state: element ? 'hidden' : 'missing' };
    const extent = tintype.measure();
    const { left, top, right, bottom, width, height } = drawnBox(element);
    const pageBottom = Math.max(extent.height, innerHeight);
    const isInView =
      left >= 0 &&
      top >= 0 &&
      right <= innerWidth &&
      bottom <= innerHeight &&
      Math.min(bottom + padding, pageBottom) <= innerHeight;
    return { state: 'visible', box: { x: left + scrollX, y: top + scrollY, width, height }, isInView, extent };
  };

  const prepareForElement = async (): Promise<void> => {
    tintype.renderAll();
    await tintype.toTop();
  };

  /** Brings the first visible match into view as far as inner scrollers and frames hide it. */
  const bringIntoView = (selector: string) => {
    const { element, visible } = tintype.findElement(selector);
    return { moved: element !== undefined && visible && scrollTo(element) };
  };

  const isOutOfView = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && !tintype.inView(element);
  };

  /** What only scrolling can show is not waited for, nor is anything in a page without scripts. */
  const isElementThere = (selector: string): boolean => {
    const { element, visible } = tintype.findElement(selector);
    return visible || !tintype.isScripted() || (element !== undefined && isOutOfView(element));
  };

  return { placeOfElement, prepareForElement, bringIntoView, isElementThere };
}
