// Runs inside the page: prepares it for being printed on one page as long as its content.

export default function () {
  const mostElements = 5000;
  /** A page with more elements that depend on the window's height is one that a script lays out. */
  const mostPinned = 500;

  const sides = ['min-height', 'max-height', 'height'] as const;
  let heights: { readonly element: HTMLElement; readonly style: CSSStyleDeclaration; readonly values: string[] }[] = [];

  /** Without a doctype, the body is as tall as the window, whatever its content. */
  const isQuirky = () => document.compatMode === 'BackCompat' && document.body !== null;

  const endOfBody = (): number => {
    const range = document.createRange();
    range.selectNodeContents(document.body);
    const { paddingBottom, marginBottom } = getComputedStyle(document.body);
    return range.getBoundingClientRect().bottom + Number.parseFloat(paddingBottom) + Number.parseFloat(marginBottom);
  };

  const valuesOf = (style: CSSStyleDeclaration) => sides.map((name) => style.getPropertyValue(name));

  const recordHeights = (): void => {
    const all = document.querySelectorAll<HTMLElement>(isQuirky() ? 'body *' : 'body, body *');
    heights = [...all].slice(0, mostElements).map((element) => {
      const style = getComputedStyle(element);
      return { element, style, values: valuesOf(style) };
    });
  };

  /**
   * Called in a window of another height. What has changed depends on that height, as 100vh does, and would become as long
   * as the paper; it keeps the height it had. Inner elements come first: their parents may have changed only because of them.
   */
  const pinHeights = (): void => {
    let left = mostPinned;
    for (const { element, style, values } of heights.toReversed()) {
      const now = valuesOf(style);
      const changed = sides.filter((_, i) => now[i] !== values[i]);
      if (changed.length === 0 || left-- <= 0) continue;
      for (const name of changed) element.style.setProperty(name, values[sides.indexOf(name)] ?? '', 'important');
    }
    heights = [];
  };

  /** How tall the content is, and how wide; a document is at least as tall as its window, but its content may be shorter. */
  const contentSize = (): { width: number; height: number } => {
    const root = document.documentElement;
    const { scrollWidth, scrollHeight } = document.scrollingElement ?? root;
    const width = Math.max(scrollWidth, root.scrollWidth);
    if (Math.max(scrollHeight, root.scrollHeight) > innerHeight)
      return { width, height: Math.max(scrollHeight, root.scrollHeight) };
    let height = (isQuirky() ? endOfBody() : root.getBoundingClientRect().bottom) + scrollY;
    for (const element of [...document.querySelectorAll('body *')].slice(0, mostElements))
      height = Math.max(height, element.getBoundingClientRect().bottom + scrollY);
    return { width, height: Math.ceil(Math.min(height, innerHeight)) };
  };

  const announcePrint = (): void => {
    dispatchEvent(new Event('beforeprint'));
  };

  const mostRules = 20_000;

  /** Styles of another site cannot be read, and may be for print. */
  const hasPrintStyles = (): boolean => {
    if (document.querySelector('link[media*="print" i], style[media*="print" i], source[media*="print" i]'))
      return true;
    let left = mostRules;
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
      try {
        for (const rule of [...sheet.cssRules].slice(0, Math.max(0, left))) {
          left--;
          if (/print/i.test((rule as CSSMediaRule).media?.mediaText ?? '')) return true;
        }
      } catch {
        return true;
      }
    }
    return false;
  };

  let paper: CSSStyleSheet | undefined;

  /** One sheet for every try: with two the browser takes the orientation of the first. */
  const setPaper = (css: string): void => {
    paper ??= new CSSStyleSheet();
    paper.replaceSync(css);
    if (!document.adoptedStyleSheets.includes(paper)) document.adoptedStyleSheets.push(paper);
  };

  return { announcePrint, hasPrintStyles, setPaper, recordHeights, pinHeights, contentSize };
}
