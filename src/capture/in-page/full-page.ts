// Runs inside the page: makes a long page show all its content before the full page is captured.
import type { ExpandBounds, Expansion, Extent, Settled } from '../in-page-types.ts';

/** With the ms that the scrolling may take. */
type TimedBounds = ExpandBounds & { readonly ms: number };

export default function () {
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
    tintype.putRoot();
    tintype.unpin();
    tintype.renderAll();
    const element = tintype.scrolled();
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
    if (scripted && (bounds.watched || tintype.hasInnerScroller() || tintype.isAnythingHidden()))
      return tintype.scrollSlowly(tintype.scrolled(), own, () => {
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
      const element = tintype.scrolled();
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
      const late = await tintype.pause(25);
      changedAt += late;
    }
  };

  const allImages = (ms: number) => {
    const images = tintype.allElements().filter((element) => element instanceof HTMLImageElement);
    const waiting = images.filter((image) => !image.complete && image.checkVisibility());
    const done = (image: HTMLImageElement) =>
      new Promise((resolve) => {
        image.addEventListener('load', resolve);
        image.addEventListener('error', resolve);
      });
    return waiting.length === 0 ? undefined : tintype.within(ms, Promise.all(waiting.map(done)));
  };

  /** Something that was moved sideways with the scrolling, and is mostly beside the window without that. */
  let isBeside = false;

  /** In a section much taller than the window, which stays in view meanwhile: its width is what the scrolling shows. */
  const movesSideways = ({ subject }: ViewTimeline, keyframes: readonly ComputedKeyframe[]) =>
    subject.getBoundingClientRect().height > innerHeight * 1.5 &&
    keyframes.some((keyframe) => ['transform', 'translate', 'left', 'marginLeft'].some((name) => name in keyframe));

  const isMostlyBeside = (element: Element) => {
    const { left, right } = element.getBoundingClientRect();
    const beyond = Math.max(right - innerWidth, -left);
    return beyond > innerWidth / 2 && document.documentElement.scrollWidth < innerWidth * 1.2;
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
      isBeside ||= target !== null && movesSideways(animation.timeline, keyframes) && isMostlyBeside(target);
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
    for (const element of tintype.allElements().slice(0, 5000))
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
    if (tintype.isScripted()) tintype.renderAll();
    endViewAnimations();
    tintype.holdShown?.();
    await Promise.all([allImages(ms), allBackgrounds(ms)]);
    return { ...tintype.measure(), frames: tintype.unpaintedFrames(), isBeside };
  };

  return { expandPage, atOnce, quietContent, showAll };
}
