// Runs inside the page: prepares it for paper, and for one page that is as long as its content.

export default function () {
  const mostElements = 5000;
  /** A page with more elements that depend on the window's height is one that a script lays out. */
  const mostPinned = 500;

  const sides = ['min-height', 'max-height', 'height'] as const;
  /** What else may be given in vh, vmin or vmax. */
  const lengths = [
    ...['font-size', 'line-height', 'padding-top', 'padding-bottom', 'padding-left', 'padding-right', 'margin-top'],
    ...['margin-bottom', 'margin-left', 'margin-right', 'top', 'bottom', 'row-gap', 'column-gap', 'flex-basis'],
    ...['grid-template-rows', 'grid-auto-rows', 'width', 'min-width', 'max-width', 'translate', 'transform'],
  ] as const;
  type Recorded = {
    readonly element: HTMLElement;
    readonly style: CSSStyleDeclaration;
    readonly values: string[];
    readonly lengths: string[];
  };
  let heights: Recorded[] = [];

  /** Without a doctype, the body is as tall as the window, whatever its content. */
  const isQuirky = () => document.compatMode === 'BackCompat' && document.body !== null;

  const endOfBody = (): number => {
    const range = document.createRange();
    range.selectNodeContents(document.body);
    const { paddingBottom, marginBottom } = getComputedStyle(document.body);
    return range.getBoundingClientRect().bottom + Number.parseFloat(paddingBottom) + Number.parseFloat(marginBottom);
  };

  const valuesOf = (style: CSSStyleDeclaration) => sides.map((name) => style.getPropertyValue(name));

  /** As computed, not as used: auto and percentages stay what they are, and lengths in vh are pixels. */
  const lengthsOf = (element: Element): string[] => {
    const computed = element.computedStyleMap();
    return lengths.map((name) => String(computed.get(name)));
  };

  const recordHeights = (): void => {
    tintype.adopt('*, ::before, ::after { transition: none !important }');
    const all = document.querySelectorAll<HTMLElement>(isQuirky() ? 'body *' : 'body, body *');
    heights = [document.documentElement, ...all].slice(0, mostElements).map((element) => {
      const style = getComputedStyle(element);
      return { element, style, values: valuesOf(style), lengths: lengthsOf(element) };
    });
  };

  /**
   * Called in a window of another height. What has changed depends on that height, as 100vh does, and would become as long
   * as the paper; it keeps the height it had. Inner elements come first: their parents may have changed only because of them.
   */
  const pinHeights = (): void => {
    pinLengths();
    let left = mostPinned;
    for (const { element, style, values } of heights.slice(1).toReversed()) {
      const now = valuesOf(style);
      const changed = sides.filter((_, i) => now[i] !== values[i]);
      if (changed.length === 0 || left-- <= 0) continue;
      for (const name of changed) tintype.setAll(element, { [name]: values[sides.indexOf(name)] ?? '' });
    }
    heights = [];
  };

  /** Everything is read before anything is changed. */
  const pinLengths = (): void => {
    const changed = heights.map(({ element, lengths: before }) => {
      const now = lengthsOf(element);
      return lengths.flatMap((name, i) => (now[i] === before[i] ? [] : [[name, before[i] ?? ''] as const]));
    });
    for (const [i, declarations] of changed.entries())
      if (declarations.length > 0) tintype.setAll(heights[i]?.element as HTMLElement, Object.fromEntries(declarations));
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

  /** Its size on paper decides whether it is opened or hidden. */
  const dependsOnPaper = (element: HTMLElement): boolean => {
    const style = getComputedStyle(element);
    return (tintype.scrollsSideways(element, style) && style.whiteSpace !== 'pre') || tintype.isFolded(element);
  };

  const smallestChart = 200;

  /** A script may draw it anew for another size. */
  const isChart = (element: Element): boolean => element.getBoundingClientRect().width >= smallestChart;

  /** True if the page must be laid out for paper. Styles of another site cannot be read, and may be for print. */
  const needsPrintLayout = (): boolean => {
    if (tintype.isScripted() && [...document.querySelectorAll('canvas, svg')].some(isChart)) return true;
    if (tintype.hasInnerScroller()) return true;
    if (tintype.allElements().some(dependsOnPaper)) return true;
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

  return {
    announcePrint,
    needsPrintLayout,
    setPaper,
    recordHeights,
    pinHeights,
    contentSize,
  };
}
