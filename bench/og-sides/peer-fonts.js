// The card's faces as satori and @vercel/og take them, from the folder the peers are installed in.
import { readFile } from 'node:fs/promises';
import { faces } from './card.js';

export const fonts = await Promise.all(
  faces.map(async ([id, name, weight]) => ({
    name,
    weight,
    style: /** @type {const} */ ('normal'),
    data: await readFile(
      new URL(`./node_modules/@fontsource/${id}/files/${id}-latin-${weight}-normal.woff`, import.meta.url),
    ),
  })),
);
