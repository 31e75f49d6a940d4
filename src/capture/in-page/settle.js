// Runs inside the page, in a world of its own: scripts of the page can neither see nor change it.
// It is sent while the page still loads and answers when the page is ready to be looked at.

const now = () => performance.now();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const within = (ms, promise) => Promise.race([promise, pause(ms)]);
// A page that is not drawn (a huge one, a busy one) may see no frame for a while: then a tenth of a second is one.
const frame = () => within(100, new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

const twoFrames = async () => {
  await frame();
  await frame();
};

// A page that stops before it is complete (its connection was cut, it called window.stop) is told to us from outside.
let stopped = () => {};

const loaded = () =>
  document.readyState === 'complete' ||
  new Promise((resolve) => {
    stopped = resolve;
    // `complete` comes just before the load event's handlers; what they do belongs to the load.
    document.addEventListener('readystatechange', () => document.readyState === 'complete' && setTimeout(resolve));
  });

/** Between two heights of the window; the window itself if none are given. */
const inView = (element, top = 0, bottom = innerHeight) => {
  const box = element.getBoundingClientRect();
  return box.bottom > top && box.right > 0 && box.top < bottom && box.left < innerWidth;
};

/** Is there anything to see: a text, a picture, a drawing? Looks at a bounded number of elements. */
const hasContent = (top, bottom) => {
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && inView(element, top, bottom);
  if (!document.body) return document.documentElement !== null;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let i = 0; i < 3000 && texts.nextNode(); i++) {
    const parent = texts.currentNode.parentElement;
    if (
      /\S/.test(texts.currentNode.data) &&
      !/^(script|style|noscript|template)$/i.test(parent.localName) &&
      shown(parent)
    )
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

const imagesInView = (ms) => {
  if (document.images.length === 0) return undefined;
  const waiting = [...document.images].filter((image) => !image.complete && inView(image));
  if (waiting.length === 0) return undefined;
  tintype.untouched = false;
  return within(
    ms,
    Promise.all(
      waiting.map(
        (image) =>
          new Promise((resolve) => {
            image.addEventListener('load', resolve);
            image.addEventListener('error', resolve);
          }),
      ),
    ),
  );
};

/** Can anything change the page but its own lazy images? */
const isScripted = () => document.scripts.length > 0 || document.querySelector('iframe, object, embed') !== null;

/** Fields are focused and #fragments scrolled to when a page is drawn. */
const changesWhenDrawn = () =>
  isScripted() || document.URL.includes('#') || document.querySelector('[autofocus]') !== null;

/** Until a frame passes in which nothing was built; a page that builds itself after `load` until it pauses. */
const quietLayout = async (ms) => {
  if (!changesWhenDrawn()) return;
  tintype.untouched = false;
  const end = now() + ms;
  await frame();
  while (globalThis.builtAt !== undefined && now() - globalThis.builtAt < 100 && now() < end) await frame();
};

const settle = async (bounds) => {
  await quietLayout(bounds.layout);
  // Fonts begin to load when a text that uses them is laid out.
  document.documentElement?.getBoundingClientRect();
  if (document.fonts.status === 'loading') {
    tintype.untouched = false;
    await within(bounds.fonts, document.fonts.ready);
  }
  await imagesInView(bounds.images);
};

// What pages show while they fetch what they are about: words as classes, by role, as text.
const busySigns =
  '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), [class*="skeleton" i], [class*="shimmer" i], [class*="spinner" i], [class*="loading" i], [class*="loader" i]';
const busyName = /(^|[\s_-])(skeleton|shimmer|spinner|loading|loader)s?($|[\s_-])/i;
const busyWords =
  /^\W*(loading|please wait|one moment|wird geladen|laden|bitte warten|chargement|cargando|carregando|caricamento|загрузка|読み込み中|加载中|載入中|로딩)/i;

const isBusySign = (element) => {
  if (element.matches('html, body, img, iframe')) return false;
  // "uploader" and "lazyloading" are no signs.
  if (!element.matches('[aria-busy="true"], [role="progressbar"]') && !busyName.test(element.getAttribute('class')))
    return false;
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && inView(element);
};

const looksUnfinished = () => {
  if (!hasContent()) return true;
  // biome-ignore lint/performance/useDomNodeTextContent: scripts and hidden texts are not read by anybody.
  const text = () => document.body?.innerText.trim() ?? '';
  // Texts are read only where they can be short: a large page's is a megabyte.
  if (document.getElementsByTagName('*').length < 100 && busyWords.test(text().slice(0, 40)) && text().length < 300)
    return true;
  const signs = [...document.querySelectorAll(busySigns)].slice(0, 100).filter(isBusySign);
  if (signs.length === 0) return false;
  // In a page with much to read, a small wheel somewhere is a detail.
  const area = signs.reduce((sum, element) => sum + element.clientWidth * element.clientHeight, 0);
  return area > (innerWidth * innerHeight) / 10 || text().length < 1000;
};

/**
 * A page that shows nothing yet, or only that it is busy, is looked at again while work may be going on: until the
 * network has been idle (which is told to us from outside) for a moment, or until the bound.
 */
const settleAndLookAgain = async (bounds) => {
  await loaded();
  await settle(bounds);
  if (document.scripts.length === 0) return;
  const end = now() + bounds.unfinished;
  const workGoesOn = () => !(tintype.idleAt !== undefined && now() - tintype.idleAt > 300);
  let again = false;
  while (looksUnfinished() && workGoesOn() && now() < end) {
    again = true;
    await pause(50);
  }
  if (again) await settle(bounds);
};

/** A style sheet made by script: no content security policy forbids it. */
const adopt = (css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
};

const stop = () => {
  // What was cut before its first element is never painted, and its picture never comes.
  if (!document.documentElement) document.append(document.createElement('html'));
  stopped();
};

/** `untouched` stays true while nothing had to be waited for or changed after the load. */
globalThis.tintype = {
  untouched: true,
  adopt,
  stop,
  now,
  pause,
  within,
  frame,
  twoFrames,
  inView,
  hasContent,
  isScripted,
  settle,
  settleAndLookAgain,
};
