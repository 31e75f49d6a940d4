// Runs inside the page: makes a long page show all its content before the full page is captured.
import type { ExpandBounds, Expansion, Extent, Settled } from '../in-page-types.ts';

/** With the ms that the scrolling may take. */
type TimedBounds = ExpandBounds & { readonly ms: number };

export default function () {
  const isPage = (element: Element): boolean => element === document.documentElement || element === document.body;

  /** The elements of the page in document order, with those in open shadow roots. */
  const allElements = (): HTMLElement[] => {
    const found: HTMLElement[] = [];
    const left: Iterator<HTMLElement>[] = [];
    const enter = (root: ParentNode) => left.push(root.querySelectorAll<HTMLElement>('*').values());
    enter(document);
    for (let elements = left.at(-1); elements; elements = left.at(-1)) {
      const { value, done } = elements.next();
      if (done) left.pop();
      else {
        found.push(value);
        if (value.shadowRoot) enter(value.shadowRoot);
      }
    }
    return found;
  };

  /**
   * Renders what the browser leaves out while it is not near the window. How tall a page is and where its elements are depends
   * on that, and before the first frame nothing of it is rendered. What `content-visibility` hides for good stays hidden.
   */
  const renderAll = (): void => {
    const skipped = allElements().filter((element) => getComputedStyle(element).contentVisibility === 'auto');
    for (const element of skipped) tintype.setAll(element, { 'content-visibility': 'visible' });
  };

  /** The host of a shadow root is the parent of what is inside, and so is a frame. */
  const parentOf = (element: HTMLElement): HTMLElement | null => {
    const { host, defaultView } = element.getRootNode() as { host?: Element; defaultView?: Window | null };
    return element.parentElement ?? ((host ?? defaultView?.frameElement ?? null) as HTMLElement | null);
  };

  /** The content of a frame, if the page may read it. */
  const documentIn = (box: Element) =>
    box instanceof HTMLIFrameElement ? (box.contentDocument?.scrollingElement as HTMLElement | null) : undefined;

  /** The element that contains the page and scrolls, where the document itself does not; it may be that of a frame. */
  let scroller: HTMLElement | undefined;
  /** It has been expanded in vain, and is shown as it is. */
  let isClosed = false;

  const innerScroller = (): HTMLElement | undefined => {
    if (isClosed) return undefined;
    // Once found it does not change, even if the window was made taller since.
    if (scroller?.isConnected) return scroller;
    const root = document.scrollingElement ?? document.documentElement;
    if (tintype.isTall(root) && getComputedStyle(root).overflowY !== 'hidden') return undefined;
    let best: HTMLElement | undefined;
    let bestArea = (innerWidth * innerHeight) / 3;
    for (const box of allElements()) {
      const element = documentIn(box) ?? box;
      if (element.scrollHeight <= element.clientHeight + 1) continue;
      if (element === root || element === document.documentElement) continue;
      if (element === box && !/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
      const area = element.clientWidth * element.clientHeight;
      if (area > bestArea) {
        best = element;
        bestArea = area;
      }
    }
    scroller = best;
    return best;
  };

  /** The element that a reader scrolls. */
  const scrolled = (): Element => innerScroller() ?? document.scrollingElement ?? document.documentElement;

  const heightNow = (): number => scrolled().scrollHeight;

  /** When the page was last scrolled, or its texts or elements changed since. */
  let changedAt = Number.NEGATIVE_INFINITY;

  /**
   * Scrolls by a little more than half a window at a time: some content appears only in the middle of the window. If that
   * needs too many steps, the steps are larger. Returns the number of steps left.
   */
  const scrollThrough = async (element: Element, bounds: TimedBounds, steps: number) => {
    const end = tintype.now() + bounds.ms;
    const view = element.clientHeight;
    const bottom = () => Math.min(element.scrollHeight, bounds.height) - view;
    if (bottom() <= 0 && element.scrollTop === 0) return steps;
    let left = steps;
    for (let y = Math.max(0, bounds.from - view); y < bottom() && left > 0 && tintype.now() < end; left--) {
      y = Math.min(y + Math.max(view * 0.6, Math.min(view, (bottom() - y) / left)), bottom());
      element.scrollTo({ top: y, behavior: 'instant' });
      // What this brings into view may appear later; quietContent waits from here on.
      changedAt = tintype.now();
      await tintype.frame();
    }
    element.scrollTo({ top: 0, behavior: 'instant' });
    await tintype.twoFrames();
    return left;
  };

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
    const inner = innerScroller();
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

  const watchContent = () =>
    new MutationObserver(() => {
      changedAt = tintype.now();
    }).observe(document, { childList: true, characterData: true, subtree: true });

  /**
   * Scrolls through the page and through what was added meanwhile. The result has no extent if a script may still load what
   * the scrolling requested. Without scripts there are only lazy images, and those are waited for here.
   */
  const expandPage = async (bounds: ExpandBounds): Promise<Expansion> => {
    tintype.isExpanded = true;
    putRoot();
    tintype.unpin();
    renderAll();
    const element = scrolled();
    const { scrollHeight, clientHeight } = element;
    // Our steps end between the places where a page would stop.
    if (scrollHeight > clientHeight)
      for (const each of [document.documentElement, element as HTMLElement])
        tintype.setAll(each, { 'scroll-snap-type': 'none' });
    const scripted = tintype.isScripted();
    if (scripted) watchContent();
    // A page that is tall from the beginning is scrolled through; one that grows is followed up to bounds.height.
    const tall = Math.min(scrollHeight, bounds.tallest);
    const own = {
      ...bounds,
      ms: Math.min(20_000, (bounds.endsAt - Date.now()) / 3),
      height: Math.max(bounds.height, tall),
      steps: Math.max(bounds.steps, Math.ceil(tall / clientHeight)),
    };
    if (scripted && (bounds.watched || innerScroller() || tintype.isAnythingHidden()))
      return tintype.scrollSlowly(scrolled(), own, () => {
        changedAt = tintype.now();
      });
    const scrolledThrough = await scrollAndGrow(own);
    return scripted ? scrolledThrough : { ...scrolledThrough, extent: await showAll(bounds.images) };
  };

  /**
   * A page without scripts needs no help from the server between its load and its picture: it is expanded and frozen here.
   * `last` is called before it is frozen. All other pages are left as they are.
   */
  const atOnce = async (bounds: ExpandBounds, last: (extent: Extent) => unknown): Promise<Settled> => {
    const expansion = tintype.isScripted() ? undefined : await expandPage(bounds);
    if (!expansion?.extent || expansion.extent.hidden > 0) return { atRest: false };
    await last(expansion.extent);
    await tintype.freeze();
    return { atRest: true, expansion };
  };

  const scrollAndGrow = async (bounds: TimedBounds) => {
    let steps = bounds.steps;
    for (;;) {
      const element = scrolled();
      const height = element.scrollHeight;
      steps = await scrollThrough(element, bounds, steps);
      const grew = element.scrollHeight > height && height < bounds.height;
      if (!grew || steps <= 0) return { ended: !grew, height };
    }
  };

  /** Waits until texts and elements stop changing: counters run and lists fill when they come into view. */
  const quietContent = async (ms: number): Promise<void> => {
    const end = tintype.now() + ms;
    while (tintype.now() - changedAt < 100 && tintype.now() < end) {
      const before = tintype.now();
      await tintype.pause(25);
      // If this timer was late, the page's timers were late, too: wait longer by as much.
      changedAt += Math.max(0, tintype.now() - before - 50);
    }
  };

  const allImages = (ms: number) => {
    const images = allElements().filter((element) => element instanceof HTMLImageElement);
    const waiting = images.filter((image) => !image.complete && image.checkVisibility());
    const done = (image: HTMLImageElement) =>
      new Promise((resolve) => {
        image.addEventListener('load', resolve);
        image.addEventListener('error', resolve);
      });
    return waiting.length === 0 ? undefined : tintype.within(ms, Promise.all(waiting.map(done)));
  };

  /**
   * Ends scroll-driven animations, so that content they would fade in is visible: as it is without them, or, if it is
   * invisible then, as it is in their most visible keyframe.
   */
  const endViewAnimations = () => {
    for (const animation of document.getAnimations()) {
      if (!(animation.timeline instanceof ViewTimeline)) continue;
      const effect = animation.effect as KeyframeEffect;
      const { target, pseudoElement } = effect;
      const keyframes = effect.getKeyframes();
      animation.cancel();
      if (!target || Number(getComputedStyle(target, pseudoElement).opacity) > 0.99) continue;
      const opacityOf = ({ opacity = 1 }: ComputedKeyframe) => Number(opacity);
      const [most] = keyframes.toSorted((a, b) => opacityOf(b) - opacityOf(a));
      if (!most) continue;
      const { offset, computedOffset, easing, composite, ...look } = most;
      tintype.hold(target, look as Keyframe, pseudoElement);
    }
  };

  /** Waits for background images that are still loading: an image element with the same URL loads at the same time. */
  const allBackgrounds = (ms: number) => {
    const addresses = new Set<string>();
    for (const element of allElements().slice(0, 5000))
      for (const [, url] of getComputedStyle(element).backgroundImage.matchAll(/url\("([^"]+)"\)/g))
        if (/^https?:/.test(url) && performance.getEntriesByName(url).length === 0) addresses.add(url);
    if (addresses.size === 0) return undefined;
    const load = (url: string) =>
      new Promise((resolve) => {
        const image = new Image();
        image.onload = resolve;
        image.onerror = resolve;
        image.src = url;
      });
    return tintype.within(ms, Promise.all([...addresses].slice(0, 200).map(load)));
  };

  /** Waits for all images, shows what is hidden until it is scrolled to, and measures the page. */
  const showAll = async (ms: number): Promise<Extent> => {
    // A script may have added more.
    if (tintype.isScripted()) renderAll();
    endViewAnimations();
    tintype.holdShown?.();
    await Promise.all([allImages(ms), allBackgrounds(ms)]);
    return { ...measure(), frames: tintype.unpaintedFrames() };
  };

  /** As tall as its content. */
  const open = (element: HTMLElement) => {
    const content = documentIn(element);
    return { height: content ? `${content.scrollHeight}px` : 'auto', 'max-height': 'none', overflow: 'visible' };
  };

  /** The style attributes of the elements that were expanded. */
  const unexpanded = new Map<HTMLElement, string | null>();

  /** An inner scroller that did not grow with the window has a fixed height: it becomes as tall as its content. */
  const expandInner = async (): Promise<void> => {
    await tintype.twoFrames();
    const element = innerScroller();
    if (!element) return;
    const height = element.scrollHeight;
    for (let at: HTMLElement | null = element; at && at !== document.documentElement; at = parentOf(at)) {
      unexpanded.set(at, at.getAttribute('style'));
      tintype.setAll(at, open(at));
    }
    tintype.setAll(element, { 'min-height': `${height}px` });
    await tintype.twoFrames();
  };

  /** The inner scroller becomes what it was. */
  const closeInner = async (): Promise<void> => {
    isClosed = true;
    for (const [element, style] of unexpanded)
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
    await tintype.twoFrames();
  };

  /**
   * For printing, the inner scroller and its ancestors become as tall as their content. Returns how many pixels it still
   * hides.
   */
  const openForPrint = (): number => {
    const element = innerScroller();
    if (!element) return 0;
    for (let at: HTMLElement | null = element; at; at = parentOf(at)) {
      const { position } = getComputedStyle(at);
      const isApart = position === 'fixed' || position === 'absolute';
      tintype.setAll(at, {
        ...open(at),
        'min-height': '0',
        contain: 'none',
        ...(isApart && { position: 'absolute', bottom: 'auto' }),
      });
    }
    return element.scrollHeight - element.clientHeight;
  };

  return {
    isPage,
    allElements,
    parentOf,
    renderAll,
    scrolled,
    hasInnerScroller: () => innerScroller() !== undefined,
    expandPage,
    heightNow,
    atOnce,
    measure,
    toTop,
    beginsAtTheRight,
    measureFromTop: () => toTop().then(measure),
    quietContent,
    showAll,
    expandInner,
    closeInner,
    openForPrint,
  };
}
