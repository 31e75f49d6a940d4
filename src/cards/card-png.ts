// Paints the png of a card. Where it has few colors, as most have, it gets a palette and is written by palette-png.ts; any
// other is written by Takumi. So the same card is always the same bytes.

import type { Canvas } from './card-types.ts';
import { freed } from './freed.ts';
import { isPalettePng, palettePng } from './palette-png.ts';

type Render = (format: 'png' | 'raw') => Promise<Buffer>;

/** Finding the palette of more pixels would hold up the main thread for longer than some milliseconds. */
const mostPixels = 1_500_000;

/** `template` is any object that the cards of a template have in common. */
export function createPngPainter(): (template: object, canvas: Canvas, render: Render) => Promise<Buffer> {
  // Those whose last card had too many colors for a palette: the next one probably has, too, and is not painted twice.
  const colorful = new WeakSet<object>();
  return async (template, { width, height }, render) => {
    // Copied, because Takumi's buffer takes twice the memory of its bytes, and the cache would keep all of it.
    const paintByTakumi = async () => Buffer.from(await render('png'));
    if (width * height > mostPixels) return paintByTakumi();
    const guess = colorful.has(template) ? await paintByTakumi() : undefined;
    if (guess && !isPalettePng(guess)) return guess;
    const png = await freed(await render('raw'), async (pixels) => palettePng(pixels, width, height));
    if (png) colorful.delete(template);
    else colorful.add(template);
    return png ?? guess ?? paintByTakumi();
  };
}
