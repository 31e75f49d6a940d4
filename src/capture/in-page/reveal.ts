// Runs inside the page: scrolls slowly enough for scripts that watch the scrolling, and keeps visible what they reveal.
import type { ExpandBounds, Expansion } from '../in-page-types.ts';
import type { Appearance } from './appearance.ts';

/** What an element looked like, in which window, and whether most of it was in that window. */
type Shown = { readonly look: Appearance; readonly window: number; readonly mostly: boolean };

export default function () {
  /** Scroll handlers are often throttled to 100 ms, and their effect takes two frames. */
  const paceMs = 120;
  /** The longest wait in one window: for what is still invisible, and for its images. */
  const patienceMs = 450;
  const picturesMs = 1200;
  /** Debounced handlers run within this time after the scrolling has stopped. */
  const dwellMs = 350;
  /** After this many waits in a row without effect, invisible elements are not waited for any more. */
  const mostInVain = 3;

  /** Windows are counted while the page is scrolled. */
  let windowNumber = 0;
  const { all: hidden, displaced, nestedImages, find: findHidden } = tintype.hiddenElements;
  /** Their styles when they were shown, and the window in which that was. */
  const shown = new Map<Element, Shown>();
  /** Elements that appeared and disappeared while nothing was scrolled: slides of a carousel, not revealed by scrolling. */
  const turning = new Set<Element>();
  /** Elements that were still fading in when they were last in view. */
  const rising = new Set<Element>();
  /** Has one that was displaced come into sight? Otherwise they are captions for a pointer, or slides that wait for a click. */
  let anyCame = false;
  /** Elements that did not appear in time. */
  const givenUp = new Set<Element>();
  let inVain = 0;
  /** Elements in view that are visible and have moved since the last look. Some pages never stop moving them. */
  let moving = 0;
  let movesForEver = false;

  /** Some pages hide what leaves the window while a part of it is still in view. */
  const isMostlyInView = (element: Element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0) >= Math.min(height, innerHeight) / 2;
  };

  const isLoading = (image: HTMLImageElement) => !image.complete && tintype.inView(image);

  /** In the window, or beside it: from there an element may slide in. */
  const isHere = (element: Element) => {
    if (!displaced.has(element)) return tintype.inView(element);
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };

  /** Records the styles of the elements in view, and returns those that are still invisible or placeholders. */
  const note = () => {
    const waiting: Element[] = [];
    moving = 0;
    tintype.noteParallax();
    for (const element of hidden) {
      if (!element.isConnected) {
        hidden.delete(element);
        continue;
      }
      if (!isHere(element)) continue;
      tintype.finishAnimations(element);
      const look = tintype.lookOf(element);
      const best = shown.get(element);
      if (tintype.isPlaceholder(element)) waiting.push(element);
      else if (tintype.isInvisible(look)) {
        const hasLeft = best && Number(look.opacity) < Number(best.look.opacity) - 0.5;
        if (hasLeft && best.window === windowNumber && best.mostly) turning.add(element);
        waiting.push(element);
      } else if (tintype.isMoved(look) && (!best || tintype.isElsewhere(look, best.look))) moving++;
      if (displaced.has(element)) {
        // One that still moves is waited for, too.
        const isOut = tintype.isOutOfSight(element, look);
        if (isOut || !best || tintype.isElsewhere(look, best.look)) waiting.push(element);
        if (isOut) continue;
        anyCame = true;
      }
      if (look.visibility === 'hidden' || Number(look.opacity) < Number(best?.look.opacity ?? 0.05)) continue;
      if (Number(look.opacity) < 1 && best?.look.opacity !== look.opacity) rising.add(element);
      else rising.delete(element);
      shown.set(element, { look, window: windowNumber, mostly: isMostlyInView(element) });
    }
    return waiting;
  };

  const fingerprint = () => {
    let sum = '';
    for (const element of hidden)
      if (isHere(element)) {
        const { opacity, visibility, transform, clipPath } = getComputedStyle(element);
        sum += `${opacity} ${visibility} ${transform} ${clipPath};`;
      }
    return sum;
  };

  /** Stays in this window as long as something appears, at least `least` ms. */
  const dwell = async (least: number, end: number) => {
    await tintype.pause(least);
    // Intersection observers run with a frame, and a busy machine draws few frames.
    await tintype.twoFrames();
    findHidden();
    const mayCome = (element: Element) => anyCame || inVain < mostInVain || !displaced.has(element);
    const waitedFor = () => note().filter((element) => !givenUp.has(element) && mayCome(element));
    const first = waitedFor();
    let waiting = first;
    let last = fingerprint();
    let began = tintype.now();
    let movedAt = began;
    for (;;) {
      const now = tintype.now();
      const waits = waiting.length > 0 && inVain < mostInVain && now - began < patienceMs;
      const isComing = waiting.length > 0 || (moving > 0 && !movesForEver);
      const comes = (isComing && now - movedAt < 200) || [...document.images, ...nestedImages()].some(isLoading);
      if (now > end || !(waits || (comes && now - began < picturesMs))) break;
      const late = await tintype.pause(40);
      began += late;
      movedAt += late;
      waiting = waitedFor();
      const sum = fingerprint();
      if (sum !== last) movedAt = tintype.now();
      last = sum;
    }
    movesForEver ||= moving > 0 && waiting.length === 0;
    if (first.length === 0) return;
    inVain = waiting.length < first.length ? 0 : inVain + 1;
    for (const element of waiting) givenUp.add(element);
  };

  /**
   * Scrolls down by a little more than half a window at a time and waits in each; a page that grows is followed. If the time
   * runs out, the rest is scrolled through without waits. Then it visits the places where something is still invisible, and
   * returns to the top.
   */
  const scrollSlowly = async (
    element: Element,
    bounds: ExpandBounds & { ms: number },
    onStep: () => void,
  ): Promise<Expansion> => {
    const end = tintype.now() + bounds.ms;
    const view = element.clientHeight;
    const begun = element.scrollHeight;
    const bottom = () => Math.min(element.scrollHeight, bounds.height) - view;
    const goTo = (y: number) => {
      element.scrollTo({ top: y, behavior: 'instant' });
      windowNumber++;
      onStep();
    };
    findHidden();
    note();
    tintype.sample();
    let y = Math.max(0, bounds.from - view);
    let steps = bounds.steps;
    let hurried: number | undefined;
    let height: number;
    for (;;) {
      while (y < bottom() && steps > 0) {
        y = Math.min(y + Math.max(view * 0.6, Math.min(view, (bottom() - y) / steps)), bottom());
        steps--;
        goTo(y);
        if (tintype.now() < end) await dwell(paceMs, end);
        else {
          hurried ??= y;
          await tintype.frame();
        }
        tintype.sample();
      }
      height = element.scrollHeight;
      for (let i = 0; i < 4 && element.scrollHeight === height && tintype.now() < end; i++)
        await dwell(dwellMs / 4, end);
      if (element.scrollHeight <= height || height >= bounds.height || steps <= 0 || tintype.now() >= end) break;
    }
    const ended = y >= bottom() - 1 || element.scrollHeight <= begun;
    if (bounds.watched) await lookAgain(element, goTo, end);
    goTo(0);
    await tintype.pause(paceMs);
    await tintype.twoFrames();
    const isMissing = () => [...hidden].some((at) => at.isConnected && !shown.has(at));
    return {
      ended,
      height,
      inViewOnly: tintype.holdsOnlyTheView(),
      ...(hurried !== undefined && isMissing() && { hurried: Math.round(hurried) }),
    };
  };

  const isUnseen = (element: Element) => {
    const style = getComputedStyle(element);
    return tintype.isInvisible(style) || (anyCame && displaced.has(element) && tintype.isOutOfSight(element, style));
  };

  /** Debounced handlers only act where the scrolling stops, so it stops at each place where something is still invisible. */
  const lookAgain = async (element: Element, goTo: (y: number) => void, end: number) => {
    const view = element.clientHeight;
    const places = new Set<number>();
    for (const at of hidden)
      if (at.isConnected && (tintype.isPlaceholder(at) || (!shown.has(at) && isUnseen(at)))) {
        const { top, height } = at.getBoundingClientRect();
        if (height > 0) places.add(Math.max(0, Math.round(((element.scrollTop + top + height / 2) / view) * 2 - 1)));
      }
    let last = Number.NEGATIVE_INFINITY;
    inVain = 0;
    givenUp.clear();
    for (const place of [...places].sort((a, b) => a - b)) {
      if (tintype.now() >= end || inVain >= mostInVain) return;
      // This place was in the previous window, too.
      if (place - last < 2) continue;
      last = place;
      goTo((place * view) / 2);
      await dwell(dwellMs, end);
    }
  };

  /** Waits until no revealed element moves any more. */
  const quietReveals = async (ms: number): Promise<void> => {
    let end = tintype.now() + ms;
    const sum = () => [...hidden].map((element) => getComputedStyle(element).opacity).join();
    let last = sum();
    for (let same = 0; same < 3 && tintype.now() < end; ) {
      end += await tintype.pause(40);
      for (const element of hidden) tintype.finishAnimations(element);
      const now = sum();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  };

  /** Shows elements again that were visible in view and are hidden now. */
  const holdShown = () => {
    tintype.holdParallax();
    for (const [element, { look }] of shown) {
      if (!element.isConnected || turning.has(element)) continue;
      const now = tintype.lookOf(element);
      const lost =
        now.visibility === 'hidden' ||
        Number(now.opacity) < Number(look.opacity) - 0.05 ||
        (displaced.has(element) && tintype.isElsewhere(now, look));
      if (!lost) continue;
      // A library that hides it again would start another animation when this one is finished, above the one that holds it.
      for (const animation of element.getAnimations().filter(tintype.isEnding)) animation.cancel();
      const held = tintype.hold(element, rising.has(element) ? { ...look, opacity: 1, transform: 'none' } : look);
      // Judged in the place where it was shown: until then it may be moved over its neighbour.
      if (tintype.isReplaced(element)) held.cancel();
    }
  };

  /** Is any element in the flow invisible or a placeholder? */
  const isAnythingHidden = () => {
    findHidden();
    return hidden.size > 0;
  };

  /** Records the elements in view, because the page may hide them when they are left. */
  const noteView = () => {
    findHidden();
    for (const element of [...document.querySelectorAll('body *')].slice(0, tintype.hiddenElements.most))
      if (tintype.inView(element)) hidden.add(element);
    note();
  };

  /** Waits in a window that was not reached by scrolling. */
  const dwellHere = () => dwell(0, tintype.now() + picturesMs);

  return { noteView, dwellHere, scrollSlowly, quietReveals, holdShown, isAnythingHidden };
}
