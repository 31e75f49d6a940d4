// Runs inside the page: is the content there, or only a loading indicator?
import type { SettleBounds } from '../in-page-types.ts';

export default function () {
  // Signs of loading: class names and ids, roles, texts.
  const busyNames = ['skeleton', 'shimmer', 'spinner', 'loading', 'loader', 'preload'];
  const busySigns = [
    '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow])',
    ...busyNames.flatMap((name) => [`[class*="${name}" i]`, `[id*="${name}" i]`]),
  ].join();
  // A section of the page may be called so, too: these count only if they cover the window.
  const splashSigns = '[class*="splash" i], [id*="splash" i]';
  const busyName = /(^|[\s_-])((pre)?load(er|ing)|preload|skeleton|shimmer|spinner)s?($|[\s_-])/i;
  const busyWords =
    /^\W*(loading|please wait|one moment|wird geladen|laden|bitte warten|chargement|cargando|carregando|caricamento|загрузка|読み込み中|加载中|載入中|로딩)/i;
  const leavingWords =
    /redirect|weiterleit|weitergeleitet|doorverwezen|omgeleid|redirig|redireccion|redirecion|reindirizz|перенаправл|リダイレクト|重定向|跳转|리디렉션/i;
  const leavingCode = /location\s*=[^=]|location\.href\s*=[^=]|location\.(replace|assign|reload)\s*\(/;

  const isBusySign = (element: Element) => {
    if (element.matches('html, body, img, iframe, script, link')) return false;
    // Only whole words: "uploader" and "lazyloading" are no signs of loading.
    if (
      !element.matches('[aria-busy="true"], [role="progressbar"]') &&
      !busyName.test(element.getAttribute('class') ?? '') &&
      !busyName.test(element.id)
    )
      return false;
    return isShown(element) && tintype.inView(element);
  };

  const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const signs = () => [...document.querySelectorAll(busySigns)].slice(0, 100).filter(isBusySign);

  /** Endless, and without moving the element itself: it blinks or shimmers. */
  const isShimmer = ({ effect }: Animation): boolean => {
    const { pseudoElement } = effect as KeyframeEffect;
    return (
      effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY &&
      (pseudoElement !== null || !(effect as KeyframeEffect).getKeyframes().some(({ transform }) => transform))
    );
  };

  const leastPlaceholders = 2;

  /** Empty boxes that shimmer, whatever their names. A single one is an ornament. */
  const placeholders = () => {
    const found = new Set<Element>();
    for (const animation of tintype.animations()) {
      const target = (animation.effect as KeyframeEffect | null)?.target;
      if (!target || target.firstElementChild || /\S/.test(target.textContent) || !isShimmer(animation)) continue;
      if (!target.matches('html, body, img, video, canvas, iframe') && isShown(target) && tintype.inView(target))
        found.add(target);
    }
    return found.size < leastPlaceholders ? [] : [...found];
  };

  const areaInView = (element: Element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const side = (from: number, to: number, most: number) => Math.max(0, Math.min(to, most) - Math.max(from, 0));
    return side(top, bottom, innerHeight) * side(left, right, innerWidth);
  };

  // Not textContent: scripts and hidden texts do not count.
  const readText = () => document.body?.innerText.trim() ?? '';

  /** The text of a small page; undefined for a large one, whose text may be a megabyte. */
  const shortText = () => (document.getElementsByTagName('*').length < 150 ? readText() : undefined);

  const looksUnfinished = () => {
    if (!tintype.hasContent()) return true;
    const text = shortText();
    if (text !== undefined && text.length < 300 && busyWords.test(text.slice(0, 40))) return true;
    const shown = [...new Set([...signs(), ...placeholders()])];
    if (shown.length === 0) return false;
    // On a page with much text, a small spinner is a detail.
    const area = shown.reduce((sum, element) => sum + element.clientWidth * element.clientHeight, 0);
    return area > (innerWidth * innerHeight) / 10 || readText().length < 1000;
  };

  /** The page has content but hides it: all of it until a script shows it, or behind a loading overlay. */
  const isHidden = () => {
    const { body } = document;
    if (!body) return false;
    if (!isShown(body) && body.firstElementChild) {
      // A hidden body may have visible children.
      const isUnseen = getComputedStyle(body).visibility === 'hidden' ? !tintype.hasContent() : true;
      if (isUnseen) return true;
    }
    const curtains = [...signs(), ...[...document.querySelectorAll(splashSigns)].slice(0, 20).filter(isShown)];
    if (curtains.some((element) => areaInView(element) > (innerWidth * innerHeight) / 2 && isCurtain(element)))
      return true;
    const cover = coverOfView();
    return isSpinnerOnly(cover) || isCounting(cover) || isIntro(cover);
  };

  const isCurtain = (element: Element) => /fixed|absolute/.test(getComputedStyle(element).position);

  /** Points of the window, as shares of its width and height. */
  const looks = [
    [0.5, 0.5],
    [0.1, 0.1],
    [0.9, 0.1],
    [0.1, 0.9],
    [0.9, 0.9],
  ] as const;

  /** The one element that covers the whole window, whatever its name. */
  const coverOfView = () => {
    const coverAt = ([x, y]: readonly [number, number]) => {
      let element = document.elementFromPoint(innerWidth * x, innerHeight * y);
      while (element && element !== document.body && element !== document.documentElement) {
        if (isCurtain(element) && areaInView(element) > innerWidth * innerHeight * 0.95) return element;
        element = tintype.parentElement(element);
      }
      return undefined;
    };
    const first = coverAt(looks[0]);
    return first && looks.every((look) => coverAt(look) === first) ? first : undefined;
  };

  /** An overlay without text or images but with an endless animation. */
  const isSpinnerOnly = (cover: Element | undefined) =>
    cover !== undefined &&
    !/\S/.test(cover.textContent.slice(0, 1000)) &&
    !cover.querySelector('img, picture, video, canvas, iframe') &&
    cover
      .getAnimations({ subtree: true })
      .some((animation) => animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY);

  /** A number up to 100, with a few words at most: 7, 45 %, Loading 045. */
  const progress = /^\D{0,30}0{0,2}(\d{1,2}|100)\D{0,30}$/;
  /** A counter that stands still for this long does not count. */
  const countsEveryMs = 1000;
  let count = { text: '', at: 0 };

  /** An overlay that shows how much has loaded. */
  const isCounting = (cover: Element | undefined) => {
    const text = cover?.textContent.slice(0, 100).trim() ?? '';
    if (!progress.test(text) || cover?.querySelector('a, button, input')) return false;
    if (text !== count.text) count = { text, at: tintype.now() };
    return tintype.now() - count.at < countsEveryMs;
  };

  const longestIntro = 100;
  const mostInIntro = 100;

  /** A logo or a few words that nobody can click, painted over the content of a page that a script will show. */
  const isIntro = (cover: Element | undefined) => {
    if (!cover || cover.textContent.trim().length > longestIntro || !tintype.scriptsMayAct()) return false;
    const { backgroundColor, backgroundImage, position } = getComputedStyle(cover);
    // Slides that lie on each other are absolute.
    if (position !== 'fixed' || (!/^rgb\(/.test(backgroundColor) && backgroundImage === 'none')) return false;
    const parts = [cover, ...cover.querySelectorAll('*')];
    return parts.length <= mostInIntro && !parts.some(isForUse) && looks.some((look) => isPaintedOver(cover, look));
  };

  const isForUse = (element: Element) =>
    element.matches('a, button, input, select, textarea, video, iframe, [tabindex], [role="button"]') ||
    getComputedStyle(element).cursor === 'pointer';

  const isPaintedOver = (cover: Element, [x, y]: readonly [number, number]) =>
    document
      .elementsFromPoint(innerWidth * x, innerHeight * y)
      .some(
        (element) => !tintype.contains(cover, element) && !tintype.contains(element, cover) && isWordOrPicture(element),
      );

  const isWordOrPicture = (element: Element) =>
    /^(img|svg|canvas|video)$/.test(element.localName) ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''));

  /** A nearly empty page with words or a script that redirect. */
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
   * Waits until the page looks finished, but not after the network has been idle (the server reports that) for a moment, and
   * not beyond the bounds. True if it had to wait.
   */
  const finished = async (bounds: SettleBounds): Promise<boolean> => {
    const end = tintype.endOf(bounds.unfinished, bounds);
    const hiddenEnd = tintype.endOf(bounds.hidden, bounds);
    const passingEnd = tintype.endOf(bounds.redirecting, bounds);
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
