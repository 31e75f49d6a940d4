// Decodes an image and makes it small enough for a card.
import sharp, { type Sharp } from 'sharp';

/** The pixels a file may decode to; a small file can claim billions. */
export const pixelLimit = 50_000_000;

/** As PNG, upright, in sRGB, at most `side` pixels a side, the first frame if it moves. */
export const decodeSmall = (bytes: Buffer, side: number): Sharp =>
  sharp(bytes, { limitInputPixels: pixelLimit, failOn: 'error', pages: 1 })
    .autoOrient()
    .toColourspace('srgb')
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 });
