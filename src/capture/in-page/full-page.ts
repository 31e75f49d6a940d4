// Runs inside the page: makes a long page show all its content before the full page is captured.
import type { Extent, ScrollStart } from '../in-page-types.ts';

export default function () {
  const isLazy = (element: Element) =>
    element instanceof HTMLImageElement && element.loading === 'lazy' && !element.complete;

  /** What an external script does is not known. */
  const mayObserve = () =>
    [...document.scripts].some(({ src, text }) => src !== '' || text.includes('IntersectionObserver'));

  /** Prepares the page for scrolling, and says whether anything in it waits for that. */
  const beginScroll = (): ScrollStart => {
    tintype.isExpanded = true;
    tintype.putRoot();
    tintype.unpin();
    tintype.renderAll();
    const element = tintype.scrolled();
    const { scrollHeight: height, clientHeight: view } = element;
    // Our steps end between the places where a page would stop.
    if (height > view)
      for (const each of [document.documentElement, element as HTMLElement])
        tintype.setAll(each, { 'scroll-snap-type': 'none' });
    const isScripted = tintype.isScripted();
    const waits =
      tintype.allElements().some(isLazy) || (isScripted && (tintype.hasInnerScroller() || tintype.isAnythingHidden()));
    if (isScripted) tintype.noteView(false);
    tintype.sample();
    return {
      height,
      view,
      isScripted,
      waits,
      mayObserve: mayObserve(),
      stuck: isScripted ? tintype.turnableWindows() : 0,
    };
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

  /** Shows what is hidden until it is scrolled to, and measures the page. */
  const showAll = (): Extent => {
    // A script may have added more.
    if (tintype.isScripted()) tintype.renderAll();
    endViewAnimations();
    tintype.holdShown();
    return { ...tintype.measure(), frames: tintype.unpaintedFrames(), isBeside };
  };

  return { beginScroll, showAll };
}
