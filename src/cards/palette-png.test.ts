import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isPalettePng, palettePng } from './palette-png.ts';

const width = 61;
const height = 47;

/** Pixels of so many colors: first each of them once, then runs of one color, some rows like the one above. */
function pixelsOf(colors: number, alpha = 255): Buffer {
  const pixels = Buffer.alloc(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const row = Math.floor(i / width);
    const number = i < colors ? i : (Math.floor((i % width) / 7) + (row >> 2)) % colors;
    pixels.set([number & 255, (number * 37) & 255, number >> 8, number % 3 === 0 ? alpha : 255], 4 * i);
  }
  return pixels;
}

const decoded = (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer();

describe('a png with a palette', () => {
  for (const colors of [1, 2, 17, 256])
    it(`has the very pixels of a picture with ${colors} colors`, async () => {
      const pixels = pixelsOf(colors);
      const png = palettePng(pixels, width, height) ?? Buffer.alloc(0);
      expect(isPalettePng(png)).toBe(true);
      const { width: wide, height: high, hasAlpha } = await sharp(png).metadata();
      expect([wide, high, hasAlpha]).toEqual([width, height, false]);
      expect((await decoded(png)).equals(pixels)).toBe(true);
    });

  it('keeps what is transparent, in full or in part', async () => {
    for (const alpha of [0, 100]) {
      const pixels = pixelsOf(40, alpha);
      const png = palettePng(pixels, width, height) ?? Buffer.alloc(0);
      expect((await decoded(png)).equals(pixels)).toBe(true);
    }
  });

  it('is not made of a picture with more than 256 colors', async () => {
    expect(palettePng(pixelsOf(257), width, height)).toBeUndefined();
  });

  it('is not made of noise, which would take long', () => {
    const noise = Buffer.alloc(4 * 1000 * 1000);
    for (const [i, byte] of randomBytes(1000 * 1000).entries()) noise[4 * i] = byte;
    expect(palettePng(noise, 1000, 1000)).toBeUndefined();
  });

  it('takes pixels that are part of a larger memory', async () => {
    const memory = Buffer.alloc(4 * width * height + 8);
    pixelsOf(9).copy(memory, 8);
    const png = palettePng(memory.subarray(8), width, height) ?? Buffer.alloc(0);
    expect((await decoded(png)).equals(pixelsOf(9))).toBe(true);
  });
});
