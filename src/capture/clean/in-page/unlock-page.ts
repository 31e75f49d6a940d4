// Runs in the page, after overlays.ts, where a banner was: removes its backdrop and makes the page scroll again.

export default function () {
  const page = globalThis.tintypePage;
  const roots = () => [document.documentElement, document.body];

  /** The elements at a point, topmost first, with those in shadow roots. */
  const stackAt = (x: number, y: number, root: DocumentOrShadowRoot = document): Element[] =>
    root.elementsFromPoint(x, y).flatMap((element) => {
      const inner = element.shadowRoot && element.shadowRoot !== root ? stackAt(x, y, element.shadowRoot) : [];
      return [...inner.filter((one) => one.getRootNode() === element.shadowRoot), element];
    });

  /** The stacks at a grid of points over the viewport. Each costs up to a millisecond on a long page. */
  const stacks = (side = 5) =>
    Array.from({ length: side * side }, (_, at) =>
      stackAt((((at % side) + 0.5) / side) * innerWidth, ((Math.floor(at / side) + 0.5) / side) * innerHeight),
    );

  const paints = (element: Element) => {
    const style = getComputedStyle(element);
    const clear = /^(?:transparent|rgba\(.*, 0\))$/.test(style.backgroundColor) && style.backgroundImage === 'none';
    return !clear || style.backdropFilter !== 'none';
  };

  const isSheet = (element: HTMLElement) =>
    page.isOutOfFlow(element) &&
    page.shareOf(element) >= 0.85 &&
    paints(element) &&
    !element.matches('img, video, canvas, iframe') &&
    page.textOf(element) === '' &&
    page.mediaIn(element).length === 0;

  /** Hides painted elements without content that lie above all content. */
  const dropBackdrops = () => {
    const sheets = page.overlaysOf(page.shallowFirst()).filter(isSheet);
    // elementsFromPoint skips backdrops that let the pointer through.
    for (const sheet of sheets) sheet.style.setProperty('pointer-events', 'auto', 'important');
    while (sheets.length > 0) {
      const here = stacks();
      const at = sheets.findIndex((sheet) => {
        const contested = here.filter((stack) => stack.some((one) => !page.isRoot(one) && !one.contains(sheet)));
        return contested.length > 0 && contested.every(([first]) => first === sheet);
      });
      if (at < 0) break;
      for (const sheet of sheets.splice(at, 1)) page.hide(sheet);
    }
    for (const sheet of sheets) sheet.style.removeProperty('pointer-events');
  };

  /** Hides backdrops that are ::before or ::after of the page itself. */
  const dropPseudoBackdrops = () => {
    for (const element of roots()) {
      for (const pseudo of ['::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        if (style.content === 'none' || style.position !== 'fixed') continue;
        if (Number.parseFloat(style.height) >= innerHeight * 0.9)
          page.addSheet(`${element.localName}${pseudo} { display: none !important }`);
      }
    }
  };

  const unlock = () => {
    for (const element of roots()) {
      const { overflowY, position } = getComputedStyle(element);
      if (/hidden|clip/.test(overflowY)) element.style.setProperty('overflow', 'visible', 'important');
      if (position !== 'fixed') continue;
      element.style.setProperty('position', 'static', 'important');
      element.style.setProperty('width', 'auto', 'important');
    }
    // Some walls blur the content behind them.
    for (const element of [
      document.body,
      ...document.body.children,
      ...document.querySelectorAll('main'),
    ] as HTMLElement[]) {
      if (/blur/.test(getComputedStyle(element).filter)) element.style.setProperty('filter', 'none', 'important');
    }
  };

  /** Is the page locked by a class name of a consent product, although no banner appeared? */
  const lockedByName = () =>
    roots().some(
      (element) =>
        /hidden|clip/.test(getComputedStyle(element).overflowY) &&
        /cookie|consent|gdpr|cmp|didomi|onetrust|sp-message|usercentrics/i.test(element.className),
    );

  const unlockPage = () => {
    dropBackdrops();
    dropPseudoBackdrops();
    unlock();
  };

  return { lockedByName, unlockPage };
}
