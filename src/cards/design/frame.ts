// The canvas as a template sees it. A card is laid out in design pixels and painted at a scale, so that one layout
// works for 200 × 105 and 4096 × 2150. The shape decides how the parts are arranged.

export type Shape = 'wide' | 'square' | 'tall';

export type Frame = {
  /** The canvas in design pixels. */
  readonly width: number;
  readonly height: number;
  /** Output pixels for one design pixel. */
  readonly scale: number;
  readonly shape: Shape;
  /** The output is so small that only the most important words are readable: leave the others out. */
  readonly compact: boolean;
  /** The margin around the content, a multiple of 8. */
  readonly pad: number;
  /** What is left inside the margins. */
  readonly inner: { readonly width: number; readonly height: number };
};

// Design sizes of the three shapes. A tall card is read on a phone, so its type is relatively larger.
const designs = {
  wide: { width: 1200, height: 630 },
  square: { width: 840, height: 840 },
  tall: { width: 720, height: 1280 },
} as const;

/** Below this scale body text would be under about 9 output pixels high. */
const compactBelow = 0.3;
/** The largest aspect ratio of the content. On a longer canvas only the background continues. */
const longest = 3;

/** `always` the whole design, for templates that cannot leave words out. */
export function frameOf(width: number, height: number, always?: 'whole'): Frame {
  const ratio = width / height;
  const shape: Shape = ratio >= 1.25 ? 'wide' : ratio > 0.8 ? 'square' : 'tall';
  const design = designs[shape];
  const fitting = shape === 'tall' ? width / design.width : Math.min(width / design.width, height / design.height);
  const compact = always === undefined && fitting < compactBelow;
  const scale = compact ? fitting * 2 : fitting;
  const frame = { width: width / scale, height: height / scale };
  const pad = compact ? 40 : shape === 'wide' ? 72 : 64;
  return {
    ...frame,
    scale,
    shape,
    compact,
    pad,
    inner: {
      width: Math.min(frame.width, frame.height * longest) - 2 * pad,
      height: Math.min(frame.height, frame.width * longest) - 2 * pad,
    },
  };
}
