// @vercel/og as on a server: satori and resvg in WebAssembly. It writes only png; sharp turns that into the others.
import { ImageResponse } from '@vercel/og';
import sharp from 'sharp';
import { answer } from './answer.js';
import { card, titleOf } from './card.js';
import { fonts } from './peer-fonts.js';

let round = 0;
answer(async ({ format }) => {
  const response = new ImageResponse(/** @type {any} */ (card(titleOf(round++))), { width: 1200, height: 630, fonts });
  const png = Buffer.from(await response.arrayBuffer());
  if (format === 'png') return png;
  return format === 'jpg'
    ? sharp(png).jpeg({ quality: 80, chromaSubsampling: '4:4:4' }).toBuffer()
    : sharp(png).webp({ quality: 80, effort: 1 }).toBuffer();
});
