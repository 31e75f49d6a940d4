// Makes a long page show all it has: lazy images, what appears on scrolling, what an inner element hides.
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { setViewport } from './before-load.ts';
import { pageHeight, scrollSteps, settleBounds } from './budgets.ts';
import type { CleanRun } from './clean/clean-types.ts';
import type { ExpandBounds, Expansion, Extent } from './in-page-types.ts';
import { fillList, tellCut, turnThrough } from './in-view-only.ts';
import type { Page } from './page.ts';
import { isScrollWatched } from './scroll-watchers.ts';

/** Nothing came over the line for so long: what was asked for has come. A bound for pages that never stop. */
const quietMs = 80;
const quietBoundMs = 3000;

/** Scrolls through the page down to `until` CSS pixels, waits for what that has brought, and measures it. */
export async function expandPage(page: Page, cleaning: CleanRun | undefined, until = pageHeight): Promise<Extent> {
  const expansion = page.atRest?.expansion ?? (await scroll(page, until));
  const { ended, hurried } = expansion;
  if (!expansion.extent) await quiet(page);
  if (cleaning) page.warnings.push(...(await page.race(cleaning.beforeCapture(page.deadline))));
  const known = cleaning ? undefined : expansion.extent;
  const extent = known ?? (await page.call('showAll', settleBounds.images));
  if (!ended) {
    page.warnings.push(`The page grows as it is scrolled; it was cut at ${extent.height + extent.hidden} px.`);
    page.codes.add('cut');
  } else if (hurried !== undefined) {
    page.warnings.push(`There was no time to wait for what appears on scrolling below ${hurried} px.`);
    page.codes.add('cut');
  }
  // A page that is only locked, behind a dialog, has its whole height all the same.
  if (extent.hidden === 0 && extent.height < (expansion.stuck ?? 0) * extent.viewHeight) tellCut(page);
  if (extent.hidden === 0) return expansion.inViewOnly ? fillList(page, extent) : extent;
  const expanded = await expandInnerScroller(page, extent);
  if (expansion.inViewOnly && (await page.call('shareShown')) < 0.8) tellCut(page);
  return expanded;
}

async function scroll(page: Page, until: number): Promise<Expansion> {
  const watched = await isScrollWatched(page);
  const stuck = watched ? await turnThrough(page) : 0;
  const bounds = expandBounds(page.deadline, until);
  return { ...(await page.call('expandPage', { ...bounds, watched })), stuck };
}

/** Until what the scrolling has asked for is there, and what it has set in motion has come to rest. */
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

/** The window is made taller by what the inner element hides; most such pages are built to fill their window. */
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

/** Watched at the page's own way out: that costs the browser nothing. */
async function networkQuiet(page: Page): Promise<void> {
  const { outlet } = page.slot;
  const end = performance.now() + quietBoundMs;
  while (performance.now() - outlet.activeAt < quietMs && performance.now() < end)
    await page.race(sleep(20, page.deadline.signal));
}
