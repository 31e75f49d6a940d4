// Validates the values of a card by the types that its template declares, before anything is fetched or painted.
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { warnOfUnknown } from '../kernel/parameters.ts';
import type { Variable } from './card-types.ts';
import { colorExpects, parseColor } from './color.ts';

export const textLimit = 2000;
export const itemsLimit = 20;
export const itemLimit = 500;
const urlLimit = 4096;
const colorLimit = 100;
/** Twenty items of characters that have two UTF-16 units each, and as much again for blanks. */
const itemsTextLimit = itemsLimit * itemLimit * 4;

/** Counts characters, which may have two UTF-16 units each. A text that is far too long is not split to be counted. */
const hasAtMost = (limit: number, text: string): boolean => text.length <= 2 * limit && [...text].length <= limit;

export const isItemsName = (name: string): boolean => name.endsWith('_items');

/** The lines that are not empty. */
export const splitItems = (value: string): string[] =>
  value
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Throws a 400 with the name of the variable and what is allowed. */
export function checkVariable(name: string, value: string, variable: Variable | undefined): void {
  const type = variable?.type ?? (isItemsName(name) ? 'items' : 'text');
  const expected = complaint(type, value);
  if (expected !== undefined) throw invalidParameter(name, `${name} must be ${expected}.`);
}

/** Completes "X must be …"; undefined if the value is valid. An empty value counts as not given. */
function complaint(type: Variable['type'], value: string): string | undefined {
  if (value === '') return undefined;
  switch (type) {
    case 'text':
      return hasAtMost(textLimit, value) ? undefined : `a text of at most ${textLimit} characters`;
    case 'items': {
      if (value.length > itemsTextLimit) return `at most ${itemsLimit} items of at most ${itemLimit} characters each`;
      const items = splitItems(value);
      if (items.length > itemsLimit) return `at most ${itemsLimit} items, one a line (%0A); it has ${items.length}`;
      return items.every((item) => hasAtMost(itemLimit, item))
        ? undefined
        : `items of at most ${itemLimit} characters each`;
    }
    case 'color':
      return value.length <= colorLimit && parseColor(value) ? undefined : `${colorExpects}; in a URL # is written %23`;
    case 'image_url':
      return value.length <= urlLimit && /^https:\/\//i.test(value) && URL.canParse(value)
        ? undefined
        : `an https URL of at most ${urlLimit} characters`;
  }
}

/** Validates all values. Returns a warning for each one that the template does not use. */
export function checkVariables(
  template: { readonly name: string; readonly variables: Readonly<Record<string, Variable>> },
  values: ReadonlyMap<string, string>,
  checkTarget: (url: string) => unknown,
): string[] {
  const unused: string[] = [];
  const names = Object.keys(template.variables);
  for (const [name, value] of values) {
    const variable = Object.hasOwn(template.variables, name) ? template.variables[name] : undefined;
    checkVariable(name, value, variable);
    if (variable?.type === 'image_url' && value !== '') naming(name, () => checkTarget(value));
    if (!variable) unused.push(name);
  }
  return warnOfUnknown(unused, (name) => unusedWarning(name, template.name, names));
}

function unusedWarning(name: string, template: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return `${name.slice(0, 40)} is not used by template ${template}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** Puts the variable's name into an error of egress. */
function naming<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw named(name, error);
  }
}

export const named = (name: string, error: unknown): unknown =>
  error instanceof Problem && error.parameter !== name
    ? new Problem(error.code, {
        parameter: name,
        message: /^url\b/.test(error.message) ? error.message.replace(/^url\b/, name) : `${name}: ${error.message}`,
        cause: error,
      })
    : error;
