// The layout of a built-in card, without painting it: every text with its place and the lines it takes.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import sharp from 'sharp';
import type { Picture, Template } from '../../src/cards/card-types.ts';
import { frameOf } from '../../src/cards/design/frame.ts';
import { kit } from '../../src/cards/design/kit.ts';
import { createDraft } from '../../src/cards/draft.ts';
import { createPainter, type Painter } from '../../src/cards/painter.ts';

export type PlacedText = {
  readonly text: string;
  /** The words as they are shown, a string for each line. */
  readonly lines: readonly string[];
  /** From the corner of the card, in design pixels. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

export const shapes = {
  wide: { width: 1200, height: 630 },
  square: { width: 1080, height: 1080 },
  tall: { width: 1080, height: 1920 },
} as const;

export type LayoutOf = (
  template: Template,
  values: Readonly<Record<string, string>>,
  shape?: keyof typeof shapes,
) => Promise<{ readonly texts: readonly PlacedText[]; find(text: string): PlacedText }>;

export async function createLayouts(): Promise<LayoutOf> {
  const painter: Painter = await createPainter();
  const src = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#0ea5e9' } })
    .png()
    .toBuffer();
  return async (template, values, shape = 'wide') => {
    const frame = frameOf(shapes[shape].width, shapes[shape].height);
    const images = Object.entries(template.variables).filter(
      ([name, { type }]) => type === 'image_url' && values[name],
    );
    const pictures = new Map<string, Picture>(images.map(([name]) => [name, { src, width: 100, height: 100 }]));
    const { draft, setting } = await createDraft(template, values, pictures, frame, painter);
    const node = await template.picture(draft, kit);
    const measured = await painter.measure(node, setting, { width: frame.width, height: frame.height });
    const texts = placedTexts(node, measured);
    return {
      texts,
      find(text) {
        const found = texts.find((each) => each.text === text);
        if (!found) throw new Error(`The card has no text "${text}": ${texts.map((each) => each.text).join(' | ')}`);
        return found;
      },
    };
  };
}

function placedTexts(node: Node, measured: MeasuredNode): PlacedText[] {
  if (node.type === 'container')
    return (node.children ?? []).flatMap((child, i) => {
      const at = measured.children[i];
      return at ? placedTexts(child, at) : [];
    });
  if (node.type !== 'text') return [];
  const [, , , , left, top] = measured.transform;
  const rows: { text: string; bottom: number }[] = [];
  for (const { text, y, height } of measured.runs) {
    const row = rows.at(-1);
    // Typefaces of one line differ in height, so the middle of the run decides.
    if (!row || y + height / 2 > row.bottom) rows.push({ text, bottom: y + height });
    else row.text += text;
  }
  const { width, height } = measured;
  const lines = rows.map((row) => row.text.trim());
  return [{ text: node.text, lines, left, top, right: left + width, bottom: top + height }];
}
