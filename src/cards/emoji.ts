// Emoji are painted as images, from the drawings of Twemoji (CC BY 4.0), because the engine does not support color
// fonts.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

type IconSet = {
  icons: Record<string, { body: string; width?: number }>;
  aliases: Record<string, { parent: string }>;
  width: number;
};

export type Emoji = {
  /** The name of the drawing for this grapheme, or undefined if it has none. */
  find(grapheme: string): string | undefined;
  /** The drawing as an SVG file. */
  svg(name: string): Buffer;
};

const perhapsEmoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
const pictographic = /^\p{Extended_Pictographic}/u;
const pictureByDefault = /^\p{Emoji_Presentation}/u;
const skinTone = /\p{Emoji_Modifier}/u;

export async function loadEmoji(): Promise<Emoji> {
  const { resolve } = createRequire(import.meta.url);
  const json = async (file: string) => JSON.parse(await readFile(resolve(`@iconify-json/twemoji/${file}`), 'utf8'));
  const set = (await json('icons.json')) as IconSet;
  const names = (await json('chars.json')) as Record<string, string>;

  const nameOf = (grapheme: string): string | undefined =>
    names[
      [...grapheme]
        .filter((char) => char !== '\ufe0f')
        .map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
        .join('-')
    ];
  return {
    find: (grapheme) => (isEmoji(grapheme) ? nameOf(grapheme) : undefined),
    svg: (name) => {
      const { body, width = set.width } = set.icons[name] ?? set.icons[set.aliases[name]?.parent ?? ''] ?? { body: '' };
      return Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${width} ${width}">${body}</svg>`,
      );
    },
  };
}

export const mayHaveEmoji = (text: string): boolean => perhapsEmoji.test(text);

/** UTS #51: an emoji by default, or made one by U+FE0F, a skin tone, a joiner, a flag or a keycap. */
function isEmoji(grapheme: string): boolean {
  if (grapheme.includes('\ufe0e')) return false;
  if (/^\p{Regional_Indicator}{2}$/u.test(grapheme) || /^[#*0-9]\ufe0f?\u20e3$/u.test(grapheme)) return true;
  if (!pictographic.test(grapheme)) return false;
  return (
    grapheme.includes('\ufe0f') ||
    grapheme.includes('\u200d') ||
    pictureByDefault.test(grapheme) ||
    skinTone.test(grapheme)
  );
}
