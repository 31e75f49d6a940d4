// Pages that show their sections and pictures when a reader scrolls to them, by the libraries that most sites use. Where a
// licence does not allow a library here, a stand-in listens, throttles and changes styles as it does.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, pixels, type Studio } from './studio.ts';

const fixtures = join(import.meta.dirname, '../fixtures/reveal');
const libraries = join(import.meta.dirname, '../../node_modules');

/** What every fixture has: twelve sections of 500 px, with a green box, a blue picture that takes 150 ms, or both. */
const sections = 12;
const box = { colour: '#00aa00', pixels: sections * 200 * 100 };
const picture = { colour: '#0000ff', pixels: sections * 100 * 100 };
const twoPictures = { colour: '#0000ff', pixels: 2 * picture.pixels };

const cases = [
  ['AOS, which hides what leaves the view', 'aos', [box]],
  ['AOS, once', 'aos.html?once=true', [box]],
  ['vanilla-lazyload, which cancels what leaves the view', 'vanilla-lazyload', [twoPictures]],
  ['lazysizes', 'lazysizes', [picture]],
  ['lozad', 'lozad', [twoPictures]],
  ['jquery.appear', 'jquery-appear', [box]],
  ['Swiper', 'swiper', [box, picture]],
  ['Slick', 'slick', [box, picture]],
  ['WOW (a stand-in)', 'wow-like', [box]],
  ['ScrollReveal with reset (a stand-in)', 'scrollreveal-like', [box]],
  ['GSAP ScrollTrigger (a stand-in)', 'scrolltrigger-like', [box]],
  ['a debounced listener', 'debounced', [box, picture]],
  ['a throttled listener', 'throttled', [box, picture]],
  ['an observer that hides what leaves the view', 'observer-toggle', [box]],
] as const;

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio({ concurrency: 4 });
  const blue = await sharp({ create: { width: 100, height: 100, channels: 3, background: picture.colour } })
    .png()
    .toBuffer();
  studio.site.on('/slow.png', (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(blue), 150);
  });
  studio.site.fallback = async (_request, response, { pathname }) => {
    const [, folder, ...rest] = pathname.split('/');
    const root = folder === 'lib' ? libraries : folder === 'reveal' ? fixtures : undefined;
    const bytes = root && (await readFile(join(root, ...rest)).catch(() => undefined));
    if (!bytes) return void response.writeHead(404).end();
    const type = pathname.endsWith('.css') ? 'text/css' : pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type }).end(bytes);
  };
});
afterAll(() => studio.close());

describe('a full page shows all that scrolling reveals', () => {
  it.concurrent.each(cases)('by %s', { timeout: 60_000 }, async (_what, file, wanted) => {
    const path = file.includes('.') ? file : `${file}.html`;
    const captured = await studio.capture(`${studio.site.origin}/reveal/${path}`, { fullPage: true });
    const seen = await pixels(captured.bytes);
    expect(seen.height).toBe(sections * 500);
    for (const { colour, pixels: count } of wanted) expect([colour, seen.count(colour)]).toEqual([colour, count]);
    expect(captured.verdict.codes).toEqual([]);
  });
});
