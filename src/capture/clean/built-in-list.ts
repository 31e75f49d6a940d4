// A short filter list of our own. It is part of every engine: on its own where no lists were fetched, and in addition to
// them for what they leave out, above all chat widgets. It names the most common networks and products only.

const hosts = (text: string): string[] => text.trim().split(/\s+/);

const adHosts = hosts(`
  doubleclick.net googlesyndication.com googleadservices.com googletagservices.com adtrafficquality.google
  amazon-adsystem.com adnxs.com adsrvr.org rubiconproject.com pubmatic.com openx.net casalemedia.com criteo.com
  criteo.net taboola.com outbrain.com mgid.com revcontent.com media.net 33across.com sharethrough.com
  smartadserver.com indexww.com teads.tv moatads.com adform.net adsafeprotected.com bidswitch.net yieldmo.com
  triplelift.com 3lift.com sovrn.com lijit.com gumgum.com buysellads.com carbonads.net carbonads.com
  zedo.com adroll.com propellerads.com popads.net exoclick.com adcolony.com serving-sys.com flashtalking.com
  ads-twitter.com ads.linkedin.com ads.yahoo.com advertising.com an.yandex.ru
`);

const trackerHosts = hosts(`
  google-analytics.com googletagmanager.com scorecardresearch.com quantserve.com hotjar.com mixpanel.com
  segment.io fullstory.com mouseflow.com clarity.ms chartbeat.com newrelic.com nr-data.net amplitude.com
  heapanalytics.com crazyegg.com luckyorange.com bat.bing.com connect.facebook.net static.ads-twitter.com
  mc.yandex.ru matomo.cloud statcounter.com optimizely.com
`);

/** Live chat, support and messenger launchers. */
const chatHosts = hosts(`
  widget.intercom.io js.intercomcdn.com intercomassets.com driftt.com drift.com client.crisp.chat
  static.zdassets.com ekr.zdassets.com zopim.com embed.tawk.to va.tawk.to js.hs-scripts.com js.usemessages.com
  cdn.livechatinc.com static.olark.com code.tidio.co widgets.freshchat.com wchat.freshchat.com
  wchat.eu.freshchat.com code.jivosite.com code.jivo.ru config.gorgias.chat beacon-v2.helpscout.net
  smartsuppchat.com userlike-cdn-widgets.s3-eu-west-1.amazonaws.com userlike.com widget.manychat.com
  static.landbot.io kayako.com purechat.com snapengage.com salesiq.zoho.com salesiq.zohopublic.com
  cdn.chatbot.com chatra.io call.chatra.io widget.trengo.eu chat.respond.io snippet.helpcrunch.com
`);

// These also serve content of ordinary pages, so only their scripts on other sites are blocked.
const scriptOnly = new Set(['googletagmanager.com', 'optimizely.com', 'newrelic.com', 'connect.facebook.net']);

const adElements = `
  ins.adsbygoogle | .adsbygoogle | [id^="google_ads_iframe"] | [id^="div-gpt-ad"] | [id^="gpt-ad-"] | [data-google-query-id]
  .ad-slot | .ad_slot | .adslot | .ad-unit | .ad-banner | .ad_banner | .banner-ad | .ad-container | .ad-wrapper | .ad-leaderboard
  .ad-sidebar | .ad-placeholder | .ads-container | .advertisement | .advert-slot | .sponsored-ad | .dfp-ad | .gpt-ad | .google-ad
  .taboola | [id^="taboola-"] | .OUTBRAIN | #carbonads | amp-ad | [data-ad-slot] | [data-ad-unit] | [aria-label="Advertisement"]
`;

const chatElements = `
  .intercom-lightweight-app | #intercom-container | #intercom-frame | .intercom-app | #drift-widget-container | #drift-frame-controller
  #drift-widget | .crisp-client | #crisp-chatbox | iframe#launcher | #webWidget | iframe[title="Opens a widget where you can find more information"]
  #hubspot-messages-iframe-container | [id^="tawk-"] | .tawk-min-container | iframe[title="chat widget"] | .widget-visible > iframe[title="chat widget"]
  #chat-widget-container | #olark-wrapper | #olark-container | #tidio-chat | #fc_frame | #freshworks-container | jdiv | #jivo-iframe-container
  #gorgias-chat-container | #beacon-container | #smartsupp-widget-container | #userlike-frame | .fb_dialog | .fb-customerchat
  .zopim | #zsiq_float | .zsiq_floatmain | #chatra | #purechat-container | #helpcrunch-container | #lhc_status_container
`;

/** Banners and their backdrops, by the names that consent products use. */
const consentElements = `
  #onetrust-consent-sdk | #onetrust-banner-sdk | .onetrust-pc-dark-filter | #CybotCookiebotDialog | #CybotCookiebotDialogBodyUnderlay
  #didomi-host | #didomi-popup | #didomi-notice | #qc-cmp2-container | .qc-cmp2-container | #usercentrics-root | #usercentrics-cmp-ui
  #truste-consent-track | #trustarc-banner-overlay | .truste_box_overlay | .truste_overlay | .truste_popframe | #consent_blackbar
  [id^="sp_message_container_"] | .fc-consent-root | .osano-cm-window | #cmplz-cookiebanner-container | .cmplz-cookiebanner
  .cky-consent-container | .cky-overlay | #cookie-law-info-bar | .cli-popupbar-overlay | #iubenda-cs-banner | .iubenda-cs-overlay
  #cookiescript_injected_wrapper | #cookiescript_injected | .klaro .cookie-notice | .klaro .cookie-modal | #BorlabsCookieBox
  #cmpbox | #cmpbox2 | #cmpwrapper | #termly-code-snippet-support | #axeptio_overlay | #tarteaucitronRoot | #hs-eu-cookie-confirmation
  #cookie-notice | .cc-window.cc-banner | .cc-window.cc-floating | #cookiefirst-root | #ketch-consent-banner | #transcend-consent-manager
  #ot-sdk-btn-floating | #CookiebotWidget | .osano-cm-widget | .cmplz-manage-consent | .cky-btn-revisit-wrapper | .cc-revoke
  .iubenda-tp-btn | #moove_gdpr_cookie_info_bar | #catapult-cookie-bar | .eu-cookie-compliance-banner | #sliding-popup.sliding-popup-bottom | #gdpr-cookie-message
`;

const asRules = (text: string): string[] =>
  text
    .split(/\n|\|(?!\|)/)
    .map((selector) => selector.trim())
    .filter(Boolean)
    .map((selector) => `##${selector}`);

const asFilters = (names: readonly string[]): string[] =>
  names.map((name) => `||${name}^${scriptOnly.has(name) ? '$script,third-party' : '$third-party'}`);

export const builtInAds = [
  ...asFilters(adHosts),
  ...asFilters(trackerHosts),
  ...asFilters(chatHosts),
  ...asRules(adElements),
  ...asRules(chatElements),
].join('\n');

export const builtInCookies = asRules(consentElements).join('\n');
