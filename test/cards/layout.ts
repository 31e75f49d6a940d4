// The layout of a card, without painting it: every text with its place and the lines it takes.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import sharp from 'sharp';
import type { Picture, Template } from '../../src/cards/card-types.ts';
import { frameOf } from '../../src/cards/frame.ts';
import { arrangeTexts } from '../../src/cards/html/arrange-texts.ts';
import { variableKey } from '../../src/cards/html/css-urls.ts';
import { fillTemplate } from '../../src/cards/html/fill-template.ts';
import { loadHighlight } from '../../src/cards/html/highlight.ts';
import { readTemplate } from '../../src/cards/html/read-html.ts';
import { readValues } from '../../src/cards/html/read-values.ts';
import { createPainter } from '../../src/cards/painter.ts';
import { describe as about } from '../../src/cards/template-document.ts';
import { builtInTemplates } from '../../src/cards/template-folder.ts';

export type PlacedText = {
  readonly text: string;
  /** The words as they are shown, a string for each line. */
  readonly lines: readonly string[];
  /** The size at which it is set; undefined if it is not fitted. */
  readonly size: number | undefined;
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
  small: { width: 200, height: 105 },
} as const;

export type Layout = { readonly texts: readonly PlacedText[]; find(text: string): PlacedText };
/** `template` is the name of a built-in one, or HTML. */
export type LayoutOf = (
  template: string,
  values: Readonly<Record<string, string>>,
  shape?: keyof typeof shapes,
) => Promise<Layout>;

export async function createLayouts(): Promise<LayoutOf> {
  const painter = await createPainter();
  const highlight = await loadHighlight();
  const templates = await builtInTemplates();
  const src = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#0ea5e9' } })
    .png()
    .toBuffer();
  const read = (template: string): Pick<Template, 'tree' | 'variables'> => {
    const known = templates.get(template);
    if (known) return known;
    const tree = readTemplate(template);
    return { tree, ...about(tree.variables, {}) };
  };
  return async (template, values, shape = 'wide') => {
    const { tree, variables } = read(template);
    const frame = frameOf(shapes[shape].width, shapes[shape].height, tree.hasSmall);
    const images = Object.entries(variables).filter(([name, { type }]) => type === 'image_url' && values[name]);
    const { texts, items, colors, setting } = await readValues(variables, values, painter);
    const filled = fillTemplate(
      tree,
      { ...frame, direction: setting.direction },
      {
        highlight,
        text: (name) => texts.get(name) ?? '',
        items: (name) => items.get(name) ?? [],
        color: (name) => colors.get(name),
        pictures: new Map<string, Picture>(
          images.map(([name]) => [variableKey(name), { src, width: 100, height: 100 }]),
        ),
        fonts: new Map(),
      },
    );
    const room = { width: frame.width, height: frame.height };
    const measure = (node: Node) => painter.measure(node, setting, room, filled);
    await arrangeTexts(filled, measure);
    const placed = placedTexts(filled.node, await measure(filled.node));
    return {
      texts: placed,
      find(text) {
        const found = placed.find((each) => each.text === text);
        if (!found) throw new Error(`The card has no text "${text}": ${placed.map((each) => each.text).join(' | ')}`);
        return found;
      },
    };
  };
}

const isBlank = (node: Node) => node.type === 'text' && node.text.trim() === '';

function placedTexts(node: Node, measured: MeasuredNode): PlacedText[] {
  const { width, height, runs, transform } = measured;
  const [, , , , left, top] = transform;
  if (node.type === 'container' && runs.length === 0) {
    const all = node.children ?? [];
    const children = all.length === measured.children.length ? all : all.filter((child) => !isBlank(child));
    return children.flatMap((child, i) => {
      const at = measured.children[i];
      return at ? placedTexts(child, at) : [];
    });
  }
  if (node.type === 'image' || runs.length === 0) return [];
  const rows: { text: string; bottom: number }[] = [];
  for (const { text, y, height: high } of runs) {
    const row = rows.at(-1);
    // Typefaces of one line differ in height, so the middle of the run decides.
    if (!row || y + high / 2 > row.bottom) rows.push({ text, bottom: y + high });
    else row.text += text;
  }
  const text = node.type === 'text' ? node.text : runs.map((run) => run.text).join('');
  const size = (node.style as { fontSize?: number } | undefined)?.fontSize;
  const lines = rows.map((row) => row.text.trim());
  // What is inside of its box may be wider: words that are not broken.
  const right = Math.max(left + width, ...runs.map((run) => left + run.x + run.width));
  return [{ text, lines, size, left, top, right, bottom: top + height }];
}
