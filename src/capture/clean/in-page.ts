// The scripts that run in the page, as text. They are plain JavaScript in files of their own: what is
// sent into a page has no types and no imports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consentWords } from './consent-words.ts';
import { type Frame, inWorld } from './frames.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, 'in-page', `${name}.js`), 'utf8');
const once = (marker: string, source: string) => `if (!globalThis.tintypePage?.${marker}) {\n${source}\n}\n`;

const sight = once('textOf', read('sight'));
const consent = once('isBanner', `tintypePage.words = ${JSON.stringify(consentWords)};\n${read('consent')}`);
const banners = once('clearBanners', read('freedom') + read('banners'));
const boxes = once('closeBoxes', read('boxes'));

/** Calls a function of the scripts that look for banners, in the frame. */
export const withBanners = <T>(frame: Frame, call: string): Promise<T> =>
  inWorld<T>(frame, `${sight}${consent}${banners}tintypePage.${call}`);

/** Calls a function of the scripts that close boxes, in the frame. */
export const withBoxes = <T>(frame: Frame, call: string): Promise<T> =>
  inWorld<T>(frame, `${sight}${boxes}tintypePage.${call}`);
