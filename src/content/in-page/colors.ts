// Runs inside the page: is a text's color different from what is behind it?
import type { Color } from './reading-types.ts';

export default function () {
  const known = new Map<string, Color | undefined>();
  let context: OffscreenCanvasRenderingContext2D | null | undefined;

  /** Computed colors are rgb() or rgba(); others (oklch(), color()) are converted by a canvas. */
  const parse = (value: string): Color | undefined => {
    if (known.has(value)) return known.get(value);
    const numbers = /^rgba?\(/.test(value) ? value.match(/[\d.]+/g)?.map(Number) : painted(value);
    const [red, green, blue, alpha = 1] = numbers ?? [];
    const color: Color | undefined =
      red !== undefined && green !== undefined && blue !== undefined ? [red, green, blue, alpha] : undefined;
    if (known.size < 5000) known.set(value, color);
    return color;
  };

  const painted = (value: string): number[] | undefined => {
    context ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (!context || !CSS.supports('color', value)) return undefined;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = value;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };

  /** `over` painted on top of `under`. */
  const blend = (over: Color, under: Color, opacity = 1): Color => {
    const alpha = over[3] * opacity;
    const mix = (at: 0 | 1 | 2) => over[at] * alpha + under[at] * (1 - alpha);
    return [mix(0), mix(1), mix(2), 1];
  };

  /** Differences of up to 12 of 255 in each channel cannot be read: #f4f4f4 on white. */
  const looksLike = (a: Color, b: Color): boolean =>
    Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2])) <= 12;

  return { parseColor: parse, blend, looksLike };
}
