// Runs inside the page: brings a long page to show all it has before it is captured whole.
import type { ExpandBounds, Expansion, Extent, Settled } from '../in-page-types.ts';

/** With the ms that the scrolling may take. */
type TimedBounds = ExpandBounds & { readonly ms: number };

export default function () {
  /** Smooth scrolling would make us wait; content that is skipped while out of view would be missing. */
  const expandStyles = `* {
  scroll-behavior: auto !important;
  content-visibility: visible !important;
  scroll-snap-type: none !important;
}`;

  /** Where the page itself does not scroll but one element in it does, that element holds the page. */
  let scroller: HTMLElement | undefined;

  const innerScroller = (): HTMLElement | undefined => {
    // Once found it stays the one, also in a window that was made taller around it.
    if (scroller?.isConnected) return scroller;
    const root = document.scrollingElement ?? document.documentElement;
    if (root.scrollHeight > innerHeight + 1 && getComputedStyle(root).overflowY !== 'hidden') return undefined;
    let best: HTMLElement | undefined;
    let bestArea = (innerWidth * innerHeight) / 3;
    for (const element of document.querySelectorAll<HTMLElement>('body, body *')) {
      if (element.scrollHeight <= element.clientHeight + 1 || element === root) continue;
      if (!/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) continue;
      const area = element.clientWidth * element.clientHeight;
      if (area > bestArea) {
        best = element;
        bestArea = area;
      }
    }
    scroller = best;
    return best;
  };

  /** What a reader scrolls. */
  const scrolled = (): Element => innerScroller() ?? document.scrollingElement ?? document.documentElement;

  /** When the page was last scrolled, or texts and elements in it last changed since. */
  let changedAt = Number.NEGATIVE_INFINITY;

  /**
   * By little more than half a window at a time: what appears only in the middle of a window must come by there. A page
   * that would take too many steps so is scrolled in larger ones. Gives back the steps that are left.
   */
  const scrollThrough = async (element: Element, bounds: TimedBounds, steps: number) => {
    const end = tintype.now() + bounds.ms;
    const view = element.clientHeight;
    const bottom = () => Math.min(element.scrollHeight, bounds.height) - view;
    if (bottom() <= 0 && element.scrollTop === 0) return steps;
    let left = steps;
    for (let y = 0; y < bottom() && left > 0 && tintype.now() < end; left--) {
      y = Math.min(y + Math.max(view * 0.6, Math.min(view, (bottom() - y) / left)), bottom());
      element.scrollTo({ top: y, behavior: 'instant' });
      // What this brings into view may take its time to show; the wait for it counts from here.
      changedAt = tintype.now();
      await tintype.frame();
    }
    element.scrollTo({ top: 0, behavior: 'instant' });
    await tintype.twoFrames();
    return left;
  };

  /** An address with a #fragment starts further down; a region is counted from the top of the page. */
  const toTop = async (): Promise<void> => {
    if (scrollY === 0 && scrollX === 0) return;
    scrollTo({ top: 0, left: 0, behavior: 'instant' });
    await tintype.twoFrames();
  };

  const beginsAtTheRight = () =>
    [document.documentElement, document.body].some((element) => {
      if (!element) return false;
      const { direction, writingMode } = getComputedStyle(element);
      return direction === 'rtl' || writingMode.endsWith('-rl');
    });

  /**
   * A phone lays a page that overflows sideways out in a window as tall as if it were zoomed out, and the document is at
   * least that tall. What of it is empty is not shown.
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
    const root = document.documentElement;
    // The body, in pages of the old kind.
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
    };
  };

  const watchContent = () =>
    new MutationObserver(() => {
      changedAt = tintype.now();
    }).observe(document, { childList: true, characterData: true, subtree: true });

  /**
   * Scrolls through what there is to scroll, and through what came meanwhile. `ended`: it came to an end. `extent`: its
   * size, unless a script may still fetch what the scrolling asked for; without one there are only lazy images, and those
   * can be seen to be on their way. `bounds.watched`: scripts listen to the scrolling.
   */
  const expandPage = async (bounds: ExpandBounds): Promise<Expansion> => {
    const { scrollHeight, clientHeight } = scrolled();
    if (scrollHeight > clientHeight) tintype.adopt(expandStyles);
    const scripted = tintype.isScripted();
    if (scripted) watchContent();
    const ms = Math.min(20_000, (bounds.endsAt - Date.now()) / 3);
    if (scripted && (bounds.watched || innerScroller() || tintype.isAnythingHidden()))
      return tintype.scrollSlowly(scrolled(), { ...bounds, ms }, () => {
        changedAt = tintype.now();
      });
    const ended = await scrollAndGrow({ ...bounds, ms });
    return scripted ? { ended } : { ended, extent: await showAll(bounds.images) };
  };

  /**
   * A page without scripts needs nobody between its load and its picture: it is expanded and brought to rest in one go.
   * `last` is done to it before it rests. All others are left as they are.
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
      const before = element.scrollHeight;
      steps = await scrollThrough(element, bounds, steps);
      const grew = element.scrollHeight > before && before < bounds.height;
      if (!grew || steps <= 0) return !grew;
    }
  };

  /** Until texts and elements have stopped changing: numbers count up, lists fill when they come into view. */
  const quietContent = async (ms: number): Promise<void> => {
    const end = tintype.now() + ms;
    while (tintype.now() - changedAt < 100 && tintype.now() < end) {
      const before = tintype.now();
      await tintype.pause(25);
      // Where we were held up, so was the page: what it meant to do meanwhile comes now.
      changedAt += Math.max(0, tintype.now() - before - 50);
    }
  };

  const allImages = (ms: number) => {
    const waiting = [...document.images].filter((image) => !image.complete && image.checkVisibility());
    const done = (image: HTMLImageElement) =>
      new Promise((resolve) => {
        image.addEventListener('load', resolve);
        image.addEventListener('error', resolve);
      });
    return waiting.length === 0 ? undefined : tintype.within(ms, Promise.all(waiting.map(done)));
  };

  /** What a reader's scrolling would fade in is shown as it is without that. */
  const endViewAnimations = () => {
    for (const animation of document.getAnimations())
      if (animation.timeline instanceof ViewTimeline) animation.cancel();
  };

  /** Backgrounds that are still on their way: an image of the same address comes when they do. */
  const allBackgrounds = (ms: number) => {
    const addresses = new Set<string>();
    for (const element of [...document.querySelectorAll('body, body *')].slice(0, 5000))
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

  /** The last look at what there is: all of its pictures, nothing hidden until it is scrolled to, and its size. */
  const showAll = async (ms: number): Promise<Extent> => {
    endViewAnimations();
    tintype.holdShown?.();
    await Promise.all([allImages(ms), allBackgrounds(ms)]);
    return measure();
  };

  const setAll = (element: HTMLElement, declarations: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
  };

  const open = { height: 'auto', 'max-height': 'none', overflow: 'visible' };

  /** An inner scroller that did not grow with the viewport has a height of its own: it is given what it holds. */
  const expandInner = async (): Promise<void> => {
    await tintype.twoFrames();
    const element = innerScroller();
    if (!element) return;
    const height = element.scrollHeight;
    for (let at: HTMLElement | null = element; at && at !== document.documentElement; at = at.parentElement)
      setAll(at, open);
    setAll(element, { 'min-height': `${height}px` });
    await tintype.twoFrames();
  };

  /**
   * Paper has no window to fill: what holds the page, and everything around that, becomes as tall as its content. Gives
   * back how much it still hides.
   */
  const openForPrint = (): number => {
    const element = innerScroller();
    if (!element) return 0;
    for (let at: HTMLElement | null = element; at; at = at.parentElement) {
      const { position } = getComputedStyle(at);
      const isApart = position === 'fixed' || position === 'absolute';
      setAll(at, {
        ...open,
        'min-height': '0',
        contain: 'none',
        ...(isApart && { position: 'relative', inset: 'auto' }),
      });
    }
    return element.scrollHeight - element.clientHeight;
  };

  /**
   * What is fixed to the window, in a picture that is taller than the window: a bar at its bottom goes to the bottom of
   * the picture, what sticks to the bottom goes back to its own place, and a background moves with its element, or it
   * would be painted for the first window only.
   */
  const placeFixed = async (height: number): Promise<void> => {
    const down = height - innerHeight;
    let moved = false;
    for (const element of document.querySelectorAll<HTMLElement>('html, body, body *')) {
      const style = getComputedStyle(element);
      if (/fixed/.test(style.backgroundAttachment))
        element.style.setProperty('background-attachment', 'scroll', 'important');
      if (style.position === 'sticky' && style.bottom !== 'auto') {
        element.style.setProperty('position', 'relative', 'important');
        element.style.setProperty('inset', 'auto', 'important');
      }
      if (style.position === 'fixed' && style.translate === 'none' && down > 0 && atBottom(element)) {
        element.style.setProperty('translate', `0 ${down}px`, 'important');
        moved = true;
      }
    }
    // A bar whose move is still being drawn when the picture is asked for is missing in it, once in a hundred times.
    if (moved) await tintype.twoFrames();
  };

  const atBottom = (element: Element) => {
    const box = element.getBoundingClientRect();
    return box.height > 0 && box.top > innerHeight / 2 && box.bottom > innerHeight - 100;
  };

  return {
    scrolled,
    hasInnerScroller: () => innerScroller() !== undefined,
    expandPage,
    atOnce,
    measure,
    measureFromTop: () => toTop().then(measure),
    quietContent,
    showAll,
    expandInner,
    openForPrint,
    placeFixed,
  };
}
