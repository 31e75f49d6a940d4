// What WebGL draws, in a PDF. The browser prints such a canvas empty, so its picture takes its place.
import { fastPng } from './image.ts';
import type { PageBox } from './in-page-types.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';

/** Pages have a few: maps, models, charts. */
const mostCanvases = 20;
/** Pixels of one canvas and of all: their pictures are in the memory of the page until it is printed. */
const mostPixels = 4_000_000;
const mostPixelsOfAll = 20_000_000;
/** A picture passes through this process as text. Only noise has more bytes. */
const mostBytes = 8_000_000;

export async function keepCanvases(page: Page): Promise<void> {
  const boxes = await page.call('unprintableCanvases');
  if (boxes.length === 0) return;
  let room = mostPixelsOfAll;
  let kept = 0;
  await background(page, { color: { r: 0, g: 0, b: 0, a: 0 } });
  for (const [index, box] of boxes.slice(0, mostCanvases).entries()) {
    if (pixelsOf(box) > Math.min(mostPixels, room)) continue;
    if (performance.now() > captureBy(page.deadline)) break;
    const pixels = await keepCanvas(page, index, Math.min(mostPixels, room));
    room -= pixels;
    if (pixels > 0) kept++;
  }
  await background(page, {});
  const missing = boxes.length - kept;
  if (missing > 0) page.warnings.push(`Drawings by WebGL that are missing: ${missing}.`);
}

const background = (page: Page, color: { color?: { r: number; g: number; b: number; a: number } }) =>
  page.send('Emulation.setDefaultBackgroundColorOverride', color);

const pixelsOf = ({ width, height }: PageBox): number => width * height;

/** Returns how many pixels its picture has. None: there is none. */
async function keepCanvas(page: Page, index: number, room: number): Promise<number> {
  // It may be larger than it was listed: what turns it is taken away, and its page goes on.
  const box = await page.call('showOnlyCanvas', index);
  if (box && pixelsOf(box) > 0 && pixelsOf(box) <= room) {
    const ask = () => page.session.send('Page.captureScreenshot', { ...fastPng, clip: { ...box, scale: 1 } });
    const { data } = await page.capture(ask, 'a part');
    if (data.length <= mostBytes) return (await page.call('keepCanvas', data.toString('base64'))) ? pixelsOf(box) : 0;
  }
  await page.call('showAllAgain');
  return 0;
}
