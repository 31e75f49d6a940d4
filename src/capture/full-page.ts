// Makes a long page show all its content: lazy images, what appears on scrolling, what an inner scroller hides.
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { setViewport } from './before-load.ts';
import { pageHeight, scrollSteps, settleBounds } from './budgets.ts';
import type { CleanRun } from './clean/clean-types.ts';
import type { ExpandBounds, Expansion, Extent } from './in-page-types.ts';
import { fillList, turnThrough, warnCut } from './in-view-only.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';
import { isScrollWatched } from './scroll-watchers.ts';

/** After this long without network traffic the responses have arrived. The bound is for pages that never stop. */
const quietMs = 80;
const quietBoundMs = 3000;
/** How often a page that grows at its end is followed. */
const mostGrowths = 8;

const besideOnly = 'A section moves sideways while the page is scrolled; the picture shows what it shows at its top.';

/** Scrolls through the page down to `until` CSS pixels, waits for what that loads or shows, and measures the page. */
export async function expandPage(
  page: Page,
  cleaning: CleanRun | undefined,
  until = pageHeight,
  tallest = until,
): Promise<Extent> {
  const expansion = page.atRest?.expansion ?? (await scrollWhileItGrows(page, until, tallest));
  const { ended, hurried } = expansion;
  if (cleaning) await page.race(cleaning.beforeCapture(page.deadline));
  const known = cleaning ? undefined : expansion.extent;
  const extent = known ?? (await page.call('showAll', settleBounds.images));
  if (!ended) warnCut(page, `The page grows as it is scrolled; it was cut at ${extent.height + extent.hidden} px.`);
  else if (hurried !== undefined)
    warnCut(page, `There was no time to wait for what appears on scrolling below ${hurried} px.`);
  if (extent.isBeside) warnCut(page, besideOnly);
  // A page that a dialog has locked still has its full height.
  if (extent.hidden === 0 && extent.height < (expansion.stuck ?? 0) * extent.viewHeight) warnCut(page);
  if (extent.hidden === 0) return expansion.inViewOnly ? fillList(page, extent) : extent;
  const expanded = await expandInnerScroller(page, extent);
  const share = expansion.inViewOnly ? await page.call('shareShown') : 1;
  if (share < 0.8) warnCut(page);
  return share < 0.5 ? closeInnerScroller(page) : expanded;
}

/** Scrolls, waits for what that loads, and scrolls on through what a list has added at its end meanwhile. */
async function scrollWhileItGrows(page: Page, until: number, tallest: number): Promise<Expansion> {
  const watched = await isScrollWatched(page);
  const stuck = watched ? await turnThrough(page) : 0;
  const { unanswered } = page.tab.outlet;
  for (let from = 0, left = mostGrowths; ; left--) {
    const bounds = { ...expandBounds(page.deadline, until, tallest), watched, from };
    const expansion = { ...(await page.call('expandPage', bounds)), stuck };
    if (expansion.extent) return expansion;
    await quiet(page, unanswered);
    // Where a header is smaller while the page is scrolled, the page is taller at its top, but not longer than before.
    const hasGrown = expansion.height > from + 1 && (await page.call('heightNow')) > expansion.height + 1;
    if (!hasGrown || expansion.height >= until) return expansion;
    if (left === 0 || performance.now() > captureBy(page.deadline)) return { ...expansion, ended: false };
    from = expansion.height;
  }
}

/** Waits until what the scrolling requested has loaded and is shown, and what it started to move is still. */
async function quiet(page: Page, unanswered: number): Promise<void> {
  const end = performance.now() + quietBoundMs;
  do {
    await Promise.all([
      page.call('quietContent', settleBounds.content),
      page.call('quietReveals', settleBounds.content),
    ]);
    // What has arrived meanwhile, the page may not have shown yet.
  } while (await networkQuiet(page, unanswered, end));
  await page.call('settle', settleBounds);
}

/** What the scrolling may take. */
export const expandBounds = (deadline: Deadline, until = pageHeight, tallest = until): ExpandBounds => ({
  steps: scrollSteps,
  endsAt: Date.now() + deadline.remaining(),
  from: 0,
  height: until,
  tallest,
  images: settleBounds.images,
});

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
  await page.call('settle', settleBounds);
  return page.call('measure');
}

/**
 * Watched at the page's own outlet, which costs the browser nothing. Requests that were `unanswered` before the scrolling,
 * such as long polls, are not waited for. False if there was nothing to wait for.
 */
export async function networkQuiet(page: Page, unanswered: number, end: number): Promise<boolean> {
  const { outlet } = page.tab;
  const isComing = () =>
    performance.now() < end && (outlet.unanswered > unanswered || performance.now() - outlet.activeAt < quietMs);
  if (!isComing()) return false;
  while (isComing()) await page.race(sleep(20, page.deadline.signal));
  return true;
}
