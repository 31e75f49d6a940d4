// Runs inside the page: finds the elements that are visible in the window, among a limited number.

export default function () {
  const mostVisited = 4000;
  const mostFound = 1500;

  const touchesView = (box: DOMRect) =>
    box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;

  /** The next element that is not inside of the one where the walker is. */
  const nextAfter = (walker: TreeWalker): Node | null => {
    for (;;) {
      const sibling = walker.nextSibling();
      if (sibling || !walker.parentNode()) return sibling;
    }
  };

  /** A frame of another origin hides its document. */
  const documentIn = (element: Element): Document | null => {
    if (!/^i?frame$/.test(element.localName)) return null;
    try {
      return (element as HTMLIFrameElement).contentDocument;
    } catch {
      return null;
    }
  };

  /** An open shadow root, or the body of a frame of the same origin. */
  const inside = (element: Element): ParentNode | null | undefined => element.shadowRoot ?? documentIn(element)?.body;

  /**
   * In document order, with the elements in open shadow roots and in frames of the same origin. The descendants of an
   * element out of view are skipped, unless that element has no size: such elements often contain fixed ones.
   */
  const elementsInView = (): Element[] => {
    const root = document.documentElement;
    const found: Element[] = root ? [root] : [];
    let left = mostVisited;
    const walk = (top: ParentNode) => {
      const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT);
      let into = true;
      for (;;) {
        const element = (into ? walker.nextNode() : nextAfter(walker)) as Element | null;
        if (!element || left-- <= 0) return;
        const box = element.getBoundingClientRect();
        const flat = box.width === 0 || box.height === 0;
        const seen = touchesView(box);
        if (seen && (!flat || element.localName === 'img') && found.length < mostFound) found.push(element);
        const isGone = flat && box.width === box.height && getComputedStyle(element).display === 'none';
        into = !isGone && (seen || flat);
        const inner = into && inside(element);
        if (inner) walk(inner);
      }
    };
    if (document.body) {
      found.push(document.body);
      walk(document.body);
    } else if (root) walk(root);
    return found;
  };

  return { elementsInView, documentIn };
}
