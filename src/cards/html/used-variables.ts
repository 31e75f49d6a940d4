// The variables that a template uses, and as what.
import type { VariableType } from '../card-types.ts';
import { ogReservedNames } from '../parameters.ts';
import { isItemsName } from '../variables.ts';
import { type Place, TemplateFault } from './html-template-types.ts';
import type { Tag } from './read-tags.ts';

const mostVariables = 50;

/** Is the parser in an {{#each}}, or in an element with `data-more`? */
export type Around = { readonly isEach: () => boolean; readonly isMore: () => boolean };

export type UsedVariables = ReturnType<typeof createUsedVariables>;

/** Refuses a variable that is used as two things. */
export function createUsedVariables() {
  const found = new Map<string, VariableType | undefined>();
  const note = (name: string, type: VariableType | undefined, place: Place) => {
    if (ogReservedNames.has(name))
      throw new TemplateFault(`${name} is a parameter of /v1/og; choose another name.`, place);
    if (isItemsName(name) !== (type === 'items') && type !== undefined)
      throw new TemplateFault(
        type === 'items'
          ? `{{#each}} takes a list, whose name ends in _items: {{#each ${name}_items}}.`
          : `${name} is a list; use {{#each ${name}}}…{{this}}…{{/each}}.`,
        place,
      );
    const before = found.get(name);
    if (before !== undefined && type !== undefined && before !== type)
      throw new TemplateFault(`${name} is used as ${before} and as ${type}. A variable has one type.`, place);
    found.set(name, before ?? type);
    if (found.size > mostVariables)
      throw new TemplateFault(`A template has ${mostVariables} variables at most.`, place);
  };
  return {
    note,
    /** A tag in a text or an attribute; `type` is what a value becomes there. */
    noteTag(tag: Extract<Tag, { kind: 'show' | 'open' }>, type: VariableType | undefined, around: Around): void {
      const { name, place } = tag;
      if (name === '@more') {
        if (!around.isMore())
          throw new TemplateFault('{{@more}} can only be used in an element with data-more.', place);
        return;
      }
      if (name === 'this' || name.startsWith('@')) {
        if (!around.isEach()) throw new TemplateFault(`{{${name}}} can only be used in {{#each}}.`, place);
        if (type === 'color') throw new TemplateFault('An item cannot be used in CSS.', place);
        if (tag.kind === 'open' && tag.block === 'each')
          throw new TemplateFault('{{#each}} takes the name of a variable.', place);
        return;
      }
      if (tag.kind === 'open' && tag.block === 'each') {
        if (around.isEach()) throw new TemplateFault('{{#each}} cannot be in another {{#each}}.', place);
        note(name, 'items', place);
        return;
      }
      note(name, type, place);
    },
    /** One that is only asked for in {{#if}} is a text. */
    all: (): Record<string, VariableType> =>
      Object.fromEntries([...found].map(([name, type]) => [name, type ?? (isItemsName(name) ? 'items' : 'text')])),
  };
}
