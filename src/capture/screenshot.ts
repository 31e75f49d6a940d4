// The picture of a settled page: its viewport, a region or the whole page. Large pictures are taken in pieces.
import { invalidParameter } from '../kernel/errors.ts';
import { formatNames, formats } from '../kernel/formats.ts';
import { capturePixels, outputPixels, pageHeight, pageWidth, piecePixels } from './budgets.ts';
import type { CaptureRequest } from './capture-request.ts';
import type { CommandParameters, CommandResult } from './cdp.ts';
import type { CleanRun } from './clean/clean-types.ts';
import { elementRegion, hasMoved } from './element.ts';
import { paintFrames } from './frames.ts';
import { expandPage } from './full-page.ts';
import { browserEncoding, cropped, type Encoding, fastPng, isOneColor, pictureSize } from './image.ts';
import { callOf } from './in-page.ts';
import type { Extent } from './in-page-types.ts';
import type { Page } from './page.ts';
import { PngJoin } from './png-join.ts';
import {
  type Clip,
  clipOf,
  halvesOf,
  isSizeOf,
  type PageOrigin,
  partsOf,
  type Region,
  type RegionPart,
} from './regions.ts';

export type Screenshot = {
  readonly kind: 'image';
  /** From top to bottom. Several are pngs that are joined when they are encoded as another format. */
  readonly pieces: readonly Buffer[];
  readonly width: number;
  readonly height: number;
};

type AskPicture = () => Promise<CommandResult<'Page.captureScreenshot'>>;

const askFor =
  (page: Page, params: CommandParameters<'Page.captureScreenshot'>[0]): AskPicture =>
  () =>
    page.session.send('Page.captureScreenshot', params);

/** More pixels than one capture may have; see budgets.ts. */
const isTooBig = ({ width, height, deviceScale }: CaptureRequest): boolean =>
  width * height * deviceScale ** 2 > capturePixels;

export async function takeScreenshot(page: Page, cleaning: CleanRun | undefined): Promise<Screenshot> {
  const { request } = page;
  if (request.selector !== undefined) return takeElement(page, cleaning, request.selector);
  if (request.clip || request.fullPage) return captureRegion(page, ...(await chooseRegion(page, cleaning)));
  await page.still();
  const { width, height, deviceScale } = request;
  checkFormat(request, width * deviceScale, height * deviceScale);
  if (isTooBig(request)) {
    // The view, at the current scroll position.
    const extent = await page.call('measure');
    const { view, zoom } = extent;
    return captureRegion(page, { ...view, width: width / zoom, height: height / zoom, zoom }, extent);
  }
  const bytes = await pictureOf(page, askFor(page, browserEncoding(request)));
  return { kind: 'image', pieces: [bytes], ...pictureSize(bytes) };
}

const mostTakes = 3;

/** The picture is taken again if the element has moved meanwhile. */
async function takeElement(page: Page, cleaning: CleanRun | undefined, selector: string): Promise<Screenshot> {
  for (let takes = 1; ; takes++) {
    const [found, extent] = await elementRegion(page, cleaning, selector, takes > 1);
    const region = bounded(page, found);
    page.aimAt(region);
    const screenshot = await captureRegion(page, region, extent);
    if (!(await hasMoved(page, selector, found))) return screenshot;
    if (takes === mostTakes || page.deadline.remaining() < 1000) {
      page.warnings.push('The element moved while its picture was taken.');
      return screenshot;
    }
  }
}

async function chooseRegion(page: Page, cleaning: CleanRun | undefined): Promise<[Region, Extent]> {
  const { request, warnings } = page;
  const { clip } = request;
  const inView = clip && clip.y + clip.height <= request.height && clip.x + clip.width <= request.width;
  const extent = await (inView
    ? page.call('measureFromTop')
    : expandPage(page, cleaning, clip ? Math.min(clip.y + clip.height + request.height, pageHeight) : pageHeight));
  await paintFrames(page, extent, clip ? clip.y + clip.height : pageHeight);
  await page.still(callOf('placeFixed', extent.height));
  const { zoom } = extent;
  if (clip) {
    if (clip.x >= Math.max(extent.width, request.width) || clip.y >= Math.max(extent.height, extent.viewHeight))
      throw invalidParameter(
        'clip',
        `clip lies outside the page, which is ${extent.width} × ${extent.height} CSS pixels.`,
      );
    const width = Math.min(clip.width, Math.max(extent.width, request.width) - clip.x);
    const height = Math.min(clip.height, Math.max(extent.height, extent.viewHeight) - clip.y);
    return [bounded(page, { x: clip.x, y: clip.y, width, height, zoom }), extent];
  }
  // As wide as the window: content that overflows to the side is not captured, unless that is where the page goes on.
  const width = extent.sideways ? extent.width : request.width / zoom;
  if (extent.width > width * 1.2 && !extent.leftward)
    warnings.push(`The page is ${extent.width} px wide; a larger width shows all of it.`);
  const region = bounded(page, { x: 0, y: 0, width, height: extent.height, zoom });
  // What is cut is the end of the page, not its beginning.
  return [{ ...region, x: extent.leftward ? extent.viewWidth - region.width : 0 }, extent];
}

/** Cuts a region that is larger than the limits of the service or of the format, with a warning. */
function bounded(page: Page, region: Region): Region {
  const { request } = page;
  const perCss = region.zoom * request.deviceScale;
  checkFormat(request, region.width * perCss, region.height * perCss);
  const largest = formats[request.format].largestSide / perCss;
  const width = cut(page, region.width, Math.min(pageWidth, largest), 'wide');
  const mostRows = outputPixels / (width * perCss * perCss);
  return { ...region, width, height: cut(page, region.height, Math.min(pageHeight, largest, mostRows), 'tall') };
}

