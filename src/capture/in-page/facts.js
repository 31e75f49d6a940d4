// Runs inside the page: what there is to tell about it.

// Checks that stand in front of a page. A widget inside a form is none: those pages have a text of their own.
const walls = [
  [
    'Cloudflare',
    '#challenge-form, #challenge-running, #cf-please-wait, script[src*="/cdn-cgi/challenge-platform/h/"][src*="/orchestrate/"]',
    /^(just a moment|attention required! \| cloudflare)/i,
  ],
  ['DataDome', 'iframe[src*="captcha-delivery.com"], script[src*="captcha-delivery.com"]'],
  ['PerimeterX', '#px-captcha, #px-captcha-wrapper', /^access to this page has been denied/i],
  ['Imperva', 'iframe[src*="_Incapsula_Resource"]'],
  ['AWS WAF', 'script[src*=".awswaf.com/"][src*="captcha"]', /^human verification$/i],
  ['Akamai', 'meta[http-equiv="refresh"][content*="bm-verify"]', /^access denied$/i],
  ['Sucuri', '.sucuri-firewall', /sucuri website firewall/i],
  ['Google', 'form#captcha-form'],
  ['hCaptcha', 'iframe[src*="hcaptcha.com/captcha"], .h-captcha'],
  ['reCAPTCHA', 'iframe[src*="/recaptcha/api2/"], iframe[src*="/recaptcha/enterprise/"], .g-recaptcha'],
  ['Turnstile', 'iframe[src*="challenges.cloudflare.com"], .cf-turnstile'],
];

/** One look for all of them: most pages have none. */
const anyWall = walls.map(([, selector]) => selector).join();

const wall = () => {
  const title = document.title.trim();
  const named = walls.find(([, , pattern]) => pattern?.test(title));
  if (named) return named[0];
  if (!document.querySelector(anyWall)) return '';
  const found = walls.find(([, selector]) => document.querySelector(selector));
  // A page with something to read or a form to fill in is a page, whatever else it carries.
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden cannot be read, and must not count.
  const text = (document.body?.innerText ?? '').trim().length;
  const fields = document.querySelectorAll(
    'input:not([type=hidden], [type=submit], [type=checkbox]), textarea:not([name*=captcha])',
  );
  return text < 600 && fields.length === 0 ? found[0] : '';
};

const hasFailed = (image) => image.currentSrc && image.complete && image.naturalWidth === 0 && image.checkVisibility();

const facts = () => ({
  // A page may call itself by a novel; answers and headers need not carry it.
  title: document.title.slice(0, 1000),
  url: location.href.slice(0, 8192),
  status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
  blank: !tintype.hasContent(),
  wall: wall(),
  failedImages: [...document.images].filter(hasFailed).length,
  failedFonts: [...document.fonts].filter((font) => font.status === 'error').length,
});

/** Resolves as soon as something matches, looking after every change and, for what changes unseen, ten times a second. */
const waitFor = (selector) =>
  new Promise((resolve) => {
    const look = () => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      clearInterval(timer);
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, attributes: true });
    const timer = setInterval(look, 100);
    look();
  });

Object.assign(globalThis.tintype, { facts, waitFor });
