// Runs inside the page: is this the page yet, or only what it shows until it is there?
import type { SettleBounds } from '../in-page-types.ts';

export default function () {
  // What pages show while they fetch what they are about: words as names, by role, as text.
  const busyNames = ['skeleton', 'shimmer', 'spinner', 'loading', 'loader', 'preload'];
  const busySigns = [
    '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow])',
    ...busyNames.flatMap((name) => [`[class*="${name}" i]`, `[id*="${name}" i]`]),
  ].join();
  const busyName = /(^|[\s_-])((pre)?load(er|ing)|preload|skeleton|shimmer|spinner)s?($|[\s_-])/i;
  const busyWords =
    /^\W*(loading|please wait|one moment|wird geladen|laden|bitte warten|chargement|cargando|carregando|caricamento|загрузка|読み込み中|加载中|載入中|로딩)/i;
  const leavingWords =
    /redirect|weiterleit|weitergeleitet|doorverwezen|omgeleid|redirig|redireccion|redirecion|reindirizz|перенаправл|リダイレクト|重定向|跳转|리디렉션/i;
  const leavingCode = /location\s*=[^=]|location\.href\s*=[^=]|location\.(replace|assign|reload)\s*\(/;

  const isBusySign = (element: Element) => {
    if (element.matches('html, body, img, iframe, script, link')) return false;
    // "uploader" and "lazyloading" are no signs.
    if (
      !element.matches('[aria-busy="true"], [role="progressbar"]') &&
      !busyName.test(element.getAttribute('class') ?? '') &&
      !busyName.test(element.id)
    )
      return false;
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && tintype.inView(element);
  };

  const signs = () => [...document.querySelectorAll(busySigns)].slice(0, 100).filter(isBusySign);

  const areaInView = (element: Element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const side = (from: number, to: number, most: number) => Math.max(0, Math.min(to, most) - Math.max(from, 0));
    return side(top, bottom, innerHeight) * side(left, right, innerWidth);
  };

  // biome-ignore lint/performance/useDomNodeTextContent: scripts and hidden texts are not read by anybody.
  const readText = () => document.body?.innerText.trim() ?? '';

  /** Texts are read only where they can be short: a large page's is a megabyte. */
  const shortText = () => (document.getElementsByTagName('*').length < 150 ? readText() : undefined);

  const looksUnfinished = () => {
    if (!tintype.hasContent()) return true;
    const text = shortText();
    if (text !== undefined && text.length < 300 && busyWords.test(text.slice(0, 40))) return true;
    const shown = signs();
    if (shown.length === 0) return false;
    // In a page with much to read, a small wheel somewhere is a detail.
    const area = shown.reduce((sum, element) => sum + element.clientWidth * element.clientHeight, 0);
    return area > (innerWidth * innerHeight) / 10 || readText().length < 1000;
  };

  /** The page is there but not shown: hidden as a whole until a script shows it, or behind a curtain that says it loads. */
  const isHidden = () => {
    const { body } = document;
    if (!body) return false;
    if (!body.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && body.firstElementChild) {
      // A body that is hidden may have children that are not.
      const isUnseen = getComputedStyle(body).visibility === 'hidden' ? !tintype.hasContent() : true;
      if (isUnseen) return true;
    }
    if (signs().some((element) => areaInView(element) > (innerWidth * innerHeight) / 2 && isCurtain(element)))
      return true;
    return isSpinnerOnly(coverOfView());
  };

  const isCurtain = (element: Element) => /fixed|absolute/.test(getComputedStyle(element).position);

  /** Shares of the window's width and height at which the whole of it is looked at. */
  const looks = [
    [0.5, 0.5],
    [0.1, 0.1],
    [0.9, 0.1],
    [0.1, 0.9],
    [0.9, 0.9],
  ] as const;

  /** The one element that lies over the whole window, whatever it is called. */
  const coverOfView = () => {
    const coverAt = ([x, y]: readonly [number, number]) => {
      let element = document.elementFromPoint(innerWidth * x, innerHeight * y);
      while (element && element !== document.body && element !== document.documentElement) {
        if (isCurtain(element) && areaInView(element) > innerWidth * innerHeight * 0.95) return element;
        element = element.parentElement;
      }
      return undefined;
    };
    const first = coverAt(looks[0]);
    return first && looks.every((look) => coverAt(look) === first) ? first : undefined;
  };

  /** Nothing to read, nothing to look at but something that turns for ever: a reader waits for it to go. */
  const isSpinnerOnly = (cover: Element | undefined) =>
    cover !== undefined &&
    !/\S/.test(cover.textContent.slice(0, 1000)) &&
    !cover.querySelector('img, picture, video, canvas, iframe') &&
    cover
      .getAnimations({ subtree: true })
      .some((animation) => animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY);

  /** Hardly anything to see, and words or a script that lead elsewhere: it would not be looked at for long. */
  const looksPassing = () => {
    const text = shortText();
    if (text === undefined || text.length > 300) return false;
    if (leavingWords.test(text)) return true;
    const inline = [...document.scripts].map((script) => (script.src === '' ? script.text.slice(0, 20_000) : ''));
    if (inline.some((code) => leavingCode.test(code))) return true;
    const pictures = 'img, svg, canvas, video, iframe, input, button';
    return text.length < 60 && tintype.scriptsMayAct() && !document.querySelector(pictures);
  };

  /**
   * Until the page looks finished, as long as work may be going on: until the network has been idle (which is told to us
   * from outside) for a moment, or until a bound. True if it had to be waited for.
   */
  const finished = async (bounds: SettleBounds): Promise<boolean> => {
    const end = tintype.endOf(bounds.unfinished, bounds);
    const hiddenEnd = tintype.endOf(bounds.hidden, bounds);
    const passingEnd = tintype.endOf(bounds.passing, bounds);
    const { now } = tintype;
    const workGoesOn = () => !(tintype.idleAt !== undefined && now() - tintype.idleAt > 300);
    const waits = () => (now() < hiddenEnd && isHidden()) || (now() < end && workGoesOn() && looksUnfinished());
    const isPassing = () => now() < passingEnd && looksPassing();
    let again = false;
    for (let waiting = waits(); waiting || isPassing(); waiting = waits()) {
      again ||= waiting;
      await tintype.pause(50);
    }
    return again;
  };

  return { finished };
}
