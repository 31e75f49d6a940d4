// contrast-color(#1c1917) of CSS Color 5, which the engine does not know: the color of a text on this background.
import { contrast, over, parseColor, white } from '../design/color.ts';
import { readableRatio } from '../design/palette.ts';

/** The CSS with every contrast-color() replaced by near-white or near-black, whichever is readable. */
export const withContrast = (css: string): string =>
  css.replace(/contrast-color\(([^()]{1,100})\)/gi, (written, background: string) => {
    const color = parseColor(background.trim());
    if (color === undefined) return written;
    return contrast(white, over(color, white)) >= readableRatio ? '#ffffff' : '#0c0d10';
  });
