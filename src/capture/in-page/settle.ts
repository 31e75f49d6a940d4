// Runs inside the page, in a world of its own: scripts of the page can neither see nor change it.
// It is sent while the page still loads and answers when the page is ready to be looked at.
import type { SettleBounds } from '../in-page-types.ts';

export default function () {
  const now = () => performance.now();
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const within = (ms: number, promise: Promise<unknown>) => Promise.race([promise, pause(ms)]);
  // A page that is not drawn (a huge one, a busy one) may see no frame for a while: then a tenth of a second is one.
  const frame = () => within(100, new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

  const twoFrames = async (): Promise<void> => {
    await frame();
    await frame();
  };

  // A page that stops before it is complete (its connection was cut, it called window.stop) is told to us from outside.
  let stopped = () => {};

  const loaded = () =>
    document.readyState === 'complete' ||
    new Promise<void>((resolve) => {
      stopped = resolve;
      // `complete` comes just before the load event's handlers; what they do belongs to the load.
      document.addEventListener('readystatechange', () => document.readyState === 'complete' && setTimeout(resolve));
    });

  /** Between two heights of the window; the window itself if none are given. */
  const inView = (element: Element, top = 0, bottom = innerHeight) => {
    const box = element.getBoundingClientRect();
    return box.bottom > top && box.right > 0 && box.top < bottom && box.left < innerWidth;
  };

  /** Is there anything to see: a text, a picture, a drawing? Looks at a bounded number of elements. */
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
    for (const element of [...document.querySelectorAll('img,svg,canvas,video,iframe,object,embed,input,button')].slice(
      0,
      500,
    ))
      if (shown(element) && element.getBoundingClientRect().width > 1) return true;
    for (const element of [...document.body.querySelectorAll('*')].slice(0, 1000))
      if (element.shadowRoot || (getComputedStyle(element).backgroundImage !== 'none' && shown(element))) return true;
    return false;
  };

  /** Can anything change the page but its own lazy images? */
  const isScripted = () => document.scripts.length > 0 || document.querySelector('iframe, object, embed') !== null;

  /** Fields are focused and #fragments scrolled to when a page is drawn. */
  const changesWhenDrawn = () =>
    isScripted() || document.URL.includes('#') || document.querySelector('[autofocus]') !== null;

  /** Until a frame passes in which nothing was built; a page that builds itself after `load` until it pauses. */
  const quietLayout = async (end: number) => {
    if (!changesWhenDrawn()) return;
    tintype.untouched = false;
    await frame();
    while (globalThis.builtAt !== undefined && now() - globalThis.builtAt < 100 && now() < end) await frame();
  };

  /** `ms` from now, or where the time that is left for waiting ends. */
  const endOf = (ms: number, { endsAt = Number.POSITIVE_INFINITY }: SettleBounds) =>
    now() + Math.min(ms, endsAt - Date.now());

  /**
   * Until the page rests: what is in view has come, and nothing in it moves that will come to an end. Each wait has its
   * bound; time that passed while something loaded does not count as time to move.
   */
  const settle = async (bounds: SettleBounds): Promise<void> => {
    const loadEnd = endOf(bounds.loading, bounds);
    const began = now();
    const layout = quietLayout(endOf(bounds.motion, bounds));
    // What is in view is looked through while the next frame is waited for.
    const isThere = tintype.isThereInView();
    await layout;
    const loading = now();
    if (!isThere || (globalThis.changedAt ?? 0) >= began) await tintype.loadedInView(loadEnd);
    if (!isScripted() || !tintype.mayMove()) return;
    tintype.untouched = false;
    await tintype.still(Math.min(began + bounds.motion + (now() - loading), endOf(bounds.motion, bounds)));
    await tintype.loadedInView(loadEnd);
  };

  /**
   * The first wait in every document. One that shows nothing yet, only that it is busy, or that it is on its way elsewhere
   * is looked at again.
   */
  const settleAndLookAgain = async (bounds: SettleBounds): Promise<void> => {
    await loaded();
    if (bounds.until === 'load') return tintype.fontsLoaded(endOf(bounds.loading, bounds));
    await settle(bounds);
    if (document.scripts.length === 0) return;
    tintype.actsLater = tintype.scriptsMayAct();
    if (await tintype.finished(bounds)) await settle(bounds);
  };

  /** A style sheet made by script: no content security policy forbids it. */
  const adopt = (css: string): void => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  };

  /** True if there is nothing to take a picture of: a page that was cut before its body is never painted. */
  const stop = (): boolean => {
    stopped();
    const root = document.documentElement;
    return root === null || (root.localName === 'html' && document.body === null);
  };

  /** The load was ended by us: scripts that show the page when it has loaded do so now. */
  const endLoad = (): void => {
    dispatchEvent(new Event('load'));
    stop();
  };

  /** `untouched` stays true while nothing had to be waited for or changed after the load. `actsLater`: scripts may ask for more. */
  return {
    untouched: true,
    actsLater: false,
    idleAt: undefined as number | undefined,
    adopt,
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
