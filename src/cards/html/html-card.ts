// Paints one card from an HTML template. Runs in the painting process only (painting-process.ts): a template can make the
// engine work for minutes, and native code can only be stopped by a kill.
import type { Node } from '@takumi-rs/core';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { Canvas, HtmlTemplate, Picture, TemplateFile } from '../card-types.ts';
import { frameOf } from '../design/frame.ts';
import { createDraft } from '../draft.ts';
import type { Painter } from '../painter.ts';
import { fileKey, variableKey } from './css-urls.ts';
import { fillTemplate } from './fill-template.ts';
import { fitTexts } from './fit-texts.ts';
import { type HtmlTree, TemplateFault } from './html-template-types.ts';
import { readTemplate } from './read-html.ts';

export type HtmlCard = Omit<HtmlTemplate, 'files'> & {
  readonly files: readonly (TemplateFile & { readonly bytes: Uint8Array })[];
  readonly values: Readonly<Record<string, string>>;
  /** The images that variables name, by the name of the variable. */
  readonly pictures: readonly (readonly [string, Picture])[];
  readonly canvas: Canvas;
};

export type PaintedHtml = { readonly bytes: Buffer; readonly warnings: readonly string[] };

export type HtmlCardPainter = {
  paint(card: HtmlCard): Promise<PaintedHtml>;
  /** Throws if it is no font. */
  addFont(file: Pick<TemplateFile, 'hash'> & { readonly bytes: Uint8Array }): Promise<void>;
  /** How many fonts were added: they are never removed. */
  readonly fonts: number;
};

const treesKept = 100;

export function createHtmlCardPainter(painter: Painter): HtmlCardPainter {
  const trees = new BoundedMap<string, HtmlTree>(treesKept);
  const registered = new Set<string>();

  const treeOf = (source: string): HtmlTree => {
    const tree = trees.get(source) ?? readTemplate(source);
    trees.set(source, tree);
    return tree;
  };
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
    async paint({ source, variables, files, values, pictures, canvas }) {
      const tree = treeOf(source);
      const fonts = files.filter(({ kind }) => kind === 'font');
      for (const font of fonts) await addFont(font);
      const frame = frameOf(canvas.width, canvas.height, 'whole');
      const template = { name: 'this', variables };
      const { draft, setting, warnings } = await createDraft(template, values, new Map(pictures), frame, painter);
      const filled = fillTemplate(tree, {
        text: (name) => (variables[name] ? draft.text(name) : ''),
        items: (name) => (variables[name] ? draft.items(name) : []),
        color: draft.color,
        pictures: new Map([
          ...pictures.map(([name, picture]) => [variableKey(name), picture] as const),
          ...files
            .filter(({ kind }) => kind === 'image')
            .map(({ name, bytes }) => [fileKey(name), asPicture(bytes)] as const),
        ]),
        fonts: new Map(fonts.map(({ name, hash }) => [fontName(name).toLowerCase(), familyOf(hash)])),
      });
      const { node, fits, cuts, places } = filled;
      const room = { width: frame.width, height: frame.height };
      try {
        await fitTexts(node, fits, cuts, (tree) => painter.measure(tree, setting, room, filled));
        return { bytes: await painter.paint(tree, node, canvas, frame.scale, setting, filled), warnings };
      } catch (error) {
        throw (await faultIn(places, (each) => painter.measure(each, setting, room))) ?? error;
      }
    },
  };
}

const familyOf = (hash: string): string => `Own ${hash.slice(0, 32)}`;
/** `Brand Sans.woff2` is the font family "Brand Sans". */
const fontName = (file: string): string => file.replace(/\.[^.]+$/, '');
const asPicture = (bytes: Uint8Array): Picture => ({ src: bytes, width: 0, height: 0 });

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
