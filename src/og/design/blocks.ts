// The parts cards are built of.
import type { Node } from '@takumi-rs/core';
import type { Picture } from '../og-types.ts';
import { type Color, css } from './color.ts';
import type { Frame } from './frame.ts';
import type { Palette } from './palette.ts';
import { text } from './type.ts';

export type Style = Readonly<Record<string, string | number | undefined>>;
/** A part that may be absent: `title && text(title, …)`. */
export type Part = Node | undefined | false | '' | null;

const present = (parts: readonly Part[]): Node[] =>
  parts.filter((part) => part !== undefined && part !== false && part !== null && part !== '');

export const box = (style: Style, ...parts: Part[]): Node => ({
  type: 'container',
  style: { display: 'flex', ...style } as never,
  children: present(parts),
});

export const column = (style: Style, ...parts: Part[]): Node => box({ flexDirection: 'column', ...style }, ...parts);

export const row = (style: Style, ...parts: Part[]): Node =>
  box({ flexDirection: 'row', alignItems: 'center', ...style }, ...parts);

/** Takes the room that is left. */
export const spacer = (): Node => box({ flexGrow: 1, flexShrink: 1, minWidth: 0, minHeight: 0 });

export const rule = (color: Color, style: Style = {}): Node =>
  box({ height: 2, width: '100%', backgroundColor: css(color), flexShrink: 0, ...style });

/** The picture filling its box, cut at the edges. */
export const cover = (picture: Picture, width: number | string, height: number | string, style: Style = {}): Node => ({
  type: 'image',
  src: picture.src,
  style: { width, height, objectFit: 'cover', flexShrink: 0, ...style } as never,
});

/** The first letters of the first and the last word; as many as one glyph for scripts without capitals. */
export function initials(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .trim()
    .split(/\s+/u)
    .filter(Boolean);
  const first = [...(words[0] ?? '')][0] ?? '';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(first) ? (first + last).toUpperCase() : first;
}

/** The person's picture, or their initials on the accent; nothing if there is neither. */
export function avatar(picture: Picture | undefined, name: string, size: number, colors: Palette): Part {
  const round = { borderRadius: size, width: size, height: size, flexShrink: 0 };
  if (picture) return cover(picture, size, size, round);
  const letters = initials(name);
  if (letters === '') return undefined;
  return box(
    { ...round, alignItems: 'center', justifyContent: 'center', backgroundColor: css(colors.accent) },
    text(letters, { size: Math.round(size * 0.38), weight: 600, color: colors.onAccent, leading: 1, tracking: 0 }),
  );
}

/** Who and when: picture, name, and a second line under it or beside it. */
export function byline(
  who: { picture?: Picture | undefined; name: string; detail?: string },
  colors: Palette,
  size = 64,
): Part {
  const { name, detail = '' } = who;
  if (name === '' && detail === '' && !who.picture) return undefined;
  return row(
    { gap: 20, maxWidth: '100%' },
    avatar(who.picture, name, size, colors),
    column(
      { gap: 2, minWidth: 0, flexShrink: 1 },
      name && text(name, { size: 26, weight: 600, color: colors.ink, leading: 1.3, lines: 1 }),
      detail && text(detail, { size: 22, color: colors.muted, leading: 1.3, lines: 1 }),
    ),
  );
}

export const pill = (label: string, ground: Color, ink: Color, style: Style = {}): Node =>
  row(
    { backgroundColor: css(ground), borderRadius: 999, padding: '8px 20px', flexShrink: 0, maxWidth: '100%', ...style },
    text(label, { size: 22, weight: 600, color: ink, leading: 1.3, lines: 1 }),
  );

/** The whole canvas: a ground to its edges, and the content inside the margins. */
export const sheet = (frame: Frame, ground: Style, style: Style, ...parts: Part[]): Node =>
  box(
    {
      width: '100%',
      height: '100%',
      alignItems: 'center',
      justifyContent: 'center',
      overflow: 'hidden',
      position: 'relative',
      ...ground,
    },
    column({ width: frame.inner.width, height: frame.inner.height, ...style }, ...parts),
  );
