// Colors of texts that depend on the background, which the engine does not know: contrast-color(#1c1917) of CSS Color 5, and
// readable-color(#fde047, #ffffff), which is our own.
import { type Color, contrast, hex, over, parseColor, white } from '../design/color.ts';
import { readable, readableRatio } from '../design/palette.ts';

/**
 * The CSS with every contrast-color() replaced by near-white or near-black, whichever is readable, and every readable-color()
 * by its first color, moved towards black or white as far as it must be to be readable on the second. Anything but colors
 * stays as it is written, and is an error of the engine.
 */
export const withContrast = (css: string): string =>
  css.replace(/(contrast|readable)-color\(([^(),]{1,100})(?:,([^(),]{1,100}))?\)/gi, (written, name, first, second) => {
    const color = parseColor(first.trim());
    if (name.toLowerCase() === 'contrast') return color && second === undefined ? contrastTo(color) : written;
    const background = second && parseColor(second.trim());
    return color && background ? readableOn(color, background) : written;
  });

const contrastTo = (background: Color): string =>
  contrast(white, over(background, white)) >= readableRatio ? '#ffffff' : '#0c0d10';

function readableOn(wanted: Color, background: Color): string {
  const ground = over(background, white);
  const { r, g, b, a } = readable(over(wanted, ground), ground);
  return hex({ r: Math.round(r), g: Math.round(g), b: Math.round(b), a });
}
