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

type Unfolded = { readonly ended: boolean; readonly scripted: boolean };

/** Nothing came over the line for so long: what was asked for has come. A bound for pages that never stop. */
const quietMs = 80;
const quietBoundMs = 3000;

/** Scrolls through the page down to `until` CSS pixels, waits for what that has brought, and measures it. */
export async function unfold(page: Page, cleaning: CleanRun | undefined, until = pageHeight): Promise<Extent> {
  const ms = Math.min(10_000, page.deadline.remaining() / 3);
  const bounds = JSON.stringify({ steps: scrollSteps, ms, height: until });
  const { ended, scripted } = await page.run<Unfolded>(`tintype.unfold(${bounds})`);
  // A page without scripts fetches nothing later: for it the wait was a third of the whole picture.
  if (scripted) await Promise.all([networkQuiet(page), page.run(`tintype.quietContent(${settleBounds.content})`)]);
  await page.run(`tintype.endViewAnimations(), tintype.allImages(${settleBounds.images})`);
  if (cleaning) page.warnings.push(...(await page.race(cleaning.beforeCapture(page.deadline))));
  const extent = await page.run<Extent>('tintype.measure()');
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
  const seen = () => outlet.counts.requests + outlet.counts.connections + outlet.counts.bytes;
  const end = performance.now() + quietBoundMs;
  let last = seen();
  let quietSince = performance.now();
  while (performance.now() - quietSince < quietMs && performance.now() < end) {
    await page.race(sleep(20, page.deadline.signal));
    const now = seen();
    if (now !== last) quietSince = performance.now();
    last = now;
  }
}
