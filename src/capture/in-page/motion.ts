// Runs inside the page: waits until nothing in view moves any more.

export default function () {
  /** A page that has not changed for this long is at rest. */
  const restMs = 200;
  const lookEveryMs = 40;

  const mostCanvases = 6;

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
    const began = tintype.now();
    const found = document.getAnimations();
    isCostly = found.length > mostAnimations && tintype.now() - began > 100;
    return found;
  };

  /** Keeps the element like this: a finished animation overrides the page's styles. */
  const hold = (element: Element, look: Keyframe, pseudoElement?: string | null): Animation => {
    const held = element.animate([look, look], { duration: 1, fill: 'both', pseudoElement });
    held.finish();
    return held;
  };

  const endTime = (animation: Animation) => animation.effect?.getComputedTiming().endTime;
  const targetOf = (animation: Animation) => (animation.effect as KeyframeEffect | null)?.target;
  const runs = (animation: Animation) =>
    animation.playState === 'running' && animation.timeline instanceof DocumentTimeline;

  /** Milliseconds until the last animation in view ends, of those that end within `ms`. */
  const animatedFor = (ms: number, some: readonly Animation[]) => {
    let longest = 0;
    for (const animation of some) {
      const end = endTime(animation);
      const target = targetOf(animation);
      if (!runs(animation) || typeof end !== 'number' || !Number.isFinite(end) || !target || !tintype.inView(target))
        continue;
      const left = (end - Number(animation.currentTime ?? 0)) / Math.abs(animation.playbackRate || 1);
      if (left > longest && left <= ms) longest = left;
    }
    return longest;
  };

  /** Elements with endless motion: they and their descendants are ignored. */
  const restless = (some: readonly Animation[]) => {
    const found = new Set<Element | null | undefined>(
      document.querySelectorAll('marquee, svg:has([repeatCount="indefinite"])'),
    );
    for (const animation of some)
      if (runs(animation) && endTime(animation) === Number.POSITIVE_INFINITY) found.add(targetOf(animation));
    return found;
  };

  const isIn = (element: Element, set: ReadonlySet<Element | null | undefined>) => {
    for (let at: Element | null = element; at; at = tintype.parentElement(at)) if (set.has(at)) return true;
    return false;
  };

  let pen: OffscreenCanvasRenderingContext2D | undefined;

  /** A small copy of a canvas. One with images of other sites cannot be read. */
  const drawn = (canvas: HTMLCanvasElement) => {
    try {
      pen ??= new OffscreenCanvas(24, 24).getContext('2d', {
        willReadFrequently: true,
      }) as OffscreenCanvasRenderingContext2D;
      pen.clearRect(0, 0, 24, 24);
      pen.drawImage(canvas, 0, 0, 24, 24);
      return pen.getImageData(0, 0, 24, 24).data.join();
    } catch {
      return '';
    }
  };

  /** A number, with a unit at most. */
  const countable = /^\D{0,10}\d[\d.,\s]{0,15}\D{0,10}$/;

  /** What charts and counters draw in boxes that do not change. */
  const drawnBy = (element: Element, style: CSSStyleDeclaration): string => {
    if (element instanceof SVGGeometryElement)
      return `${style.strokeDasharray} ${style.strokeDashoffset} ${element.getAttribute('d')?.slice(0, 1000)}`;
    const text = element.childElementCount === 0 ? element.textContent : '';
    return text.length < 40 && countable.test(text) ? text : '';
  };

  /** Fingerprints of what is visible, and of what charts and counters draw. */
  const look = (some: readonly Animation[]) => {
    const apart = restless(some);
    const seen: (string | number)[] = [];
    const drawings: string[] = [];
    let canvases = mostCanvases;
    for (const element of tintype.elementsInView().slice(0, 600)) {
      if (apart.size > 0 && isIn(element, apart)) continue;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (style.animationIterationCount.includes('infinite') && style.animationName !== 'none') continue;
      seen.push(
        Math.round(box.x * 2),
        Math.round(box.y * 2),
        Math.round(box.width * 2),
        Math.round(box.height * 2),
        style.opacity,
        style.visibility,
        style.backgroundColor,
        style.backgroundImage.length,
        style.filter,
        style.clipPath,
        element.childElementCount === 0 ? element.textContent.length : element.childElementCount,
        (element as HTMLImageElement).currentSrc ?? '',
      );
      drawings.push(drawnBy(element, style));
      if (element.localName === 'canvas' && canvases-- > 0) seen.push(drawn(element as HTMLCanvasElement));
    }
    const drawing = drawings.join();
    return { drawing, all: `${seen.join()} ${drawing}` };
  };

  /** Waits until nothing in view moves any more, or until `end`, and for what is still being drawn then until `drawingEnd`. */
  const still = async (end: number, drawingEnd: number): Promise<void> => {
    const { now, pause } = tintype;
    let before = look(animations());
    let since = now();
    let drawnAt = Number.NEGATIVE_INFINITY;
    let took = 0;
    while (now() < (now() - drawnAt < restMs ? drawingEnd : end)) {
      // A page that takes long to check is checked less often.
      const wait = Math.max(lookEveryMs, 3 * took);
      since += await pause(wait);
      const began = now();
      const some = animations();
      const after = look(some);
      const animated = animatedFor(end - began, some);
      took = now() - began;
      if (after.drawing !== before.drawing) drawnAt = now();
      if (animated > 0 || after.all !== before.all) since = now();
      else if (now() - since >= restMs) return;
      before = after;
    }
  };

  /** Code that may act after the script has run. */
  const actsLater =
    /setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|fetch|XMLHttpRequest|then\s*\(|await|addEventListener|onload|Observer|import|animat|\$\(|jQuery/;
  const isCode = ({ type }: HTMLScriptElement) =>
    type === '' || /^(module|(text|application)\/(java|ecma)script)$/i.test(type.trim());
  const shortScript = 1024;

  /** Inline scripts are searched. External ones are judged by their size: a short one does not act later. */
  const scriptsMayAct = () => {
    const external = [...document.scripts].filter(({ src }) => src !== '');
    const inline = [...document.scripts].filter((script) => script.src === '' && isCode(script));
    if (inline.some(({ text }) => text.length > 20_000 || actsLater.test(text))) return true;
    return external.some((script) => {
      const [entry] = performance.getEntriesByName(script.src, 'resource') as PerformanceResourceTiming[];
      return isCode(script) && !(entry && entry.decodedBodySize > 0 && entry.decodedBodySize < shortScript);
    });
  };

  /** Does the page move, or could a script begin to move something? */
  const mayMove = () =>
    animatedFor(Number.POSITIVE_INFINITY, animations()) > 0 ||
    tintype.now() - (globalThis.changedAt ?? Number.NEGATIVE_INFINITY) < restMs ||
    scriptsMayAct();

  return { animations, endTransition, hold, still, mayMove, scriptsMayAct };
}
