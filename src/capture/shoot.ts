// The picture of a settled page: of its viewport, of a region, or of the whole; in pieces where one would be too big.
import { invalidParameter } from '../kernel/errors.ts';
import { formatSides, outputPixels, pageHeight, piecePixels } from './budgets.ts';
import type { Answer, Parameters } from './cdp.ts';
import type { CleanRun } from './clean/clean-types.ts';
import { unfold } from './full-page.ts';
import { browserEncoding, type Encoding, fastPng, isOneColour, pictureSize } from './image.ts';
import type { Extent } from './in-page.ts';
import type { MainDocument } from './main-frame.ts';
import type { Page } from './page.ts';
import type { CaptureRequest } from './parameters.ts';

export type Shot = {
  readonly kind: 'image';
  /** From top to bottom, as the browser gave them. More than one: pngs that are put together later. */
  readonly pieces: readonly Buffer[];
  readonly width: number;
  readonly height: number;
};

/** In CSS pixels of the page. `zoom` is how large the page shows them. */
type Region = { x: number; y: number; width: number; height: number; zoom: number; beyond: boolean };

type Picture = Answer<'Page.captureScreenshot'>;

export type Take = () => Promise<Picture>;

const takeOf =
  (page: Page, params: Parameters<'Page.captureScreenshot'>[0]): Take =>
  () =>
    page.session.send('Page.captureScreenshot', params);

/**
 * Asks for the picture of the view as soon as a page has loaded without a script. What the page has to say about itself
 * takes a few milliseconds, and those may be a whole frame: if it was at rest by then, its picture is on its way, and the
 * next who takes it is given that one.
 */
export function shootAhead(page: Page): Take {
  const take = takeOf(page, browserEncoding(page.request));
  let ahead: { readonly document: MainDocument; readonly picture: Promise<Picture> } | undefined;
  let tooLate = false;
  const ask = async () => {
    await page.loaded();
    const document = page.frame.current;
    if (!document || !(await page.race(document.loadedWithoutScript)) || page.frame.current !== document) return;
    if (tooLate || page.frame.leaving || isTooBig(page.request)) return;
    ahead = { document, picture: take() };
  };
  ask().catch(() => {});
  return () => {
    const { document, picture } = ahead ?? {};
    ahead = undefined;
    tooLate = true;
    if (!picture || document !== page.frame.current) return take();
    if (page.atRest?.untouched) return picture.catch(take);
    // One after the other: each sets the size of the page for itself and back again.
    return picture.then(take, take);
  };
}

/** More than the browser gets right in one piece. */
const isTooBig = ({ width, height, deviceScale }: CaptureRequest): boolean =>
  width * height * deviceScale ** 2 > piecePixels;

export async function shootPage(page: Page, cleaning: CleanRun | undefined, ahead?: Take): Promise<Shot> {
  const { request } = page;
  if (request.clip || request.fullPage) return shootRegion(page, await chooseRegion(page, cleaning));
  await page.freeze();
  const { width, height, deviceScale } = request;
  checkFormat(request, width * deviceScale, height * deviceScale);
  if (isTooBig(request)) return shootRegion(page, { x: 0, y: 0, width, height, zoom: 1, beyond: false });
  const bytes = await screenshot(page, ahead ?? takeOf(page, browserEncoding(request)));
  return { kind: 'image', pieces: [bytes], ...pictureSize(bytes) };
}

async function chooseRegion(page: Page, cleaning: CleanRun | undefined): Promise<Region> {
  const { request, warnings } = page;
  const { clip } = request;
  const inView = clip && clip.y + clip.height <= request.height && clip.x + clip.width <= request.width;
  const extent = await (inView
    ? page.run<Extent>('tintype.toTop().then(tintype.measure)')
    : unfold(page, cleaning, clip ? Math.min(clip.y + clip.height + request.height, pageHeight) : pageHeight));
  await page.freeze(`tintype.placeFixed(${extent.height})`);
  const { zoom } = extent;
  if (clip) {
    if (clip.x >= Math.max(extent.width, request.width) || clip.y >= Math.max(extent.height, extent.viewHeight))
      throw invalidParameter(
        'clip',
        `clip lies outside the page, which is ${extent.width} × ${extent.height} CSS pixels.`,
      );
    const width = Math.min(clip.width, Math.max(extent.width, request.width) - clip.x);
    const height = Math.min(clip.height, Math.max(extent.height, extent.viewHeight) - clip.y);
    return bounded(page, { x: clip.x, y: clip.y, width, height, zoom, beyond: !inView });
  }
  // As wide as the window: what sticks out to the side is no part of what a reader scrolls through.
  const width = request.width / zoom;
  if (extent.width > width * 1.2) warnings.push(`The page is ${extent.width} px wide; a larger width shows all of it.`);
  return bounded(page, { x: 0, y: 0, width, height: extent.height, zoom, beyond: true });
}

