// Colors that depend on others, which the engine does not know: contrast-color(#1c1917) of CSS Color 5, sign-color(#1c1917) and
// readable-color(#fde047, #ffffff), which are our own, and color-mix(in srgb, …) where it stands in one of them.
import { black, type Color, contrast, hex, mix, over, parseColor, white } from '../color.ts';

export const readableRatio = 4.5;
/** Colors are rounded to 8 bits afterwards, so a little more than the required contrast is needed. */
const margin = 0.08;

/** The innermost call: its arguments have no brackets. */
const call = /\b(contrast-color|sign-color|readable-color|color-mix)\(([^()]{1,300})\)/gi;
const mostDepth = 4;

/** Replaces every call by its color. Anything but colors stays as it is written, and is an error of the engine. */
export function withContrast(css: string): string {
  let result = css;
  for (let depth = 0; depth < mostDepth; depth++) {
    const before = result;
    result = before.replace(call, (written, name: string, list: string) => {
      const parts = list.split(',').map((part) => part.trim());
      const color = functions[name.toLowerCase() as keyof typeof functions](parts);
      return color ? hex(color) : written;
    });
    if (result === before) break;
  }
  return result;
}

const functions = {
  'contrast-color': (parts: readonly string[]) => contrastOf(parts, readableRatio),
  // A sign needs 3:1 (WCAG 1.4.11) where text needs 4.5:1.
  'sign-color': (parts: readonly string[]) => contrastOf(parts, 3),
  'readable-color': readableOf,
  'color-mix': mixOf,
};

/** All of them as colors, or none. */
function colorsOf(parts: readonly string[]): Color[] {
  const colors = parts.map((part) => parseColor(part));
  return colors.every((color) => color !== undefined) ? colors : [];
}

/** Black or white, whichever has the better contrast on the worst of these backgrounds. */
function extremeOn(grounds: readonly Color[]): Color {
  const worst = (ink: Color) => Math.min(...grounds.map((ground) => contrast(ink, ground)));
  return worst(white) >= worst(black) ? white : black;
}

const nearBlack: Color = { r: 12, g: 13, b: 16, a: 1 };

function contrastOf(parts: readonly string[], least: number): Color | undefined {
  const grounds = colorsOf(parts).map((color) => over(color, white));
  if (grounds.length === 0) return undefined;
  // White looks better than black on a strong color, so it is preferred if it is readable.
  return grounds.every((ground) => contrast(white, ground) >= least + margin) ? white : readable(nearBlack, grounds);
}

function readableOf(parts: readonly string[]): Color | undefined {
  const [wanted, first, ...more] = colorsOf(parts);
  if (wanted === undefined || first === undefined) return undefined;
  const grounds = [first, ...more].map((color) => over(color, white));
  return readable(over(wanted, grounds[0] ?? white), grounds);
}

/** The wanted color, moved towards black or white as far as needed to be readable on these backgrounds. */
function readable(wanted: Color, grounds: readonly Color[]): Color {
  const end = extremeOn(grounds);
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(wanted, end, share);
    if (grounds.every((ground) => contrast(candidate, ground) >= readableRatio + margin)) return candidate;
  }
  return end;
}

const mixPart = /^(\S+?)(?:\s+(\d{1,3}(?:\.\d{1,3})?)%)?$/;

/** color-mix(in srgb, #112233 40%, white), with colors that are written out. */
function mixOf([space, ...parts]: readonly string[]): Color | undefined {
  if (space !== 'in srgb' || parts.length !== 2) return undefined;
  const [first, second] = parts.map((part) => mixPart.exec(part));
  const [one, other] = colorsOf([first?.[1] ?? '', second?.[1] ?? '']);
  if (!one || !other) return undefined;
  const given = [first?.[2], second?.[2]].map((part) => (part === undefined ? undefined : Number(part) / 100));
  const share = given[1] ?? 1 - (given[0] ?? 0.5);
  if (share > 1 || (given[0] !== undefined && given[1] !== undefined && given[0] + given[1] !== 1)) return undefined;
  const a = one.a * (1 - share) + other.a * share;
  // Colors weigh as much as they are opaque.
  return { ...mix(one, other, a === 0 ? 0 : (other.a * share) / a), a };
}
