// Fills the texts of a template with values: those between tags, in attributes and in CSS.

import type { Picture } from '../card-types.ts';
import { black, type Color, hex } from '../color.ts';
import { checkFilledCss, checkFilledDrawing, hasBlocks } from './check-filled.ts';
import { withContrast } from './contrast-color.ts';
import type { Highlight } from './highlight.ts';
import type { Block, HtmlTree, Place, Shown, Word, Wording } from './html-template-types.ts';
import type { Fonts } from './style-text.ts';
import { moreMark } from './whole-rows.ts';

/** The values of a card. */
export type CardValues = {
  text(name: string): string;
  items(name: string): readonly string[];
  /** Undefined if it is no variable of the template. */
  color(name: string): Color | undefined;
  /** For templates that show code. */
  readonly highlight?: Highlight | undefined;
  /** By `variable/name` and `file/name`. */
  readonly pictures: ReadonlyMap<string, Picture>;
  readonly fonts: Fonts;
};

/** What {{#each}} is at. */
export type Item = { readonly text: string; readonly index: number; readonly count: number };

export function createWordFiller(types: HtmlTree['variables'], values: Omit<CardValues, 'fonts' | 'highlight'>) {
  const shown = ({ show }: Shown, item: Item | undefined): string => {
    if (show === 'this') return item?.text ?? '';
    if (show === '@index') return String(item?.index ?? 0);
    if (show === '@more') return moreMark;
    if (show.startsWith('@')) return String(isTrue(show, item));
    return types[show] === 'color' ? hex(values.color(show) ?? black) : values.text(show);
  };
  const isTrue = (name: string, item: Item | undefined): boolean => {
    if (name === 'this') return item !== undefined && item.text !== '';
    if (name === '@first') return item?.index === 0;
    if (name === '@last') return item !== undefined && item.index === item.count - 1;
    if (name === '@index') return item !== undefined && item.index > 0;
    switch (types[name]) {
      case 'items':
        return values.items(name).length > 0;
      case 'image_url':
        return values.pictures.has(`variable/${name}`);
      case 'color':
        return (values.color(name) ?? black).a > 0;
      default:
        return values.text(name) !== '';
    }
  };
  /** What a block comes to: its parts, once, not at all, or for every item. */
  function* expandBlock<T>(
    { block, name, body, otherwise }: Block<T>,
    item: Item | undefined,
  ): Generator<[T, Item | undefined]> {
    const items = block === 'each' ? values.items(name) : [];
    if (items.length > 0) {
      for (const [index, text] of items.entries())
        for (const part of body) yield [part, { text, index, count: items.length }];
      return;
    }
    const isShown = block !== 'each' && isTrue(name, item) === (block === 'if');
    for (const part of isShown ? body : otherwise) yield [part, item];
  }
  const fillWords = (words: Wording, item: Item | undefined): string =>
    words.map((word) => fillWord(word, item)).join('');
  const fillWord = (word: Word, item: Item | undefined): string => {
    if (typeof word === 'string') return word;
    if ('show' in word) return shown(word, item);
    return [...expandBlock(word, item)].map(([part, own]) => fillWord(part, own)).join('');
  };

  const fillCss = (words: Wording, item: Item | undefined, place: Place): string => {
    const css = withContrast(fillWords(words, item));
    if (hasBlocks(words)) checkFilledCss(css, place);
    return css;
  };
  const fillDrawing = (words: Wording, item: Item | undefined, place: Place): string => {
    const markup = withContrast(fillWords(words, item));
    if (hasBlocks(words)) checkFilledDrawing(markup, place);
    return markup;
  };

  return { shown, expandBlock, fillWords, fillCss, fillDrawing };
}
