// Runs in the page, after overlays.ts and consent.ts. Finds cookie banners and hides them with what belongs to them.
import type { BannersFound, ClearBanners } from '../in-page-types.ts';

export default function () {
  const page = globalThis.tintypePage;
  const named =
    '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i], [id*="rgpd" i], [id*="privacy" i], [class*="privacy" i]';

  // Limits for hostile pages; ordinary pages have fewer.
  const mostNamed = 200;
  const mostSealed = 20;

  const bigEnough = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width >= 120 && height >= 24;
  };

  const policy =
    /cookie|kakor|çerez|eväste|privacy|privacidad|privacidade|datenschutz|confidentialit|persoonsgegevens|gdpr|dsgvo|rgpd|consent/i;
  // On many pages the name of the site is a heading, too; it is not meant here.
  const headings = 'main h1, article h1, [role="main"] h1, h1:not(header h1, nav h1, [role="banner"] h1)';
  const mostSteps = 200;

  /** Is there text after it? */
  const isFollowed = (element: Element) => {
    let steps = 0;
    for (let up: Element | null = element; up && !page.isRoot(up); up = page.parentOf(up))
      for (let next = up.nextElementSibling; next && ++steps < mostSteps; next = next.nextElementSibling)
        if (!next.matches('footer, script, style') && page.textOf(next, undefined, 100).length >= 40) return true;
    return false;
  };

  /**
   * A page about cookies has elements with names of banners. They are below its heading and in its text; a banner in the
   * flow is at the beginning or the end of the page.
   */
  const isContent = (element: Element) => {
    const heading = document.querySelector(headings);
    if (
      !heading ||
      !policy.test(`${document.title.slice(0, 300)} ${location.pathname} ${heading.textContent.slice(0, 300)}`)
    )
      return false;
    if (!(heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)) return false;
    return bigEnough(element) && !isIn(element) && (element.closest('main, article') !== null || isFollowed(element));
  };

  /** Candidates in the flow of the page: they have a name of a banner and a short text. */
  const inFlow = () =>
    [...document.querySelectorAll<HTMLElement>(named)]
      .slice(0, mostNamed)
      .filter(
        (element) =>
          !page.isRoot(element) &&
          page.isNamed(element) &&
          !element.closest('article, form') &&
          page.isVisible(element) &&
          bigEnough(element) &&
          !isContent(element) &&
          page.textOf(element, undefined, 1000).length < 900,
      );

  /** Of nested banners the outermost: the dialog, not a paragraph in it. */
  const outermost = (elements: readonly HTMLElement[]) =>
    elements.filter((element) => !elements.some((other) => other !== element && other.contains(element)));

  const findBanners = (elements: readonly HTMLElement[]) => {
    const banners = page.overlaysOf(elements).filter((element) => bigEnough(element) && page.isBanner(element));
    const rest = inFlow().filter((element) => !banners.some((banner) => banner.contains(element)));
    return outermost([...banners, ...rest.filter((element) => page.isBanner(element))]);
  };

  const isIn = (element: Element) => {
    for (let one: Element | null = element; one && !page.isRoot(one); one = page.parentOf(one))
      if (page.isOutOfFlow(one)) return true;
    return false;
  };

  /** A frame over the page, or an element that may have a closed shadow root: it cannot be read from here. */
  const isSealed = (element: Element) => {
    if (element.localName === 'iframe') return bigEnough(element) && isIn(element);
    if (element.shadowRoot || element.firstElementChild || element.textContent !== '') return false;
    // A shadow host whose content is all fixed has no box of its own; such hosts are children of the body.
    return element.localName.includes('-') || page.isRoot(page.parentOf(element)) || page.isOutOfFlow(element);
  };

  const unlikely =
    'script, style, link, meta, title, br, hr, img, video, canvas, svg, svg *, input, template, noscript, base';

  /** Counts the visible banners, and lists the sealed elements that the server must look into. */
  const look = (): BannersFound => {
    const elements = page.shallowFirst();
    const sealed = elements.filter((one) => isSealed(one) && !one.matches(unlikely) && page.isVisible(one));
    page.sealed = sealed.slice(0, mostSealed);
    return {
      banners: findBanners(elements).length,
      sealed: page.sealed.map((element) => (element.localName === 'iframe' ? 'frame' : 'root')),
    };
  };

  /** The last look before the capture. Banners that appear later are hidden at once. */
  const lookAndWatch = () => {
    watch();
    return page.look();
  };

  /** The outermost box around the banner that contains nothing else. */
  const outermostBox = (banner: HTMLElement) => {
    let box = banner;
    const said = page.textOf(banner).length;
    for (let up = page.parentOf(box); up && !page.isRoot(up); up = page.parentOf(up)) {
      if (up.matches('main, article, [role="main"]')) break;
      if (page.textOf(up).length > said + 3 || page.mediaIn(up, banner).length > 0) break;
      box = up as HTMLElement;
    }
    return box;
  };

  /** Hides the banner, and by a rule for its id or class what a script may put in its place, if no other element matches. */
  const remove = (banner: HTMLElement) => {
    const box = outermostBox(banner);
    const name = box.id ? `#${CSS.escape(box.id)}` : [...box.classList].map((one) => `.${CSS.escape(one)}`).join('');
    if (name !== '' && document.querySelectorAll(name).length === 1)
      page.addSheet(`${name} { display: none !important }`);
    page.hide(box);
  };

  /** A list may match the page itself: an element in the flow that contains its heading. */
  const isThePage = (element: Element) =>
    !page.isOutOfFlow(element) && (element.matches('h1, main') || element.querySelector('h1, main'));

  /** Hides the elements that the list matches; rules with other styles are added as they are. */
  const applyList = (css: string) => {
    const list = new CSSStyleSheet();
    list.replaceSync(css);
    for (const rule of list.cssRules as Iterable<CSSRule> as Iterable<CSSStyleRule>) {
      if (rule.style?.display !== 'none') {
        page.addSheet(rule.cssText);
        continue;
      }
      for (const element of document.querySelectorAll<HTMLElement>(rule.selectorText)) {
        if (!page.isRoot(element) && !isThePage(element) && !isContent(element)) page.hide(element);
      }
    }
  };

  /** Hides all visible banners, and those that become visible behind them. */
  const removeAll = () => {
    let removed = 0;
    for (let round = 0; round < 3; round++) {
      const banners = findBanners(page.shallowFirst());
      if (banners.length === 0) break;
      for (const banner of banners) remove(banner);
      removed += banners.length;
    }
    return removed;
  };

  /**
   * Hides the banners that `lookAndWatch` has just counted.
   */
  const clearBanners = ({ css, banners, sealed, known }: ClearBanners): number => {
    applyList(css);
    for (const index of sealed) remove(page.sealed[index]);
    if (banners > 0) removeAll();
    const found = banners + sealed.length;
    if (found > 0 || known || page.lockedByName()) page.unlockPage();
    return found;
  };

  /** Until the capture, a banner that appears is hidden at once. */
  let isWatching = false;
  const watch = () => {
    if (isWatching) return;
    isWatching = true;
    let looks = 0;
    let waiting = false;
    const look = () => {
      waiting = false;
      if (removeAll() > 0) page.unlockPage();
      if (++looks >= 20) observer.disconnect();
    };
    const observer = new MutationObserver(() => {
      if (!waiting) requestAnimationFrame(look);
      waiting = true;
    });
    const what = { childList: true, subtree: true, attributeFilter: ['class', 'style', 'open'] };
    observer.observe(document.documentElement, what);
  };

  return { sealed: [] as HTMLElement[], look, lookAndWatch, clearBanners };
}
