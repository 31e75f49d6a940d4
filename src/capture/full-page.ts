// Makes a long page show all it has: lazy images, what appears on scrolling, what an inner element hides.
import { sleep } from '../kernel/deadline.ts';
import { setViewport } from './before-load.ts';
import { pageHeight, scrollSteps, settleBounds } from './budgets.ts';
import type { CleanRun } from './clean/clean-types.ts';
import type { Page } from './page.ts';

export type Extent = {
  readonly width: number;
  readonly height: number;
  readonly viewHeight: number;
  readonly hidden: number;
  readonly zoom: number;
};

/** Without a size where a script may still be at work on the page. */
type Unfolded = { readonly ended: boolean; readonly extent?: Extent };

/** Nothing came over the line for so long: what was asked for has come. A bound for pages that never stop. */
const quietMs = 80;
const quietBoundMs = 3000;

/** Scrolls through the page down to `until` CSS pixels, waits for what that has brought, and measures it. */
export async function unfold(page: Page, cleaning: CleanRun | undefined, until = pageHeight): Promise<Extent> {
  const ms = Math.min(10_000, page.deadline.remaining() / 3);
  const bounds = JSON.stringify({ steps: scrollSteps, ms, height: until, images: settleBounds.images });
  const unfolded = await page.run<Unfolded>(`tintype.unfold(${bounds})`);
  const { ended } = unfolded;
  if (!unfolded.extent)
    await Promise.all([networkQuiet(page), page.run(`tintype.quietContent(${settleBounds.content})`)]);
  if (cleaning) page.warnings.push(...(await page.race(cleaning.beforeCapture(page.deadline))));
  const known = cleaning ? undefined : unfolded.extent;
  const extent = known ?? (await page.run<Extent>(`tintype.showAll(${settleBounds.images})`));
  if (!ended)
    page.warnings.push(`The page grows as it is scrolled; it was cut at ${extent.height + extent.hidden} px.`);
  return extent.hidden > 0 ? expand(page, extent) : extent;
}

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
