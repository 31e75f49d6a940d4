// satori lays out and gives SVG, resvg paints it; resvg writes only png, so sharp writes the others from its pixels.
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import sharp from 'sharp';
import { answer } from './answer.js';
import { card, titleOf } from './card.js';
import { fonts } from './peer-fonts.js';

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
