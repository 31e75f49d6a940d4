// The type scale and the voices. Sizes go by a fifth (1.2) around 28 and are even numbers on the 8-px
// grid's half step; line heights tighten as type grows.
import type { Node } from '@takumi-rs/core';
import { type Typeface, typefaces } from '../fonts.ts';
import { keepsTracking, leastLeading } from '../script.ts';
import { type Color, css } from './color.ts';

export const scale = {
  mini: 18,
  small: 22,
  body: 28,
  lead: 34,
  h4: 40,
  h3: 48,
  h2: 56,
  h1: 68,
  display: 84,
  poster: 104,
  giant: 136,
};

/** From the largest on; what `fit` tries for a headline. */
export const headlineSizes: readonly number[] = [104, 92, 84, 76, 68, 60, 52, 46, 40];

export type TextStyle = {
  readonly size: number;
  readonly color?: Color;
  readonly weight?: number;
  readonly font?: Typeface;
  readonly italic?: boolean;
  /** Line height in ems. */
  readonly leading?: number;
  /** Letter spacing in ems; only for scripts that bear it. */
  readonly tracking?: number;
  readonly align?: 'left' | 'center' | 'right';
  /** At most so many lines, then an ellipsis. */
  readonly lines?: number;
  /** Even lines, for headlines. */
  readonly balance?: boolean;
  /** Keeps line breaks and blanks as they are. */
  readonly pre?: boolean;
  /** Digits of one width. */
  readonly tabular?: boolean;
  /** Anything else the engine's style knows. */
  readonly style?: Readonly<Record<string, string | number | undefined>>;
};

/** The engine's style for a text: what its script needs is in it. */
export function textStyle(text: string, style: TextStyle): Record<string, string | number | undefined> {
  const { size, font = 'sans' } = style;
  // Display sizes of Inter and Source Serif are drawn tighter; opsz picks the drawing.
  const optical = font === 'sans' ? Math.min(32, Math.max(14, size * 0.75)) : Math.min(60, Math.max(8, size * 0.75));
  const tracking = style.tracking ?? (font === 'sans' && size >= 40 ? -0.022 : 0);
  const leading = style.leading ?? (size >= 60 ? 1.08 : size >= 36 ? 1.16 : 1.4);
  return {
    fontFamily: typefaces[font],
    fontSize: size,
    fontWeight: style.weight ?? 400,
    lineHeight: Math.max(leading, leastLeading(text)),
    letterSpacing: keepsTracking(text) ? `${tracking}em` : '0em',
    fontVariationSettings: font === 'mono' ? undefined : `'opsz' ${optical}`,
    fontStyle: style.italic ? 'italic' : undefined,
    fontFeatureSettings: font === 'mono' ? "'calt' 0, 'liga' 0" : style.tabular ? "'tnum' 1" : undefined,
    color: style.color && css(style.color),
    textAlign: style.align,
    whiteSpace: style.pre ? 'pre' : undefined,
    textWrap: style.balance ? 'balance' : undefined,
    // A word longer than the line is broken rather than cut.
    overflowWrap: 'anywhere',
    ...(style.lines !== undefined && { lineClamp: style.lines, textOverflow: 'ellipsis', overflow: 'hidden' }),
    ...style.style,
  };
}

export const text = (value: string, style: TextStyle): Node => ({
  type: 'text',
  text: value,
  style: textStyle(value, style) as never,
});
