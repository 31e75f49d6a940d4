// Paints a tree of nodes and encodes the image. Takumi lays out, paints and writes png; sharp writes the other formats. Both run
// native code on the thread pool, which cannot be stopped once it has started.
import { type ImageSource, type MeasuredNode, type Node, Renderer } from '@takumi-rs/core';
import sharp from 'sharp';
import { formats } from '../kernel/formats.ts';
import { lazily } from '../kernel/lazily.ts';
import type { Canvas } from './card-types.ts';
import { type Emoji, loadEmoji } from './emoji.ts';
import type { Coverage } from './font-coverage.ts';
import { fallbackOrder, registerFallbacks, registerTypefaces } from './fonts.ts';
import { freed } from './freed.ts';
import { type HanForm, hanLanguage } from './script.ts';
import { arrange, cleanText, drawEmoji } from './typeset.ts';

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
  readonly coverage: Pick<Coverage, 'has'>;
  /** Loads the fonts of other scripts for the first text that needs one of them. */
  loadFontsFor(text: string): Promise<void>;
  loadAllFonts(): Promise<void>;
  readonly emoji: Emoji;
  measure(node: Node, setting: Typesetting, room: Room, assets?: TemplateAssets): Promise<MeasuredNode>;
  paint(node: Node, canvas: Canvas, scale: number, setting: Typesetting, assets?: TemplateAssets): Promise<Buffer>;
  /** Adds a font under this name. */
  registerFont(name: string, data: Buffer): Promise<void>;
};

export type Measure = (node: Node) => Promise<MeasuredNode>;
type Room = { readonly width: number; readonly height: number };

const cacheBytes = 64 * 1024 * 1024;

export async function createPainter(): Promise<Painter> {
  const renderer = new Renderer({ cacheMaxBytes: cacheBytes });
  const [{ coverage, plain }, emoji] = await Promise.all([registerTypefaces(renderer), loadEmoji()]);
  const loadAllFonts = lazily(() => registerFallbacks(renderer, coverage));
  const loadFontsFor = async (text: string) => {
    if (cleanText(text, plain, emoji).missing.length > 0) await loadAllFonts();
  };
  const wordsOf = ({ han }: Typesetting) => ({
    fontFamilies: fallbackOrder(han ?? 'sc'),
    ...(han && { lang: hanLanguage[han] }),
  });
  const withEmoji = ({ css = [], images = [] }: TemplateAssets, drawn: readonly ImageSource[]) => ({
    images: [...images, ...drawn],
    ...(css.length > 0 && { css: [...css] }),
  });
  return {
    coverage,
    loadFontsFor,
    loadAllFonts,
    emoji,
    measure: (node, setting, room, assets = {}) => {
      // Without the drawings of emoji, whose size is given: to read them would take most of the time.
      const { node: drawn } = drawEmoji(arrange(node, setting.direction), emoji);
      return renderer.measure(drawn, { ...room, ...withEmoji(assets, []), ...wordsOf(setting) });
    },
    registerFont: async (name, data) => void (await renderer.registerFont({ name, data })),
    paint: async (node, { width, height, format, quality }, scale, setting, assets = {}) => {
      const drawn = drawEmoji(arrange(node, setting.direction), emoji);
      const place = { width, height, devicePixelRatio: scale };
      const render = (encoded: 'png' | 'raw') =>
        renderer.render(drawn.node, {
          ...place,
          format: encoded,
          ...withEmoji(assets, drawn.images),
          ...wordsOf(setting),
        });
      const encode = formats[format].encodeCard;
      // Copied, because Takumi's buffer takes twice the memory of its bytes, and the cache would keep all of it.
      if (encode === 'png') return Buffer.from(await render('png'));
      return freed(await render('raw'), (pixels) =>
        encode(sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha(), quality).toBuffer(),
      );
    },
  };
}
