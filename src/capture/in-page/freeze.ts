// Runs inside the page right before the picture: stops all motion, so that the same page gives the same picture.

/** An animation of an element. */
type ElementAnimation = Animation & { readonly effect: KeyframeEffect & { readonly target: Element } };

export default function () {
  /** The moments of the first iteration that are tried, and how many animations and durations are considered. */
  const moments = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  const mostLookedAt = 24;
  const mostLengths = 6;

  const opacityOf = ({ effect }: Pick<ElementAnimation, 'effect'>) =>
    Number(getComputedStyle(effect.target, effect.pseudoElement).opacity);

  /** The visible area in the window, or in the whole page if that is captured, multiplied by the opacity. */
  const presence = ({ effect }: ElementAnimation) => {
    const box = effect.target.getBoundingClientRect();
    const end = tintype.isExpanded ? Number.POSITIVE_INFINITY : innerHeight;
    const side = (from: number, to: number, most: number) => Math.max(0, Math.min(to, most) - Math.max(from, 0));
    return side(box.left, box.right, innerWidth) * side(box.top, box.bottom, end) * opacityOf({ effect });
  };

  const holdAt = (animations: readonly Animation[], time: number) => {
    for (const animation of animations) animation.currentTime = time;
  };

  const isWhole = (animation: ElementAnimation) => presence(animation) > 0 && opacityOf(animation) > 0.99;

  /**
   * Endless animations of the same duration belong together: a slide show has one for each slide. They are paused at the
   * first moment of their first iteration at which nearly the largest part of them is visible. That is the beginning for a
   * spinner, and the first slide for a slide show that begins empty.
   */
  const hold = (animations: readonly ElementAnimation[], length: number) => {
    const some = animations.slice(0, mostLookedAt);
    let best = 0;
    let most = -1;
    for (const moment of moments) {
      holdAt(some, moment * length);
      if (moment === 0 && some.every(isWhole)) break;
      const seen = some.reduce((sum, animation) => sum + presence(animation), 0);
      if (seen > most * 1.05 + 1) {
        most = seen;
        best = moment;
      }
    }
    holdAt(animations, best * length);
  };

  const isRunning = (animation: Animation): animation is ElementAnimation =>
    (animation.effect as KeyframeEffect | null)?.target != null && animation.playState === 'running';

  const holdEndless = (animations: readonly Animation[]) => {
    const running = animations.filter(isRunning);
    for (const animation of running) animation.pause();
    const byLength = Map.groupBy(running, ({ effect }) => effect.getComputedTiming().duration);
    let lengths = mostLengths;
    for (const [length, some] of byLength)
      if (typeof length === 'number' && Number.isFinite(length) && lengths-- > 0) hold(some, length);
      else holdAt(some, 0);
  };

  const rest = (animations: readonly Animation[]) => {
    // Scroll-driven animations already depend on the scroll position only.
    holdEndless(
      animations.filter((animation) => animation.timeline instanceof DocumentTimeline && !tintype.hasEnd(animation)),
    );
  };

  const mostDrawn = 500;
  /** What is repeated for ever has no end. */
  const staysAtEnd = '[fill="freeze"]:not([repeatCount="indefinite"], [repeatDur="indefinite"])';
  /** Those that have moved or turned their element. */
  const placed = new WeakSet<Element>();
  /** By themselves: at a time, or after another one; not by a click. */
  const beginsAlone = (part: Element) =>
    /^[\s\d.smh+;]*$|\.(end|begin)/.test((part.getAttribute('begin') ?? '').slice(0, 200));

  /**
   * The browser is told not to animate images, and then runs no animations of SVG elements (SMIL) either. What one of them
   * leaves behind at its end, such as a drawn line, is set here.
   */
  const finishDrawings = () => {
    const parts = [...document.querySelectorAll(`:is(animate, animateTransform)${staysAtEnd}, set[fill="freeze"]`)];
    for (const part of parts.slice(0, mostDrawn)) {
      const name = part.getAttribute('attributeName');
      const end = part.getAttribute('values')?.split(';').at(-1)?.trim() || part.getAttribute('to');
      if (!(part instanceof SVGAnimationElement) || !name || !end || placed.has(part)) continue;
      if (!beginsAlone(part)) continue;
      if (part instanceof SVGAnimateTransformElement) placed.add(part);
      part.targetElement?.setAttribute(name, endOf(part, name, end));
    }
  };

  /** A transform replaces the one that the element has, or is added to it. */
  const endOf = (part: SVGAnimationElement, name: string, end: string): string => {
    if (!(part instanceof SVGAnimateTransformElement)) return end;
    const isAdded = part.getAttribute('additive') === 'sum';
    const before = isAdded ? (part.targetElement?.getAttribute(name) ?? '') : '';
    return `${before} ${part.getAttribute('type') ?? 'translate'}(${end})`;
  };

  const svg = 'http://www.w3.org/2000/svg';
  const longestPath = 10_000;

  /** Where an element that moves along a path begins or, if it stays there, ends. Without its motion it lies at 0,0. */
  const pointOf = (motion: Element): DOMPoint | undefined => {
    const along = motion.querySelector('mpath');
    const link = along?.getAttribute('href') ?? along?.getAttribute('xlink:href') ?? '';
    const d = motion.getAttribute('path') ?? document.getElementById(link.slice(1))?.getAttribute('d') ?? '';
    if (d === '' || d.length > longestPath) return undefined;
    const path = document.createElementNS(svg, 'path');
    path.setAttribute('d', d);
    try {
      return path.getPointAtLength(motion.matches(staysAtEnd) ? path.getTotalLength() : 0);
    } catch {
      // The path is not valid, or empty.
      return undefined;
    }
  };

  const placeMoving = () => {
    const motions = [...document.querySelectorAll('animateMotion')].filter((motion) => !placed.has(motion));
    for (const motion of motions.slice(0, mostDrawn)) {
      placed.add(motion);
      if (!(motion instanceof SVGAnimationElement) || !beginsAlone(motion)) continue;
      const point = pointOf(motion);
      const target = motion.targetElement;
      if (point === undefined || !target) continue;
      target.setAttribute('transform', `translate(${point.x} ${point.y}) ${target.getAttribute('transform') ?? ''}`);
    }
  };

  const seekToStart = async (video: HTMLVideoElement): Promise<void> => {
    const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
    video.currentTime = 0;
    await tintype.within(500, seeked);
  };

  /** Shows the first frame of a video; true if it may have shown another one. */
  const rewind = async (video: HTMLVideoElement): Promise<boolean> => {
    video.pause();
    const hasMoved = video.currentTime > 0 || video.played.length > 0;
    if (video.readyState < HTMLMediaElement.HAVE_METADATA || !hasMoved || video.srcObject) return false;
    await seekToStart(video);
    // A video that begins again at this moment seeks, too, and may undo our seek.
    if (video.currentTime > 0) await seekToStart(video);
    return true;
  };

  /**
   * About one video in a hundred keeps an old frame in the picture for good: Chromium takes it for hidden and no longer
   * sends its frames to the screen. Being hidden and shown again makes it send the current one. A style sheet does it
   * without a change of layout or of attributes that the page could see.
   */
  const sendCurrentFrames = async (): Promise<void> => {
    const sheet = tintype.adopt('video { visibility: hidden !important; transition: none !important }');
    // With two frames instead of four, the page was not always painted without the video on a busy machine.
    await tintype.within(500, tintype.frames(4));
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    await tintype.within(500, tintype.frames(4));
  };

  const still = async (): Promise<void> => {
    const transition = tintype.endTransition();
    if (transition) await tintype.within(500, transition);
    tintype.endMotion();
    rest(tintype.animations());
    finishDrawings();
    placeMoving();
    const focused = document.activeElement as HTMLElement | null;
    // A blinking caret would be in every second picture.
    if (focused !== null && focused !== document.body)
      focused.style?.setProperty('caret-color', 'transparent', 'important');
    // An SVG element may have the same name.
    const videos = [...document.querySelectorAll('video')].filter((element) => element instanceof HTMLVideoElement);
    const moved = await Promise.all(videos.map(rewind));
    if (moved.includes(true)) await sendCurrentFrames();
  };

  return { still };
}
