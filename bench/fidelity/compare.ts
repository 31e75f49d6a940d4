// How much of a picture a reader would see differently.
import sharp from 'sharp';

/** A channel may differ by so much: half-transparent edges, rounding of colors. */
const channelTolerance = 32;

export type Raw = { readonly data: Buffer; readonly width: number; readonly height: number };

export type Difference = {
  /** Of the larger of both pictures; rows that only one has count as different. */
  readonly share: number;
  /** Rows of the picture with the most differences in a window's height. */
  readonly worstRow: number;
  /** 1 for each pixel that differs. */
  readonly mask: Uint8Array;
  readonly width: number;
  readonly height: number;
};

/** Decoded, at one pixel a CSS pixel, cut at `maxHeight`. */
export async function decode(bytes: Buffer, width: number, maxHeight: number): Promise<Raw> {
  const options = { limitInputPixels: false } as const;
  const picture = sharp(bytes, options);
  const { width: real = width, height: rows = 1 } = await picture.metadata();
  const height = Math.max(1, Math.round((rows * width) / real));
  const small = real === width ? picture : picture.resize({ width, height, fit: 'fill', kernel: 'cubic' });
  const { data, info } = await small
    .flatten({ background: '#fff' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const kept = Math.min(info.height, maxHeight);
  return { data: data.subarray(0, kept * info.width * 3), width: info.width, height: kept };
}

/**
 * A pixel differs when none of the nine at and around its place in the other picture has nearly its color: text and
 * edges may lie a pixel aside, as antialiasing and rounding of positions have it.
 */
export function difference(a: Raw, b: Raw, windowHeight: number): Difference {
  const width = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  const mask = new Uint8Array(width * height);
  const rows = new Float64Array(height);
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!differsAt(a, b, x, y)) continue;
      mask[y * width + x] = 1;
      rows[y] = (rows[y] ?? 0) + 1;
      count++;
    }
  return { share: count / (width * height), worstRow: worstWindow(rows, windowHeight), mask, width, height };
}

function differsAt(a: Raw, b: Raw, x: number, y: number): boolean {
  if (x >= a.width || x >= b.width || y >= a.height || y >= b.height) return true;
  if (near(a, x, y, b, x, y)) return false;
  return !(found(a, x, y, b) && found(b, x, y, a));
}

function found(from: Raw, x: number, y: number, to: Raw): boolean {
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++)
      if (x + dx >= 0 && y + dy >= 0 && x + dx < to.width && y + dy < to.height && near(from, x, y, to, x + dx, y + dy))
        return true;
  return false;
}

function near(a: Raw, ax: number, ay: number, b: Raw, bx: number, by: number): boolean {
  const i = (ay * a.width + ax) * 3;
  const j = (by * b.width + bx) * 3;
  for (let c = 0; c < 3; c++)
    if (Math.abs((a.data[i + c] ?? 0) - (b.data[j + c] ?? 0)) > channelTolerance) return false;
  return true;
}

function worstWindow(rows: Float64Array, windowHeight: number): number {
  let sum = 0;
  let best = -1;
  let start = 0;
  for (let y = 0; y < rows.length; y++) {
    sum += (rows[y] ?? 0) - (y >= windowHeight ? (rows[y - windowHeight] ?? 0) : 0);
    if (sum > best) {
      best = sum;
      start = Math.max(0, y - windowHeight + 1);
    }
  }
  return start;
}
