// Runs in the page, after sight.js and consent.js. Finds what covers the page and talks of cookies, hides
// it with what belongs to it, takes the backdrop away and lets the page scroll again.
(() => {
  const page = globalThis.tintypePage;
  const named =
    '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i], [id*="rgpd" i], [id*="privacy" i], [class*="privacy" i]';
  const dialogs = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  const root = () => document.documentElement;
  const isRoot = (element) => element === root() || element === document.body;

  const lies = (element) => {
    const { position } = getComputedStyle(element);
    if (position === 'fixed' || position === 'sticky' || element.matches(dialogs)) return true;
    // An absolute box belongs to what it stands in, unless it stands in the page itself.
    return position === 'absolute' && (element.offsetParent === null || isRoot(element.offsetParent));
  };

  const bigEnough = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width >= 120 && height >= 24;
  };

  /** The elements that lie over the page, each with everything it is in that lies over the page too. */
  const overlays = () => {
    const found = new Set();
    const climb = (element) => {
      for (let one = element; one && !isRoot(one); one = page.parentOf(one)) if (lies(one)) found.add(one);
    };
    for (const stack of page.stacks()) for (const element of stack) climb(element);
    for (const element of document.querySelectorAll(dialogs)) if (page.isVisible(element)) found.add(element);
    return [...found].filter((element) => page.isVisible(element));
  };

  /** In the flow of the page a banner is known by its name, and is short. */
  const inFlow = () =>
    [...document.querySelectorAll(named)].filter(
      (element) =>
        !isRoot(element) &&
        page.isNamed(element) &&
        !element.closest('article, form') &&
        page.isVisible(element) &&
        bigEnough(element) &&
        page.textOf(element).length < 900,
    );

  /** Of nested banners the outermost: the wall, not the paragraph in it. */
  const outermost = (elements) =>
    elements.filter((element) => !elements.some((other) => other !== element && other.contains(element)));

  page.findBanners = () => {
    const over = overlays();
    const banners = over.filter((element) => bigEnough(element) && page.isBanner(element));
    const rest = inFlow().filter((element) => !banners.some((banner) => banner.contains(element)));
    return outermost([...banners, ...rest.filter((element) => page.isBanner(element))]);
  };

  /** What lies over the page and cannot be read from here: frames, and closed shadow roots. */
  page.findSealed = () => {
    const sealed = new Set();
    for (const stack of page.stacks()) {
      for (const element of stack) {
        if (element.localName === 'iframe') {
          for (let one = element; one && !isRoot(one); one = page.parentOf(one)) if (lies(one)) sealed.add(element);
        } else if (!element.shadowRoot && element.childElementCount === 0 && element.localName.includes('-')) {
          sealed.add(element);
        } else if (element.localName === 'div' && element.childNodes.length === 0 && !element.shadowRoot) {
          const { width, height } = element.getBoundingClientRect();
          if (width * height === 0) sealed.add(element);
        }
      }
    }
    page.sealed = [...sealed].filter((element) => page.isVisible(element));
    return page.sealed.map((element) => (element.localName === 'iframe' ? 'frame' : 'root'));
  };

  /** The banner with the boxes around it that hold nothing else. */
  const whole = (banner) => {
    let box = banner;
    const said = page.textOf(banner).length;
    for (let up = page.parentOf(box); up && !isRoot(up); up = page.parentOf(up)) {
      if (up.matches('main, article, [role="main"]')) break;
      if (page.textOf(up).length > said + 3 || page.mediaIn(up, banner).length > 0) break;
      box = up;
    }
    return box;
  };

  /** Hides the banner, and what a script may put in its place under the same name, if that name is its alone. */
  const remove = (banner) => {
    const box = whole(banner);
    const name = box.id ? `#${CSS.escape(box.id)}` : [...box.classList].map((one) => `.${CSS.escape(one)}`).join('');
    if (name !== '' && document.querySelectorAll(name).length === 1) addSheet(`${name} { display: none !important }`);
    page.hide(box);
  };

  const paints = (element) => {
    const style = getComputedStyle(element);
    const clear = /^(?:transparent|rgba\(.*, 0\))$/.test(style.backgroundColor) && style.backgroundImage === 'none';
    return !clear || style.backdropFilter !== 'none';
  };

  /** A painted sheet without content that lies above content wherever there is some. */
  const dropBackdrops = () => {
    const reach = new CSSStyleSheet();
    reach.replaceSync('* { pointer-events: auto !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, reach];
    let dropped = 0;
    for (let layer = 0; layer < 4; layer++) {
      const stacks = page.stacks(8, 8);
      const tops = new Set(stacks.map(([top]) => top).filter((top) => top && !isRoot(top)));
      const sheet = [...tops].find((top) => {
        if (!lies(top) || page.seen(top).share < 0.85 || !paints(top)) return false;
        if (page.textOf(top) !== '' || page.mediaIn(top).length > 0 || top.matches('img, video, canvas, iframe'))
          return false;
        const contested = stacks.filter((stack) => stack.some((one) => !isRoot(one) && !one.contains(top)));
        return contested.length > 0 && contested.every(([first]) => first === top);
      });
      if (!sheet) break;
      page.hide(sheet);
      dropped++;
    }
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== reach);
    for (const element of [root(), document.body]) {
      for (const pseudo of ['::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        if (style.content === 'none' || style.position !== 'fixed') continue;
        if (Number.parseFloat(style.height) >= innerHeight * 0.9)
          addSheet(`${element.localName}${pseudo} { display: none !important }`);
      }
    }
    return dropped;
  };

  const addSheet = (css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  };

  /** A list knows names, not pages: what is in the flow and holds the page's heading is the page. */
  const isThePage = (element) => !lies(element) && (element.matches('h1, main') || element.querySelector('h1, main'));

  /** Hides what the list names; its rules that do something else are added as they are. */
  const applyList = (css) => {
    const list = new CSSStyleSheet();
    list.replaceSync(css);
    for (const rule of list.cssRules) {
      if (rule.style?.display !== 'none') {
        addSheet(rule.cssText);
        continue;
      }
      for (const element of document.querySelectorAll(rule.selectorText)) {
        if (!isRoot(element) && !isThePage(element)) page.hide(element);
      }
    }
  };

  const unlock = () => {
    for (const element of [root(), document.body]) {
      const style = getComputedStyle(element);
      if (/hidden|clip/.test(style.overflowY)) element.style.setProperty('overflow', 'visible', 'important');
      if (style.position === 'fixed') {
        element.style.setProperty('position', 'static', 'important');
        element.style.setProperty('width', 'auto', 'important');
      }
    }
    // Content is blurred behind a wall; the wall is gone.
    for (const element of [document.body, ...document.body.children, ...document.querySelectorAll('main')]) {
      if (/blur/.test(getComputedStyle(element).filter)) element.style.setProperty('filter', 'none', 'important');
    }
  };

  const lockedByName = () =>
    [root(), document.body].some(
      (element) =>
        /hidden|clip/.test(getComputedStyle(element).overflowY) &&
        /cookie|consent|gdpr|cmp|didomi|onetrust|sp-message|usercentrics/i.test(element.className),
    );

  /**
   * `css`: the list's sheet for this page. `sealed`: indices of page.sealed that hold a banner. `known`: one was
   * there at some time. Gives how many were met.
   */
  page.clearBanners = ({ css, sealed, known }) => {
    const met = page.findBanners();
    applyList(css);
    for (const index of sealed) remove(page.sealed[index]);
    for (let round = 0; round < 3; round++) {
      const banners = page.findBanners();
      if (banners.length === 0) break;
      for (const banner of banners) remove(banner);
    }
    const found = met.length + sealed.length;
    if (found > 0 || known || lockedByName()) free();
    watch();
    return found;
  };

  const free = () => {
    dropBackdrops();
    unlock();
  };

  /** From now to the capture: a banner that comes late is hidden when it comes. */
  const watch = () => {
    if (page.watching) return;
    page.watching = true;
    let looks = 0;
    let waiting = false;
    const look = () => {
      waiting = false;
      const banners = page.findBanners();
      for (const banner of banners) remove(banner);
      if (banners.length > 0) free();
      if (++looks >= 20) observer.disconnect();
    };
    const observer = new MutationObserver(() => {
      if (!waiting) requestAnimationFrame(look);
      waiting = true;
    });
    observer.observe(root(), { childList: true, subtree: true, attributeFilter: ['class', 'style', 'open'] });
  };
})();
