// `selector`: where on the page its element is. The picture is that of any other region; screenshot.ts takes it.
import { Problem } from '../kernel/errors.ts';
import { pageHeight, restBounds } from './budgets.ts';
import type { CleanRun } from './clean/clean-types.ts';
import { paintFrames } from './frames.ts';
import { expandPage } from './full-page.ts';
import { callOf } from './in-page.ts';
import type { ElementPlace, Extent, VisibleElement } from './in-page-types.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';
import { type Region, snapped } from './regions.ts';

/** Lazy content may push the element further down while it is scrolled to. */
const mostScrolls = 3;

/** Waits for the element once the page has settled, within the timeout: what is missing then is a 400 and no time-out. */
export async function waitForElement(page: Page, selector: string): Promise<void> {
  const end = Math.min(performance.now() + restBounds.element, captureBy(page.deadline));
  let waited = false;
  while (!(await page.call('isElementThere', selector)) && performance.now() < end) {
    waited = true;
    await page.clock.pace(page.race(page.deadline.pause(50)));
  }
  if (waited) await page.rest();
}

/**
 * Brings the page into the state for the picture of its element, and says where that is. With `again`, the page was already
 * scrolled through, and the element has only moved.
 */
export async function elementRegion(
  page: Page,
  cleaning: CleanRun | undefined,
  selector: string,
  again: boolean,
): Promise<[Region, Extent]> {
  const found = await prepareElement(page, cleaning, selector, again);
  return [regionOf(page, found), found.extent];
}

/** Has the element moved since this region was found? */
export async function hasMoved(page: Page, selector: string, region: Region): Promise<boolean> {
  const now = await page.call('placeOfElement', selector, page.request.padding);
  if (now.state !== 'visible') return true;
  const { x, y, width, height } = regionOf(page, now);
  return x !== region.x || y !== region.y || width !== region.width || height !== region.height;
}

async function prepareElement(
  page: Page,
  cleaning: CleanRun | undefined,
  selector: string,
  again: boolean,
): Promise<VisibleElement> {
  const { padding, height } = page.request;
  const locate = () => locateElement(page, selector);
  let found = await locate();
  // The picture of an element in view is what the window shows.
  if (again || isInView(found)) await page.still();
  else {
    let extent: Extent | undefined;
    let reached = 0;
    // A hidden element may be shown when it is scrolled to.
    for (let scrolls = 0; found.state !== 'missing' && scrolls < mostScrolls; scrolls++) {
      const bottom = found.state === 'visible' ? found.box.y + found.box.height + padding : pageHeight;
      const until = Math.min(Math.ceil(bottom) + height, pageHeight);
      if (until <= reached) break;
      extent = await expandPage(page, cleaning, until);
      reached = until;
      found = await locate();
    }
    if (extent) {
      await paintFrames(page, extent, reached);
      await page.still(callOf('placeFixed', extent.height));
    }
  }
  // Animations that end have ended now, which may have moved or shown the element.
  return visible(await page.call('placeOfElement', selector, padding));
}

/** Scrolls what hides the element, and says where it is then. */
async function locateElement(page: Page, selector: string): Promise<ElementPlace> {
  await page.call('prepareForElement');
  for (let scrolls = 0; scrolls < mostScrolls; scrolls++) {
    if (!(await page.call('bringIntoView', selector)).moved) break;
    await page.rest();
  }
  return page.call('placeOfElement', selector, page.request.padding);
}

const isInView = (place: ElementPlace): boolean => place.state === 'visible' && place.isInView;

function visible(place: ElementPlace): VisibleElement {
  if (place.state === 'visible') return place;
  throw elementProblem(place.state === 'missing' ? 'not found' : 'hidden');
}

/** The 400 of a selector without a match, or without a visible one. */
export const elementProblem = (state: 'not found' | 'hidden'): Problem =>
  state === 'not found'
    ? new Problem('element_not_found', { parameter: 'selector', message: 'No element of the page matches selector.' })
    : new Problem('element_not_visible', {
        parameter: 'selector',
        message: 'An element matches selector, but none that matches has a visible box on the page.',
      });

/** The box with its padding, cut to the page, in whole device pixels. */
function regionOf({ request }: Page, { box, extent }: VisibleElement): Region {
  const { padding, deviceScale } = request;
  const { zoom } = extent;
  const pageWidth = Math.max(extent.width, request.width / zoom);
  const pageLeft = extent.leftward ? extent.viewWidth - pageWidth : 0;
  const left = Math.max(pageLeft, box.x - padding);
  const top = Math.max(0, box.y - padding);
  const right = Math.min(pageLeft + pageWidth, box.x + box.width + padding);
  const bottom = Math.min(Math.max(extent.height, extent.viewHeight), box.y + box.height + padding);
  if (right <= left || bottom <= top) throw elementProblem('hidden');
  return snapped({ x: left, y: top, width: right - left, height: bottom - top, zoom }, deviceScale);
}
