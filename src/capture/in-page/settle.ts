// Runs inside the page, in an isolated world: scripts of the page can neither see nor change it. It is sent while the page
// still loads, and resolves when the page has settled.
import type { SettleBounds } from '../in-page-types.ts';

export default function () {
  const now = () => performance.now();
  const timer = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  /** A timer is seldom later than this on a machine that is not busy. */
  const punctualMs = 30;
  /** All waits together last longer by this at most: a page may be busy for ever. */
  let lateLeftMs = 5000;
  /** Resolves to how many milliseconds it was late. The page's own timers were late, too: waits for them last longer by as much. */
  const pause = async (ms: number): Promise<number> => {
    const end = now() + ms;
    await timer(ms);
    const late = Math.min(lateLeftMs, Math.max(0, now() - end - punctualMs));
    lateLeftMs -= late;
    return late;
  };
  const within = (ms: number, promise: Promise<unknown>) => Promise.race([promise, timer(ms)]);
  // A huge or busy page may paint no frame for a while: then 100 ms count as a frame, in four pauses, so that a late timer
  // is not all of it.
  const frame = async (): Promise<void> => {
    let isPainted = false;
    const painted = new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))).then(() => {
      isPainted = true;
    });
    for (let i = 0; i < 4 && !isPainted; i++) await within(25, painted);
  };

  const twoFrames = async (): Promise<void> => {
    await frame();
    await frame();
  };

  // The server calls `stop` if the page will never be complete: its connection was cut, or it called window.stop.
  let stopped = () => {};

  const loaded = () =>
    document.readyState === 'complete' ||
    new Promise<void>((resolve) => {
      stopped = resolve;
      // `complete` is set right before the handlers of the load event; their work belongs to the load.
      document.addEventListener('readystatechange', () => document.readyState === 'complete' && setTimeout(resolve));
    });

  /** Is the element between two heights of the window? By default, in the window itself. */
  const inView = (element: Element, top = 0, bottom = innerHeight) => {
    const box = element.getBoundingClientRect();
    return box.bottom > top && box.right > 0 && box.top < bottom && box.left < innerWidth;
  };

  /** Is a text, an image or a drawing visible? Checks a limited number of elements. */
  const hasContent = (top?: number, bottom?: number): boolean => {
    const shown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && inView(element, top, bottom);
    if (!document.body) return document.documentElement !== null;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let i = 0; i < 3000 && texts.nextNode(); i++) {
      const text = texts.currentNode as Text;
      const parent = text.parentElement as Element;
      if (/\S/.test(text.data) && !/^(script|style|noscript|template)$/i.test(parent.localName) && shown(parent))
        return true;
    }
    for (const element of [
      ...document.querySelectorAll('img,svg,canvas,video,iframe,frame,object,embed,input,button'),
    ].slice(0, 500))
      if (shown(element) && element.getBoundingClientRect().width > 1) return true;
    for (const element of [...document.body.querySelectorAll('*')].slice(0, 1000))
      if (element.shadowRoot || (getComputedStyle(element).backgroundImage !== 'none' && shown(element))) return true;
    return false;
  };

  /** Can anything but lazy images change the page? */
  const isScripted = () =>
    document.scripts.length > 0 || document.querySelector('iframe, frame, object, embed') !== null;

  /** Autofocus and the scroll to a #fragment happen with a frame. */
  const changesWhenDrawn = () =>
    isScripted() || document.URL.includes('#') || document.querySelector('[autofocus]') !== null;

  /** Waits for a frame without new elements; if a script adds elements after `load`, until it pauses. */
  const quietLayout = async (end: number) => {
    if (!changesWhenDrawn()) return;
    tintype.untouched = false;
    await frame();
    while (globalThis.builtAt !== undefined && now() - globalThis.builtAt < 100 && now() < end) await frame();
  };

  /** `ms` from now, but not after the end of all waits. */
  const endOf = (ms: number, { endsAt = Number.POSITIVE_INFINITY }: SettleBounds) =>
    now() + Math.min(ms, endsAt - Date.now());

  /**
   * Waits until the page is at rest: fonts and images in view have loaded, and all motion in view that ends has ended. Each
   * wait has its bound; time spent on loading does not count as time for motion.
   */
  const settle = async (bounds: SettleBounds): Promise<void> => {
    const loadEnd = endOf(bounds.loading, bounds);
    const began = now();
    const layout = quietLayout(endOf(bounds.motion, bounds));
    // The elements in view are checked during the wait for the next frame.
    const isThere = tintype.isThereInView();
    await layout;
    const loading = now();
    if (!isThere || (globalThis.changedAt ?? 0) >= began) await tintype.loadedInView(loadEnd);
    if (!isScripted() || !tintype.mayMove()) return;
    tintype.untouched = false;
    const end = Math.min(began + bounds.motion + (now() - loading), endOf(bounds.motion, bounds));
    await tintype.still(end, Math.min(end + bounds.drawing, endOf(bounds.motion + bounds.drawing, bounds)));
    await tintype.loadedInView(loadEnd);
  };

  /** Its scripts are not those of the page, and those of another origin cannot be read. */
  const hasFrameInView = () =>
    [...document.querySelectorAll('iframe, frame')].some(
      (frame) => frame.clientWidth > 50 && frame.clientHeight > 50 && frame.checkVisibility() && inView(frame),
    );

  /**
   * The first wait in every document. It waits again if the page is empty, shows a loading indicator, or is about to
   * navigate.
   */
  const settleAndLookAgain = async (bounds: SettleBounds): Promise<void> => {
    await loaded();
    if (bounds.until === 'load') return tintype.fontsLoaded(endOf(bounds.loading, bounds));
    await settle(bounds);
    tintype.showsFrame = hasFrameInView();
    tintype.actsLater = tintype.showsFrame || tintype.scriptsMayAct();
    if (document.scripts.length === 0) return;
    if (await tintype.finished(bounds)) await settle(bounds);
  };

  /** Adds a style sheet made by script, which no content security policy forbids. */
  const adopt = (css: string): CSSStyleSheet => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  };

  const ownStyle = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'style')?.get;
  /** A field named `style` hides that of its form. */
  const styleOf = (element: HTMLElement): CSSStyleDeclaration =>
    element instanceof HTMLFormElement ? ownStyle?.call(element) : element.style;

  const setAll = (element: HTMLElement, declarations: Readonly<Record<string, string>>): void => {
    const style = styleOf(element);
    for (const [name, value] of Object.entries(declarations)) style.setProperty(name, value, 'important');
  };

  /** Ends the wait for the load. True if there is nothing to capture: a document without a body is never painted. */
  const stop = (): boolean => {
    stopped();
    const root = document.documentElement;
    return root === null || (root.localName === 'html' && document.body === null);
  };

  /** After the server has stopped the load: scripts that show the page on `load` do so now. */
  const endLoad = (): void => {
    dispatchEvent(new Event('load'));
    stop();
  };

  // `untouched`: nothing had to be waited for or changed after the load. `actsLater`: scripts may request more. `idleAt`: set
  // by the server when the network has been idle. `isExpanded`: more than the window is captured.
  return {
    untouched: true,
    isExpanded: false,
    actsLater: false,
    showsFrame: false,
    idleAt: undefined as number | undefined,
    adopt,
    styleOf,
    setAll,
    stop,
    endLoad,
    now,
    pause,
    within,
    frame,
    twoFrames,
    inView,
    hasContent,
    isScripted,
    endOf,
    settle,
    settleAndLookAgain,
  };
}
