// Makes a long page show all it has: lazy images, what appears on scrolling, what an inner element hides.
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { setViewport } from './before-load.ts';
import { pageHeight, scrollSteps, settleBounds } from './budgets.ts';
import type { CleanRun } from './clean/clean-types.ts';
import type { Extent, Unfolded } from './in-page.ts';
import { fillList, tellCut, turnThrough } from './in-view-only.ts';
import type { Page } from './page.ts';
import { isScrollWatched } from './scroll-watchers.ts';

/** Nothing came over the line for so long: what was asked for has come. A bound for pages that never stop. */
const quietMs = 80;
const quietBoundMs = 3000;

/** Scrolls through the page down to `until` CSS pixels, waits for what that has brought, and measures it. */
export async function unfold(page: Page, cleaning: CleanRun | undefined, until = pageHeight): Promise<Extent> {
  const unfolded = page.atRest?.unfolded ?? (await scroll(page, until));
  const { ended, hurried } = unfolded;
  if (!unfolded.extent) await quiet(page);
  if (cleaning) page.warnings.push(...(await page.race(cleaning.beforeCapture(page.deadline))));
  const known = cleaning ? undefined : unfolded.extent;
  const extent = known ?? (await page.run<Extent>(`tintype.showAll(${settleBounds.images})`));
  if (!ended) {
    page.warnings.push(`The page grows as it is scrolled; it was cut at ${extent.height + extent.hidden} px.`);
    page.codes.add('cut');
  } else if (hurried !== undefined) {
    page.warnings.push(`There was no time to wait for what appears on scrolling below ${hurried} px.`);
    page.codes.add('cut');
  }
  // A page that is only locked, behind a dialog, has its whole height all the same.
  if (extent.hidden === 0 && extent.height < (unfolded.stuck ?? 0) * extent.viewHeight) tellCut(page);
  if (extent.hidden === 0) return unfolded.inViewOnly ? fillList(page, extent) : extent;
  const expanded = await expand(page, extent);
  if (unfolded.inViewOnly && (await page.run<number>('tintype.shareShown()')) < 0.8) tellCut(page);
  return expanded;
}

async function scroll(page: Page, until: number): Promise<Unfolded> {
  const watched = await isScrollWatched(page);
  const stuck = watched ? await turnThrough(page) : 0;
  const bounds = unfoldBounds(page.deadline, until);
  return { ...(await page.run<Unfolded>(`tintype.unfold({ ...${bounds}, watched: ${watched} })`)), stuck };
}

/** Until what the scrolling has asked for is there, and what it has set in motion has come to rest. */
async function quiet(page: Page): Promise<void> {
  await Promise.all([
    networkQuiet(page),
    page.run(`tintype.quietContent(${settleBounds.content})`),
    page.run(`tintype.quietReveals(${settleBounds.content})`),
  ]);
  await page.run(`tintype.settle(${JSON.stringify(settleBounds)})`);
}

/** What the scrolling may take, as an expression. */
export const unfoldBounds = (deadline: Deadline, until = pageHeight): string =>
  JSON.stringify({
    steps: scrollSteps,
    endsAt: Date.now() + deadline.remaining(),
    height: until,
    images: settleBounds.images,
  });

/** The window is made taller by what the inner element hides; most such pages are built to fill their window. */
async function expand(page: Page, extent: Extent): Promise<Extent> {
  const height = Math.min(extent.viewHeight + extent.hidden, pageHeight);
  await page.race(setViewport(page.session, page.request, { width: page.request.width, height }));
  await page.run('tintype.twoFrames()');
  const taller = await page.run<Extent>('tintype.measure()');
  if (taller.hidden < extent.hidden / 2) return taller;
  await page.race(setViewport(page.session, page.request, { width: page.request.width, height: page.request.height }));
  await page.run('tintype.expandInner()');
  return page.run<Extent>('tintype.measure()');
}

/** Watched at the page's own way out: that costs the browser nothing. */
async function networkQuiet(page: Page): Promise<void> {
  const { outlet } = page.slot;
  const end = performance.now() + quietBoundMs;
  while (performance.now() - outlet.activeAt < quietMs && performance.now() < end)
    await page.race(sleep(20, page.deadline.signal));
}
