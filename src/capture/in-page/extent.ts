// Runs inside the page: how large it is, and in which direction it grows.
import type { Extent } from '../in-page-types.ts';

export default function () {
  /** A script can remove the root element, and a style sheet in XSL that is missing leaves none: that is an empty page. */
  const putRoot = (): void => {
    if (!document.documentElement) document.append(document.createElementNS('http://www.w3.org/1999/xhtml', 'html'));
  };

  /** A URL with a #fragment starts further down, but regions are measured from the top of the page. */
  const toTop = async (): Promise<void> => {
    if (scrollY === 0 && scrollX === 0) return;
    scrollTo({ top: 0, left: 0, behavior: 'instant' });
    await tintype.twoFrames();
  };

  const stylesOfPage = () =>
    [document.documentElement, document.body].filter((element) => element !== null).map((at) => getComputedStyle(at));

  const beginsAtTheRight = () =>
    stylesOfPage().some(({ direction, writingMode }) => direction === 'rtl' || writingMode.endsWith('-rl'));

  /** Its lines are vertical: it is scrolled sideways. */
  const growsSideways = () => stylesOfPage().some(({ writingMode }) => !writingMode.startsWith('horizontal'));

  /**
   * On a phone, a page that overflows sideways is laid out in a taller window, as if it were zoomed out, and the document is
   * at least that tall. The empty part at its end is not captured.
   */
  const contentHeight = (scrollHeight: number) => {
    const shown = Math.ceil(visualViewport?.height ?? innerHeight);
    if (innerHeight <= shown + 1 || scrollHeight > innerHeight + 1) return scrollHeight;
    let bottom = shown;
    for (const element of [...document.querySelectorAll('body, body *')].slice(0, 5000))
      bottom = Math.max(bottom, Math.ceil(element.getBoundingClientRect().bottom + scrollY));
    return Math.min(bottom, scrollHeight);
  };

  const measure = (): Extent => {
    putRoot();
    const root = document.documentElement;
    // In quirks mode this is the body.
    const scrolling = document.scrollingElement ?? root;
    const inner = tintype.innerScroller();
    const width = Math.ceil(Math.max(root.scrollWidth, scrolling.scrollWidth));
    return {
      height: contentHeight(Math.ceil(Math.max(root.scrollHeight, scrolling.scrollHeight))),
      width,
      viewWidth: scrolling.clientWidth,
      viewHeight: innerHeight,
      hidden: inner ? inner.scrollHeight - inner.clientHeight : 0,
      zoom: visualViewport?.scale ?? 1,
      view: { x: scrollX, y: scrollY },
      leftward: width > scrolling.clientWidth && beginsAtTheRight(),
      sideways: width > scrolling.clientWidth && growsSideways(),
    };
  };

  return { putRoot, toTop, beginsAtTheRight, measure, measureFromTop: () => toTop().then(measure) };
}
