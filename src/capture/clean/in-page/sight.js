// Runs in the page, in a world of its own. What a reader sees: which elements lie where, on top of what,
// and the text in them, through open shadow roots.
(() => {
  const page = globalThis.tintypePage ?? {};
  globalThis.tintypePage = page;

  const replaced = 'img, picture, video, canvas, svg, object, embed, iframe, input, textarea, select';

  page.parentOf = (element) => element.parentElement ?? element.getRootNode()?.host ?? null;

  page.isVisible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false });

  /** The part of the element that lies in the viewport. */
  page.seen = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const width = Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0));
    const height = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    return { width, height, share: (width * height) / (innerWidth * innerHeight) };
  };

  /** Every element below, open shadow roots included, up to a bound that no banner reaches. */
  page.within = (root, limit = 4000) => {
    const found = [];
    const visit = (node) => {
      for (const child of node.children) {
        if (found.length >= limit) return;
        found.push(child);
        if (child.shadowRoot) visit(child.shadowRoot);
        visit(child);
      }
    };
    if (root.shadowRoot) visit(root.shadowRoot);
    visit(root);
    return found;
  };

  const silent = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'LINK', 'META']);

  /** The text a reader sees; `skip` leaves out what it says yes to. */
  page.textOf = (root, skip = () => false, limit = 12000) => {
    let text = '';
    const visit = (node) => {
      for (const child of node.childNodes) {
        if (text.length > limit) return;
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
    page
      .within(root)
      .filter((element) => element.matches(replaced) && !outside?.contains(element) && page.isVisible(element))
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width * height > 400;
      });

  /** What lies at a point, topmost first, with what is inside the shadow roots there. */
  const stackAt = (x, y, root = document) =>
    root.elementsFromPoint(x, y).flatMap((element) => {
      const inner = element.shadowRoot && element.shadowRoot !== root ? stackAt(x, y, element.shadowRoot) : [];
      return [...inner.filter((one) => one.getRootNode() === element.shadowRoot), element];
    });

  /** The stacks at a grid of points over the viewport. */
  page.stacks = (columns = 12, rows = 12) => {
    const stacks = [];
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        stacks.push(stackAt(((column + 0.5) / columns) * innerWidth, ((row + 0.5) / rows) * innerHeight));
      }
    }
    return stacks;
  };

  page.hide = (element) => {
    element.style.setProperty('display', 'none', 'important');
    // A dialog in the top layer is shown by the browser's own sheet; closed, it takes its backdrop with it.
    if (element.matches('dialog[open]')) element.removeAttribute('open');
  };
})();
