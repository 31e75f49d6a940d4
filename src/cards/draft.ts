// The values of a template: parsed by the types it declares, with its defaults where none is given.

import type { CatalogueEntry, Draft, Picture, VariableType } from './card-types.ts';
import { color } from './design/color.ts';
import { fitText } from './design/fit.ts';
import type { Frame } from './design/frame.ts';
import type { Painter, Typesetting } from './painter.ts';
import { directionOf, hanFormOf } from './script.ts';
import { cleanText } from './typeset.ts';
import { splitItems } from './variables.ts';

export type Drafted = { readonly draft: Draft; readonly setting: Typesetting; readonly warnings: readonly string[] };

export async function createDraft(
  template: Pick<CatalogueEntry, 'name' | 'variables'>,
  values: Readonly<Record<string, string>>,
  pictures: ReadonlyMap<string, Picture>,
  frame: Frame,
  painter: Painter,
): Promise<Drafted> {
  const warnings: string[] = [];
  const texts = new Map<string, string>();
  const all = Object.entries(template.variables).map(([name, variable]) => {
    // An empty color or image counts as not given; an empty text is an empty text.
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    const isGiven = given !== undefined && (given !== '' || variable.type !== 'color');
    return { name, variable, value: isGiven ? given : (variable.default ?? '') };
  });
  await painter.loadFontsFor(all.map(({ value }) => value).join('\n'));
  for (const { name, variable, value } of all) {
    if (variable.type === 'color' || variable.type === 'image_url') {
      texts.set(name, value);
      continue;
    }
    const { text, missing } = cleanText(value, painter.coverage, painter.emoji);
    texts.set(name, text);
    if (missing.length > 0)
      warnings.push(
        `${name} has characters that no font here has, so they are left out: ${missing.slice(0, 5).join(', ')}`,
      );
  }
  const words = Object.entries(template.variables)
    .filter(([, { type }]) => type === 'text' || type === 'items')
    .map(([name]) => texts.get(name) ?? '')
    .filter((text) => text !== '');
  const setting: Typesetting = { han: hanFormOf(words.join(' ')), direction: directionOf(words.join(' ')) };

  const read = (name: string, type: VariableType): string => {
    if (template.variables[name]?.type !== type)
      throw new Error(`Template ${template.name} asks for ${type} "${name}", which its variables do not declare.`);
    return texts.get(name) ?? '';
  };
  const draft: Draft = {
    frame,
    text: (name) => read(name, 'text').trim(),
    items: (name) => splitItems(read(name, 'items')),
    color: (name) => color(read(name, 'color')),
    image: (name) => (read(name, 'image_url') === '' ? undefined : pictures.get(name)),
    fit: (text, box) => fitText(text, box, { measure: (node) => painter.measure(node, setting), ruler: painter.ruler }),
  };
  return { draft, setting, warnings };
}
