// Runs inside the page: is a bot check or a block page shown instead of the content? The evidence is a vendor's mark on a
// page with little else. Words alone only count together with a second sign.

/** A vendor, a selector of its marks, and a pattern of its inline scripts. */
type Mark = readonly [vendor: string, selector: string | null, script?: RegExp];
type VendorWords = readonly [vendor: string, words: RegExp];

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

  /** Titles and texts that identify a check by themselves, on a page with little else. */
  const ownTitles: readonly VendorWords[] = [
    ['Cloudflare', /^attention required! \| cloudflare|used cloudflare to restrict access$/i],
    ['PerimeterX', /^access to this page has been denied/i],
    ['Imperva', /^pardon our interruption/i],
    ['Sucuri', /^sucuri website firewall/i],
    ['Vercel', /^vercel security checkpoint/i],
    ['Wordfence', /^your access to this site has been limited by the site owner/i],
  ];
  const ownTexts: readonly VendorWords[] = [
    ['Akamai', /access denied[\s\S]{0,400}reference\s*#\s*\d+\.[0-9a-f]+\.\d+\.[0-9a-f]+/i],
    ['F5', /requested url was rejected[\s\S]{0,200}support id/i],
    ['Imperva', /incapsula incident id/i],
  ];

  /** Three kinds of wording. Two kinds, or one and another sign, make a wall. */
  const asksForAHuman =
    /\b(?:verify|verifying|confirm|prove|make sure|ensure|check(?:ing)?)\b[^.!?]{0,30}\b(?:you(?:'|’)?re|you are|you)\b[^.!?]{0,12}\b(?:human|robot|bot|real person|person)\b|\bare you (?:a )?(?:human|robot|bot)\b|\bnot a (?:ro)?bot\b|robot or human|human verification|press (?:&|and) hold|real person|kein (?:ro)?bot\b|ob (?:du|sie) ein (?:ro)?bot|ein mensch (?:bist|sind)|(?:vous|tu) (?:êtes|es) (?:bien )?(?:un )?humain|pas un robot|(?:eres|es|soy) (?:un )?humano|una persona y no un robot|no (?:eres|es|soy|sos) un robot|(?:é|sou) (?:um )?(?:ser )?humano|não (?:é|sou) um robô|(?:sei|essere) (?:un )?(?:essere )?umano|non (?:sei|sono) un robot|geen robot|(?:een )?mens bent|jesteś człowiekiem|nie jesteś robotem|nejste robot|robot olmadığınız|insan olduğunuz|inte en robot|не робот|вы человек|人間であること|ロボットではあ?りません|人机验证|完成(?:下方|安全)?验证|不是机器人|拖动.{0,8}滑块|로봇이 아|사람인지 확인|لست روبوت|रोबोट नहीं|không phải (?:là )?(?:người máy|robot)|bukan robot/iu;
  const checksTheBrowser =
    /checking (?:if (?:the )?(?:site|your) connection|(?:the )?(?:site )?connection security|your browser)|verifying your (?:browser|connection)|verifying that the connection is secure|security of your connection|request is being verified|enable javascript and (?:cookies|disable)|enable js and disable any ad blocker|ddos protection by|security (?:check(?:point)?|verification)\b|\bbot (?:detection|check|manager|protection)\b|complete the (?:security|verification|captcha)|solve (?:this|the) (?:captcha|puzzle|challenge)|(?:überprüft|prüfen|überprüfen)[^.!?]{0,60}(?:browser|verbindung)|vérifi\w+ [^.!?]{0,30}(?:navigateur|connexion)|(?:comprobando|verificando) (?:su|tu|el|la) (?:navegador|conexión)|verifica(?:ção|ndo)[^.!?]{0,20}(?:segurança|navegador)|controll\w+ (?:il|del) browser|проверк\S+ (?:вашего )?браузера|安全验证|检测.{0,8}(?:环境|浏览器)|セキュリティ(?:チェック|の確認)|보안 확인/iu;
  const turnsAway =
    /you(?:'|’)?(?:ve| have) been blocked|you (?:are|were) (?:being )?(?:blocked|rate limited)|has banned you|(?:unusual|abnormal|suspicious|automated) (?:traffic|activity|requests|queries)|using automation tools|made us think (?:that )?you (?:were|are) a (?:ro)?bot|bad bot access|blocked by network security|error\s*10(?:0[5-9]|1[0-59]|20)\b|访问过于频繁|请求(?:异常|过于频繁)|похож\S* на автоматическ|trafic inhabituel|tráfico inusual|ungewöhnliche[nr]? (?:datenverkehr|aktivität)/iu;

  /** A check has less text and fewer links than this. An ideograph counts as two characters. */
  const mostText = 1800;
  const mostLinks = 15;
  /** Without a mark, only short pages count: a longer text is probably about bot checks. */
  const mostWords = { refused: 1000, answered: 500 };
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

  const waysIn = (words: string) =>
    [asksForAHuman, checksTheBrowser, turnsAway].filter((way) => way.test(words)).length;

  const headline = () => document.querySelector('h1, h2, h3')?.textContent.slice(0, 300) ?? '';

  /** The vendor of the bot check; empty if there is none. `status` is the document's. */
  const wall = (status: number): string => {
    const text = visibleText(mostText);
    // A page with much text, many links or input fields is no wall, whatever marks it has.
    const length = lengthOf(text);
    if (length > mostText || document.links.length > mostLinks || asksForInput()) return '';
    const scripts = inlineScripts();
    const owner = ownMarks.find(([, selector, script]) => carries(selector) || script?.test(scripts));
    if (owner) return owner[0];
    const title = document.title.slice(0, 300).trim();
    const said = ownTitles.find(([, words]) => words.test(title)) ?? ownTexts.find(([, words]) => words.test(text));
    if (said) return said[0];
    const ways = waysIn(`${title}\n${text}`);
    if (ways === 0) return '';
    const known = sharedMarks.find(([, selector]) => carries(selector));
    if (known) return known[0];
    const isRefusal = status >= 400 || status === 202;
    const isHidden = carries('meta[name="robots" i][content*="noindex" i]');
    // A check names itself in its headline and has hardly any links; a page that only mentions checks has more.
    const isAboutIt = waysIn(`${title}\n${headline()}`) > 0 && document.links.length <= 3;
    const agrees = isRefusal || (isAboutIt && (ways > 1 || isHidden));
    return agrees && length <= mostWords[isRefusal ? 'refused' : 'answered'] ? 'unknown vendor' : '';
  };

  return { wall, visibleText };
}
