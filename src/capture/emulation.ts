// Which browser, person and place the page sees: user agent, language, time zone, position, and how CSS media queries answer.
import { invalidParameter } from '../kernel/errors.ts';
import type { CaptureRequest } from './capture-request.ts';
import { ProtocolError } from './cdp.ts';
import { identityOf } from './identity.ts';
import { screenshotParameters } from './parameters.ts';
import type { Tab } from './tab.ts';
import type { TargetSession } from './targets.ts';

/** Sends only what differs from a new tab, all commands at once. For the page, and for each of its frames of other sites. */
export function emulate(session: TargetSession, request: CaptureRequest, version: string): Promise<unknown>[] {
  const { locale, timezone } = request;
  const asked = introduce(session, request, version);
  if (locale !== undefined) asked.push(known('locale', session.send('Emulation.setLocaleOverride', { locale })));
  if (timezone !== undefined)
    asked.push(known('timezone', session.send('Emulation.setTimezoneOverride', { timezoneId: timezone })));
  if (request.media !== undefined || request.darkMode || request.reducedMotion)
    asked.push(emulateMedia(session, request));
  return asked;
}

/** The user agent and its languages. A worker needs nothing else: time zone and Intl are those of its process. */
export function introduce(session: TargetSession, request: CaptureRequest, version: string): Promise<unknown>[] {
  const { device, userAgent, locale } = request;
  if (device === undefined && userAgent === undefined && locale === undefined) return [];
  return [known('userAgent', session.send('Emulation.setUserAgentOverride', identityOf(request, version)))];
}

/** What the caller gave that must be set in each frame of another site. */
export const isEmulatedInFrames = ({ userAgent, locale, timezone, media, reducedMotion }: CaptureRequest): boolean =>
  userAgent !== undefined || locale !== undefined || timezone !== undefined || media !== undefined || reducedMotion;

/** One command for all of it, because each replaces what the last one has set. */
export const emulateMedia = (
  session: Pick<TargetSession, 'send'>,
  { darkMode, reducedMotion, media: asked }: CaptureRequest,
  media = asked ?? '',
): Promise<unknown> =>
  session.send('Emulation.setEmulatedMedia', {
    media,
    features: [
      ...(darkMode ? [{ name: 'prefers-color-scheme', value: 'dark' }] : []),
      ...(reducedMotion ? [{ name: 'prefers-reduced-motion', value: 'reduce' }] : []),
    ],
  });

/**
 * For the page with all its frames. The permission is for every origin of this page's context, because a page may lead to
 * another origin before it asks; a frame of another origin asks only where the page lets it.
 */
export function placeAt({ browser, session, contextId }: Tab, { geolocation }: CaptureRequest): Promise<unknown>[] {
  if (geolocation === undefined) return [];
  return [
    session.send('Emulation.setGeolocationOverride', geolocation),
    browser.session.send('Browser.grantPermissions', { permissions: ['geolocation'], browserContextId: contextId }),
  ];
}

/** Node and the browser have a list of languages and time zones each. What the browser refuses is the caller's mistake. */
async function known(name: 'userAgent' | 'locale' | 'timezone', sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { expects } = screenshotParameters[name].kind;
    throw invalidParameter(name, `${name} must be ${expects}; the browser refuses this one.`);
  }
}
