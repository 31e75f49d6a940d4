// Runs inside the page: keeps visible what the page reveals while it is scrolled.
import type { Appearance } from './appearance.ts';

/** What an element looked like, in which window, and whether most of it was in that window. */
type Shown = { readonly look: Appearance; readonly window: number; readonly mostly: boolean };

export default function () {
  /** After this many waits in a row without effect, invisible elements are not waited for any more. */
  const mostInVain = 3;

  /** Windows are counted while the page is scrolled. */
  let windowNumber = 0;
  const { all: hidden, displaced, find: findHidden } = tintype.hiddenElements;
  /** Their styles when they were shown, and the window in which that was. */
  const shown = new Map<Element, Shown>();
  /** Elements that appeared and disappeared while nothing was scrolled: slides of a carousel, not revealed by scrolling. */
  const turning = new Set<Element>();
  /** Their opacity when they were found. */
  const opacityAtFirst = new Map<Element, number>();
  /** Elements that were still fading in when they were last in view, with the time or with the scrolling. */
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
      if (!opacityAtFirst.has(element)) opacityAtFirst.set(element, Number(getComputedStyle(element).opacity));
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
      const opacity = Number(look.opacity);
      if (opacity > 0.99) rising.delete(element);
      else if (opacity > (opacityAtFirst.get(element) ?? 1) + 0.05) rising.add(element);
      shown.set(element, { look, window: windowNumber, mostly: isMostlyInView(element) });
    }
    return waiting;
  };

  /**
   * Records what has appeared in this window. True if something is still invisible here and may appear, or moves. With `last`,
   * it is not waited for any more.
   */
  const noteView = (last: boolean): boolean => {
    findHidden();
    const mayCome = (element: Element) => inVain < mostInVain && (anyCame || !displaced.has(element));
    const waiting = note().filter((element) => !givenUp.has(element) && mayCome(element));
    if (last) {
      inVain = waiting.length === 0 ? 0 : inVain + 1;
      for (const element of waiting) givenUp.add(element);
      movesForEver ||= moving > 0 && waiting.length === 0;
    }
    return waiting.length > 0 || (moving > 0 && !movesForEver);
  };

  const noteAfterFrame = (last: boolean) => tintype.frames(1).then(() => noteView(last));

  /** Scrolls to a height of the page. */
  const goTo = async (y: number): Promise<void> => {
    tintype.scrolled().scrollTo({ top: y, behavior: 'instant' });
    windowNumber++;
    await tintype.frames(1);
    tintype.sample();
  };

  const isUnseen = (element: Element) => {
    const style = getComputedStyle(element);
    return tintype.isInvisible(style) || (anyCame && displaced.has(element) && tintype.isOutOfSight(element, style));
  };

  /** Where something is still invisible: scrolling that stops there may show it. */
  const unseenPlaces = (): number[] => {
    const element = tintype.scrolled();
    const view = element.clientHeight;
    const places = new Set<number>();
    for (const at of hidden)
      if (at.isConnected && (tintype.isPlaceholder(at) || (!shown.has(at) && isUnseen(at)))) {
        const { top, height } = at.getBoundingClientRect();
        if (height > 0) places.add(Math.max(0, Math.round(((element.scrollTop + top + height / 2) / view) * 2 - 1)));
      }
    inVain = 0;
    givenUp.clear();
    let last = Number.NEGATIVE_INFINITY;
    const apart = [...places]
      .sort((a, b) => a - b)
      .filter((place) => {
        // This place is in the previous window, too.
        if (place - last < 2) return false;
        last = place;
        return true;
      });
    return apart.map((place) => (place * view) / 2);
  };

  const isMissing = (): boolean => [...hidden].some((at) => at.isConnected && !shown.has(at));

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

  /** Records all elements in view, because the page may hide them when they are left. */
  const noteAll = () => {
    findHidden();
    for (const element of [...document.querySelectorAll('body *')].slice(0, tintype.hiddenElements.most))
      if (tintype.inView(element)) hidden.add(element);
    note();
  };

  return { noteAll, noteAfterFrame, noteView, goTo, unseenPlaces, isMissing, holdShown, isAnythingHidden };
}
