// Runs inside the page: finds the element that `selector` names, and judges whether it can be seen.
export default function () {
  /** Bounds of the search outside of the document itself. */
  const mostVisited = 200_000;
  const mostNested = 30;
  /** So many hidden matches in front of a visible one are no accident. */
  const mostMatches = 1000;

  /** All open shadow roots and documents of frames of the same origin, in document order. */
  const nestedRoots = (): ParentNode[] => {
    const roots: ParentNode[] = [];
    let left = mostVisited;
    const visit = (root: ParentNode, depth: number) => {
      for (const element of root.querySelectorAll('*')) {
        if (left-- <= 0) return;
        const inner = element.shadowRoot ?? tintype.documentIn(element);
        if (!inner || depth === mostNested) continue;
        roots.push(inner);
        visit(inner, depth + 1);
      }
    };
    visit(document, 0);
    return roots;
  };

  const frameOf = (element: Element) => element.ownerDocument.defaultView?.frameElement ?? null;

  /** The parent in the tree that is drawn, up to the root of the element's own document. */
  const drawnParent = (element: Element): Element | null =>
    element.assignedSlot ??
    tintype.parentElement(element) ??
    (element.parentNode as Partial<ShadowRoot> | null)?.host ??
    null;

  /** The overflow of the root, or of the body in its place, belongs to the window. */
  const belongsToWindow = (element: Element) => {
    const { documentElement, body } = element.ownerDocument;
    return (
      element === documentElement ||
      (element === body && getComputedStyle(documentElement).overflowY === 'visible') ||
      element === element.ownerDocument.scrollingElement
    );
  };

  /** The ancestors whose overflow cuts this element, from the inside out. */
  const cuttingAncestors = (element: Element) => {
    const cutting: { readonly at: Element; readonly scrolls: boolean }[] = [];
    let { position } = getComputedStyle(element);
    for (let at = drawnParent(element); at; at = drawnParent(at)) {
      const style = getComputedStyle(at);
      const isOrigin = style.transform !== 'none' || (position === 'absolute' && style.position !== 'static');
      if ((position === 'fixed' || position === 'absolute') && !isOrigin) continue;
      position = style.position;
      if (style.overflowX === 'visible' || style.display === 'inline' || belongsToWindow(at)) continue;
      cutting.push({ at, scrolls: /auto|scroll|overlay/.test(style.overflowX + style.overflowY) });
    }
    return cutting;
  };

  /** Screen-reader texts are cut to nothing in one of these ways. */
  const isCutToNothing = (element: Element) => {
    const { clip, clipPath, position } = getComputedStyle(element);
    const [top, right, bottom, left] = clip.match(/[\d.]+(?=px)/g)?.map(Number) ?? [];
    const noRect = left !== undefined && (right <= left || bottom <= top) && /absolute|fixed/.test(position);
    return noRect || /^inset\((?:[5-9]\d|100)%\)$|^circle\(0(?:px|%)/.test(clipPath);
  };

  const overlap = (a: DOMRect, b: DOMRect) =>
    Math.min(a.right, b.right) > Math.max(a.left, b.left) && Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);

  /** What scrolls can be scrolled to the element; whatever else is cut off or lies before the page is never seen. */
  const isReachable = (element: Element, box: DOMRect) => {
    const cutting = cuttingAncestors(element);
    if (cutting.some(({ at, scrolls }) => !scrolls && !overlap(box, at.getBoundingClientRect()))) return false;
    if (cutting.some(({ scrolls }) => scrolls) || frameOf(element)) return true;
    return box.bottom + scrollY > 0 && (box.right + scrollX > 0 || tintype.beginsAtTheRight());
  };

  const isVisible = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    return (
      box.width > 0 &&
      box.height > 0 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !isCutToNothing(element) &&
      isReachable(element, box) &&
      (frameOf(element) === null || isVisible(frameOf(element) as Element))
    );
  };

  /**
   * The first visible match in document order: in the document, or else in open shadow roots and frames. If none is visible,
   * the first match.
   */
  const findElement = (selector: string): { readonly element?: Element; readonly visible: boolean } => {
    let first: Element | undefined;
    let left = mostMatches;
    const visibleIn = (root: ParentNode) => {
      for (const element of root.querySelectorAll(selector)) {
        first ??= element;
        if (left-- <= 0) return undefined;
        if (isVisible(element)) return element;
      }
      return undefined;
    };
    const found = visibleIn(document) ?? nestedRoots().map(visibleIn).find(Boolean);
    return { element: found ?? first, visible: found !== undefined };
  };

  return { frameOf, drawnParent, cuttingAncestors, findElement };
}
