// Runs inside the page: its animations and transitions.

export default function () {
  /** getAnimations() sorts all CSS animations: a thousand take a second. */
  const mostAnimations = 500;
  const samples = 100;
  let isCostly = false;

  const hasTooMany = () => {
    const all = document.getElementsByTagName('*');
    if (all.length < mostAnimations) return false;
    let animated = 0;
    for (let i = 0; i < samples; i++)
      if (getComputedStyle(all[Math.floor((i * all.length) / samples)]).animationName !== 'none') animated++;
    return (animated * all.length) / samples > mostAnimations;
  };

  /** Thousands of animations may be as many layers, and the page is never painted: all are ended by a style sheet. */
  const endAll = () => {
    isCostly = true;
    tintype.adopt(`*, ::before, ::after {
    animation-delay: -100000s !important;
    animation-iteration-count: 1 !important;
  }`);
  };

  /** While a view transition runs, the window shows pictures of the page before and after it. The page itself has changed. */
  const endTransition = (): Promise<unknown> | undefined => {
    const { activeViewTransition } = document as Document & { activeViewTransition?: ViewTransition | null };
    if (!activeViewTransition) return undefined;
    activeViewTransition.skipTransition();
    return activeViewTransition.finished.catch(() => {});
  };

  /** All animations of the page; none if there are too many. */
  const animations = (): Animation[] => {
    endTransition();
    if (!isCostly && hasTooMany()) endAll();
    if (isCostly) return [];
    const began = performance.now();
    const found = document.getAnimations();
    isCostly = found.length > mostAnimations && performance.now() - began > 100;
    return found;
  };

  /** Keeps the element like this: a finished animation overrides the page's styles. */
  const hold = (element: Element, look: Keyframe, pseudoElement?: string | null): Animation => {
    const held = element.animate([look, look], { duration: 1, fill: 'both', pseudoElement });
    held.finish();
    return held;
  };

  const hasEnd = ({ timeline, effect }: Animation) =>
    // Scroll-driven animations depend on the scroll position only.
    timeline instanceof DocumentTimeline && Number.isFinite(effect?.getComputedTiming().endTime);

  const finish = (animation: Animation) => {
    try {
      animation.finish();
    } catch {
      // An animation without an effect, or with a rate of 0, cannot be finished.
    }
  };

  const targetOf = (animation: Animation) => (animation.effect as KeyframeEffect | null)?.target;

  /** Finishes what has an end and moves one of these elements. True if there was any. */
  const endMotion = (of: (element: Element) => boolean = () => true): boolean => {
    const running = animations().filter((animation) => {
      const target = targetOf(animation);
      return animation.playState !== 'finished' && hasEnd(animation) && (!target || of(target));
    });
    for (const animation of running) finish(animation);
    return running.length > 0;
  };

  return { animations, endTransition, hold, hasEnd, endMotion };
}
