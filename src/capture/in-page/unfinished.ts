// Runs inside the page: is the content there, or only a loading indicator?

export default function () {
  // Signs of loading: class names and ids, roles, texts.
  const busyNames = ['skeleton', 'shimmer', 'spinner', 'loading', 'loader', 'preload'];
  const busySigns = [
    '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow])',
    ...busyNames.flatMap((name) => [`[class*="${name}" i]`, `[id*="${name}" i]`]),
  ].join();
  const busyName = /(^|[\s_-])((pre)?load(er|ing)|preload|skeleton|shimmer|spinner)s?($|[\s_-])/i;
  const busyWords =
    /^\W*(loading|please wait|one moment|wird geladen|laden|bitte warten|chargement|cargando|carregando|caricamento|загрузка|読み込み中|加载中|載入中|로딩)/i;
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

  // Not textContent: scripts and hidden texts do not count.
  const readText = () => document.body?.innerText.trim() ?? '';

  /** The text of a small page; undefined for a large one, whose text may be a megabyte. */
  const shortText = () => (document.getElementsByTagName('*').length < 150 ? readText() : undefined);

  const looksUnfinished = (): boolean => {
    if (!tintype.hasContent()) return true;
    const text = shortText();
    if (text !== undefined && text.length < 300 && busyWords.test(text.slice(0, 40))) return true;
    const shown = [...new Set([...signs(), ...placeholders()])];
    if (shown.length === 0) return false;
    // On a page with much text, a small spinner is a detail.
    const area = shown.reduce((sum, element) => sum + element.clientWidth * element.clientHeight, 0);
    return area > (innerWidth * innerHeight) / 10 || readText().length < 1000;
  };

  return { looksUnfinished };
}
