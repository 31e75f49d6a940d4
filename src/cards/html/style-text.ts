// The CSS of a template as the engine takes it: a style attribute as an object, and the names of fonts as they are registered.
import type { Node } from '@takumi-rs/core';
import { typefaces } from '../fonts.ts';

type Style = NonNullable<Node['style']>;

/** The families that a template can name, in lower case, and the names they are registered by. */
const builtInFonts: Readonly<Record<string, string>> = {
  inter: typefaces.sans,
  'source serif 4': typefaces.serif,
  'jetbrains mono': typefaces.mono,
  'sans-serif': typefaces.sans,
  'system-ui': typefaces.sans,
  serif: typefaces.serif,
  monospace: typefaces.mono,
};

export type Fonts = ReadonlyMap<string, string>;

function familyOf(name: string, fonts: Fonts): string {
  const plain = name.trim().replace(/^["']|["']$/g, '');
  const key = plain.toLowerCase();
  return fonts.get(key) ?? builtInFonts[key] ?? plain;
}

const families = (value: string, fonts: Fonts): string =>
  value
    .split(',')
    .map((name) => `'${familyOf(name, fonts).replaceAll("'", '')}'`)
    .join(', ');

/** Empty ::before and ::after are decoration; the engine paints none without a character. */
const emptyContent = /(?<![\w-])content\s*:\s*(?:""|'')/gi;
/** A box that looks empty: no line makes it higher, or moves its baseline from its lower edge. */
const blankContent = 'content:"\\200b";line-height:0;overflow:hidden';

/**
 * The engine takes the margins of an inline-block from the room of its own text, letter for letter, unless it has a width. An
 * inline-flex box is as wide as its text.
 */
const withInlineBoxes = (declared: string): string =>
  /(?<![\w-])margin(?!-(?:top|bottom|block))[\w-]*\s*:\s*(?!0\s*(?:[;}]|$))/i.test(declared) &&
  !/(?<![\w-])width\s*:/i.test(declared)
    ? declared.replace(/(?<![\w-])(display\s*:\s*inline-)block/gi, '$1flex')
    : declared;

/** A stylesheet as the engine takes it, with the registered names of its fonts. */
export const engineCss = (css: string, fonts: Fonts): string =>
  css
    .replace(/font-family:([^;}]*)/gi, (_, value: string) => `font-family: ${families(value, fonts)}`)
    .replace(emptyContent, blankContent)
    .replace(/\{[^{}]*\}/g, withInlineBoxes);

/** `color: red; background: url(a;b)` as an object. Semicolons in brackets and quotes belong to the value. */
export function styleObject(text: string, fonts: Fonts): Style {
  const style: Record<string, string> = {};
  for (const declaration of declarations(withInlineBoxes(text))) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, colon).trim();
    const value = declaration.slice(colon + 1).trim();
    if (colon <= 0 || value === '') continue;
    style[camelCase(name)] = /^font-family$/i.test(name) ? families(value, fonts) : value;
  }
  return style as Style;
}

export function declarations(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (char === ';' && depth === 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, text.slice(start)];
}

const camelCase = (name: string): string =>
  name.startsWith('--') ? name : name.toLowerCase().replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const fontClasses: Readonly<Record<string, string>> = {
  'font-sans': typefaces.sans,
  'font-serif': typefaces.serif,
  'font-mono': typefaces.mono,
};

/** The family of Tailwind's font-sans, font-serif and font-mono. */
export const fontOfClasses = (classes: string): Style => {
  const found = classes.split(/\s+/).findLast((name) => Object.hasOwn(fontClasses, name));
  return found === undefined ? {} : { fontFamily: fontClasses[found] };
};

/** The classes as the engine takes them: without fonts, whose names it takes literally, and gradients by their newer name. */
export function engineClasses(names: readonly string[]): string {
  const hasMargin = names.some((name) => /^-?m[xlrse]?-/.test(name)) && !names.some((name) => name.startsWith('w-'));
  return names
    .filter((name) => !Object.hasOwn(fontClasses, name))
    .map((name) => name.replace('bg-gradient-to-', 'bg-linear-to-'))
    .map((name) => (hasMargin && name === 'inline-block' ? 'inline-flex' : name))
    .join(' ');
}
