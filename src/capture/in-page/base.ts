// Runs inside the page, in an isolated world: scripts of the page can neither see nor change it. While the page's time stands
// still, timers do not fire here either: what waits, waits for frames, or is called again by the server.

export default function () {
  /** Resolves when this many frames have been drawn. */
  const frames = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const next = (left: number) => requestAnimationFrame(() => (left > 1 ? next(left - 1) : resolve()));
      next(count);
    });
  const twoFrames = () => frames(2);

  /** The server lets time go on at real pace while it waits for an answer. */
  const within = (ms: number, promise: Promise<unknown>) =>
    Promise.race([promise, new Promise<void>((resolve) => setTimeout(resolve, ms))]);

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
  const mayDraw = () => document.URL.includes('#') || document.querySelector('[autofocus]') !== null;

  let observer: MutationObserver | undefined;
  let changed = true;

  /** From now on, `look` reports changes. */
  const watch = () => {
    // Fonts and images of style sheets begin to load at layout: this forces one.
    document.documentElement?.getBoundingClientRect();
    if (!observer) {
      observer = new MutationObserver(() => {
        changed = true;
      });
      observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
    }
    return { mayAct: isScripted() || tintype.animations().length > 0, mayDraw: mayDraw() };
  };

  /** Ends all motion in view that has an end. Has anything moved there, or changed since the last look? */
  const look = () => {
    const moved = tintype.endMotion(inView);
    const seen = { changed: changed || moved };
    changed = false;
    return seen;
  };

  const lookAfterFrames = (count: number) => frames(count).then(look);

  const fontsReady = async (): Promise<void> => {
    // Fonts begin to load at layout.
    document.documentElement?.getBoundingClientRect();
    await document.fonts.ready;
  };

  const has = (selector: string): boolean => document.querySelector(selector) !== null;

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

  /** True if there is nothing to capture: a document without a body is never painted. */
  const isEmpty = (): boolean => {
    const root = document.documentElement;
    return root === null || (root.localName === 'html' && document.body === null);
  };

  /** The server has stopped the load: scripts that show the page on `load` do so now. */
  const endLoad = (): void => {
    dispatchEvent(new Event('load'));
  };

  // `isExpanded`: more than the window is captured.
  return {
    isExpanded: false,
    adopt,
    styleOf,
    setAll,
    isEmpty,
    endLoad,
    frames,
    twoFrames,
    within,
    inView,
    hasContent,
    isScripted,
    watch,
    look,
    lookAfterFrames,
    fontsReady,
    has,
  };
}
