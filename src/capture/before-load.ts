// Everything that is set for the page alone before it loads: size, touch, position, cookies, our own CSS.
import type { CaptureRequest } from './capture-request.ts';
import type { CdpSession } from './cdp.ts';
import { type Device, devices, isMobile } from './devices.ts';
import { placeAt } from './emulation.ts';
import { onNewDocument } from './in-page.ts';
import { setCookies } from './login-cookies.ts';
import { type Tab, tabViewport } from './tab.ts';

/** Sends only what differs from a new tab, all commands at once. */
export async function prepare(tab: Tab, request: CaptureRequest): Promise<void> {
  const { session } = tab;
  const device: Device | undefined = request.device === undefined ? undefined : devices[request.device];
  const mobile = device !== undefined && isMobile(device);
  const asked: Promise<unknown>[] = placeAt(tab, request);
  const { width, height, deviceScale } = request;
  if (mobile || width !== tabViewport.width || height !== tabViewport.height || deviceScale !== tabViewport.deviceScale)
    asked.push(setViewport(session, request, { width, height }));
  if (mobile) asked.push(session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }));
  if (request.cookies !== undefined) asked.push(setCookies(tab, request.url, request.cookies));
  if (request.customCSS !== undefined) asked.push(...addCss(session, request.customCSS));
  if (request.hide !== undefined) asked.push(...hideMatches(session, request.hide));
  if (request.omitBackground)
    asked.push(session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }));
  await Promise.all(asked);
}

/** Sets the viewport. A full page may need another size than the request for a moment. */
export function setViewport(
  session: CdpSession,
  request: CaptureRequest,
  size: { width: number; height: number },
): Promise<unknown> {
  const mobile = request.device !== undefined && isMobile(devices[request.device]);
  return session.send('Emulation.setDeviceMetricsOverride', {
    ...size,
    deviceScaleFactor: request.deviceScale,
    mobile,
    screenWidth: size.width,
    screenHeight: size.height,
    ...(mobile && {
      screenOrientation:
        size.width > size.height ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 },
    }),
  });
}

/**
 * A content security policy does not forbid a style sheet that is made by script, and it applies before the first paint.
 * It cannot contain an @import: such CSS becomes a style element, with the policy off for this page.
 */
function addCss(session: CdpSession, css: string): Promise<unknown>[] {
  const text = JSON.stringify(css);
  // Where the page has no script of its own, the browser runs ours only with this domain enabled.
  const enable = session.send('Runtime.enable');
  if (!/@import/i.test(css)) return [enable, adoptSheet(session, `sheet.replaceSync(${text});`)];
  return [
    enable,
    session.send('Page.setBypassCSP', { enabled: true }),
    onNewDocument(
      session,
      `if (self === top) { const style = document.createElement('style'); style.textContent = ${text};
       const add = () => document.documentElement?.append(style);
       document.documentElement ? add() : new MutationObserver((_, o) => document.documentElement && (add(), o.disconnect())).observe(document, { childList: true }); }`,
    ),
  ];
}

/** `fill` is the script that fills `sheet`. A page that replaces its style sheets while it loads does not remove ours. */
const adoptSheet = (session: CdpSession, fill: string): Promise<unknown> =>
  onNewDocument(
    session,
    `if (self === top) { const sheet = new CSSStyleSheet(); ${fill}
     const adopt = () => document.adoptedStyleSheets.includes(sheet) || document.adoptedStyleSheets.push(sheet);
     adopt(); addEventListener('load', adopt); }`,
  );

/**
 * Opacity hides an element with all its children; visibility also hides a modal dialog in it, which no opacity of a parent
 * reaches. In a layer, `!important` wins over every rule of the page outside of layers.
 */
const hiding = `@layer { :not(*) {
  opacity: 0 !important; visibility: hidden !important; transition: none !important;
  & * { visibility: hidden !important }
} }`;

/** The selector is set as the selector of one rule and never becomes part of a style text: it cannot bring CSS of its own. */
function hideMatches(session: CdpSession, selector: string): Promise<unknown>[] {
  const text = JSON.stringify(selector);
  return [
    session.send('Runtime.enable'),
    adoptSheet(
      session,
      `globalThis.hideSelector = ${text}; sheet.replaceSync(${JSON.stringify(hiding)});
       sheet.cssRules[0].cssRules[0].selectorText = ${text};`,
    ),
  ];
}
