// Writes a png with a palette: one byte a pixel instead of four, so that it is compressed in a third of the time. Most cards have
// few colors: letters and shapes on a plain ground, and the shades of their edges.
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import { colorTypes, pngChunk, pngOf } from '../kernel/png.ts';
import { freed } from './freed.ts';

const compress = promisify(deflate);
const mostColors = 256;
// Four times as many places as colors, so that a color is found at its first place or the next.
const places = 4 * mostColors;
/** Odd and random, so that nobody can send an image whose colors all have the same place. */
const factor = randomBytes(4).readInt32LE() | 1;
/** The upper 10 bits: one of the 1,024 places. */
const firstPlace = (color: number): number => Math.imul(color, factor) >>> 22;

/** From pixels of four bytes (RGBA); undefined if they have more colors than a palette holds. */
export async function palettePng(pixels: Buffer, width: number, height: number): Promise<Buffer | undefined> {
  const indexed = indexPixels(pixels, width, height);
  if (!indexed) return undefined;
  const { rows, palette } = indexed;
  // Runs of one color are nearly all there is to find; a search for other repetitions takes longer and finds less.
  const options = { level: 1, strategy: constants.Z_RLE, chunkSize: 32 * 1024 };
  const data = await freed(rows, (bytes) => compress(bytes, options));
  const alpha = Buffer.from(palette.filter((_, i) => i % 4 === 3));
  return pngOf({ width, height, colors: 'palette' }, [
    ...pngChunk('PLTE', Buffer.from(palette.filter((_, i) => i % 4 !== 3))),
    ...(alpha.every((value) => value === 255) ? [] : pngChunk('tRNS', alpha)),
    ...pngChunk('IDAT', data),
  ]);
}

export const isPalettePng = (png: Buffer): boolean => png[25] === colorTypes.palette;

/** Every row with the byte of its filter (none), then the number of each pixel's color. */
function indexPixels(bytes: Buffer, width: number, height: number): { rows: Uint8Array; palette: Buffer } | undefined {
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, width * height);
  const rowBytes = 1 + width;
  const rows = new Uint8Array(rowBytes * height);
  const palette = new Int32Array(mostColors);
  let colors = 0;
  // A hash table: the number of the color at each place, or -1.
  const numbers = new Int16Array(places).fill(-1);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const end = start + width;
    let to = y * rowBytes;
    // Most rows are like the one above.
    if (y > 0 && bytes.compare(bytes, 4 * (start - width), 4 * start, 4 * start, 4 * end) === 0) {
      rows.copyWithin(to, to - rowBytes, to);
      continue;
    }
    rows[to++] = 0;
    for (let at = start; at < end; ) {
      const color = pixels[at] ?? 0;
      let place = firstPlace(color);
      let number = numbers[place] ?? -1;
      while (number >= 0 && palette[number] !== color) {
        place = (place + 1) % places;
        number = numbers[place] ?? -1;
      }
      if (number < 0) {
        if (colors === mostColors) return undefined;
        number = colors++;
        numbers[place] = number;
        palette[number] = color;
      }
      do {
        rows[to++] = number;
        at++;
      } while (at < end && pixels[at] === color);
    }
  }
  return { rows, palette: Buffer.from(palette.buffer, 0, 4 * colors) };
}
