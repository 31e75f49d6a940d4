// Frames of other origins in a picture that is taller than the window. The browser paints them only in the window, so each is
// scrolled to, and its picture becomes its background.
import { sleep } from '../kernel/deadline.ts';
import { networkQuiet } from './full-page.ts';
import { fastPng } from './image.ts';
import type { Extent } from './in-page-types.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';
import { clipOf, partsOf, type Region, snapped } from './regions.ts';

/** Pages have a few: videos, maps, forms. */
const mostFrames = 20;
/** For what all of them load once they are in view. */
const loadMs = 3000;
/** A frame of another site is painted by another process. */
const paintMs = 100;

export async function paintFrames(page: Page, { frames = [], zoom, leftward }: Extent, until: number): Promise<void> {
  // A page that overflows to the left is measured from another origin.
  if (frames.length === 0 || leftward) return;
  const { unanswered } = page.tab.outlet;
  const end = performance.now() + loadMs;
  for (const [index, box] of frames.slice(0, mostFrames).entries()) {
    if (box.y > until || performance.now() > captureBy(page.deadline)) continue;
    await page.call('scrollToFrame', index);
    await networkQuiet(page, unanswered, end);
    await page.race(sleep(paintMs, page.deadline.signal));
    await page.call('keepPicture', index, (await pictureOf(page, { ...box, zoom })).toString('base64'));
  }
  await page.call('leaveFrames');
}

async function pictureOf(page: Page, box: Region): Promise<Buffer> {
  const { deviceScale } = page.request;
  const region = snapped(box, deviceScale);
  const [part] = partsOf(region, deviceScale, Number.POSITIVE_INFINITY);
  if (!part) throw new RangeError('A frame has no size.');
  const clip = clipOf(region, part, deviceScale, { x: 0, y: 0 });
  return (await page.capture(() => page.session.send('Page.captureScreenshot', { ...fastPng, clip }))).data;
}
