// Prepares a tree for measuring and painting: every text gets its direction, and emoji become images. Templates need
// not care about either.
import type { ImageSource, Node } from '@takumi-rs/core';
import type { TextNode } from './card-types.ts';
import { type Emoji, mayHaveEmoji } from './emoji.ts';
import type { Coverage } from './font-coverage.ts';
import { directionOf, markWords } from './script.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Invisible characters that affect the shape of others; a font need not have them. */
const shaping = /[\p{Default_Ignorable_Code_Point}\s]/u;
const control = /[\p{Cc}\p{Cs}]/gu;
/** No language has more marks than this on one letter. */
const markPile = /(\p{M}{6})\p{M}+/gu;

export type Cleaned = { readonly text: string; readonly missing: readonly string[] };

/** The text in composed form, without the characters that no font has: they would be empty boxes. */
export function cleanText(text: string, coverage: Pick<Coverage, 'has'>, emoji: Emoji): Cleaned {
  const composed = text
    .normalize('NFC')
    .replace(control, (char) => (char === '\n' || char === '\t' ? char : ''))
    .replace(markPile, '$1');
  const covered = (char: string) => coverage.has(char.codePointAt(0) ?? 0) || shaping.test(char);
  if ([...composed].every(covered) && !mayHaveEmoji(composed)) return { text: composed, missing: [] };
  let result = '';
  const missing = new Set<string>();
  for (const { segment } of graphemes.segment(composed)) {
    if (emoji.find(segment) !== undefined) {
      result += segment;
      continue;
    }
    // A sequence without a drawing of its own is drawn as its parts.
    const parts = mayHaveEmoji(segment) ? segment.split('\u200d') : [segment];
    for (const part of parts) {
      if (emoji.find(part) !== undefined) {
        result += part;
        continue;
      }
      for (const char of part) {
        if (covered(char)) result += char;
        // A character that is text by default, but that only the drawings have.
        else if (emoji.find(`${char}\ufe0f`) !== undefined) result += `${char}\ufe0f`;
        else missing.add(`U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
      }
    }
  }
  return { text: result, missing: [...missing] };
}

/** All words of a tree. */
export function textOf(node: Node): string {
  if (node.type === 'text') return node.text;
  return node.type === 'container' ? (node.children ?? []).map(textOf).join(' ') : '';
}

/**
 * Sets the direction of every text, and of the card as a whole. A part with a direction of its own is placed like the
 * others, but inside of it nothing is mirrored.
 */
export function arrange(root: Node, direction: 'ltr' | 'rtl'): Node {
  const visit = (original: Node, around: 'ltr' | 'rtl'): Node => {
    const node = around === 'rtl' && original.style ? { ...original, style: mirror(original.style) } : original;
    if (node.type === 'text') return direct({ ...node, text: markWords(node.text) }, around);
    if (node.type !== 'container' || !node.children) return node;
    const inside = node.dir === 'ltr' ? 'ltr' : around;
    return { ...node, children: node.children.map((child) => visit(child, inside)) };
  };
  return { ...visit(root, direction), dir: direction };
}

/** Replaces emoji by images. Returns the tree and the images. */
export function drawEmoji(root: Node, emoji: Emoji): { readonly node: Node; readonly images: ImageSource[] } {
  const images = new Map<string, ImageSource>();
  const visit = (node: Node): Node => {
    if (node.type === 'container') return node.children ? { ...node, children: node.children.map(visit) } : node;
    return node.type === 'text' && mayHaveEmoji(node.text) ? withEmoji(node, emoji, images) : node;
  };
  return { node: visit(root), images: [...images.values()] };
}

const sides = { left: 'right', marginLeft: 'marginRight', paddingLeft: 'paddingRight' } as const;

/** The horizontal position of a radial gradient. */
const gradientCenter = /(?<=\bat )(\d+)%/g;

/** `dir` reverses rows; positions that name a side are mirrored here. */
function mirror<T extends object>(style: T): T {
  const mirrored = { ...style } as Record<string, unknown>;
  for (const [left, right] of Object.entries(sides)) {
    mirrored[left] = style[right as keyof T];
    mirrored[right] = style[left as keyof T];
  }
  const { backgroundImage } = mirrored;
  if (typeof backgroundImage === 'string')
    mirrored.backgroundImage = backgroundImage.replace(gradientCenter, (_, left) => `${100 - Number(left)}%`);
  return mirrored as T;
}

/**
 * A text has the direction it was given, or that of its words; in a right-to-left card, left-to-right text is still aligned to
 * the right.
 */
function direct(node: TextNode, card: 'ltr' | 'rtl'): TextNode {
  const own = node.dir ?? directionOf(node.text);
  if (own === card) return { ...node, dir: own };
  const textAlign = node.style?.textAlign ?? (card === 'rtl' ? ('right' as const) : undefined);
  return { ...node, dir: own, style: { ...node.style, textAlign } };
}

function withEmoji(node: TextNode, emoji: Emoji, images: Map<string, ImageSource>): Node {
  const children: Node[] = [];
  let run = '';
  const flush = () => {
    if (run !== '') children.push({ type: 'text', text: run });
    run = '';
  };
  for (const { segment } of graphemes.segment(node.text)) {
    const name = emoji.find(segment);
    if (name === undefined) {
      run += segment;
      continue;
    }
    flush();
    const src = `emoji:${name}`;
    if (!images.has(src)) images.set(src, { src, data: emoji.svg(name) });
    children.push({
      type: 'image',
      src,
      // The drawing fills its square; these margins give it the visual weight of a letter.
      style: { display: 'inline-block', width: '1em', height: '1em', margin: '0 0.06em', verticalAlign: '-0.12em' },
    });
  }
  flush();
  if (!children.some(({ type }) => type === 'image')) return node;
  const { type: _, text: __, ...rest } = node;
  return { ...rest, type: 'container', children };
}
