// Writes a png with a palette. Most cards have few colors: letters and shapes on a plain ground, and the shades of their edges. So
// they are a few ten thousand runs of one color, which are found and compressed in a third of the time that zlib takes.
import { randomBytes } from 'node:crypto';
import { colorTypes, pngChunk, pngOf } from '../kernel/png.ts';
import { RunDeflate } from './run-deflate.ts';

/** How the bytes of a row are meant: as they are, or as what is added to those of the row above. */
const filters = { none: 0, up: 2 };
const mostColors = 256;
/** Cards have 15,000 to 30,000. Pixels of a photograph or of noise are better left to another thread. */
const mostRuns = 100_000;
// Four times as many places as colors, so that a color is found at its first place or the next.
const places = 4 * mostColors;
/** Odd and random, so that nobody can send an image whose colors all have the same place. */
const factor = randomBytes(4).readInt32LE() | 1;
/** The upper 10 bits: one of the 1,024 places. */
const firstPlace = (color: number): number => Math.imul(color, factor) >>> 22;

/** From pixels of four bytes (RGBA); undefined if they have more colors than a palette holds, or too many runs. */
export function palettePng(pixels: Buffer, width: number, height: number): Buffer | undefined {
  const indexed = indexPixels(pixels, width, height);
  if (!indexed) return undefined;
  const { data, palette } = indexed;
  const alpha = Buffer.from(palette.filter((_, i) => i % 4 === 3));
  return pngOf({ width, height, colors: 'palette' }, [
    ...pngChunk('PLTE', Buffer.from(palette.filter((_, i) => i % 4 !== 3))),
    ...(alpha.every((value) => value === 255) ? [] : pngChunk('tRNS', alpha)),
    ...pngChunk('IDAT', data),
  ]);
}

export const isPalettePng = (png: Buffer): boolean => png[25] === colorTypes.palette;

/** The compressed rows: each has the byte of its filter, then the numbers of its colors. */
function indexPixels(bytes: Buffer, width: number, height: number): { data: Buffer; palette: Buffer } | undefined {
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, width * height);
  const rows = new RunDeflate();
  const palette = new Int32Array(mostColors);
  let colors = 0;
  let found = 0;
  // A hash table: the number of the color at each place, or -1.
  const numbers = new Int16Array(places).fill(-1);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const end = start + width;
    // Most rows are like the one above.
    if (y > 0 && bytes.compare(bytes, 4 * (start - width), 4 * start, 4 * start, 4 * end) === 0) {
      rows.run(filters.up, 1);
      rows.run(0, width);
      continue;
    }
    if (found > mostRuns) return undefined;
    rows.run(filters.none, 1);
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
      const first = at;
      do at++;
      while (at < end && pixels[at] === color);
      rows.run(number, at - first);
      found++;
    }
  }
  return { data: rows.finish(), palette: Buffer.from(palette.buffer, 0, 4 * colors) };
}
