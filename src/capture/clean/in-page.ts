// The cleaning code that runs in a page, as text; see in-page/library.ts.
import { addTo, loadLibrary } from '../in-page.ts';
import { consentWords } from './consent-words.ts';
import { inWorld, type PageFrame } from './frames.ts';
import type { BannerFunctions, BoxFunctions } from './in-page-types.ts';

type CleanPiece = 'overlays' | 'consent' | 'unlockPage' | 'banners' | 'boxes';

const once = (marker: string, source: string) => `if (!globalThis.tintypePage?.${marker}) {\n${source}\n}\n`;

async function load() {
  const library = await loadLibrary<CleanPiece>(new URL('./in-page/library.ts', import.meta.url));
  const add = (name: CleanPiece) => addTo('tintypePage', library[name]);
  const overlays = once('textOf', add('overlays'));
  const consent = once('isBanner', `tintypePage.words = ${JSON.stringify(consentWords)};\n${add('consent')}`);
  return {
    banners: overlays + consent + once('clearBanners', add('unlockPage') + add('banners')),
    boxes: overlays + once('closeBoxes', add('boxes')),
  };
}

/** Loaded at the first use: a server without blockAds and blockCookies never needs it. */
let loaded: ReturnType<typeof load> | undefined;

async function call<T>(
  frame: PageFrame,
  scripts: 'banners' | 'boxes',
  name: string,
  args: readonly unknown[],
): Promise<T> {
  loaded ??= load();
  const source = (await loaded)[scripts];
  return inWorld<T>(frame, `${source}tintypePage.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`);
}

/** Calls a function of the scripts that look for banners, in the frame. */
export const withBanners = <N extends keyof BannerFunctions>(
  frame: PageFrame,
  name: N,
  ...args: Parameters<BannerFunctions[N]>
): Promise<ReturnType<BannerFunctions[N]>> => call(frame, 'banners', name, args);

/** Calls a function of the scripts that close boxes, in the frame. */
export const withBoxes = <N extends keyof BoxFunctions>(
  frame: PageFrame,
  name: N,
  ...args: Parameters<BoxFunctions[N]>
): Promise<ReturnType<BoxFunctions[N]>> => call(frame, 'boxes', name, args);
