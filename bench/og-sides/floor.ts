// The floor: the same card by hand, with nothing around it. Takumi paints raw pixels, sharp encodes them: jpg and webp with
// the settings of Tintype, png at level 4 without filters.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Node, Renderer } from '@takumi-rs/core';
import sharp from 'sharp';
import { answer, type ShotWish } from '../sides/answer.js';
import { card, titleOf, toNode } from './card.js';

const { resolve } = createRequire(import.meta.url);
const renderer = new Renderer();
for (const [file, name] of [
  ['@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', 'Inter'],
  ['@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2', 'Source Serif'],
] as const)
  await renderer.registerFont({ name, data: await readFile(resolve(file)) });

let round = 0;
answer(async ({ format }: ShotWish) => {
  const size = { width: 1200, height: 630 };
  const pixels = await renderer.render(toNode(card(titleOf(round++))) as Node, { ...size, format: 'raw' });
  const image = sharp(pixels, { raw: { ...size, channels: 4 } }).removeAlpha();
  if (format === 'jpg') return image.jpeg({ quality: 80, chromaSubsampling: '4:4:4' }).toBuffer();
  if (format === 'webp') return image.webp({ quality: 80, effort: 1 }).toBuffer();
  return image.png({ compressionLevel: 4, adaptiveFiltering: false }).toBuffer();
});
