// Runs in the page, after overlays.ts and consent.ts. Finds what covers the page and talks of cookies, and hides it
// with what belongs to it.
import type { BannersFound, ClearBanners } from '../in-page-types.ts';

export default function () {
  const page = globalThis.tintypePage;
  const named =
    '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i], [id*="rgpd" i], [id*="privacy" i], [class*="privacy" i]';

  // No page has more that is worth reading; a hostile one must not keep us here.
  const mostNamed = 200;
  const mostSealed = 20;

  const bigEnough = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width >= 120 && height >= 24;
  };

  const policy =
    /cookie|kakor|çerez|eväste|privacy|privacidad|privacidade|datenschutz|confidentialit|persoonsgegevens|gdpr|dsgvo|rgpd|consent/i;
  // The name of the site is a heading on many pages; what the page is about is another.
  const headings = 'main h1, article h1, [role="main"] h1, h1:not(header h1, nav h1, [role="banner"] h1)';
  const mostSteps = 200;

  /** Something to read stands behind it. */
  const isFollowed = (element: Element) => {
    let steps = 0;
    for (let up: Element | null = element; up && !page.isRoot(up); up = up.parentElement)
      for (let next = up.nextElementSibling; next && ++steps < mostSteps; next = next.nextElementSibling)
        if (!next.matches('footer, script, style') && page.textOf(next, undefined, 100).length >= 40) return true;
    return false;
  };

  /**
   * A page about cookies has parts with the names of banners. They stand below its heading and among its text; a banner in
   * the flow stands above the page or behind everything.
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

  /** In the flow of the page a banner is known by its name, and is short. */
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

  /** Of nested banners the outermost: the wall, not the paragraph in it. */
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

  /** A frame over the page, or an element that may have a closed shadow root: what cannot be read from here. */
  const isSealed = (element: Element) => {
    if (element.localName === 'iframe') return bigEnough(element) && isIn(element);
    if (element.shadowRoot || element.firstElementChild || element.textContent !== '') return false;
    // A host has no box of its own where all that is in it is fixed; such hosts stand at the end of the body.
    return element.localName.includes('-') || page.isRoot(element.parentElement) || page.isOutOfFlow(element);
  };

  const unlikely =
    'script, style, link, meta, title, br, hr, img, video, canvas, svg, svg *, input, template, noscript, base';

  /** One look over the page: how many banners are in sight, and what must be asked of the browser. */
  const look = (): BannersFound => {
    const elements = page.shallowFirst();
    const sealed = elements.filter((one) => isSealed(one) && !one.matches(unlikely) && page.isVisible(one));
    page.sealed = sealed.slice(0, mostSealed);
    return {
      banners: findBanners(elements).length,
      sealed: page.sealed.map((element) => (element.localName === 'iframe' ? 'frame' : 'root')),
    };
  };

  /** The last look: what comes after it is hidden when it comes. */
  const lookAndWatch = () => {
    watch();
    return page.look();
  };

  /** The banner with the boxes around it that hold nothing else. */
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

  /** Hides the banner, and what a script may put in its place under the same name, if that name is its alone. */
  const remove = (banner: HTMLElement) => {
    const box = outermostBox(banner);
    const name = box.id ? `#${CSS.escape(box.id)}` : [...box.classList].map((one) => `.${CSS.escape(one)}`).join('');
    if (name !== '' && document.querySelectorAll(name).length === 1)
      page.addSheet(`${name} { display: none !important }`);
    page.hide(box);
  };

  /** A list knows names, not pages: what is in the flow and holds the page's heading is the page. */
  const isThePage = (element: Element) =>
    !page.isOutOfFlow(element) && (element.matches('h1, main') || element.querySelector('h1, main'));

  /** Hides what the list names; its rules that do something else are added as they are. */
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

  /** Hides every banner in sight, and those that come to light behind them. */
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
   * `css`: the list's sheet for this page. `sealed`: indices of page.sealed that hold a banner. `known`: one was
   * there at some time. Gives how many were met. Called soon after `lookAndWatch`, which has counted `banners`.
   */
  const clearBanners = ({ css, banners, sealed, known }: ClearBanners): number => {
    applyList(css);
    for (const index of sealed) remove(page.sealed[index]);
    if (banners > 0) removeAll();
    const found = banners + sealed.length;
    if (found > 0 || known || page.lockedByName()) page.unlockPage();
    return found;
  };

  /** From now to the capture: a banner that comes late is hidden when it comes. */
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
