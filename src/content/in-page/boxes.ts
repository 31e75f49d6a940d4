// Runs inside the page: which part of it can be seen or scrolled to.
import type { Box, ElementState } from './reading-types.ts';

export default function () {
  const nowhere: Box = { left: 0, top: 0, right: 0, bottom: 0 };

  const intersection = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });

  const area = ({ left, top, right, bottom }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top);

  /** Enough of the box to read something: texts for screen readers show one pixel. */
  const shows = (box: Box, clip: Box): boolean => {
    const { left, top, right, bottom } = intersection(box, clip);
    const height = box.bottom - box.top;
    return (
      right - left >= Math.min(3, box.right - box.left) && bottom - top >= Math.min(3, height) && right - left >= 2
    );
  };

  const holds = (outer: Box, inner: Box): boolean => area(intersection(outer, inner)) >= 0.95 * area(inner);

  /**
   * The part of a document that its window can be scrolled to. A reader scrolls down as far as the page goes, but sideways only
   * so far: a text at `left: 9999px` is hidden. A page of vertical lines goes on to the side.
   */
  const canvasOf = (page: Document): Box => {
    const view = reader.defaultView(page) as Window;
    const root = reader.rootElement(page);
    const body = reader.body(page);
    const rootStyle = getComputedStyle(root);
    const bodyStyle = body ? getComputedStyle(body) : rootStyle;
    const width = root.clientWidth || view.innerWidth;
    const extent = Math.max(reader.scrollWidth(root), body ? reader.scrollWidth(body) : 0, width);
    const isStuck = /hidden|clip/.test(rootStyle.overflowX + bodyStyle.overflowX);
    const { isVertical, isLeftward } = directionOf(body ? bodyStyle : rootStyle);
    const across = isStuck ? width : isVertical ? extent : Math.min(extent, 3 * width);
    const height = Math.max(reader.scrollHeight(root), body ? reader.scrollHeight(body) : 0, view.innerHeight);
    const left = isLeftward ? width - across - view.scrollX : -view.scrollX;
    return { left, top: -view.scrollY, right: left + across, bottom: height - view.scrollY };
  };

  const isFlex = (display: string): boolean => display === 'flex' || display === 'inline-flex';

  /** Whether a reader scrolls to the left or up from where the content of a box starts. */
  const directionOf = ({ direction, writingMode, display, flexDirection }: CSSStyleDeclaration) => {
    const isVertical = !writingMode.startsWith('horizontal');
    const flow = isFlex(display) ? flexDirection : '';
    const isLineBackward = (direction === 'rtl') !== (flow === 'row-reverse');
    const isBlockBackward = writingMode.endsWith('-rl') !== (flow === 'column-reverse');
    return {
      isVertical,
      isLeftward: isVertical ? isBlockBackward : isLineBackward,
      isUpward: isVertical ? isLineBackward : isBlockBackward,
    };
  };

  /** A box whose last child is the first that a reader sees. With several lines, the first line is still the first. */
  const isReversed = ({ display, flexDirection, flexWrap }: CSSStyleDeclaration): boolean =>
    isFlex(display) && flexDirection.endsWith('-reverse') && flexWrap === 'nowrap';

  const viewOf = (page: Document): Box => {
    const { innerWidth, innerHeight } = reader.defaultView(page) as Window;
    return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  };

  /** Where the children of a box with this `overflow` can be seen. Those of a box that scrolls: anywhere in what it scrolls. */
  const overflowClip = (
    element: Element,
    style: CSSStyleDeclaration,
    clip: Box,
  ): { clip: Box; scrolls: boolean; box: Box } => {
    const { overflow } = style;
    const [across = 'visible', down = across] = overflow.split(' ');
    const box = reader.rectOf(element);
    const isScroller = (value: string) => value === 'auto' || value === 'scroll';
    const scrolls = isScroller(across) || isScroller(down);
    if (scrolls && !shows(box, clip)) return { clip: nowhere, scrolls, box };
    const seen = intersection(box, clip);
    const side = (value: string, from: number, to: number, offset: number, extent: number, isBackward: boolean) => {
      if (value === 'visible') return undefined;
      if (!isScroller(value)) return { from, to };
      // A box that starts at its right or at its bottom has an offset of 0 there, and negative ones elsewhere.
      return isBackward
        ? { from: Math.min(from, to - offset - extent), to: to - offset }
        : { from: from - offset, to: Math.max(to, from - offset + extent) };
    };
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight } = reader;
    const { isLeftward, isUpward } = directionOf(style);
    const left = side(across, seen.left, seen.right, scrollLeft(element), scrollWidth(element), isLeftward);
    const top = side(down, seen.top, seen.bottom, scrollTop(element), scrollHeight(element), isUpward);
    return {
      scrolls,
      box: seen,
      clip: {
        left: left?.from ?? clip.left,
        right: left?.to ?? clip.right,
        top: top?.from ?? clip.top,
        bottom: top?.to ?? clip.bottom,
      },
    };
  };

  /** The old `clip: rect(…)`, which works on absolute and fixed positions only. */
  const isClippedAway = (clip: string): boolean => {
    const [top = 0, right = 0, bottom = 0, left = 0] = (clip.match(/-?[\d.]{1,20}(?=px)/g) ?? []).map(Number);
    return clip.startsWith('rect(') && !clip.includes('auto') && (right - left < 3 || bottom - top < 3);
  };

  /** An absolute position far below the rest of the page: nobody scrolls through the emptiness. */
  const isFarBelow = (box: Box, page: Document): boolean => {
    const { innerHeight } = reader.defaultView(page) as Window;
    if (box.top < 4 * innerHeight) return false;
    const body = reader.body(page);
    const bottom = Math.max(
      reader.rectOf(reader.rootElement(page)).bottom,
      body ? reader.rectOf(body).bottom : 0,
      innerHeight,
    );
    return box.top > bottom + 3 * innerHeight;
  };

  /** The back of a card that is turned over. */
  const isBackFace = ({ style }: Pick<ElementState, 'style'>): boolean => {
    if (style.backfaceVisibility !== 'hidden') return false;
    const { transform } = style;
    return transform !== 'none' && new DOMMatrixReadOnly(transform).m33 < 0;
  };

  return {
    nowhere,
    intersection,
    area,
    shows,
    holds,
    canvasOf,
    isReversed,
    viewOf,
    overflowClip,
    isClippedAway,
    isFarBelow,
    isBackFace,
  };
}
