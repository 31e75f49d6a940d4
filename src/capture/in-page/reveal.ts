// Runs inside the page: scrolls at the pace of the scripts that watch, and keeps what they have shown on the way.
import type { ExpandBounds, Expansion } from '../in-page-types.ts';

type Appearance = Pick<
  CSSStyleDeclaration,
  'opacity' | 'visibility' | 'transform' | 'translate' | 'scale' | 'rotate' | 'filter' | 'clipPath'
>;

export default function () {
  /** Throttles of 100 ms are common, and two frames are needed to see what they did. */
  const paceMs = 120;
  /** How long one window is waited for at most: for what is still invisible in it, and for its pictures. */
  const patienceMs = 450;
  const picturesMs = 1200;
  /** Longer than debounced listeners wait for the scrolling to end. */
  const dwellMs = 350;
  /** So many waits in a row that showed nothing: what is invisible here stays so. */
  const mostInVain = 3;

  /** Elements that were invisible at some time, and how those that were then shown looked. */
  const hidden = new Set<Element>();
  const shown = new Map<Element, Appearance>();
  /** Those that came and went while they were in view: slides of a carousel, not what scrolling reveals. */
  const turning = new Set<Element>();
  /** Those that were on their way to be shown when they were last seen. */
  const rising = new Set<Element>();
  /** Those that were waited for in vain. */
  const givenUp = new Set<Element>();
  /** More than this are no sections and pictures. */
  const mostHidden = 3000;
  let counted = 0;
  let inVain = 0;

  const lazyName = /(^|[\s_-])(lazy|lazyload|lozad|lazy-load|b-lazy)($|[\s_-])/i;
  const lazyAttributes = ['data-src', 'data-srcset', 'data-lazy', 'data-original', 'data-bg', 'data-background-image'];

  /** An image or background that a script is to bring. */
  const isPlaceholder = (element: Element) => {
    const isLazy =
      lazyAttributes.some((name) => element.hasAttribute(name)) ||
      (element.localName === 'img' && lazyName.test(element.getAttribute('class') ?? ''));
    if (!isLazy) return false;
    if (element.localName === 'img') {
      const { complete, naturalWidth, currentSrc } = element as HTMLImageElement;
      return !complete || naturalWidth <= 1 || /^data:/.test(currentSrc);
    }
    return !/video|iframe|source/.test(element.localName) && getComputedStyle(element).backgroundImage === 'none';
  };

  const isInvisible = ({ opacity, visibility }: Pick<Appearance, 'opacity' | 'visibility'>) =>
    Number(opacity) < 0.99 || visibility === 'hidden';

  /** Is something visible where the element is? Then it is its turn, not the element's. */
  const isReplaced = (element: Element) => {
    const box = element.getBoundingClientRect();
    return [...(element.parentElement?.children ?? [])].slice(0, 50).some((other) => {
      if (other === element || isInvisible(getComputedStyle(other))) return false;
      const { left, right, top, bottom } = other.getBoundingClientRect();
      const width = Math.min(right, box.right) - Math.max(left, box.left);
      const height = Math.min(bottom, box.bottom) - Math.max(top, box.top);
      return width > 0 && height > 0 && width * height >= (box.width * box.height) / 2;
    });
  };

  /** Menus, tooltips, overlays and slides wait for a pointer or for their turn, not for the scrolling. */
  const isLayer = (element: Element, { position, visibility }: CSSStyleDeclaration) =>
    position === 'absolute' && (visibility === 'hidden' || isReplaced(element));

  /** Notes what is invisible in the flow. What is fixed to the window says nothing about the place it is at. */
  const look = () => {
    const all = document.body?.getElementsByTagName('*') ?? [];
    if (all.length === counted) return;
    counted = all.length;
    const apart = new Set<Element | null>();
    for (const element of [...all].slice(0, 20_000)) {
      if (hidden.size >= mostHidden) return;
      const parent = element.parentElement;
      const style = getComputedStyle(element);
      if (apart.has(parent) || style.position === 'fixed' || style.position === 'sticky') {
        apart.add(element);
        continue;
      }
      if (style.display === 'none' || hidden.has(element)) continue;
      const inherited = style.visibility === 'hidden' && parent && hidden.has(parent);
      const own = isInvisible(style) && !inherited && !isLayer(element, style);
      if (!own && !isPlaceholder(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width * height >= 100) hidden.add(element);
      // Children inherit it: the one that hides them stands for all.
      else if (style.visibility === 'hidden') hidden.add(element);
    }
  };

  const properties = [
    'opacity',
    'visibility',
    'transform',
    'translate',
    'scale',
    'rotate',
    'filter',
    'clipPath',
  ] as const;

  const stateOf = (element: Element) => {
    const style = getComputedStyle(element);
    return Object.fromEntries(properties.map((name) => [name, style[name]])) as Appearance;
  };

  /** An animation that has begun is shown at its end. */
  const finish = (element: Element) => {
    for (const animation of element.getAnimations())
      if (
        animation.timeline instanceof DocumentTimeline &&
        Number.isFinite(animation.effect?.getComputedTiming().endTime)
      )
        try {
          animation.finish();
        } catch {
          // One with a rate of 0 has no end.
        }
  };

  const isLoading = (image: HTMLImageElement) => !image.complete && tintype.inView(image);

  /** Keeps how the elements in view look, and tells which of them are still invisible or on their way. */
  const note = () => {
    const waiting: Element[] = [];
    for (const element of hidden) {
      if (!element.isConnected) {
        hidden.delete(element);
        continue;
      }
      if (!tintype.inView(element)) continue;
      finish(element);
      const state = stateOf(element);
      const best = shown.get(element);
      if (isPlaceholder(element)) waiting.push(element);
      else if (isInvisible(state)) {
        if (best && Number(state.opacity) < Number(best.opacity) - 0.5) turning.add(element);
        waiting.push(element);
      }
      if (state.visibility === 'hidden' || Number(state.opacity) < Number(best?.opacity ?? 0.05)) continue;
      if (Number(state.opacity) < 1 && best?.opacity !== state.opacity) rising.add(element);
      else rising.delete(element);
      shown.set(element, state);
    }
    return waiting;
  };

  const fingerprint = () => {
    let sum = '';
    for (const element of hidden)
      if (tintype.inView(element)) {
        const { opacity, visibility, transform } = getComputedStyle(element);
        sum += `${opacity} ${visibility} ${transform};`;
      }
    return sum;
  };

  /** Stays in this window while it brings something, `least` ms at least. */
  const dwell = async (least: number, end: number) => {
    const began = tintype.now();
    await tintype.pause(least);
    // Observers are told when a frame is drawn, and a busy machine draws few.
    await tintype.twoFrames();
    look();
    const waitedFor = () => note().filter((element) => !givenUp.has(element));
    const first = waitedFor();
    let waiting = first;
    let last = fingerprint();
    let movedAt = tintype.now();
    for (;;) {
      const now = tintype.now();
      const waits = waiting.length > 0 && inVain < mostInVain && now - began < least + patienceMs;
      const comes = (waiting.length > 0 && now - movedAt < 200) || [...document.images].some(isLoading);
      if (now > end || !(waits || (comes && now - began < least + picturesMs))) break;
      await tintype.pause(40);
      waiting = waitedFor();
      const sum = fingerprint();
      if (sum !== last) movedAt = tintype.now();
      last = sum;
    }
    if (first.length === 0) return;
    inVain = waiting.length < first.length ? 0 : inVain + 1;
    for (const element of waiting) givenUp.add(element);
  };

  /**
   * Scrolls down by little more than half a window at a time and stays in each; follows a page that grows. Where the time
   * is short, the rest is scrolled through frame by frame. Then goes where something is still missing, and back to the top.
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
      onStep();
    };
    look();
    note();
    tintype.sample();
    let y = 0;
    let steps = bounds.steps;
    let hurried: number | undefined;
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
      const height = element.scrollHeight;
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
      inViewOnly: tintype.holdsOnlyTheView(),
      ...(hurried !== undefined && isMissing() && { hurried: Math.round(hurried) }),
    };
  };

  /** Debounced listeners look only where the scrolling has ended: it ends at each place where something is missing. */
  const lookAgain = async (element: Element, goTo: (y: number) => void, end: number) => {
    const view = element.clientHeight;
    const places = new Set<number>();
    for (const at of hidden)
      if (at.isConnected && (isPlaceholder(at) || (isInvisible(getComputedStyle(at)) && !shown.has(at)))) {
        const { top, height } = at.getBoundingClientRect();
        if (height > 0) places.add(Math.max(0, Math.round(((element.scrollTop + top + height / 2) / view) * 2 - 1)));
      }
    let last = Number.NEGATIVE_INFINITY;
    inVain = 0;
    givenUp.clear();
    for (const place of [...places].sort((a, b) => a - b)) {
      if (tintype.now() >= end || inVain >= mostInVain) return;
      // The window before has shown this one too.
      if (place - last < 2) continue;
      last = place;
      goTo((place * view) / 2);
      await dwell(dwellMs, end);
    }
  };

  /** Until nothing that is revealed moves any more. */
  const quietReveals = async (ms: number): Promise<void> => {
    const end = tintype.now() + ms;
    const sum = () => [...hidden].map((element) => getComputedStyle(element).opacity).join();
    let last = sum();
    for (let same = 0; same < 3 && tintype.now() < end; ) {
      await tintype.pause(40);
      for (const element of hidden) finish(element);
      const now = sum();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  };

  /** What was shown when it was in view, and is not any more, is shown as it was. An animation wins over the page's styles. */
  const holdShown = () => {
    for (const [element, state] of shown) {
      if (!element.isConnected || turning.has(element)) continue;
      const now = stateOf(element);
      const lost = now.visibility === 'hidden' || Number(now.opacity) < Number(state.opacity) - 0.05;
      if (!lost || isReplaced(element)) continue;
      const whole = rising.has(element) ? { ...state, opacity: 1, transform: 'none' } : state;
      element.animate([whole, whole], { duration: 1, fill: 'both' }).finish();
    }
  };

  /** Is anything in the flow still invisible, or a placeholder? */
  const isAnythingHidden = () => {
    look();
    return hidden.size > 0;
  };

  /** What is in view now may be hidden when it is left. */
  const noteView = () => {
    look();
    for (const element of [...document.querySelectorAll('body *')].slice(0, mostHidden))
      if (tintype.inView(element)) hidden.add(element);
    note();
  };

  /** Where a page stands still without having been scrolled. */
  const dwellHere = () => dwell(0, tintype.now() + picturesMs);

  return { noteView, dwellHere, scrollSlowly, quietReveals, holdShown, isAnythingHidden };
}
