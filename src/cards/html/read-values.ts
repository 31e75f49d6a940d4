// The values of a card, by the types that its template declares, with defaults where none is given.
import type { Variable } from '../card-types.ts';
import { type Color, parseColor } from '../color.ts';
import type { Painter, Typesetting } from '../painter.ts';
import { directionOf, hanFormOf } from '../script.ts';
import { cleanText } from '../typeset.ts';
import { splitItems } from '../variables.ts';

export type ReadValues = {
  readonly texts: ReadonlyMap<string, string>;
  readonly items: ReadonlyMap<string, readonly string[]>;
  readonly colors: ReadonlyMap<string, Color>;
  /** Follows from the words. */
  readonly setting: Typesetting;
  readonly warnings: readonly string[];
};

export async function readValues(
  variables: Readonly<Record<string, Variable>>,
  values: Readonly<Record<string, string>>,
  painter: Pick<Painter, 'loadFontsFor' | 'coverage' | 'emoji'>,
): Promise<ReadValues> {
  const texts = new Map<string, string>();
  const items = new Map<string, readonly string[]>();
  const colors = new Map<string, Color>();
  const warnings: string[] = [];
  const all = Object.entries(variables).map(([name, { type, default: preset = '' }]) => {
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    // An empty color counts as not given; an empty text is an empty text.
    return { name, type, value: given === undefined || (given === '' && type === 'color') ? preset : given };
  });
  const words = all.filter(({ type }) => type === 'text' || type === 'items');
  await painter.loadFontsFor(words.map(({ value }) => value).join('\n'));
  for (const { name, type, value } of words) {
    const { text, missing } = cleanText(value, painter.coverage, painter.emoji);
    if (type === 'items') items.set(name, splitItems(text));
    else texts.set(name, text.trim());
    if (missing.length > 0)
      warnings.push(
        `${name} has characters that no font here has, so they are left out: ${missing.slice(0, 5).join(', ')}`,
      );
  }
  for (const { name, type, value } of all) {
    const color = type === 'color' ? parseColor(value) : undefined;
    if (color) colors.set(name, color);
  }
  const whole = [...texts.values(), ...[...items.values()].flat()].filter((text) => text !== '').join(' ');
  return { texts, items, colors, setting: { han: hanFormOf(whole), direction: directionOf(whole) }, warnings };
}
