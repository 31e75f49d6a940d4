// Paints a card from a template and its values. Templates of accounts are painted in processes of their own (html-painter.ts):
// they can make the engine work for minutes, and native code can only be stopped by a kill.
import type { Node } from '@takumi-rs/core';
import type { Canvas, Picture, TemplateFile, Variable } from '../card-types.ts';
import { frameOf } from '../frame.ts';
import type { Painter } from '../painter.ts';
import { textOf } from '../typeset.ts';
import { arrangeTexts } from './arrange-texts.ts';
import { fileKey, variableKey } from './css-urls.ts';
import { fillTemplate } from './fill-template.ts';
import { loadHighlight } from './highlight.ts';
import { type HtmlTree, TemplateFault } from './html-template-types.ts';
import { readValues } from './read-values.ts';

export type CardToPaint = {
  readonly tree: HtmlTree;
  readonly variables: Readonly<Record<string, Variable>>;
  readonly files: readonly (TemplateFile & { readonly bytes: Uint8Array })[];
  readonly values: Readonly<Record<string, string>>;
  /** The images that variables name, by the name of the variable. */
  readonly pictures: readonly (readonly [string, Picture])[];
  readonly canvas: Canvas;
};

export type PaintedCard = { readonly bytes: Buffer; readonly warnings: readonly string[] };

export type CardPainter = {
  /** Throws a TemplateFault if the engine cannot read a style. */
  paint(card: CardToPaint): Promise<PaintedCard>;
  /** Throws if it is no font. */
  addFont(file: Pick<TemplateFile, 'hash'> & { readonly bytes: Uint8Array }): Promise<void>;
  /** How many fonts were added: they are never removed. */
  readonly fonts: number;
};

export function createCardPainter(painter: Painter): CardPainter {
  const registered = new Set<string>();

  async function addFont({ hash, bytes }: Pick<TemplateFile, 'hash'> & { readonly bytes: Uint8Array }): Promise<void> {
    if (registered.has(hash)) return;
    await painter.registerFont(familyOf(hash), Buffer.from(bytes));
    registered.add(hash);
  }

  return {
    addFont,
    get fonts() {
      return registered.size;
    },
    async paint({ tree, variables, files, values, pictures, canvas }) {
      const fonts = files.filter(({ kind }) => kind === 'font');
      for (const font of fonts) await addFont(font);
      const frame = frameOf(canvas.width, canvas.height, tree.hasSmall);
      const { texts, items, colors, setting, warnings } = await readValues(variables, values, painter);
      const highlight = tree.hasCode ? await loadHighlight() : undefined;
      const filled = fillTemplate(
        tree,
        { ...frame, direction: setting.direction },
        {
          highlight,
          text: (name) => texts.get(name) ?? '',
          items: (name) => items.get(name) ?? [],
          color: (name) => colors.get(name),
          pictures: new Map([
            ...pictures.map(([name, picture]) => [variableKey(name), picture] as const),
            ...files
              .filter(({ kind }) => kind === 'image')
              .map(({ name, bytes }) => [fileKey(name), { src: bytes, width: 0, height: 0 }] as const),
          ]),
          fonts: new Map(fonts.map(({ name, hash }) => [fontName(name).toLowerCase(), familyOf(hash)])),
        },
      );
      // A template has words of its own, too.
      await painter.loadFontsFor(textOf(filled.node));
      const room = { width: frame.width, height: frame.height };
      try {
        await arrangeTexts(filled, (node) => painter.measure(node, setting, room, filled));
        return { bytes: await painter.paint(filled.node, canvas, frame.scale, setting, filled), warnings };
      } catch (error) {
        throw (await faultIn(filled.places, (each) => painter.measure(each, setting, room))) ?? error;
      }
    },
  };
}

const familyOf = (hash: string): string => `Own ${hash.slice(0, 32)}`;
/** `Brand Sans.woff2` is the font family "Brand Sans". */
const fontName = (file: string): string => file.replace(/\.[^.]+$/, '');

/** The engine says what is wrong with a style, but not where: each element is tried alone. */
async function faultIn(
  places: ReadonlyMap<Node, { readonly line: number; readonly column: number }>,
  measure: (node: Node) => Promise<unknown>,
): Promise<TemplateFault | undefined> {
  for (const [{ style, tw }, place] of places)
    try {
      await measure({ type: 'container', ...(style && { style }), ...(tw !== undefined && { tw }) });
    } catch (error) {
      const message = (error as Error).message.replace(/^InvalidArg, /, '').replace(/, line \d+, column \d+/, '');
      return new TemplateFault(message.slice(0, 300), place);
    }
  return undefined;
}
