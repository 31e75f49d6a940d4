// Runs inside the page: what an element shows, from its style and what it inherits.
import type { Box, Color, ElementState, Inherited } from './reading-types.ts';

export default function () {
  /** Never text for readers, whatever the page's styles say. */
  const unread = new Set(
    'script style noscript template head title meta link base audio datalist optgroup option area track param source desc metadata defs symbol clipPath mask'.split(
      ' ',
    ),
  );

  /** These show mathematics, and hide a copy of it for screen readers from sight. */
  const mathematics = '.katex, .mwe-math-element, mjx-container, .MathJax, .MathJax_SVG, .MathJax_CHTML';

  /** Decoration. A page whose dialog is open marks the whole of its rest like this, which is no decoration. */
  const isDecoration = (element: Element, parent: Inherited): boolean =>
    reader.attribute(element, 'aria-hidden') === 'true' &&
    !Element.prototype.closest.call(element, mathematics) &&
    reader.oneIn(element, 'main, article, h1, [role="main"]') === null &&
    !reader.isEditorText(element) &&
    !reader.isSpokenOtherwise(element, parent);

  /** Text of almost no opacity cannot be read. */
  const leastOpacity = 0.06;

  /** The state that a document starts with. In a frame, the page around it shows through. */
  const startOf = (page: Document, around: ElementState | null): Inherited => {
    const canvas = reader.canvasOf(page);
    return {
      parent: around,
      order: 0,
      depth: (around?.depth ?? 0) + 1,
      position: 'static',
      isInline: false,
      isBoxless: false,
      opacity: around?.opacity ?? 1,
      blur: around?.blur ?? 0,
      isFiltered: around?.isFiltered ?? false,
      clip: canvas,
      absoluteClip: canvas,
      fixedClip: reader.viewOf(page),
      scroller: around ? (around.scroller ?? reader.rectOf(around.element)) : null,
      isFixed: around?.isFixed ?? false,
      isSticky: around?.isSticky ?? false,
      isLayered: around?.isLayered ?? false,
      isFolded: around?.isFolded ?? false,
      isInTable: false,
      isRowItem: false,
      isPreformatted: false,
      isCode: false,
      copy: undefined,
      twin: undefined,
      background: undefined,
    };
  };

  let order = 0;

  /** Nothing, if nothing in the element can be seen. */
  const enter = (element: Element, parent: Inherited, folds: boolean): ElementState | undefined => {
    const name = reader.localName(element);
    if (unread.has(name) || isDecoration(element, parent)) return undefined;
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === 'none') return undefined;
    const { position, clipPath } = style;
    const { filter } = style;
    const opacity = parent.opacity * Number(style.opacity) * (filter === 'none' ? 1 : reader.filterOpacity(filter));
    if (opacity < leastOpacity || reader.isMaskedAway(style)) return undefined;
    const page = reader.ownerDocument(element) as Document;
    const isRoot = name === 'html' || name === 'body';
    const isInline = display === 'inline';
    const isTaken = position === 'absolute' || position === 'fixed';
    const isFolded = parent.isFolded || folds;
    let clip =
      position === 'fixed' ? fixedClip(element, parent) : position === 'absolute' ? parent.absoluteClip : parent.clip;
    if (isTaken && !isFolded) {
      if (reader.isClippedAway(style.clip) || reader.isBackFace({ style })) return undefined;
      if (position === 'absolute' && !parent.scroller && reader.isFarBelow(reader.rectOf(element), page))
        return undefined;
    }
    if (clipPath !== 'none' && !isFolded) clip = reader.clipPathBox(element, clipPath, clip);
    let { scroller } = parent;
    if (position === 'fixed') scroller = null;
    if (!isInline && !isRoot && !isFolded && display !== 'contents') {
      if (style.overflow !== 'visible') {
        const inside = reader.overflowClip(element, style, clip);
        clip = inside.clip;
        if (inside.scrolls) scroller = inside.box;
      }
    }
    const isInTable = parent.isInTable || name === 'td' || name === 'th';
    if (isInTable && !parent.isInTable) clip = wholeWidth(clip, parent, page);
    const isContaining = isTaken || position === 'relative' || position === 'sticky' || holdsFixed(style, isInline);
    const isCode = !parent.isPreformatted && !isInline && isCodeBlock(element, name, style);
    return {
      element,
      name,
      style,
      // The state of a document has no element of its own: its parent is the frame.
      parent: 'element' in parent ? (parent as ElementState) : parent.parent,
      order: ++order,
      depth: parent.depth + 1,
      position,
      isInline,
      isBoxless: display === 'contents',
      opacity,
      blur: filter === 'none' ? parent.blur : parent.blur + reader.filterBlur(filter),
      isFiltered: parent.isFiltered || (filter !== 'none' && reader.changesColors(filter)),
      clip,
      absoluteClip: isContaining ? clip : parent.absoluteClip,
      fixedClip: isContaining && holdsFixed(style, isInline) ? clip : parent.fixedClip,
      scroller,
      isFixed: parent.isFixed || position === 'fixed',
      isSticky: parent.isSticky || position === 'sticky',
      isLayered: parent.isLayered || position !== 'static' || isMoved(style),
      isFolded,
      isInTable,
      isRowItem: reader.isRowItem(element, name, parent),
      isPreformatted: parent.isPreformatted || name === 'pre' || isCode,
      isCode,
      copy: undefined,
      twin: undefined,
    };
  };

  const isCodeStyle = ({ whiteSpace, fontFamily }: CSSStyleDeclaration): boolean =>
    /^(pre|pre-wrap|break-spaces)$/.test(whiteSpace) && /mono|courier|consolas|menlo/i.test(fontFamily);

  /** Lines of code in another element than <pre>. A single line in a cell is a value. */
  const isCodeBlock = (element: Element, name: string, style: CSSStyleDeclaration): boolean => {
    if (name === 'table') return reader.isCodeTable(element);
    if (reader.isEditorText(element)) return true;
    if (!isCodeStyle(style) || reader.oneIn(element, 'p, h1, h2, h3, h4, ul, ol, table, a, img')) return false;
    return !/^t[dhr]$|^tbody$/.test(name) || (name === 'td' && /\S\s*\n/.test(reader.textContent(element) ?? ''));
  };

  /** A bar at the bottom of the window may have been moved to the bottom of the page (in-page/full-page.ts of the capture). */
  const fixedClip = (element: Element, { fixedClip: clip, clip: around }: Inherited): Box =>
    /translate:[^;]*!important/.test(reader.shortAttribute(element, 'style', 2000))
      ? { ...clip, bottom: Math.max(clip.bottom, around.bottom) }
      : clip;

  /** Without a position of its own, but painted like one that has it. */
  const isMoved = ({ transform, translate, zIndex }: CSSStyleDeclaration): boolean =>
    transform !== 'none' || translate !== 'none' || zIndex !== 'auto';

  /** A box with a transform contains even fixed positions. */
  const holdsFixed = (style: CSSStyleDeclaration, isInline: boolean): boolean =>
    !isInline && style.transform !== 'none';

  /** The columns of a wide table are read to the last, although the page would have to be scrolled far to the side. */
  const wholeWidth = (clip: Box, parent: { clip: Box }, page: Document): Box =>
    clip === parent.clip && clip.right - clip.left >= 3 * (reader.defaultView(page)?.innerWidth ?? 0) - 50
      ? { ...clip, left: Number.NEGATIVE_INFINITY, right: Number.POSITIVE_INFINITY }
      : clip;

  const white: Color = [255, 255, 255, 1];

  /** The color behind the content of an element, as far as its ancestors paint it. */
  const backgroundOf = (state: ElementState): Color | null => {
    if (state.background !== undefined) return state.background;
    const unknown: ElementState[] = [];
    let at: ElementState | null = state;
    for (; at && at.background === undefined; at = at.parent) unknown.push(at);
    let behind = at ? (at.background as Color | null) : canvasColor();
    for (const each of unknown.reverse()) {
      const own: Color | undefined = reader.isClippedToText(each)
        ? [0, 0, 0, 0]
        : reader.parseColor(each.style.backgroundColor);
      if (!own) behind = null;
      else if (own[3] > 0.98) behind = own;
      else if (own[3] > 0 && behind) behind = reader.blend(own, behind);
      each.background = behind;
    }
    return behind;
  };

  /** A dark window has a canvas of its own color. */
  const canvasColor = (): Color | null =>
    getComputedStyle(reader.rootElement(document)).colorScheme.includes('dark') ? null : white;

  return { isUnread: (name: string) => unread.has(name), startOf, enter, backgroundOf, canvasColor, isCodeStyle };
}
