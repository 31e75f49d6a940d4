// A card maker whose way out is a table of files: what the guard refuses is tested where the guard lives.
import sharp from 'sharp';
import type { Canvas, Card, CardMaker } from '../../src/cards/card-types.ts';
import { cardTimeoutMs, createCardMaker } from '../../src/cards/cards.ts';
import type { Egress, ImageLimits } from '../../src/egress/egress-types.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { Problem } from '../../src/kernel/errors.ts';
import { createLog } from '../../src/kernel/log.ts';

export type TestMaker = CardMaker & {
  /** What image addresses answer; others cannot be fetched. */
  readonly files: Map<string, Buffer>;
  card(template: string, variables: Record<string, string>, canvas?: Partial<Canvas>): Promise<Card>;
};

export async function createTestMaker(templatesDir?: string): Promise<TestMaker> {
  const files = new Map<string, Buffer>();
  const egress = {
    check: (url: string) => {
      if (url.includes('//10.'))
        throw new Problem('target_refused', { message: 'url leads to 10.0.0.1, which is not public.' });
      return new URL(url);
    },
    fetchImage: async (url: string, { parameter, bytes: most }: ImageLimits) => {
      const bytes = files.get(url);
      if (bytes && bytes.length > most)
        throw new Problem('invalid_parameter', {
          parameter,
          message: `${parameter}: it is larger than ${most} bytes.`,
        });
      if (!bytes)
        throw new Problem('invalid_parameter', { parameter, message: `${parameter}: the server answered 404.` });
      return { bytes, type: 'application/octet-stream' };
    },
  } as unknown as Egress;
  const maker = await createCardMaker({ egress, templatesDir, log: createLog('silent') });
  return {
    ...maker,
    files,
    card: async (template, variables, canvas = {}) => {
      const deadline = new Deadline(cardTimeoutMs);
      try {
        const defaults = { width: 1200, height: 630, format: 'png', quality: 80 } as const;
        return await maker.render({ ...defaults, ...canvas, template, variables }, deadline);
      } finally {
        deadline.done();
      }
    },
  };
}

export type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

export async function pixelsOf(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The share of pixels of which some channel differs by more than `tolerance`. */
export function difference(one: Pixels, other: Pixels, tolerance = 24): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let different = 0;
  for (let i = 0; i < one.data.length; i += 3) {
    const off = [0, 1, 2].some((n) => Math.abs((one.data[i + n] ?? 0) - (other.data[i + n] ?? 0)) > tolerance);
    if (off) different++;
  }
  return different / (one.data.length / 3);
}

export const colorAt = ({ data, width }: Pixels, x: number, y: number): [number, number, number] => {
  const at = (y * width + x) * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
};

/** The columns and rows in which something other than the ground (the top left pixel) is painted. */
export function inkBox(pixels: Pixels): { left: number; right: number; top: number; bottom: number } | undefined {
  const ground = colorAt(pixels, 0, 0);
  let box: { left: number; right: number; top: number; bottom: number } | undefined;
  for (let y = 0; y < pixels.height; y++)
    for (let x = 0; x < pixels.width; x++) {
      if (colorAt(pixels, x, y).every((value, i) => Math.abs(value - (ground[i] ?? 0)) < 24)) continue;
      box ??= { left: x, right: x, top: y, bottom: y };
      box = { left: Math.min(box.left, x), right: Math.max(box.right, x), top: box.top, bottom: y };
    }
  return box;
}
