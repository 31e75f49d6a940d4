// The browser's identity: a user agent and client hints that match each other, the device preset and the real version of
// the browser; or the user agent and the language that the caller gives.
import type { Protocol } from 'devtools-protocol';
import type { CaptureRequest } from './capture-request.ts';
import { type Device, devices } from './devices.ts';

export type Identity = Protocol.Emulation.SetUserAgentOverrideRequest;

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5';

/** What a desktop Chromium on Linux sends. The headless build names itself, and some sites show it other pages. */
export const desktopIdentity = (version: string): Identity =>
  chromium(version, {
    system: 'X11; Linux x86_64',
    navigatorPlatform: 'Linux x86_64',
    platform: 'Linux',
    // Chromium itself leaves it empty on Linux.
    platformVersion: '',
    architecture: 'x86',
    model: '',
    mobile: false,
  });

/** What the page is told: the caller's user agent, that of the device, or the desktop's; and the caller's languages. */
export function identityOf(
  { device, userAgent, locale }: Pick<CaptureRequest, 'device' | 'userAgent' | 'locale'>,
  version: string,
): Identity {
  const preset = device === undefined ? desktopIdentity(version) : deviceIdentity(devices[device], version);
  return {
    // Without metadata the browser sends no client hints, which would contradict the caller's user agent.
    ...(userAgent === undefined ? preset : { userAgent, platform: platformOf(userAgent) ?? preset.platform ?? '' }),
    ...(locale !== undefined && { acceptLanguage: languagesOf(locale) }),
  };
}

/** The platform that scripts see, where the user agent names one. */
const platformOf = (userAgent: string): string | undefined => platforms.find(([name]) => userAgent.includes(name))?.[1];

const platforms: readonly (readonly [name: string, platform: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Linux armv81'],
  ['Macintosh', 'MacIntel'],
  ['Windows', 'Win32'],
];

/** `de-DE,de`, as a browser in this language sends it; the browser adds the weights. */
const languagesOf = (locale: string): string => [...new Set([locale, locale.split('-')[0]])].join();

function deviceIdentity(device: Device, version: string): Identity {
  switch (device.system) {
    // Safari sends no client hints: without metadata, the browser sends none either.
    case 'ios':
      return {
        userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
        platform: 'iPhone',
      };
    case 'ipados':
      return {
        userAgent: `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
        platform: 'iPad',
      };
    case 'android':
      return chromium(version, {
        // Chrome's reduced user agent, the same on every Android phone; the model is in the client hints.
        system: 'Linux; Android 10; K',
        navigatorPlatform: 'Linux armv81',
        platform: 'Android',
        platformVersion: '14.0.0',
        architecture: '',
        model: device.model,
        mobile: true,
      });
    case 'macos':
      return chromium(version, {
        system: 'Macintosh; Intel Mac OS X 10_15_7',
        navigatorPlatform: 'MacIntel',
        platform: 'macOS',
        platformVersion: '15.5.0',
        architecture: 'arm',
        model: '',
        mobile: false,
      });
  }
}

type Platform = {
  system: string;
  navigatorPlatform: string;
  platform: string;
  platformVersion: string;
  architecture: string;
  model: string;
  mobile: boolean;
};

function chromium(version: string, kind: Platform): Identity {
  const major = version.split('.')[0] ?? version;
  return {
    // Since Chrome 101 the minor version numbers are always zero.
    userAgent: `Mozilla/5.0 (${kind.system}) ${webkit} Chrome/${major}.0.0.0 ${kind.mobile ? 'Mobile ' : ''}Safari/537.36`,
    platform: kind.navigatorPlatform,
    userAgentMetadata: {
      brands: brands(major, '99'),
      fullVersionList: brands(version, '99.0.0.0'),
      platform: kind.platform,
      platformVersion: kind.platformVersion,
      architecture: kind.architecture,
      bitness: kind.mobile ? '' : '64',
      model: kind.model,
      mobile: kind.mobile,
      wow64: false,
    },
  };
}

// The second brand is required by the standard, so that sites do not rely on a fixed list.
const brands = (version: string, grease: string) => [
  { brand: 'Chromium', version },
  { brand: 'Not_A Brand', version: grease },
];
