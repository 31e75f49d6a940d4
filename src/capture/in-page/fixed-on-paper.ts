// Runs inside the page: what is fixed to the window is printed on every page, and must not cover the text there.
export default function () {
  /** More fixed elements, dialogs in one of them, or ancestors than this are not looked at. */
  const most = 100;
  /** A bar may hang this far from the edge of the window. */
  const fewPixels = 40;

  /** An element that is fixed to a transformed element instead of the window has an offsetParent. */
  const isFixedToWindow = (element: HTMLElement): boolean =>
    getComputedStyle(element).position === 'fixed' &&
    element.offsetParent === null &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const isLow = ({ width, height }: DOMRect) =>
    width >= innerWidth / 2 && width > 0 && height > 0 && height <= innerHeight / 4;
  const isTopBar = (box: DOMRect) => isLow(box) && box.top >= 0 && box.top <= fewPixels;
  const isBottomBar = (box: DOMRect) =>
    isLow(box) && box.bottom <= innerHeight + 1 && box.bottom >= innerHeight - fewPixels;

  const isBar = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    return isTopBar(box) || isBottomBar(box);
  };

  /** On paper such a section is as tall as a page; with room for bars, each would end on the next one. */
  const fillsItsWindow = (element: Element): boolean => {
    const { top, height } = element.getBoundingClientRect();
    const isAsTall = Math.abs(height - innerHeight) <= 1 && top >= innerHeight / 2;
    return isAsTall && getComputedStyle(element).position !== 'fixed';
  };

  /** A table around the whole page, whose head and foot are on every page, is how pages make room themselves. */
  const makesRoomItself = (): boolean =>
    [...document.querySelectorAll<HTMLTableElement>('body > table')].some(
      ({ tHead, tFoot, offsetHeight }) => (tHead ?? tFoot) !== null && offsetHeight > innerHeight,
    );

  /**
   * Borders of the body, repeated on every page, keep the room for the bars. A negative margin takes the border away from the
   * first page, where the page itself has made room.
   */
  const makeRoom = (bars: readonly DOMRect[]): void => {
    const { marginTop, paddingTop, paddingBottom } = getComputedStyle(document.body);
    const top = Math.max(0, ...bars.filter(isTopBar).map((box) => box.bottom)) - Number.parseFloat(paddingTop);
    const bottom =
      Math.max(0, ...bars.filter(isBottomBar).map((box) => innerHeight - box.top)) - Number.parseFloat(paddingBottom);
    tintype.setAll(document.body, {
      'box-decoration-break': 'clone',
      ...(top > 0 && {
        'border-top': `${top}px solid transparent`,
        'margin-top': `${Number.parseFloat(marginTop) - top}px`,
      }),
      ...(bottom > 0 && { 'border-bottom': `${bottom}px solid transparent` }),
    });
  };

  const dialog = 'dialog[open], :popover-open, [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  const holdsDialog = (element: Element) =>
    [element, ...[...element.querySelectorAll(dialog)].slice(0, most)].some(
      (at) => at.matches(dialog) && at.checkVisibility(),
    );

  const fillsWindow = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width >= innerWidth - 20 && height >= innerHeight - 1;
  };

  const hasWords = (element: Element): boolean => element.textContent.trim() !== '';

  /** It darkens the page behind a dialog. */
  const isBackdrop = (element: HTMLElement): boolean => {
    const { pointerEvents, zIndex } = getComputedStyle(element);
    const isInFront = pointerEvents !== 'none' && !(Number(zIndex) < 0);
    return fillsWindow(element) && isInFront && !hasWords(element);
  };

  /** A watermark has no background, or a faint one. */
  const isPainted = (element: Element): boolean =>
    Number(getComputedStyle(element).opacity) > 0.5 &&
    [element, ...tintype.children(element)].some((at) => {
      const { backgroundColor, backdropFilter } = getComputedStyle(at);
      return fillsWindow(at) && (backgroundColor !== 'rgba(0, 0, 0, 0)' || backdropFilter !== 'none');
    });

  /** In front of all that a reader sees and could click, whatever its role: a preloader, or a dialog that does not say so. */
  const coversAll = (element: HTMLElement): boolean => {
    if (!fillsWindow(element) || !hasWords(element) || !isPainted(element)) return false;
    const root = element.getRootNode() as Document | ShadowRoot;
    const isHitAt = (x: number, y: number) =>
      tintype.contains(element, root.elementFromPoint(innerWidth * x, innerHeight * y));
    return [0.1, 0.5, 0.9].every((x) => [0.1, 0.5, 0.9].every((y) => isHitAt(x, y)));
  };

  /** Then `absolute` is measured from the first page. */
  const isInNothingPositioned = (element: Element): boolean => {
    let left = most;
    for (let at = tintype.parentElement(element); at; at = tintype.parentElement(at))
      if (left-- <= 0 || getComputedStyle(at).position !== 'static') return false;
    return !(element.getRootNode() instanceof ShadowRoot);
  };

  /** A dialog, its backdrop and what covers the window are on the first page only, and pages have room for bars at their edges. */
  const placeOnPaper = (): void => {
    if (!document.body) return;
    const all = tintype.allElements();
    const fixed = all.filter(isFixedToWindow).slice(0, most);
    const bars = fixed.filter(isBar).map((element) => element.getBoundingClientRect());
    const others = fixed.filter((element) => !isBar(element));
    const dialogs = others.filter((element) => holdsDialog(element) || coversAll(element));
    const covers =
      dialogs.length > 0 ? others.filter((element) => dialogs.includes(element) || isBackdrop(element)) : [];
    const moved = covers.filter(
      (element) => element.matches('dialog:modal, :popover-open') || isInNothingPositioned(element),
    );
    const hasRoom =
      bars.length > 0 && tintype.isTall(document.documentElement) && !makesRoomItself() && !all.some(fillsItsWindow);
    for (const element of moved) tintype.setAll(element, { position: 'absolute' });
    if (moved.length > 0) tintype.adopt('::backdrop { position: absolute !important }');
    if (hasRoom) makeRoom(bars);
  };

  return { placeOnPaper };
}
