// The type scale and the style of a text. Sizes are even and grow by about 1.2; line heights shrink as sizes grow, but
// not below what the script needs.
import type { Node } from '@takumi-rs/core';
import { type Typeface, typefaces } from '../fonts.ts';
import { hasItalics, keepsTracking, keepsWords, leastLeading } from '../script.ts';
import { type Color, css } from './color.ts';
import type { Frame } from './frame.ts';

export const scale = { mini: 18, small: 22, body: 26, lead: 32, h4: 40, h3: 48, h2: 56 } as const;

const headlines = [112, 104, 96, 88, 80, 72, 64, 58, 52, 46, 40, 36];
const compactHeadlines = [72, 64, 56, 50, 44, 40, 36, 32, 28, 24];

/** From the largest to the smallest: what `fit` tries for a headline. */
export const headlineSizes = (frame: Frame, largest = 96): readonly number[] =>
  (frame.compact ? compactHeadlines : headlines).filter((size) => size <= largest);

/** What `fit` tries for the sentence below a headline. */
export const leadText = ({ shape, inner }: Frame, width = inner.width) => ({
  width: Math.min(width, 900),
  height: inner.height,
  lines: { wide: 2, square: 3, tall: 5 }[shape],
  sizes: { wide: [30, 28, 26, 24], square: [32, 30, 28, 26], tall: [36, 32, 30, 28] }[shape],
  leading: 1.38,
  balance: true,
});

export type TextStyle = {
  readonly size: number;
  readonly color?: Color;
  readonly weight?: number;
  readonly font?: Typeface;
  readonly italic?: boolean;
  /** Line height in ems. */
  readonly leading?: number;
  /** Letter spacing in ems; ignored for scripts that do not allow it. */
  readonly tracking?: number;
  readonly align?: 'left' | 'center' | 'right';
  /** The maximum number of lines, then an ellipsis. */
  readonly lines?: number;
  /** Lines of even length, for headlines. */
  readonly balance?: boolean;
  /** Keeps line breaks and blanks as they are. */
  readonly pre?: boolean;
  /** Digits of one width. */
  readonly tabular?: boolean;
  /** Any other style of the engine. */
  readonly style?: Readonly<Record<string, string | number | undefined>>;
};

/** The line height a text is set with, in ems. */
export const leadingOf = (text: string, { size, leading }: TextStyle): number =>
  Math.max(leading ?? (size >= 60 ? 1.08 : size >= 36 ? 1.16 : 1.4), leastLeading(text));

/** The engine's style for a text, with what its script needs. */
function textStyle(text: string, style: TextStyle): Record<string, string | number | undefined> {
  const { size, font = 'sans' } = style;
  const tracking = style.tracking ?? (font === 'sans' && size >= 40 ? -0.022 : 0);
  return {
    fontFamily: typefaces[font],
    fontSize: size,
    fontWeight: style.weight ?? 400,
    lineHeight: leadingOf(text, style),
    letterSpacing: keepsTracking(text) ? `${tracking}em` : '0em',
    fontVariationSettings: opticalSize(size, font),
    fontStyle: style.italic && hasItalics(text) ? 'italic' : undefined,
    // Code is read letter by letter: no ligatures.
    fontFeatureSettings: font === 'mono' ? "'calt' 0, 'liga' 0" : style.tabular ? "'tnum' 1" : undefined,
    color: style.color && css(style.color),
    textAlign: style.align,
    whiteSpace: style.pre ? 'pre' : undefined,
    textWrap: style.balance ? 'balance' : undefined,
    // A word longer than the line is broken rather than cut.
    overflowWrap: 'anywhere',
    wordBreak: keepsWords(text) ? 'keep-all' : undefined,
    ...(style.lines !== undefined && { lineClamp: style.lines, textOverflow: 'ellipsis' }),
    ...style.style,
  };
}

/** Inter and Source Serif have optical sizes: sturdy and wide when small, fine and tight when large. */
function opticalSize(size: number, font: Typeface): string | undefined {
  if (font === 'mono') return undefined;
  const [least, most] = font === 'sans' ? [14, 32] : [8, 60];
  return `'opsz' ${Math.min(most, Math.max(least, size * 0.75))}`;
}

export const text = (value: string, style: TextStyle): Node => ({
  type: 'text',
  text: value,
  style: textStyle(value, style) as never,
});
