// Inline drawings. On the card a drawing is an image: its class and style place it, and its width, height and
// preserveAspectRatio are those of HTML.
import type { Wording } from './html-template-types.ts';
import { declarations } from './style-text.ts';

/** The attributes that place a drawing on the card are no part of it. */
export type Drawing = {
  readonly start: number;
  readonly attributes: Readonly<Record<string, Wording>>;
  readonly placing: readonly number[];
  depth: number;
};

/** What counts on the card beside class and style, in either spelling of the parser. */
export const sizeNames = new Set(['id', 'width', 'height', 'preserveAspectRatio', 'preserveaspectratio']);

const attributeAt = /[^\s=/>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?/y;

export function withoutAttributes(markup: string, starts: readonly number[]): string {
  let kept = '';
  let from = 0;
  for (const start of starts) {
    attributeAt.lastIndex = start;
    kept += markup.slice(from, start);
    from = attributeAt.test(markup) ? attributeAt.lastIndex : start;
  }
  return kept + markup.slice(from);
}

const size = /^(\d{1,5}(?:\.\d{1,5})?)(px|em|rem|%|vw|vh)?$/;

/** The attributes `width` and `height`, which are weaker than any style. */
export function sizeOf(text: (name: string) => string): object {
  const lengths = ['width', 'height'].flatMap((name) => {
    const [, number, unit = 'px'] = size.exec(text(name).trim()) ?? [];
    return Number(number) > 0 ? [[name, `${number}${unit}`]] : [];
  });
  return Object.fromEntries(lengths);
}

export const fitOfDrawing = (preserved: string): 'fill' | 'cover' | 'contain' =>
  preserved.trim() === 'none' ? 'fill' : /\bslice\b/.test(preserved) ? 'cover' : 'contain';

/** Everything else in the style of a drawing places it on the card. */
const drawn = /^\s*(?:fill|stroke|color|font|stop|text-anchor|letter-spacing|shape-rendering|paint-order)\b/i;

/** The part of a drawing's own style that its parts inherit, as the value of an attribute. */
export const drawnStyle = (text: string): string =>
  declarations(text)
    .filter((declaration) => drawn.test(declaration))
    .join(';')
    .replaceAll('"', "'")
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
