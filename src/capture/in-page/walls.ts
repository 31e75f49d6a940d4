// Runs inside the page: collects the signs of a bot check or a block page. The server judges them (../walls.ts).
import type { WallSigns } from '../in-page-types.ts';

/** A vendor, a selector of its marks, and a pattern of its inline scripts. */
type Mark = readonly [vendor: string, selector: string | null, script?: RegExp];

export default function () {
  /** Marks that only a check or a block page has: in the document, and in its inline scripts. */
  const ownMarks: readonly Mark[] = [
    [
      'Cloudflare',
      '#challenge-form, #challenge-running, #cf-please-wait, .cf-browser-verification, script[src*="/cdn-cgi/challenge-platform/"][src*="/orchestrate/"]',
      /_cf_chl_opt\b/,
    ],
    ['DataDome', 'iframe[src*="captcha-delivery.com"], script[src*="captcha-delivery.com"]'],
    ['PerimeterX', '#px-captcha, #px-captcha-wrapper'],
    // The script with two keys is the challenge; the one with a single key is also on ordinary pages.
    ['Imperva', 'iframe[src*="_Incapsula_Resource"], script[src*="_Incapsula_Resource?SWJIYLWA="][src*=","]'],
    [
      'Akamai',
      '#sec-if-cpt-container, #sec-cpt-if, script[src*="/_sec/cp_challenge/"], meta[http-equiv="refresh" i][content*="bm-verify"]',
    ],
    ['AWS WAF', 'script[src*="awswaf.com/"][src*="captcha"]', /\bgokuProps\b/],
    ['Kasada', 'script[src*="/ips.js"]', /\bKPSDK\.(?:now|start|scriptStart)\b/],
    ['F5', 'script[src^="/TSPD/"]'],
    ['Sucuri', '.sucuri-firewall', /\bsucuri_cloudproxy_js\b/],
    ['StackPath', 'form[action*="/sbbi/"], script[src*="/sbbi/"]'],
    ['SiteGround', '[src*="/.well-known/sgcaptcha/"]', /\.well-known\/sgcaptcha/],
    ['DDoS-Guard', '[src*="/.well-known/ddos-guard/js-challenge"], [src*="check.ddos-guard.net"]'],
    ['Vercel', 'a[href*="vercel.link/security-checkpoint"]'],
    ['Google', 'form#captcha-form'],
    ['Radware', 'script[src*="perfdrive.com/"][src*="captcha"]'],
    ['Anubis', '#anubis_challenge, script[src*="/.within.website/x/cmd/anubis/"]'],
    ['go-away', '[src*="/go-away/challenge/"], [href*="/go-away/challenge/"]'],
    ['SafeLine', '#slg-box, [src*="/.safeline/"]'],
    ['Alibaba Cloud', '#nocaptcha, script[src*="/sd/punish"]', /_____tmd_____\/punish|\bacw_sc__v[23]\b/],
    ['Yandex', '#checkbox-captcha-form, form[action*="/checkcaptcha"]'],
    ['Amazon', 'form[action*="/errors/validateCaptcha"]'],
    ['Fastly', 'script[src*="/_fs-ch-"]'],
    ['LiteSpeed', 'form[action*="/.lsrecap/"]'],
    ['Imunify360', '#wsidchk, #wsidchk-form'],
    ['Reblaze', null, /\bwindow\.rbzns\b/],
    ['Qrator', 'script[src*="/__qrator/"]'],
    ['Hostinger', '[src*="/hcdn-cgi/jschallenge"]'],
  ];

  /** Marks that are also on ordinary pages: a widget in a form, a monitoring script. They only count together with words. */
  const sharedMarks: readonly Mark[] = [
    ['Cloudflare', '#cf-error-details, #cf-wrapper, .cf-turnstile, [src*="challenges.cloudflare.com"]'],
    ['hCaptcha', '.h-captcha, [src*="hcaptcha.com"]'],
    ['reCAPTCHA', '.g-recaptcha, [src*="/recaptcha/"], [src*="recaptcha.net"]'],
    ['PerimeterX', '[src*="px-cdn.net"], [src*="px-cloud.net"], [src*="perimeterx.net"]'],
    ['Imperva', 'script[src*="_Incapsula_Resource"]'],
    ['DataDome', '[src*="datadome.co"]'],
    ['AWS WAF', '[src*="awswaf.com/"]'],
    ['GeeTest', '[class*="geetest_"], [src*="geetest.com"]'],
    ['Arkose', '[src*="arkoselabs.com"], [src*="funcaptcha.com"]'],
    ['Tencent', '#TCaptcha, [src*="TCaptcha"], [src*="captcha.qcloud.com"]'],
    ['Baidu', '[src*="wappass.baidu.com"]'],
    ['Friendly Captcha', '.frc-captcha, altcha-widget, [src*="friendlycaptcha"], [src*="mcaptcha"]'],
  ];

  /** A check has less text and fewer links than this. An ideograph counts as two characters. */
  const mostText = 1800;
  const mostLinks = 15;
  const mostNodes = 3000;

  /** The visible text from the top, up to a limit: a page may have megabytes of text, or a million text nodes. */
  const visibleText = (limit: number): string => {
    if (!document.body) return '';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let text = '';
    for (let i = 0; i < mostNodes && text.length <= limit && texts.nextNode(); i++) {
      const node = texts.currentNode as Text;
      const said = node.substringData(0, limit + 1).trim();
      const parent = node.parentElement as Element;
      if (said === '' || /^(?:script|style|noscript|template|textarea)$/i.test(parent.localName)) continue;
      if (parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) text += `${said} `;
    }
    return text;
  };

  const lengthOf = (text: string) =>
    text.length + (text.match(/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/g)?.length ?? 0);

  /** Has the page input fields, other than for a CAPTCHA? */
  const asksForInput = () =>
    [
      ...document.querySelectorAll<HTMLInputElement>(
        'textarea:not([name*="captcha"]), select, input:not([type="hidden"], [type="submit"], [type="button"], [type="checkbox"], [type="image"])',
      ),
    ]
      .slice(0, 50)
      .some((field) => field.checkVisibility() && !/captcha/i.test(`${field.id} ${field.name}`));

  /** The beginnings of the inline scripts. */
  const inlineScripts = () =>
    [...document.scripts]
      .slice(0, 30)
      .filter((script) => !script.src)
      .map((script) => (script.firstChild as Text | null)?.substringData(0, 3000) ?? '')
      .join('\n');

  const carries = (selector: string | null) => selector !== null && document.querySelector(selector) !== null;

  const headline = () => document.querySelector('h1, h2, h3')?.textContent.slice(0, 300) ?? '';

  /** One search for all of them: most pages have none. */
  const anyMark = [...ownMarks, ...sharedMarks].flatMap(([, selector]) => selector ?? []).join();

  const vendorOf = (marks: readonly Mark[], scripts: string): string =>
    marks.find(([, selector, script]) => carries(selector) || script?.test(scripts))?.[0] ?? '';

  /** `text` is the visible text. A page with much text, many links or input fields is no wall, whatever marks it has. */
  const wallSigns = (text: string): WallSigns | undefined => {
    const length = lengthOf(text);
    if (length > mostText || document.links.length > mostLinks || asksForInput()) return undefined;
    const scripts = inlineScripts();
    const isMarked = scripts !== '' || carries(anyMark);
    return {
      ownMarkOf: isMarked ? vendorOf(ownMarks, scripts) : '',
      sharedMarkOf: isMarked ? vendorOf(sharedMarks, scripts) : '',
      title: document.title.slice(0, 300).trim(),
      headline: headline(),
      text,
      length,
      links: document.links.length,
      noIndex: carries('meta[name="robots" i][content*="noindex" i]'),
    };
  };

  return { wallSigns, visibleText };
}
