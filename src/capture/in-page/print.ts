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
      for (const name of changed) element.style.setProperty(name, values[sides.indexOf(name)] ?? '', 'important');
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

  const isPage = (element: Element) => element === document.documentElement || element === document.body;

  /** Elements inside of others that are looked at, in all. */
  const mostInside = 20_000;

  /** Of no height, and clips what is in it. */
  const isFolded = (element: HTMLElement): boolean => {
    if (element.clientHeight > 0 || element.scrollHeight === 0 || isPage(element)) return false;
    const { display, overflowY, overflowClipMargin } = getComputedStyle(element);
    // Inline elements and the rows of a table clip nothing.
    if (!/^(block|flow-root|list-item|inline-block|(inline-)?(flex|grid))$/.test(display)) return false;
    return overflowY === 'clip' ? overflowClipMargin === '0px' : overflowY !== 'visible';
  };

  /** An element that is positioned by something outside of the box is not clipped by it. */
  const clipsAll = (element: HTMLElement, looked: { left: number }): boolean => {
    if (looked.left <= 0) return false;
    const inner = [...element.querySelectorAll<HTMLElement>('*')];
    looked.left -= inner.length;
    const inside = new Set<Element | null>([element, ...inner]);
    return (
      looked.left > 0 &&
      inner.every(
        (each) => !/absolute|fixed/.test(getComputedStyle(each).position) || inside.has(each.offsetParent ?? null),
      )
    );
  };

  /** The browser's time for elements whose content is hidden grows with the square of their number. */
  const mostFolded = 1000;

  const hideFolded = (): void => {
    const looked = { left: mostInside };
    const folded = tintype.allElements().filter((element) => isFolded(element) && clipsAll(element, looked));
    for (const element of folded.slice(0, mostFolded)) tintype.setAll(element, { 'content-visibility': 'hidden' });
  };

  let isListening = false;

  /**
   * The browser prints what is in a row of a grid that has no height. It is hidden after the page itself has been told that
   * it is printed, because some pages unfold their answers then.
   */
  const hideFoldedOnPrint = (): void => {
    if (!isListening) addEventListener('beforeprint', hideFolded);
    isListening = true;
  };

  const scrollsSideways = (element: Element, { overflowX }: CSSStyleDeclaration) =>
    /auto|scroll/.test(overflowX) && !isPage(element);

  /** In boxes that scroll sideways, lines that are too long for the paper are broken. Shorter ones stay as they are. */
  const wrapCode = (): void => {
    const inside = new Set<Element | null>();
    const code: HTMLElement[] = [];
    for (const element of tintype.allElements()) {
      const style = getComputedStyle(element);
      const parent = element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;
      if (!inside.has(parent) && !scrollsSideways(element, style)) continue;
      inside.add(element);
      if (style.whiteSpace === 'pre') code.push(element);
    }
    for (const element of code) tintype.setAll(element, { 'white-space': 'pre-wrap', 'overflow-wrap': 'anywhere' });
  };

  const mostOpened = 200;
  const mostAncestors = 100;

  /** One thing that is wider than the box, and not a row of cards or links. Pictures only if all of them can be shown. */
  const showsOneWideThing = (box: HTMLElement, widest: number) => {
    const isWide = (element: Element) => element.getBoundingClientRect().width > box.clientWidth + 1;
    const hasWide = (selector: string) => [...box.querySelectorAll(selector)].slice(0, 20).some(isWide);
    if (hasWide('table, [role="table"], [role="grid"], pre, code')) return true;
    return box.getBoundingClientRect().left + box.scrollWidth <= widest && hasWide('img, svg, canvas, math');
  };

  /** Something else is beside it, and would be covered. */
  const isColumn = (box: HTMLElement) => {
    const { left, right } = box.getBoundingClientRect();
    const isLeftward = getComputedStyle(box).direction === 'rtl';
    if (isLeftward && !tintype.beginsAtTheRight()) return true;
    return isLeftward ? left > innerWidth / 4 : right < (innerWidth * 3) / 4;
  };

  /** The box and the elements around it that would clip its content; undefined if one of them hides something already. */
  const clipping = (box: HTMLElement): HTMLElement[] | undefined => {
    const found = [box];
    let left = mostAncestors;
    for (let at = box.parentElement; at && !isPage(at); at = at.parentElement) {
      if (left-- <= 0) return undefined;
      if (getComputedStyle(at).overflowX === 'visible') continue;
      if (at.scrollWidth > at.clientWidth + 1) return undefined;
      found.push(at);
    }
    return found;
  };

  /** Only its content overflows: the box keeps its place and its size. */
  const opened = (box: HTMLElement): Record<string, string> => {
    const { display, minWidth } = getComputedStyle(box);
    return {
      'overflow-x': 'visible',
      'overflow-y': box.scrollHeight > box.clientHeight + 1 ? 'clip' : 'visible',
      ...(display === 'block' && { display: 'flow-root' }),
      ...(minWidth === 'auto' && { 'min-width': '0' }),
    };
  };

  /**
   * Tables that scroll sideways overflow instead, so that the browser shrinks the page to show them. `widest` is the width up
   * to which it does. Returns how many boxes were opened, and how many still hide a part of their content.
   */
  const openSideways = (widest: number): { opened: number; cut: number } => {
    wrapCode();
    const boxes = tintype
      .allElements()
      .filter((box) => box.scrollWidth > box.clientWidth + 1 && scrollsSideways(box, getComputedStyle(box)));
    const changes = new Map<HTMLElement, Record<string, string>>();
    let cut = 0;
    for (const [i, box] of boxes.entries()) {
      // Of a row of cards or pictures, a reader of the page sees no more either.
      if (i >= mostOpened || !showsOneWideThing(box, widest)) continue;
      const chain = isColumn(box) ? undefined : clipping(box);
      for (const each of chain ?? []) changes.set(each, opened(each));
      // A few pixels are a shadow or a border.
      if (!chain && box.scrollWidth > box.clientWidth * 1.25 && box.checkVisibility()) cut++;
    }
    for (const [box, declarations] of changes) tintype.setAll(box, declarations);
    return { opened: changes.size, cut };
  };

  const mostRules = 20_000;

  /** Its size on paper decides whether it is opened or hidden. */
  const dependsOnPaper = (element: HTMLElement): boolean => {
    const style = getComputedStyle(element);
    return (scrollsSideways(element, style) && style.whiteSpace !== 'pre') || isFolded(element);
  };

  /** True if the page must be laid out for paper. Styles of another site cannot be read, and may be for print. */
  const needsPrintLayout = (): boolean => {
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
    hideFoldedOnPrint,
    wrapCode,
    openSideways,
  };
}
