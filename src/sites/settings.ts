// Checks what an owner sets for a site. A wrong value is a 400 that names it.

import { ogReservedNames } from '../cards/parameters.ts';
import { invalidParameter } from '../kernel/errors.ts';
import { isObject } from '../kernel/is-object.ts';
import type { Validate } from '../render/validate.ts';
import type { Site, SiteOwner, SiteSettings } from '../store/sites.ts';
import { isPagePart, parts } from './page-facts.ts';

const longest = { name: 100, description: 300, template: 100, value: 2000 };
const mostVariables = 60;
const variableName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

export type GivenSettings = { readonly [Name in keyof SiteSettings]?: unknown };

/** What is not given stays as it is. */
export async function readSettings(
  given: GivenSettings,
  site: Site,
  owner: SiteOwner,
  validate: Validate,
): Promise<SiteSettings> {
  const settings: SiteSettings = {
    name: textOf(given.name ?? site.name, 'name', longest.name),
    description: textOf(given.description ?? site.description, 'description', longest.description),
    template: textOf(given.template ?? site.template, 'template', longest.template),
    values: given.values === undefined ? site.values : valuesOf(given.values),
    mapping: given.mapping === undefined ? site.mapping : mappingOf(given.mapping),
  };
  // The template and its fixed values, by the rules of every card.
  const parameters = new Map([...Object.entries(settings.values), ['template', settings.template] as const]);
  await validate('og', parameters, { account: owner, signed: true, siteId: site.id });
  return settings;
}

function textOf(value: unknown, name: string, length: number): string {
  if (typeof value !== 'string' || value.length > length)
    throw invalidParameter(name, `${name} must be a text of at most ${length} characters.`);
  return value.trim();
}

function entriesOf(value: unknown, field: string): [string, unknown][] {
  if (!isObject(value)) throw invalidParameter(field, `${field} must be an object with the names of variables.`);
  const entries = Object.entries(value);
  if (entries.length > mostVariables)
    throw invalidParameter(field, `${field} must have at most ${mostVariables} variables.`);
  for (const [name] of entries)
    if (!variableName.test(name) || ogReservedNames.has(name))
      throw invalidParameter(
        field,
        `${field} has "${name.slice(0, 64)}", which is no name of a variable: letters, digits and _, at most 64, a letter first, and no parameter of /v1/og.`,
      );
  return entries;
}

const valuesOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    entriesOf(value, 'values')
      .map(([name, text]) => [name, textOf(text, name, longest.value)] as const)
      .filter(([, text]) => text !== ''),
  );

const mappingOf = (value: unknown): Record<string, string | null> =>
  Object.fromEntries(
    entriesOf(value, 'mapping').map(([name, part]) => {
      if (part === null || isPagePart(part)) return [name, part];
      throw invalidParameter(name, `${name} must be one of ${Object.keys(parts).join(', ')}, or null.`);
    }),
  );