/** Cuts what is taller than we capture or than the format can hold, and says so. */
function bounded({ request, warnings, codes }: Page, region: Region): Region {
  const perCss = region.zoom * request.deviceScale;
  checkFormat(request, region.width * perCss, region.height * perCss);
  const sides = request.format === 'pdf' ? formatSides.png : formatSides[request.format];
  const height = Math.floor(
    Math.min(region.height, pageHeight, sides / perCss, outputPixels / (region.width * perCss * perCss)),
  );
  if (height < Math.floor(region.height)) {
    warnings.push(`The picture was cut at ${height} px of the page's ${Math.ceil(region.height)} px.`);
    codes.add('cut');
  }
  return { ...region, height };
}

function checkFormat(request: CaptureRequest, width: number, height: number): void {
  if (request.format === 'webp' && Math.max(width, height) > formatSides.webp)
    throw invalidParameter(
      'format',
      `webp holds at most ${formatSides.webp} pixels a side, and this picture has ${Math.ceil(Math.max(width, height))}. Use png or jpg.`,
    );
}

async function shootRegion(page: Page, region: Region): Promise<Shot> {
  const perCss = region.zoom * page.request.deviceScale;
  const rows = Math.floor(piecePixels / (region.width * perCss * perCss));
  // A multiple of 8 keeps the border between two pieces on a whole pixel at every scale with three binary places.
  const step = region.height <= rows ? region.height : rows - (rows % 8);
  const encoding = region.height <= step ? browserEncoding(page.request) : fastPng;
  const pieces: Buffer[] = [];
  for (let y = 0; y < region.height; y += step) {
    const part = { ...region, y: region.y + y, height: Math.min(step, region.height - y) };
    pieces.push(...(await shootPiece(page, part, encoding)));
  }
  const sizes = pieces.map(pictureSize);
  return {
    kind: 'image',
    pieces,
    width: sizes[0]?.width ?? 0,
    height: sizes.reduce((sum, { height }) => sum + height, 0),
  };
}

/** Below this many CSS pixels there is no use in trying smaller pieces. */
const smallestPiece = 512;

/**
 * The browser gives wrong or empty pictures without an error where it runs out of something: what comes back is
 * looked at, and what cannot be right is taken again in halves.
 */
async function shootPiece(page: Page, region: Region, encoding: Encoding): Promise<Buffer[]> {
  const { zoom, beyond } = region;
  const take = takeOf(page, {
    ...encoding,
    captureBeyondViewport: beyond,
    // The browser wants device independent pixels: CSS pixels as large as the page shows them.
    clip: {
      x: region.x * zoom,
      y: region.y * zoom,
      width: region.width * zoom,
      height: region.height * zoom,
      scale: 1,
    },
  });
  const bytes = await screenshot(page, take);
  if (await isPlausible(page, region, bytes)) return [bytes];
  if (region.height < smallestPiece) {
    page.warnings.push(
      `The browser gave a blank picture of the page from ${region.y} to ${region.y + region.height} px.`,
    );
    return [bytes];
  }
  const half = Math.ceil(region.height / 16) * 8;
  return [
    ...(await shootPiece(page, { ...region, height: half }, fastPng)),
    ...(await shootPiece(page, { ...region, y: region.y + half, height: region.height - half }, fastPng)),
  ];
}

async function isPlausible(page: Page, region: Region, bytes: Buffer): Promise<boolean> {
  if (bytes.length === 0) return false;
  const { width, height } = pictureSize(bytes);
  const perCss = region.zoom * page.request.deviceScale;
  if (Math.abs(width - region.width * perCss) > 2 || Math.abs(height - region.height * perCss) > 2) return false;
  if (!(await page.race(isOneColour(bytes)))) return true;
  return !(await page.run<boolean>(`tintype.hasContent(${region.y}, ${region.y + region.height})`));
}

async function screenshot(page: Page, take: Take): Promise<Buffer> {
  return (await page.shoot(take)).data;
}
