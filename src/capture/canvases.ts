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

export async function keepCanvases(page: Page, boxes: readonly PageBox[]): Promise<void> {
  if (boxes.length === 0) return;
  let room = mostPixelsOfAll;
  let kept = 0;
  await background(page, { color: { r: 0, g: 0, b: 0, a: 0 } });
  for (const [index, box] of boxes.slice(0, mostCanvases).entries()) {
    const pixels = box.width * box.height;
    if (pixels > Math.min(mostPixels, room)) continue;
    if (performance.now() > captureBy(page.deadline)) break;
    room -= pixels;
    if (await keepCanvas(page, index, box)) kept++;
  }
  await background(page, {});
  const missing = boxes.length - kept;
  if (missing > 0) page.warnings.push(`Drawings by WebGL that are missing: ${missing}.`);
}

const background = (page: Page, color: { color?: { r: number; g: number; b: number; a: number } }) =>
  page.send('Emulation.setDefaultBackgroundColorOverride', color);

async function keepCanvas(page: Page, index: number, box: PageBox): Promise<boolean> {
  await page.call('showOnlyCanvas', index);
  const ask = () => page.session.send('Page.captureScreenshot', { ...fastPng, clip: { ...box, scale: 1 } });
  const { data } = await page.capture(ask, 'a part');
  if (data.length <= mostBytes) return page.call('keepCanvas', data.toString('base64'));
  await page.call('showAllAgain');
  return false;
}
