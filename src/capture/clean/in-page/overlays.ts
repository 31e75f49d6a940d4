// Runs in the page, in an isolated world. Finds the elements that lie over the page, and their visible text, in open shadow
// roots, too.

export default function () {
  const page = globalThis.tintypePage;

  const replaced = 'img, picture, video, canvas, svg, object, embed, iframe, input, textarea, select';
  const dialogs = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  // Reading the style of each takes some microseconds. Overlays are near the root of the document.
  const mostElements = 6000;
  const mostOverlays = 60;

  const isRoot = (element: Element | null) => element === document.documentElement || element === document.body;

  const { get: readParent } = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement') as PropertyDescriptor;

  /** Of a form with a field named parentElement, `form.parentElement` is that field: a loop over its ancestors would not end. */
  const parentOf = (element: Element): Element | null =>
    readParent?.call(element) ?? (element.getRootNode() as ShadowRoot)?.host ?? null;

  const isVisible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** The share of the viewport that the element covers. */
  const shareOf = (element: Element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const width = Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0));
    const height = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    return (width * height) / (innerWidth * innerHeight);
  };

  /** Does the element lie over the page, out of its flow? */
  const isOutOfFlow = (element: Element) => {
    const { position } = getComputedStyle(element);
    if (position === 'fixed' || position === 'sticky') return true;
    // An absolute element belongs to its container, unless that is the page itself.
    const { offsetParent } = element as HTMLElement;
    return position === 'absolute' && (offsetParent === null || page.isRoot(offsetParent));
  };

  /** The elements of the page, those near its root first, up to a limit. */
  const shallowFirst = (): HTMLElement[] => {
    const found: Element[] = [document.documentElement];
    for (let at = 0; at < found.length && found.length < mostElements; at++) {
      const element = found[at];
      if (element.shadowRoot) found.push(...element.shadowRoot.children);
      for (let child = element.firstElementChild; child; child = child.nextElementSibling) found.push(child);
    }
    return found.filter((element) => !page.isRoot(element)) as HTMLElement[];
  };

  /** The visible elements that lie over the page, the largest first. */
  const overlaysOf = (elements: readonly HTMLElement[]): HTMLElement[] =>
    [...new Set([...elements.filter(page.isOutOfFlow), ...document.querySelectorAll<HTMLElement>(dialogs)])]
      .filter((element) => page.isVisible(element))
      .map((element) => ({ element, share: page.shareOf(element) }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share)
      .slice(0, mostOverlays)
      .map(({ element }) => element);

  /** The descendants in document order, open shadow roots included, up to a limit. */
  const descendantsOf = (root: ParentNode, limit = 4000): HTMLElement[] => {
    const found: Element[] = [];
    const rest: Element[] = [];
    const push = (node: ParentNode) => {
      for (let child = node.lastElementChild; child; child = child.previousElementSibling) rest.push(child);
      const { shadowRoot } = node as Element;
      if (shadowRoot) push(shadowRoot);
    };
    push(root);
    for (let element = rest.pop(); element && found.length < limit; element = rest.pop()) {
      found.push(element);
      push(element);
    }
    return found as HTMLElement[];
  };

  const silent = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'LINK', 'META']);

  /** The visible text, without the elements for which `skip` returns true. */
  const textOf = (root: Node, skip: (element: HTMLElement) => boolean = () => false, limit = 12000): string => {
    let text = '';
    const visit = (node: Node) => {
      for (let child = node.firstChild; child && text.length <= limit; child = child.nextSibling) {
        if (child.nodeType === Node.TEXT_NODE) text += child.nodeValue;
        const element = child as HTMLElement;
        if (child.nodeType !== Node.ELEMENT_NODE || silent.has(element.tagName) || skip(element)) continue;
        if (!page.isVisible(element) && getComputedStyle(element).display !== 'contents') continue;
        text += ' ';
        if (element.shadowRoot) visit(element.shadowRoot);
        visit(element);
        text += ' ';
      }
    };
    const { shadowRoot } = root as Element;
    if (shadowRoot) visit(shadowRoot);
    visit(root);
    return text.replace(/\s+/g, ' ').trim();
  };

  /** Visible content without text: images, players, fields. */
  const mediaIn = (root: ParentNode, outside?: Element) =>
    page.descendantsOf(root).filter((element) => {
      if (!element.matches(replaced) || outside?.contains(element) || !page.isVisible(element)) return false;
      const { width, height } = element.getBoundingClientRect();
      return width * height > 400;
    });

  const hide = (element: HTMLElement) => {
    element.style.setProperty('display', 'none', 'important');
    // The browser's own style sheet shows a dialog in the top layer; without `open` its backdrop is gone, too.
    if (element.matches('dialog[open]')) element.removeAttribute('open');
  };

  const addSheet = (css: string) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  };

  return {
    isRoot,
    parentOf,
    isVisible,
    shareOf,
    isOutOfFlow,
    shallowFirst,
    overlaysOf,
    descendantsOf,
    textOf,
    mediaIn,
    hide,
    addSheet,
  };
}
