// Regions of a page in whole device pixels, and what to ask the browser for to get exactly those.

/** In CSS pixels, counted from the top left of the page. `zoom` is how large a phone shows them. */
export type Region = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
};

/** A part of a region: `top` and its size in whole device pixels. */
export type RegionPart = { readonly top: number; readonly width: number; readonly height: number };

/** The origin of the page in the browser's coordinates: not 0 where a page overflows to the left. */
export type PageOrigin = { readonly x: number; readonly y: number };

export type Clip = { x: number; y: number; width: number; height: number; scale: number };

const pixelsOf = (css: number, perCss: number): number => Math.max(1, Math.round(css * perCss));

/** The region in as many parts as `mostPixels` asks for, from top to bottom, without a gap. */
export function partsOf(region: Region, deviceScale: number, mostPixels: number): RegionPart[] {
  const perCss = region.zoom * deviceScale;
  const width = pixelsOf(region.width, perCss);
  const height = pixelsOf(region.height, perCss);
  const rows = Math.floor(mostPixels / width);
  const step = height <= rows ? height : wholeRows(rows, perCss);
  const parts: RegionPart[] = [];
  for (let top = 0; top < height; top += step) parts.push({ top, width, height: Math.min(step, height - top) });
  return parts;
}

/**
 * The region with its edges at the nearest device pixels, which is where the browser draws the edges of a box. It counts in
 * 64ths of a pixel: without that, a division would turn some halves into a little less.
 */
export function snapped({ x, y, width, height, zoom }: Region, deviceScale: number): Region {
  const perCss = zoom * deviceScale;
  const edge = (css: number) => Math.round(Math.round(css * perCss * 64) / 64);
  const [left, top] = [edge(x), edge(y)];
  return {
    x: left / perCss,
    y: top / perCss,
    width: Math.max(1, edge(x + width) - left) / perCss,
    height: Math.max(1, edge(y + height) - top) / perCss,
    zoom,
  };
}

/** Halves a part; undefined if it is too small. */
export function halvesOf(
  part: RegionPart,
  { zoom }: Region,
  deviceScale: number,
  leastCss: number,
): [RegionPart, RegionPart] | undefined {
  const perCss = zoom * deviceScale;
  if (part.height < leastCss * perCss) return undefined;
  const upper = wholeRows(Math.ceil(part.height / 2), perCss);
  if (upper >= part.height) return undefined;
  return [
    { ...part, height: upper },
    { ...part, top: part.top + upper, height: part.height - upper },
  ];
}

/**
 * Rows of a part, at most `rows`: a multiple of 8 CSS pixels if possible, so that borders fall on whole device pixels at
 * scales in steps of 1/8.
 */
function wholeRows(rows: number, perCss: number): number {
  const css = Math.floor(rows / perCss / 8) * 8;
  return css > 0 ? Math.max(1, Math.floor(css * perCss + noise)) : Math.max(1, rows);
}

/** What a division of two floats may be off by. */
const noise = 1e-3;

/**
 * The browser drops fractions of the width and height it is asked for before it scales them, so whole CSS pixels are
 * asked for, enough to hold the part. `scale` is the page's zoom: a clip is taken without it. Its coordinates begin at 0, but
 * the width of a page that overflows to the left is rounded up.
 */
export function clipOf(region: Region, part: RegionPart, deviceScale: number, origin: PageOrigin): Clip {
  const perCss = region.zoom * deviceScale;
  return {
    x: Math.max(0, region.x + origin.x),
    y: region.y + origin.y + part.top / perCss,
    width: Math.ceil(part.width / perCss - noise),
    height: Math.ceil(part.height / perCss - noise),
    scale: region.zoom,
  };
}

/** Is a picture as large as the clip asks for? A pixel either way is a matter of rounding. */
export function isSizeOf(clip: Clip, deviceScale: number, picture: { width: number; height: number }): boolean {
  const perCss = clip.scale * deviceScale;
  return Math.abs(picture.width - clip.width * perCss) <= 1 && Math.abs(picture.height - clip.height * perCss) <= 1;
}
