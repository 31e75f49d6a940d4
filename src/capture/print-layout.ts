// Lays a page out as it will be printed: with its print styles, in a window as wide as the room on the paper.
import type { CaptureRequest } from './capture-request.ts';
import { emulateMedia } from './emulation.ts';
import type { Extent } from './in-page-types.ts';
import { warnCut } from './in-view-only.ts';
import type { Page } from './page.ts';
import { mmPerInch, paperOf } from './paper.ts';

export const pxPerMm = 96 / mmPerInch;

/** The browser shrinks content that is wider than the paper, but not to less than two thirds. */
export const mostShrunk = 1.5;

/** Between the margins, in CSS pixels of the page. */
export function roomOf(request: CaptureRequest): { width: number; height: number } {
  const { width, height, margin } = paperOf(request);
  const css = (mm: number) => (mm * pxPerMm) / request.scale;
  return { width: css(width - margin.left - margin.right), height: css(height - margin.top - margin.bottom) };
}

/**
 * Printing itself waits for nothing: what only the print styles use (a logo, a font) has to load before, and charts that a
 * script sizes need the time to fit. `height` is that of the window.
 */
export async function layOutForPrint(page: Page, height: number): Promise<Extent> {
  await showAsPrinted(page, height);
  await page.rest();
  await page.call('showAll');
  const cut = await page.call('openSideways', roomOf(page.request).width * mostShrunk);
  if (cut > 0) warnCut(page, 'A part of the page scrolls sideways; the PDF shows only what is visible of it.');
  return page.call('measure');
}

/** Without waiting for what that loads. */
export async function showAsPrinted(page: Page, height: number): Promise<void> {
  await page.race(emulateMedia(page.session, page.request, page.request.media ?? 'print'));
  await setWindow(page, roomOf(page.request).width, height);
}

/** Not that of a phone: paper has no zoom. */
export async function setWindow(page: Page, width: number, height: number): Promise<void> {
  await page.send('Emulation.setDeviceMetricsOverride', {
    width: Math.max(1, Math.floor(width)),
    height,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await page.call('twoFrames');
}
