// Pages that contain only what is in view: virtualised lists, and sections that a script moves.
import { sleep } from '../kernel/deadline.ts';
import { setViewport } from './before-load.ts';
import { pageHeight, settleBounds } from './budgets.ts';
import type { Extent } from './in-page-types.ts';
import type { Page } from './page.ts';

const inViewOnly = 'Parts of the page exist only while they are in view; the picture shows what is in view at its top.';

/** Warns that the picture lacks a part of the page. An element does not lack what is missing elsewhere. */
export function warnCut(page: Page, message = inViewOnly): void {
  if (page.request.selector !== undefined) return;
  page.warnings.push(message);
  page.codes.add('cut');
}

/**
 * Turns the mouse wheel through the sections of a page that cannot be scrolled, so that each is shown once, and puts them
 * below each other. Returns how many windows could not be reached because nothing moved.
 */
export async function turnThrough(page: Page): Promise<number> {
  const windows = await page.call('turnableWindows');
  if (windows === 0) return 0;
  const { width, height } = page.request;
  const end = performance.now() + page.deadline.remaining() / 3;
  await page.call('beginTurns');
  let turns = 0;
  while (turns < windows && performance.now() < end) {
    const at = { x: Math.floor(width / 2), y: Math.floor(height / 2) };
    await page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: height });
    if (!(await page.call('turned'))) break;
    turns++;
  }
  await page.call('endTurns');
  return turns > 0 ? 0 : windows;
}

/** A virtualised list fills a window of any height: the window is made as tall as the page. */
export async function fillList(page: Page, extent: Extent): Promise<Extent> {
  const { width, height } = page.request;
  await page.race(setViewport(page.session, page.request, { width, height: Math.min(extent.height, pageHeight) }));
  await page.race(sleep(300, page.deadline.signal));
  await page.call('settle', settleBounds);
  const filled = await page.call('measure');
  const share = await page.call('shareShown');
  // A page whose sections are as tall as the window grows with it: then the window is set back.
  if (share > 0.8 && filled.height < extent.height * 1.3) return filled;
  await page.race(setViewport(page.session, page.request, { width, height }));
  await page.call('twoFrames');
  warnCut(page);
  return page.call('measure');
}