function cut(page: Page, css: number, most: number, how: 'wide' | 'tall'): number {
  if (css <= most) return css;
  const left = Math.floor(most);
  const what = how === 'tall' ? "the page's" : 'a width of';
  page.warnings.push(`The picture was cut at ${left} px of ${what} ${Math.ceil(css)} px.`);
  page.codes.add('cut');
  return left;
}

const larger = formatNames.filter((name) => formats[name].tooLarge === 'cut' && formats[name].encodePage);

function checkFormat(request: CaptureRequest, width: number, height: number): void {
  const { largestSide, mostPixels, tooLarge } = formats[request.format];
  if (tooLarge === 'cut') return;
  const side = Math.ceil(Math.max(width, height));
  const limit =
    side > largestSide
      ? `${largestSide} pixels a side, and this picture has ${side}`
      : width * height > mostPixels
        ? `${mostPixels / 1e6} megapixels, and this picture has ${Math.ceil((width * height) / 1e6)}`
        : undefined;
  if (limit !== undefined)
    throw invalidParameter('format', `${request.format} holds at most ${limit}. Use ${larger.join(' or ')}.`);
}

async function captureRegion(page: Page, region: Region, extent: Extent): Promise<Screenshot> {
  const whole = partsOf(region, page.request.deviceScale, capturePixels);
  const parts = whole.length === 1 ? whole : partsOf(region, page.request.deviceScale, piecePixels);
  const encoding = parts.length === 1 ? browserEncoding(page.request) : fastPng;
  const origin = await originOf(page, extent);
  const pieces: Buffer[] = [];
  const { format, omitBackground } = page.request;
  const join = parts.length > 1 && format === 'png' ? new PngJoin(omitBackground, page.deadline.signal) : undefined;
  let slowest = 0;
  try {
    for (const [taken, part] of parts.entries()) {
      const before = page.deadline.remaining();
      if (taken > 0 && before < slowest * (1 + (taken + 1) / 2)) {
        warnCutAt(page, region, part);
        break;
      }
      for (const piece of await capturePart(page, region, part, origin, encoding))
        if (join) await page.race(join.add(piece));
        else pieces.push(piece);
      // The next part takes as long, and joining about half as long for each part.
      slowest = Math.max(slowest, before - page.deadline.remaining());
    }
    if (join) pieces.push(await page.race(join.finish()));
  } finally {
    join?.stop();
  }
  const sizes = pieces.map(pictureSize);
  return {
    kind: 'image',
    pieces,
    width: Math.min(...sizes.map(({ width }) => width)),
    height: sizes.reduce((sum, { height }) => sum + height, 0),
  };
}

function warnCutAt(page: Page, region: Region, part: RegionPart): void {
  const css = Math.floor(region.y + part.top / (region.zoom * page.request.deviceScale));
  page.warnings.push(`There was no time to capture the page below ${css} px.`);
  page.codes.add('cut');
}

/** The browser counts from the left end of the overflow, the page from its origin. */
async function originOf(page: Page, extent: Extent): Promise<PageOrigin> {
  if (!extent.leftward) return { x: 0, y: 0 };
  const { cssLayoutViewport } = await page.send('Page.getLayoutMetrics');
  return { x: cssLayoutViewport.pageX - extent.view.x, y: cssLayoutViewport.pageY - extent.view.y };
}

/** Pieces smaller than this many CSS pixels are not divided further. */
const smallestPiece = 512;

/**
 * When it runs out of memory, the browser returns wrong or empty pictures without an error. Each picture is checked, and
 * a wrong one is taken again in halves.
 *
 * `captureBeyondViewport` is not used: for a moment it makes the window 1 × 1, which scripts and media queries see, and it
 * drops the zoom of a phone. Our browser draws pages beyond their window anyway (mainFrameClipsContent).
 */
async function capturePart(
  page: Page,
  region: Region,
  part: RegionPart,
  origin: PageOrigin,
  encoding: Encoding,
): Promise<Buffer[]> {
  const { deviceScale } = page.request;
  const clip = clipOf(region, part, deviceScale, origin);
  const bytes = await pictureOf(page, askFor(page, { ...encoding, clip }));
  if (await isPlausible(page, region, part, clip, bytes)) return [await page.race(cropped(bytes, part, page.request))];
  const halves = halvesOf(part, region, deviceScale, smallestPiece);
  if (!halves) {
    const from = Math.round(region.y + part.top / (region.zoom * deviceScale));
    page.warnings.push(`The browser returned a blank picture of the page from ${from} to ${from + clip.height} px.`);
    return [bytes];
  }
  const taken: Buffer[] = [];
  for (const half of halves) taken.push(...(await capturePart(page, region, half, origin, fastPng)));
  return taken;
}

/** The picture of an element may well be of one color; up to this size it is believed, as that of the view is. */
const believedPixels = 4e6;

async function isPlausible(page: Page, region: Region, part: RegionPart, clip: Clip, bytes: Buffer): Promise<boolean> {
  if (bytes.length === 0 || !isSizeOf(clip, page.request.deviceScale, pictureSize(bytes))) return false;
  if (page.request.selector !== undefined && part.width * part.height <= believedPixels) return true;
  if (!(await page.race(isOneColor(bytes)))) return true;
  const top = region.y + part.top / (region.zoom * page.request.deviceScale);
  return !(await page.call('hasContent', top, top + clip.height));
}

async function pictureOf(page: Page, take: AskPicture): Promise<Buffer> {
  return (await page.capture(take)).data;
}
