// The parts of cards: boxes, lines, images.
import type { Node } from '@takumi-rs/core';
import type { Picture } from '../card-types.ts';
import { type Color, css } from './color.ts';
import type { Frame } from './frame.ts';
import { text } from './type.ts';

export type Style = Readonly<Record<string, string | number | undefined>>;
/** A part that may be missing: `title && text(title, …)`. */
export type Part = Node | undefined | false | '' | null;

export const box = (style: Style, ...parts: Part[]): Node => ({
  type: 'container',
  style: { display: 'flex', ...style } as never,
  children: parts.filter((part) => typeof part === 'object' && part !== null),
});

export const column = (style: Style, ...parts: Part[]): Node => box({ flexDirection: 'column', ...style }, ...parts);

export const row = (style: Style, ...parts: Part[]): Node =>
  box({ flexDirection: 'row', alignItems: 'center', ...style }, ...parts);

/** Takes the space that is left. */
export const spacer = (share = 1): Node => box({ flexGrow: share, flexShrink: 1, minWidth: 0, minHeight: 0 });

export const rule = (color: Color, style: Style = {}): Node =>
  box({ height: 2, width: '100%', backgroundColor: css(color), flexShrink: 0, ...style });

/** The image fills its box and is cropped at the edges. */
export const cover = (picture: Picture, width: number | string, height: number | string, style: Style = {}): Node => ({
  type: 'image',
  src: picture.src,
  style: { width, height, objectFit: 'cover', flexShrink: 0, ...style } as never,
});

/** The whole image, as large as the box allows. */
export function contain(picture: Picture, maxWidth: number, maxHeight: number, style: Style = {}): Node {
  const fit = Math.min(maxWidth / picture.width, maxHeight / picture.height);
  const size = { width: picture.width * fit, height: picture.height * fit };
  return { type: 'image', src: picture.src, style: { ...size, flexShrink: 0, ...style } as never };
}

/** Two parts at the two ends of a line. Both shrink before they touch. */
export const between = (start: Part, end: Part, style: Style = {}): Part =>
  (start || end) &&
  row(
    { justifyContent: 'space-between', gap: 32, width: '100%', flexShrink: 0, ...style },
    box({ minWidth: 0, flexShrink: 1 }, start),
    end && box({ minWidth: 0, flexShrink: start ? 0 : 1, maxWidth: start ? '42%' : '100%' }, end),
  );

export const pill = (label: string, ground: Color, ink: Color, style: Style = {}): Node =>
  row(
    { backgroundColor: css(ground), borderRadius: 999, padding: '8px 20px', minWidth: 0, ...style },
    text(label, { size: 22, weight: 600, color: ink, leading: 1.3, lines: 1 }),
  );

/** The same without a background. */
export const outline = (label: string, line: Color, ink: Color): Node =>
  pill(label, { ...line, a: 0 }, ink, { border: `2px solid ${css(line)}`, padding: '6px 18px' });

/** A circle or disc around a point of the canvas, for backgrounds. */
export const disc = (x: number | string, y: number | string, radius: number, style: Style): Node =>
  box({
    position: 'absolute',
    left: x,
    top: y,
    width: radius * 2,
    height: radius * 2,
    marginLeft: -radius,
    marginTop: -radius,
    borderRadius: radius,
    ...style,
  });

/** The whole canvas: a background with its decoration, and the content inside the margins. */
export const sheet = (frame: Frame, ground: Ground, style: Style, ...parts: Part[]): Node =>
  box(
    {
      width: '100%',
      height: '100%',
      alignItems: 'center',
      justifyContent: 'center',
      position: 'relative',
      backgroundColor: css(ground.color),
      backgroundImage: ground.image,
    },
    ...(ground.behind ?? []),
    column({ width: frame.inner.width, height: frame.inner.height, position: 'relative', ...style }, ...parts),
  );

export type Ground = {
  readonly color: Color;
  /** A CSS gradient. */
  readonly image?: string;
  readonly behind?: readonly Part[];
};
