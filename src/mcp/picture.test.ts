import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { modelPicture, tilesOf } from './picture.ts';

const { signal } = new AbortController();
const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } });

describe('tiles', () => {
  it.each([
    [1280, 800, 1, 800],
    [1568, 1568, 1, 1568],
    [1568, 1569, 2, 785],
    [1280, 4500, 3, 1500],
    [3136, 3136, 1, 3136],
    [3136, 3138, 2, 1569],
    [1, 40_000, 26, 1539],
    [1, 1, 1, 1],
  ])('%i × %i px are %i', (width, height, count, each) => {
    const tiles = tilesOf({ width, height });
    expect([tiles.count, tiles.region(1).height]).toEqual([count, each]);
    const last = tiles.region(count);
    expect(last.height).toBeGreaterThan(0);
    expect(last.top + last.height).toBe(height);
  });
});

describe('a picture for a model', () => {
  it.each([
    ['noise', noise(1568, 1568)],
    ['wide noise', noise(4000, 300)],
    ['a plain one', plain(3840, 3840)],
    ['a line', plain(4096, 1)],
    ['a tall page', plain(1280, 40_000)],
  ])('of %s has at most 1568 px a side and 700 KB of base64', async (_, image) => {
    const { bytes, width, height } = await modelPicture(() => image.png().toBuffer(), 1, 'x', signal);
    const found = await sharp(bytes).metadata();
    expect([found.width, found.height, found.format]).toEqual([width, height, 'webp']);
    expect(Math.max(width, height)).toBeLessThanOrEqual(1568);
    expect(bytes.toString('base64').length).toBeLessThanOrEqual(700_000);
    expect(Math.max(width, height)).toBeGreaterThan(500);
  });

  it('that fits as it is stays as it is', async () => {
    const jpg = await plain(600, 400).jpeg().toBuffer();
    expect((await modelPicture(async () => jpg, 1, 'x', signal)).bytes).toBe(jpg);
  });

  it('has no tile behind the last', async () => {
    const png = () => plain(100, 2000).png().toBuffer();
    expect((await modelPicture(png, 2, 'x', signal)).tiles).toBe(2);
    await expect(modelPicture(png, 3, 'x', signal)).rejects.toThrow('tile must be a whole number from 1 to 2');
  });
});
