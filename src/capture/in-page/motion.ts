// Runs inside the page: does anything that a reader sees still move, and will it come to an end?

export default function () {
  /** What has looked the same for so long rests. */
  const restMs = 200;
  const lookEveryMs = 40;

  const mostCanvases = 6;

  /** The browser sorts all animations of style sheets when it is asked for them: a thousand take a second. */
  const crowd = 500;
  const samples = 100;
  let isDear = false;

  const isCrowded = () => {
    const all = document.getElementsByTagName('*');
    if (all.length < crowd) return false;
    let animated = 0;
    for (let i = 0; i < samples; i++)
      if (getComputedStyle(all[Math.floor((i * all.length) / samples)]).animationName !== 'none') animated++;
    return (animated * all.length) / samples > crowd;
  };

  /** Each of a crowd may be a layer of its own, and a page of thousands is never drawn: they are ended at once. */
  const endCrowd = () => {
    isDear = true;
    tintype.adopt(`*, ::before, ::after {
    animation-delay: -100000s !important;
    animation-iteration-count: 1 !important;
  }`);
  };

  /** All animations of the page, unless they are a crowd. */
  const animations = (): Animation[] => {
    if (!isDear && isCrowded()) endCrowd();
    if (isDear) return [];
    const began = tintype.now();
    const found = document.getAnimations();
    isDear = found.length > crowd && tintype.now() - began > 100;
    return found;
  };

  const endTime = (animation: Animation) => animation.effect?.getComputedTiming().endTime;
  const targetOf = (animation: Animation) => (animation.effect as KeyframeEffect | null)?.target;
  const runs = (animation: Animation) =>
    animation.playState === 'running' && animation.timeline instanceof DocumentTimeline;

  /** Milliseconds until the last of these that are in view ends, of those that end before the bound. */
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

  /** Elements that never rest by themselves: what they and those in them do tells nothing. */
  const restless = (some: readonly Animation[]) => {
    const found = new Set<Element | null | undefined>(
      document.querySelectorAll('marquee, svg:has([repeatCount="indefinite"])'),
    );
    for (const animation of some)
      if (runs(animation) && endTime(animation) === Number.POSITIVE_INFINITY) found.add(targetOf(animation));
    return found;
  };

  const isIn = (element: Element, set: ReadonlySet<Element | null | undefined>) => {
    for (let at: Element | null = element; at; at = at.parentElement) if (set.has(at)) return true;
    return false;
  };

  let pen: OffscreenCanvasRenderingContext2D | undefined;

  /** A canvas is looked at in small. One with pictures of other sites may not be read. */
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

  /** What a reader sees, as a text that is the same as long as that is the same. */
  const look = (some: readonly Animation[]) => {
    const apart = restless(some);
    const seen: (string | number)[] = [];
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
      if (element.localName === 'canvas' && canvases-- > 0) seen.push(drawn(element as HTMLCanvasElement));
    }
    return seen.join();
  };

  /** Until nothing in view moves any more, or until `end`. */
  const still = async (end: number): Promise<void> => {
    const { now, pause } = tintype;
    let before = look(animations());
    let since = now();
    let took = 0;
    while (now() < end) {
      // A page whose looks are dear is looked at less often.
      const wait = Math.max(lookEveryMs, 3 * took);
      const asked = now();
      await pause(wait);
      // Where we were held up, so was the page: what it meant to do meanwhile comes now.
      since += Math.max(0, now() - asked - wait - 30);
      const began = now();
      const some = animations();
      const after = look(some);
      const animated = animatedFor(end - began, some);
      took = now() - began;
      if (animated > 0 || after !== before) since = now();
      else if (now() - since >= restMs) return;
      before = after;
    }
  };

  /** Words of a script that acts later than it is run. */
  const actsLater =
    /setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|fetch|XMLHttpRequest|then\s*\(|await|addEventListener|onload|Observer|import|animat|\$\(|jQuery/;
  const isCode = ({ type }: HTMLScriptElement) =>
    type === '' || /^(module|(text|application)\/(java|ecma)script)$/i.test(type.trim());
  const shortScript = 1024;

  /** Scripts in the page are read, others are known by their length: a short one is run and done. */
  const scriptsMayAct = () => {
    const external = [...document.scripts].filter(({ src }) => src !== '');
    const inline = [...document.scripts].filter((script) => script.src === '' && isCode(script));
    if (inline.some(({ text }) => text.length > 20_000 || actsLater.test(text))) return true;
    return external.some((script) => {
      const [entry] = performance.getEntriesByName(script.src, 'resource') as PerformanceResourceTiming[];
      return isCode(script) && !(entry && entry.decodedBodySize > 0 && entry.decodedBodySize < shortScript);
    });
  };

  /** Is there a sign that the page moves, or that something in it could begin to? */
  const mayMove = () =>
    animatedFor(Number.POSITIVE_INFINITY, animations()) > 0 ||
    tintype.now() - (globalThis.changedAt ?? Number.NEGATIVE_INFINITY) < restMs ||
    scriptsMayAct();

  return { animations, still, mayMove, scriptsMayAct };
}
