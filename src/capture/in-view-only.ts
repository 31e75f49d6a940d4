// Pages that contain only what is in view: virtualised lists, and sections that a script moves.
import { setViewport } from './before-load.ts';
import { pageHeight } from './budgets.ts';
import type { Extent } from './in-page-types.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';
import { fetchBounds } from './rest.ts';

const inViewOnly = 'Parts of the page exist only while they are in view; the picture shows what is in view at its top.';

/** Warns that the picture lacks a part of the page. An element does not lack what is missing elsewhere. */
export function warnCut(page: Page, message = inViewOnly): void {
  if (page.request.selector !== undefined) return;
  page.warnings.push(message);
  page.codes.add('cut');
}

/** What the page gets in each window, in ms of its time: throttled and debounced handlers of scrolling run within this time. */
export const stepMs = 250;
/** How often what is still invisible in a window is given as much again. */
const mostLooks = 3;
/** Images of a window are waited for, because some libraries cancel those that leave it. */
const imagesMs = 1200;

/** Lets time pass in this window, as long as something is expected to appear in it. */
export async function lookAround(page: Page): Promise<void> {
  const fetchBy = performance.now() + imagesMs;
  for (let looks = 0; looks <= mostLooks; looks++) {
    // What is requested here is not waited for, unless something is expected to appear.
    await page.race(page.clock.forward(stepMs, { fetchBy: looks > 0 ? fetchBy : 0, endBy: captureBy(page.deadline) }));
    if (!(await page.call('noteAfterFrame', looks === mostLooks))) return;
  }
}

/** What a section needs to slide in, in ms of the page. */
const turnMs = 2500;

/**
 * Turns the mouse wheel through the sections of a page that cannot be scrolled, so that each is shown once, and puts them
 * below each other. Returns how many windows could not be reached because nothing moved.
 */
export async function turnThrough(page: Page, windows: number): Promise<number> {
  if (windows === 0) return 0;
  const { width, height } = page.request;
  const at = { x: Math.floor(width / 2), y: Math.floor(height / 2) };
  const end = performance.now() + page.deadline.remaining() / 3;
  await page.call('beginTurns');
  let turns = 0;
  while (turns < windows && performance.now() < end) {
    const before = await page.call('places');
    await page.clock.pace(
      page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: height }),
    );
    if (!(await hasTurned(page, before))) break;
    turns++;
  }
  await page.call('endTurns');
  return turns > 0 ? 0 : windows;
}

/** Waits until the motion that a turn of the wheel caused has ended; false if nothing moved. */
async function hasTurned(page: Page, before: string): Promise<boolean> {
  let last = before;
  for (let spent = 0; spent < turnMs; spent += stepMs) {
    await page.race(page.clock.forward(stepMs, fetchBounds(page)));
    await page.call('noteAfterFrame', false);
    const now = await page.call('places');
    if (now === last && (now !== before || spent > turnMs / 4)) break;
    last = now;
  }
  await lookAround(page);
  return last !== before;
}

/** A virtualised list fills a window of any height: the window is made as tall as the page. */
export async function fillList(page: Page, extent: Extent): Promise<Extent> {
  const { width, height } = page.request;
  await page.race(setViewport(page.session, page.request, { width, height: Math.min(extent.height, pageHeight) }));
  await page.rest();
  const filled = await page.call('measure');
  const share = await page.call('shareShown');
  // A page whose sections are as tall as the window grows with it: then the window is set back.
  if (share > 0.8 && filled.height < extent.height * 1.3) return filled;
  await page.race(setViewport(page.session, page.request, { width, height }));
  await page.call('twoFrames');
  warnCut(page);
  return page.call('measure');
}
