// Classes for some cards, as Tailwind has them for some windows: `lg:` wide cards, `md:` square and wide ones, `small:` cards on
// which only a few words can be read, `ltr:` and `rtl:` cards of one direction.
import type { Frame } from '../frame.ts';

/** A card, as far as the looks of its template depend on it. */
export type CardShape = Pick<Frame, 'shape' | 'isSmall'> & { readonly direction: 'ltr' | 'rtl' };

const prefixes = ['md', 'lg', 'small', 'ltr', 'rtl'] as const;
type Prefix = (typeof prefixes)[number];

export const shapePrefix = new RegExp(`^(${prefixes.join('|')}):`);

function applies(prefix: Prefix, { shape, isSmall, direction }: CardShape): boolean {
  if (prefix === 'small') return isSmall;
  if (prefix === 'ltr' || prefix === 'rtl') return prefix === direction;
  return shape === 'wide' || (shape === 'square' && prefix === 'md');
}

/** The classes that apply, without these prefixes; the more special ones are last. `lg:small:` is for cards that are both. */
export function classesFor(classes: string, card: CardShape): string[] {
  const ranked = classes
    .split(/\s+/)
    .filter((name) => name !== '')
    .flatMap((written) => {
      let [name, rank] = [written, -1];
      for (let found = shapePrefix.exec(name); found; found = shapePrefix.exec(name)) {
        const prefix = found[1] as Prefix;
        if (!applies(prefix, card)) return [];
        name = name.slice(found[0].length);
        rank = Math.max(rank, prefixes.indexOf(prefix));
      }
      return [{ name, rank }];
    });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ name }) => name);
}

/** An attribute that may begin with such a prefix: the most special one that applies. */
export const attributeFor = (attributes: Readonly<Record<string, unknown>>, name: string, card: CardShape): string =>
  prefixes
    .filter((prefix) => applies(prefix, card))
    .map((prefix) => `${prefix}:${name}`)
    .findLast((each) => attributes[each] !== undefined) ?? name;

const displays = new Set(['hidden', 'block', 'inline', 'inline-block', 'flex', 'inline-flex', 'grid', 'inline-grid']);

export const isHidden = (classes: readonly string[]): boolean =>
  classes.findLast((name) => displays.has(name)) === 'hidden';
