// Runs in the page, in a world of its own. What a reader sees: which elements lie over the page, and the text in
// them, through open shadow roots.
(() => {
  const page = globalThis.tintypePage ?? {};
  globalThis.tintypePage = page;

  const replaced = 'img, picture, video, canvas, svg, object, embed, iframe, input, textarea, select';
  const dialogs = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  // A style is read for each of these: some microseconds. What lies over a page stands near its root.
  const mostElements = 6000;
  const mostOverlays = 60;

  page.isRoot = (element) => element === document.documentElement || element === document.body;

  page.parentOf = (element) => element.parentElement ?? element.getRootNode()?.host ?? null;

  page.isVisible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** The share of the viewport that the element takes. */
  page.shareOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const width = Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0));
    const height = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    return (width * height) / (innerWidth * innerHeight);
  };

  /** Does it lie over the page, out of its flow? */
  page.lies = (element) => {
    const { position } = getComputedStyle(element);
    if (position === 'fixed' || position === 'sticky') return true;
    // An absolute box belongs to what it stands in, unless it stands in the page itself.
    return position === 'absolute' && (element.offsetParent === null || page.isRoot(element.offsetParent));
  };

  /** The elements of the page, those near its root first, up to a bound. */
  page.shallowFirst = () => {
    const found = [document.documentElement];
    for (let at = 0; at < found.length && found.length < mostElements; at++) {
      const element = found[at];
      if (element.shadowRoot) found.push(...element.shadowRoot.children);
      for (let child = element.firstElementChild; child; child = child.nextElementSibling) found.push(child);
    }
    return found.filter((element) => !page.isRoot(element));
  };

  /** Those that lie over the page and can be seen, the largest first. */
  page.overlaysOf = (elements) =>
    [...new Set([...elements.filter(page.lies), ...document.querySelectorAll(dialogs)])]
      .filter((element) => page.isVisible(element))
      .map((element) => ({ element, share: page.shareOf(element) }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share)
      .slice(0, mostOverlays)
      .map(({ element }) => element);

  /** Every element below in the order of the document, open shadow roots included, up to a bound. */
  page.within = (root, limit = 4000) => {
    const found = [];
    const rest = [];
    const push = (node) => {
      for (let child = node.lastElementChild; child; child = child.previousElementSibling) rest.push(child);
      if (node.shadowRoot) push(node.shadowRoot);
    };
    push(root);
    for (let element = rest.pop(); element && found.length < limit; element = rest.pop()) {
      found.push(element);
      push(element);
    }
    return found;
  };

  const silent = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'LINK', 'META']);

  /** The text a reader sees; `skip` leaves out what it says yes to. */
  page.textOf = (root, skip = () => false, limit = 12000) => {
    let text = '';
    const visit = (node) => {
      for (let child = node.firstChild; child && text.length <= limit; child = child.nextSibling) {
        if (child.nodeType === Node.TEXT_NODE) text += child.nodeValue;
        if (child.nodeType !== Node.ELEMENT_NODE || silent.has(child.tagName) || skip(child)) continue;
        if (!page.isVisible(child) && getComputedStyle(child).display !== 'contents') continue;
        text += ' ';
        if (child.shadowRoot) visit(child.shadowRoot);
        visit(child);
        text += ' ';
      }
    };
    if (root.shadowRoot) visit(root.shadowRoot);
    visit(root);
    return text.replace(/\s+/g, ' ').trim();
  };

  /** Pictures, players, fields: content that has no text. */
  page.mediaIn = (root, outside) =>
    page.within(root).filter((element) => {
      if (!element.matches(replaced) || outside?.contains(element) || !page.isVisible(element)) return false;
      const { width, height } = element.getBoundingClientRect();
      return width * height > 400;
    });

  page.hide = (element) => {
    element.style.setProperty('display', 'none', 'important');
    // A dialog in the top layer is shown by the browser's own sheet; closed, it takes its backdrop with it.
    if (element.matches('dialog[open]')) element.removeAttribute('open');
  };

  page.addSheet = (css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  };
})();
