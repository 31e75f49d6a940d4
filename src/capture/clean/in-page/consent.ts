// Runs in the page, after overlays.ts. Decides whether an element is a cookie banner, by its text, its buttons and its other
// content. `page.words` comes from consent-words.ts.

export default function () {
  const page = globalThis.tintypePage;
  const words = {
    cookie: new RegExp(page.words.cookiePhrases.join('|'), 'giu'),
    plain: page.words.plainPhrases.map((source) => new RegExp(source, 'iu')),
    tracking: page.words.trackingPhrases.map((source) => new RegExp(source, 'iu')),
    consent: page.words.consentPhrases.map((source) => new RegExp(source, 'iu')),
    reject: new RegExp(page.words.rejectLabels, 'iu'),
    accept: new RegExp(page.words.acceptLabels, 'iu'),
    settings: new RegExp(page.words.settingsLabels, 'iu'),
    dismiss: new RegExp(page.words.dismissLabels, 'iu'),
    otherBusiness: new RegExp(page.words.otherBusiness, 'iu'),
    otherButtons: new RegExp(page.words.otherButtons, 'iu'),
    names: new RegExp(page.words.bannerNames, 'iu'),
  };

  const clickable =
    'button, a, [role="button"], input[type="button"], input[type="submit"], [onclick], [class*="btn" i], [class*="button" i]';
  // Many banners have a search among partners; any other field means another purpose.
  const field =
    'input:not([type]), input[type="text"], input[type="email"], input[type="password"], input[type="tel"], input[type="number"], input[type="date"], textarea, [contenteditable="true"]';
  const search = /search|vendor|filter|such|recherch|busc|cerca|zoek/i;
  const asks = (element: Element) => {
    const { id, className, name, placeholder } = element as HTMLInputElement;
    return element.matches(field) && !search.test(`${id} ${className} ${name} ${placeholder}`);
  };
  const pageParts = 'main, nav, article, [role="main"], [role="navigation"]';

  const labelOf = (element: HTMLElement) =>
    (
      page.textOf(element) ||
      (element as HTMLInputElement).value ||
      element.getAttribute('aria-label') ||
      element.title ||
      ''
    ).trim();

  /** Does it have an id or class name of a banner? */
  const isNamed = (element: Element) =>
    [element.id, ...element.classList, element.getAttribute('data-testid') ?? '', element.localName].some(
      (name) => name !== '' && words.names.test(name),
    );

  /** 3: a button declines; 2: accepts or opens settings; 1: only closes; 0: none of these. */
  const strengthOf = (labels: readonly string[]) => {
    const has = (pattern: RegExp) => labels.some((label) => label.length <= 60 && pattern.test(label));
    if (has(words.reject)) return 3;
    if (has(words.accept) || has(words.settings)) return 2;
    return has(words.dismiss) ? 1 : 0;
  };

  const count = (patterns: readonly RegExp[], text: string) => patterns.filter((pattern) => pattern.test(text)).length;

  /** Decides by the words alone: `prose` is the text without links and buttons, `labels` are theirs. */
  const isBannerText = (prose: string, labels: readonly string[], { named = false, asksElse = false } = {}) => {
    const cookies = [...prose.matchAll(words.cookie)];
    const tracking = count(words.tracking, prose);
    const evidence = cookies.length + tracking + count(words.plain, prose) + count(words.consent, prose);
    if (cookies.length === 0 && (tracking === 0 || evidence < 2)) return false;
    if (asksElse && !named) return false;
    const strength = strengthOf(labels);
    if (strength === 3) return true;
    if (words.otherBusiness.test(prose)) return false;
    // "Accept or subscribe" is a cookie wall; "subscribe" with cookies in the small print is not.
    const hasOtherButton = labels.some((label) => words.otherButtons.test(label));
    if (strength === 2) return !hasOtherButton || evidence >= 2;
    if (hasOtherButton) return false;
    // If its buttons only close it or have other labels, cookies must be its subject.
    const first = cookies[0]?.index ?? prose.length;
    const about = prose.length < 700 && first < 200;
    if (strength === 1) return named || about;
    return labels.length > 0 && (named ? cookies.length > 0 : about && evidence >= 2);
  };

  const isBanner = (element: Element, { whole = false } = {}) => {
    const inside = page.descendantsOf(element);
    const named = page.isNamed(element);
    // An element that contains the page's structure is the page, however it is positioned.
    if (!whole && !named && inside.some((one) => one.matches(pageParts))) return false;
    const buttons = inside.filter((one) => one.matches(clickable) && page.isVisible(one));
    const isButton = new Set(buttons);
    const prose = page.textOf(element, (one) => isButton.has(one) && labelOf(one).length <= 60);
    if (prose.length > (named ? 12000 : 6000)) return false;
    const asksElse = inside.some((one) => asks(one) && page.isVisible(one));
    return page.isBannerText(prose, buttons.map(labelOf), { named, asksElse });
  };

  /** For a closed shadow root that the protocol has passed to us. */
  const rootIsBanner = (root: ShadowRoot) => {
    const buttons = page.descendantsOf(root).filter((one) => one.matches('button, a') && page.isVisible(one));
    const isButton = new Set(buttons.filter((one) => labelOf(one).length <= 60));
    const prose = page.textOf(root, (one) => isButton.has(one));
    return page.isBannerText(prose.slice(0, 12000), [...isButton].slice(0, 100).map(labelOf));
  };

  /** For a frame that lies over the page: is its whole document a banner? */
  const frameIsBanner = () => document.body !== null && page.isBanner(document.body, { whole: true });

  return { isNamed, isBannerText, isBanner, rootIsBanner, frameIsBanner };
}
