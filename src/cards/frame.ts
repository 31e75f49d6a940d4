// The canvas as a template sees it. A card is laid out in design pixels and painted at a scale, so that one layout works for
// 200 × 105 and 4096 × 2150. The shape decides how the parts are arranged.

export type Shape = 'wide' | 'square' | 'tall';

export type Frame = {
  /** The canvas in design pixels. */
  readonly width: number;
  readonly height: number;
  /** Output pixels for one design pixel. */
  readonly scale: number;
  readonly shape: Shape;
  /** The output is so small that only the most important words are readable. */
  readonly isSmall: boolean;
};

// Design sizes of the three shapes. A tall card is read on a phone, so its type is relatively larger.
const designs = {
  wide: { width: 1200, height: 630 },
  square: { width: 840, height: 840 },
  tall: { width: 720, height: 1280 },
} as const;

/** Below this scale body text would be under about 9 output pixels high. */
const smallBelow = 0.3;

/** A small card of a template that says what to leave out is laid out at half the size, so that its words are twice as large. */
export function frameOf(width: number, height: number, hasSmall: boolean): Frame {
  const ratio = width / height;
  const shape: Shape = ratio >= 1.25 ? 'wide' : ratio > 0.8 ? 'square' : 'tall';
  const design = designs[shape];
  const fitting = shape === 'tall' ? width / design.width : Math.min(width / design.width, height / design.height);
  const isSmall = hasSmall && fitting < smallBelow;
  const scale = isSmall ? fitting * 2 : fitting;
  return { width: width / scale, height: height / scale, scale, shape, isSmall };
}
