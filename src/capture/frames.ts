// Frames of other origins in a picture that is taller than the window. The browser paints them only in the window, so each is
// scrolled to, and its picture becomes its background.
import { fastPng } from './image.ts';
import type { Extent } from './in-page-types.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';
import { clipOf, partsOf, type Region, snapped } from './regions.ts';

/** Pages have a few: videos, maps, forms. */
const mostFrames = 20;
/** Device pixels of one frame and of all: their pictures are in the memory of the page until it is captured. */
const mostPixels = 4_000_000;
const mostPixelsOfAll = 20_000_000;
/** A picture passes through this process as text. Only noise has more bytes. */
const mostBytes = 4_000_000;
/** For what all of them load once they are in view. */
const loadMs = 3000;
/** A frame of another site is painted by another process. */
const paintMs = 100;

export async function paintFrames(page: Page, { frames = [], zoom, leftward }: Extent, until: number): Promise<void> {
  const wanted = [...frames.entries()].filter(([, { y }]) => y <= until);
  const perCss = zoom * page.request.deviceScale;
  const fetchBy = performance.now() + loadMs;
  let tried = 0;
  let painted = 0;
  let room = mostPixelsOfAll;
  for (const [index, box] of wanted) {
    const pixels = box.width * box.height * perCss ** 2;
    // A page that overflows to the left is measured from another origin.
    if (leftward || tried === mostFrames || pixels > Math.min(mostPixels, room)) continue;
    if (performance.now() > captureBy(page.deadline)) break;
    tried++;
    room -= pixels;
    await page.call('scrollToFrame', index);
    await page.race(page.clock.forward(paintMs, { fetchBy, endBy: captureBy(page.deadline) }));
    await page.clock.pace(page.race(page.deadline.pause(paintMs)));
    const picture = await pictureOf(page, { ...box, zoom });
    const isSmall = picture.length <= mostBytes;
    if (isSmall && (await page.call('keepPicture', index, picture.toString('base64')))) painted++;
  }
  if (wanted.length > 0) await page.call('leaveFrames');
  const missing = wanted.length - painted;
  if (missing > 0) page.warnings.push(`Frames of other sites below the window that are missing: ${missing}.`);
}

async function pictureOf(page: Page, box: Region): Promise<Buffer> {
  const { deviceScale } = page.request;
  const region = snapped(box, deviceScale);
  const [part] = partsOf(region, deviceScale, Number.POSITIVE_INFINITY);
  if (!part) throw new RangeError('A frame has no size.');
  const clip = clipOf(region, part, deviceScale, { x: 0, y: 0 });
  return (await page.capture(() => page.session.send('Page.captureScreenshot', { ...fastPng, clip }))).data;
}
