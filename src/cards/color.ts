// Colors as numbers: the caller's text is parsed once, and only numbers reach the engine.
/// <reference path="./color-name.d.ts" />
import names from 'color-name';

/** Red, green, blue from 0 to 255, alpha from 0 to 1. */
export type Color = { readonly r: number; readonly g: number; readonly b: number; readonly a: number };

export const colorExpects = 'a color: #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl(), hsla() or a CSS name';

const hexForm = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const number = '[+-]?(?:\\d{1,6}(?:\\.\\d{1,6})?|\\.\\d{1,6})';
// The old CSS syntax "1, 2, 3, 4" and the new one "1 2 3 / 4", but no mixture.
const functionForm = new RegExp(
  `^(rgb|hsl)a?\\(\\s*(?:(${number}(?:%|deg)?)\\s*,\\s*(${number}%?)\\s*,\\s*(${number}%?)(?:\\s*,\\s*(${number}%?))?` +
    `|(${number}(?:%|deg)?)\\s+(${number}%?)\\s+(${number}%?)(?:\\s*/\\s*(${number}%?))?)\\s*\\)$`,
  'i',
);

/** undefined if the text is no color. The "#" may be missing, because it is often lost in URLs. */
export function parseColor(text: string): Color | undefined {
  const hex = hexForm.exec(text)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const match = functionForm.exec(text);
  if (!match) return fromName(text.toLowerCase());
  const [, name = '', a1, a2, a3, a4, b1, b2, b3, b4] = match;
  const [first, second, third, alpha] = [a1 ?? b1 ?? '', a2 ?? b2 ?? '', a3 ?? b3 ?? '', a4 ?? b4];
  const a = alpha === undefined ? 1 : clamp(alpha.endsWith('%') ? Number.parseFloat(alpha) / 100 : Number(alpha), 0, 1);
  return name.toLowerCase() === 'rgb' ? fromRgb([first, second, third], a) : fromHsl(first, second, third, a);
}

function fromName(name: string): Color | undefined {
  const [r, g, b] = (Object.hasOwn(names, name) && names[name]) || [];
  return r === undefined || g === undefined || b === undefined ? undefined : { r, g, b, a: 1 };
}

function fromHex(hex: string): Color {
  const digits = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const at = (i: number) => Number.parseInt(digits.slice(i, i + 2), 16);
  return { r: at(0), g: at(2), b: at(4), a: digits.length === 8 ? at(6) / 255 : 1 };
}

function fromRgb(channels: readonly string[], a: number): Color | undefined {
  const percents = channels.filter((channel) => channel.endsWith('%')).length;
  if ((percents !== 0 && percents !== 3) || channels.some((channel) => /deg$/i.test(channel))) return undefined;
  const [r = 0, g = 0, b = 0] = channels.map((channel) =>
    clamp(Math.round((Number.parseFloat(channel) * (percents ? 255 : 100)) / 100), 0, 255),
  );
  return { r, g, b, a };
}

function fromHsl(hue: string, saturation: string, lightness: string, a: number): Color | undefined {
  if (hue.endsWith('%') || !saturation.endsWith('%') || !lightness.endsWith('%')) return undefined;
  const h = ((Number.parseFloat(hue) % 360) + 360) % 360;
  const s = clamp(Number.parseFloat(saturation) / 100, 0, 1);
  const l = clamp(Number.parseFloat(lightness) / 100, 0, 1);
  const channel = (n: number) => {
    const k = (n + h / 30) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return { r: channel(0), g: channel(8), b: channel(4), a };
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

export const white: Color = { r: 255, g: 255, b: 255, a: 1 };
export const black: Color = { r: 0, g: 0, b: 0, a: 1 };

/** Without blanks, which would end a class name. */
export const hex = ({ r, g, b, a }: Color): string =>
  `#${[r, g, b, a * 255].map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`;

/** The first color mixed with `share` of the second; both count as opaque. */
export const mix = (one: Color, other: Color, share: number): Color => ({
  r: one.r + (other.r - one.r) * share,
  g: one.g + (other.g - one.g) * share,
  b: one.b + (other.b - one.b) * share,
  a: 1,
});

/** A translucent color as it looks on a background. */
export const over = (top: Color, ground: Color): Color => mix(ground, top, top.a);

/** Relative luminance, WCAG 2.2. */
export function luminance({ r, g, b }: Color): number {
  const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

/** Contrast ratio, WCAG 2.2: from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
