// Runs inside the page: what scrolls sideways is shown on paper, where nothing scrolls.
export default function () {
  const scrollsSideways = (element: Element, { overflowX }: CSSStyleDeclaration) =>
    /auto|scroll/.test(overflowX) && !tintype.isPage(element);

  /** In boxes that scroll sideways, lines that are too long for the paper are broken. Shorter ones stay as they are. */
  const wrapCode = (): void => {
    const inside = new Set<Element | null>();
    const code: HTMLElement[] = [];
    for (const element of tintype.allElements()) {
      const style = getComputedStyle(element);
      const parent = tintype.parentElement(element) ?? (element.getRootNode() as ShadowRoot).host ?? null;
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
    for (let at = tintype.parentElement(box); at && !tintype.isPage(at); at = tintype.parentElement(at)) {
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
   * to which it does. Returns how many boxes still hide a part of their content.
   */
  const openSideways = (widest: number): number => {
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
    return cut;
  };

  return { scrollsSideways, wrapCode, openSideways };
}
