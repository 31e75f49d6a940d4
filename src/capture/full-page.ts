// Makes a long page show all its content: lazy images, what appears on scrolling, what an inner scroller hides.
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { setViewport } from './before-load.ts';
import { pageHeight, scrollSteps, settleBounds } from './budgets.ts';
import type { CleanRun } from './clean/clean-types.ts';
import type { ExpandBounds, Expansion, Extent } from './in-page-types.ts';
import { fillList, turnThrough, warnCut } from './in-view-only.ts';
import type { Page } from './page.ts';
import { isScrollWatched } from './scroll-watchers.ts';

/** After this long without network traffic the responses have arrived. The bound is for pages that never stop. */
const quietMs = 80;
const quietBoundMs = 3000;

/** Scrolls through the page down to `until` CSS pixels, waits for what that loads or shows, and measures the page. */
export async function expandPage(page: Page, cleaning: CleanRun | undefined, until = pageHeight): Promise<Extent> {
  const expansion = page.atRest?.expansion ?? (await scroll(page, until));
  const { ended, hurried } = expansion;
  if (!expansion.extent) await quiet(page);
  if (cleaning) await page.race(cleaning.beforeCapture(page.deadline));
  const known = cleaning ? undefined : expansion.extent;
  const extent = known ?? (await page.call('showAll', settleBounds.images));
  if (!ended) warnCut(page, `The page grows as it is scrolled; it was cut at ${extent.height + extent.hidden} px.`);
  else if (hurried !== undefined)
    warnCut(page, `There was no time to wait for what appears on scrolling below ${hurried} px.`);
  // A page that a dialog has locked still has its full height.
  if (extent.hidden === 0 && extent.height < (expansion.stuck ?? 0) * extent.viewHeight) warnCut(page);
  if (extent.hidden === 0) return expansion.inViewOnly ? fillList(page, extent) : extent;
  const expanded = await expandInnerScroller(page, extent);
  if (expansion.inViewOnly && (await page.call('shareShown')) < 0.8) warnCut(page);
  return expanded;
}

async function scroll(page: Page, until: number): Promise<Expansion> {
  const watched = await isScrollWatched(page);
  const stuck = watched ? await turnThrough(page) : 0;
  const bounds = expandBounds(page.deadline, until);
  return { ...(await page.call('expandPage', { ...bounds, watched })), stuck };
}

/** Waits until what the scrolling requested has loaded, and what it started to move is still. */
async function quiet(page: Page): Promise<void> {
  await Promise.all([
    networkQuiet(page),
    page.call('quietContent', settleBounds.content),
    page.call('quietReveals', settleBounds.content),
  ]);
  await page.call('settle', settleBounds);
}

/** What the scrolling may take. */
export const expandBounds = (deadline: Deadline, until = pageHeight): ExpandBounds => ({
  steps: scrollSteps,
  endsAt: Date.now() + deadline.remaining(),
  height: until,
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

/** Watched at the page's own outlet, which costs the browser nothing. */
async function networkQuiet(page: Page): Promise<void> {
  const { outlet } = page.slot;
  const end = performance.now() + quietBoundMs;
  while (performance.now() - outlet.activeAt < quietMs && performance.now() < end)
    await page.race(sleep(20, page.deadline.signal));
}
