// Makes a long page show all its content: lazy images, what appears on scrolling, what an inner scroller hides.
import { setViewport } from './before-load.ts';
import { pageHeight, scrollSteps } from './budgets.ts';
import type { CleanRun } from './clean/clean-types.ts';
import type { Extent, ScrollStart } from './in-page-types.ts';
import { fillList, lookAround, stepMs, turnThrough, warnCut } from './in-view-only.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';
import { fetchBounds } from './rest.ts';
import { isScrollWatched } from './watchers.ts';

/** Of a window; the rest was in the one before, because some content appears only well inside of the window. */
const stepShare = 0.8;
/** How often a page that grows at its end is followed. */
const mostGrowths = 8;
const mostPlaces = 20;

/** What the scroll through a page found. */
type Scrolled = {
  /** Its bottom was reached. */
  readonly ended: boolean;
  /** From here on, in CSS pixels, there was no time to wait for what scrolling reveals. */
  readonly hurried?: number;
  /** What was seen on the way down is gone at the top. */
  readonly inViewOnly: boolean;
};

const besideOnly = 'A section moves sideways while the page is scrolled; the picture shows what it shows at its top.';

/** Scrolls through the page down to `until` CSS pixels, waits for what that loads or shows, and measures the page. */
export async function expandPage(
  page: Page,
  cleaning: CleanRun | undefined,
  until = pageHeight,
  tallest = until,
): Promise<Extent> {
  const start = await page.call('beginScroll');
  const stuck = await turnThrough(page, start.stuck);
  const waits =
    start.height > start.view && (start.waits || (start.isScripted && (await isScrollWatched(page, start.mayObserve))));
  const scrolled = waits ? await scrollThrough(page, start, until, tallest) : { ended: true, inViewOnly: false };
  if (cleaning) await page.race(cleaning.beforeCapture(page.deadline));
  const extent = await page.call('showAll');
  if (!scrolled.ended)
    warnCut(page, `The page grows as it is scrolled; it was cut at ${extent.height + extent.hidden} px.`);
  else if (scrolled.hurried !== undefined)
    warnCut(page, `There was no time to wait for what appears on scrolling below ${scrolled.hurried} px.`);
  if (extent.isBeside) warnCut(page, besideOnly);
  // A page that a dialog has locked still has its full height.
  if (extent.hidden === 0 && extent.height < stuck * extent.viewHeight) warnCut(page);
  if (extent.hidden === 0) return scrolled.inViewOnly ? fillList(page, extent) : extent;
  const expanded = await expandInnerScroller(page, extent);
  const share = scrolled.inViewOnly ? await page.call('shareShown') : 1;
  if (share < 0.8) warnCut(page);
  return share < 0.5 ? closeInnerScroller(page) : expanded;
}

/**
 * Scrolls down in steps of a window, gives the page time in each, and follows it while it grows at its end. Then it visits
 * the places where something is still invisible, and returns to the top.
 */
async function scrollThrough(page: Page, start: ScrollStart, until: number, tallest: number): Promise<Scrolled> {
  const { deadline } = page;
  const end = Math.min(performance.now() + Math.min(20_000, deadline.remaining() / 3), captureBy(deadline));
  const { view } = start;
  const limit = Math.max(until, Math.min(start.height, tallest));
  let { height } = start;
  let y = 0;
  let left = Math.max(scrollSteps, Math.ceil(height / view));
  let hurried: number | undefined;
  for (let growths = 0; growths <= mostGrowths; growths++) {
    for (const bottom = Math.min(height, limit) - view; y < bottom && left > 0; left--) {
      y = Math.min(bottom, y + Math.max(view * stepShare, Math.min(view, (bottom - y) / left)));
      await page.call('goTo', y);
      if (performance.now() < end) await lookAround(page);
      else hurried ??= Math.round(y);
    }
    await page.race(page.clock.forward(stepMs, fetchBounds(page)));
    // An observer must see that the end of the page has moved away, before it is scrolled to again.
    await page.call('frames', 1);
    await page.race(page.clock.forward(stepMs, fetchBounds(page)));
    const before = height;
    height = await page.call('heightNow');
    // Where a header is smaller while the page is scrolled, the page is taller at its top, but not longer than before.
    if (height <= before + 1 || before >= limit || left <= 0 || performance.now() >= end) break;
  }
  const ended = y >= Math.min(height, limit) - view - 1 || height <= start.height;
  for (const place of (await page.call('unseenPlaces')).slice(0, mostPlaces)) {
    if (performance.now() >= end) break;
    await page.call('goTo', place);
    await lookAround(page);
  }
  await page.call('goTo', 0);
  await page.rest();
  // Animations that were ended tell the page so with the next frame, and it may start others.
  await page.call('frames', 1);
  const inViewOnly = await page.call('holdsOnlyTheView');
  return { ended, inViewOnly, ...(hurried !== undefined && (await page.call('isMissing')) && { hurried }) };
}

/** Makes the window taller by what the inner scroller hides. Most such pages fill their window; the others are resized by script. */
async function expandInnerScroller(page: Page, extent: Extent): Promise<Extent> {
  const height = Math.min(extent.viewHeight + extent.hidden, pageHeight);
  await page.race(setViewport(page.session, page.request, { width: page.request.width, height }));
  await page.call('twoFrames');
  const taller = await page.call('measure');
  if (taller.hidden < extent.hidden / 2) return taller;
  await page.race(setViewport(page.session, page.request, { width: page.request.width, height: page.request.height }));
  await page.call('expandInner');
  return page.call('measure');
}

/** A list that has only the rows in view would be mostly empty: it is captured as a reader sees it. */
async function closeInnerScroller(page: Page): Promise<Extent> {
  const { width, height } = page.request;
  await page.race(setViewport(page.session, page.request, { width, height }));
  await page.call('closeInner');
  await page.rest();
  return page.call('measure');
}
