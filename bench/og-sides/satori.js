// satori lays out and gives SVG, resvg paints it; resvg writes only png, so sharp writes the others from its pixels.
import { readFile } from 'node:fs/promises';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import sharp from 'sharp';
import { answer } from './answer.js';
import { card, faces, titleOf } from './card.js';

const fonts = await Promise.all(
  faces.map(async ([id, name, weight]) => ({
    name,
    weight,
    style: /** @type {const} */ ('normal'),
    data: await readFile(
      new URL(`./node_modules/@fontsource/${id}/files/${id}-latin-${weight}-normal.woff`, import.meta.url),
    ),
  })),
);

let round = 0;
answer(async ({ format }) => {
  const svg = await satori(/** @type {any} */ (card(titleOf(round++))), { width: 1200, height: 630, fonts });
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  if (format === 'png') return image.asPng();
  const raw = sharp(image.pixels, { raw: { width: image.width, height: image.height, channels: 4 } }).removeAlpha();
  return format === 'jpg'
    ? raw.jpeg({ quality: 80, chromaSubsampling: '4:4:4' }).toBuffer()
    : raw.webp({ quality: 80, effort: 1 }).toBuffer();
});
