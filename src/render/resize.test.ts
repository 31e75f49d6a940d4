import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { outputSize, resizePicture } from './resize.ts';

const screen = { width: 1280, height: 800 };

describe('the size of the output', () => {
  it.each([
    [{ width: 400, height: undefined, fit: 'inside' }, 400, 250],
    [{ width: undefined, height: 400, fit: 'inside' }, 640, 400],
    [{ width: 2000, height: undefined, fit: 'inside' }, 1280, 800],
    [{ width: 400, height: 100, fit: 'inside' }, 160, 100],
    [{ width: 400, height: 400, fit: 'cover' }, 400, 400],
    [{ width: 1600, height: 1600, fit: 'cover' }, 800, 800],
    [{ width: 400, height: 400, fit: 'contain' }, 400, 400],
    [{ width: 4096, height: 4096, fit: 'contain' }, 1280, 1280],
    [{ width: 1, height: 4096, fit: 'cover' }, 1, 800],
    [{ width: 1, height: 4096, fit: 'contain' }, 1, 4096],
  ] as const)('for %o is %i × %i', (resize, width, height) => {
    expect(outputSize(screen, resize)).toEqual({ width, height });
  });

  it('has a pixel at least, however long the picture', () => {
    expect(outputSize({ width: 1, height: 40_000 }, { width: undefined, height: 10, fit: 'inside' })).toEqual({
      width: 1,
      height: 10,
    });
  });
});

it.each(['png', 'webp', 'avif'] as const)('transparency survives the resizing of a %s', async (format) => {
  const dot = Buffer.from('<svg width="200" height="100"><circle cx="50" cy="50" r="40" fill="#f00"/></svg>');
  const bytes = await sharp(dot)[format]({ quality: 90 }).toBuffer();
  const picture = { bytes, type: `image/${format}`, width: 200, height: 100 };
  const smaller = await resizePicture(picture, { width: 100, height: undefined, fit: 'inside' }, 90, 5000);
  const { data, info } = await sharp(smaller.bytes).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([100, 50, 4]);
  const alphaAt = (x: number, y: number) => data[(y * info.width + x) * 4 + 3];
  expect([alphaAt(25, 25), alphaAt(90, 25), alphaAt(2, 2)]).toEqual([255, 0, 0]);
});
