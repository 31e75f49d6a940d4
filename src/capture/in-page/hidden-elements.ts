// Runs inside the page: finds the elements that are invisible until they are scrolled to.

export default function () {
  const lazyName = /(^|[\s_-])(lazy|lazyload|lozad|lazy-load|b-lazy)($|[\s_-])/i;
  const lazyAttributes = ['data-src', 'data-srcset', 'data-lazy', 'data-original', 'data-bg', 'data-background-image'];

  /** An image or background that a script has yet to load. */
  const isPlaceholder = (element: Element) => {
    const isLazy =
      lazyAttributes.some((name) => element.hasAttribute(name)) ||
      (element.localName === 'img' && lazyName.test(element.getAttribute('class') ?? ''));
    if (!isLazy) return false;
    if (element.localName === 'img') {
      const { complete, naturalWidth, currentSrc } = element as HTMLImageElement;
      return !complete || naturalWidth <= 1 || /^data:/.test(currentSrc);
    }
    return !/video|iframe|source/.test(element.localName) && getComputedStyle(element).backgroundImage === 'none';
  };

  /** Is a visible sibling at the same place? Then the element is a slide that is not its turn. */
  const isReplaced = (element: Element) => {
    const box = element.getBoundingClientRect();
    const around = tintype.parentElement(element);
    const siblings = around ? tintype.children(around) : ((element.parentNode as ShadowRoot | null)?.children ?? []);
    // Not a copy of all: there may be as many siblings as there are hidden elements.
    return Array.prototype.slice.call(siblings, 0, 50).some((other: Element) => {
      if (other === element || tintype.isInvisible(getComputedStyle(other))) return false;
      const { left, right, top, bottom } = other.getBoundingClientRect();
      const width = Math.min(right, box.right) - Math.max(left, box.left);
      const height = Math.min(bottom, box.bottom) - Math.max(top, box.top);
      return width > 0 && height > 0 && width * height >= (box.width * box.height) / 2;
    });
  };

  /** Menus, tooltips, overlays and slides are not revealed by scrolling. */
  const isLayer = (element: Element, { position, visibility }: CSSStyleDeclaration) =>
    position === 'absolute' && (visibility === 'hidden' || isReplaced(element));

  /** Hidden for the caller, for good. */
  const isHiddenOnPurpose = (element: Element) =>
    globalThis.hideSelector !== undefined && element.matches(globalThis.hideSelector);

  const isApart = (element: Element, { position }: CSSStyleDeclaration) =>
    position === 'fixed' || position === 'sticky' || isHiddenOnPurpose(element);

  /** A page has fewer sections and images than this. */
  const most = 3000;
  /** Elements that were invisible at some time. */
  const all = new Set<Element>();
  /** Those of them that were moved, scaled or clipped out of sight. */
  const displaced = new Set<Element>();
  let counted = 0;
  /** The images in shadow roots, which `document.images` lacks. */
  let nestedImages: HTMLImageElement[] = [];

  /** Collects invisible elements in the flow. Fixed and sticky elements are skipped: they have no place in the page. */
  const find = () => {
    const elements = document.body ? tintype.allElements() : [];
    if (elements.length === counted) return;
    counted = elements.length;
    const images = elements.filter((element) => element instanceof HTMLImageElement);
    nestedImages = images.filter((image) => image.getRootNode() !== document);
    const apart = new Set<Element | null>();
    for (const element of elements.slice(0, 20_000)) {
      if (all.size >= most) return;
      if (tintype.isPage(element)) continue;
      const parent = tintype.parentOf(element);
      const style = getComputedStyle(element);
      if (apart.has(parent) || isApart(element, style)) {
        apart.add(element);
        continue;
      }
      if (style.display === 'none' || all.has(element)) continue;
      tintype.followParallax(element, style);
      const inherited = style.visibility === 'hidden' && parent && all.has(parent);
      const own = tintype.isInvisible(style) && !inherited && !isLayer(element, style);
      if (!own && style.position !== 'absolute' && tintype.isOutOfSight(element, style)) {
        displaced.add(element);
        all.add(element);
        continue;
      }
      if (own ? tintype.fadesForEver(element) : !isPlaceholder(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width * height >= 100) all.add(element);
      // Children inherit visibility: the element that sets it stands for all of them.
      else if (style.visibility === 'hidden') all.add(element);
    }
  };

  return {
    isPlaceholder,
    isReplaced,
    hiddenElements: { most, all, displaced, find, nestedImages: () => nestedImages },
  };
}
