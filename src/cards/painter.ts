// Paints a tree of nodes and encodes the image. Takumi lays out and paints; card-png.ts writes png, sharp the other formats.
// Takumi and sharp run native code on the thread pool, which cannot be stopped once it has started.
import { availableParallelism } from 'node:os';
import { type ImageSource, type MeasuredNode, type Node, Renderer } from '@takumi-rs/core';
import sharp from 'sharp';
import { formats } from '../kernel/formats.ts';
import { lazily } from '../kernel/lazily.ts';
import { createNativeSlots, type InSlot } from '../kernel/native-slots.ts';
import { createPngPainter } from './card-png.ts';
import type { Canvas } from './card-types.ts';
import { createRuler, type Ruler } from './design/words.ts';
import { type Emoji, loadEmoji } from './emoji.ts';
import type { Coverage } from './font-coverage.ts';
import { fallbackOrder, registerFallbacks, registerTypefaces } from './fonts.ts';
import { freed } from './freed.ts';
import { cutRightToLeft } from './right-to-left.ts';
import { type HanForm, hanLanguage } from './script.ts';
import { arrange, cleanText, drawEmoji, textOf } from './typeset.ts';

/** How the text of one card is set. */
export type Typesetting = {
  /** Undefined if the card has no Han characters: setting a language costs time. */
  readonly han: HanForm | undefined;
  readonly direction: 'ltr' | 'rtl';
};

/** The stylesheets and images of a template. */
export type TemplateAssets = { readonly css?: readonly string[]; readonly images?: readonly ImageSource[] };

export type Painter = {
  /** The characters of the fonts that are loaded. */
  readonly coverage: Coverage;
  /** Loads the fonts of other scripts for the first text that needs one of them. */
  loadFontsFor(text: string): Promise<void>;
  loadAllFonts(): Promise<void>;
  readonly emoji: Emoji;
  readonly ruler: Ruler;
  /** In a room of 8192 pixels a side, if none is given. */
  measure(node: Node, setting: Typesetting, room?: Room, assets?: TemplateAssets): Promise<MeasuredNode>;
  /** `template` is what the cards of a template have in common. */
  paint(
    template: object,
    node: Node,
    canvas: Canvas,
    scale: number,
    setting: Typesetting,
    assets?: TemplateAssets,
  ): Promise<Buffer>;
  /** Adds a font under this name. */
  registerFont(name: string, data: Buffer): Promise<void>;
  /** One slot for each core. */
  readonly inSlot: InSlot;
};

type Room = { readonly width: number; readonly height: number };
const anyRoom: Room = { width: 8192, height: 8192 };

const cacheBytes = 64 * 1024 * 1024;

export async function createPainter(slots = availableParallelism()): Promise<Painter> {
  const renderer = new Renderer({ cacheMaxBytes: cacheBytes });
  const [{ coverage, plain }, emoji] = await Promise.all([registerTypefaces(renderer), loadEmoji()]);
  const loadAllFonts = lazily(() => registerFallbacks(renderer, coverage));
  const loadFontsFor = async (text: string) => {
    if (cleanText(text, plain, emoji).missing.length > 0) await loadAllFonts();
  };
  const queue = createNativeSlots(slots);
  const wordsOf = ({ han }: Typesetting) => ({
    fontFamilies: fallbackOrder(han ?? 'sc'),
    ...(han && { lang: hanLanguage[han] }),
  });
  const withEmoji = ({ css = [], images = [] }: TemplateAssets, drawn: readonly ImageSource[]) => ({
    images: [...images, ...drawn],
    ...(css.length > 0 && { css: [...css] }),
  });
  const measure = (tree: Node, setting: Typesetting, room: Room, assets: TemplateAssets = {}) => {
    const drawn = drawEmoji(tree, emoji);
    return renderer.measure(drawn.node, { ...room, ...withEmoji(assets, drawn.images), ...wordsOf(setting) });
  };
  const paintPng = createPngPainter();

  return {
    coverage,
    loadFontsFor,
    loadAllFonts,
    emoji,
    ruler: createRuler(),
    measure: (node, setting, room = anyRoom, assets) =>
      measure(arrange(node, setting.direction), setting, room, assets),
    registerFont: async (name, data) => void (await renderer.registerFont({ name, data })),
    paint: async (template, node, canvas, scale, setting, assets = {}) => {
      // A template has words of its own, too.
      await loadFontsFor(textOf(node));
      const { width, height } = canvas;
      const place = { width, height, devicePixelRatio: scale };
      const cut = await cutRightToLeft(
        arrange(node, setting.direction),
        // In design pixels, like the font sizes.
        (tree) => measure(tree, setting, { width: width / scale, height: height / scale }, assets),
        (tree) => measure(tree, setting, anyRoom),
      );
      const drawn = drawEmoji(cut, emoji);
      const render = (format: 'png' | 'raw') =>
        renderer.render(drawn.node, { ...place, format, ...withEmoji(assets, drawn.images), ...wordsOf(setting) });
      const encode = formats[canvas.format].encodeCard;
      if (encode === 'png') return paintPng(template, canvas, render);
      return freed(await render('raw'), (pixels) =>
        encode(sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha(), canvas.quality).toBuffer(),
      );
    },
    inSlot: queue,
  };
}
