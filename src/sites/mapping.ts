// Which part of a page fills which variable of a template.
import type { Variable, VariableType } from '../cards/card-types.ts';
import type { Site } from '../store/sites.ts';
import { isPagePart, type PageFacts, type PagePart } from './page-facts.ts';

export type TemplateVariables = Readonly<Record<string, Pick<Variable, 'type'>>>;

/** By the names that templates use. */
const usualVariables: Readonly<Record<string, PagePart>> = {
  title: 'title',
  headline: 'title',
  description: 'description',
  subtitle: 'description',
  summary: 'description',
  excerpt: 'description',
  // Of the code card; its title is the title.
  code: 'description',
  author: 'author',
  owner: 'author',
  byline: 'author',
  date: 'date',
  published: 'date',
  category: 'section',
  section: 'section',
  image: 'image',
  cover: 'image',
  picture: 'image',
  photo: 'image',
  hero: 'image',
  site: 'siteName',
  site_name: 'siteName',
  show: 'siteName',
  host: 'host',
  domain: 'host',
  path: 'address',
  url: 'address',
  price: 'price',
};

const pictures: ReadonlySet<PagePart> = new Set(['image', 'icon']);

export const mayFill = (part: PagePart, type: VariableType): boolean =>
  type === 'color' || type === 'items' ? false : pictures.has(part) === (type === 'image_url');

/** The part that fills this variable if the owner says nothing. */
function usualPart(name: string, type: VariableType): PagePart | undefined {
  const part = Object.hasOwn(usualVariables, name) ? usualVariables[name] : undefined;
  return part !== undefined && mayFill(part, type) ? part : undefined;
}

/** What fills each variable. */
export function partsFor(variables: TemplateVariables, mapping: Site['mapping'] = {}): Record<string, PagePart> {
  const parts: Record<string, PagePart> = {};
  for (const [name, { type }] of Object.entries(variables)) {
    const chosen = Object.hasOwn(mapping, name) ? mapping[name] : usualPart(name, type);
    if (isPagePart(chosen) && mayFill(chosen, type)) parts[name] = chosen;
  }
  return parts;
}

/** The values of a card. A fixed value of the owner wins. */
export function cardValues(
  site: Pick<Site, 'origin' | 'mapping' | 'values'>,
  facts: PageFacts,
  path: string,
  variables: TemplateVariables,
): Map<string, string> {
  const { host } = new URL(site.origin);
  const all = {
    ...facts,
    siteName: facts.siteName || host,
    host,
    address: host + (path === '/' ? '' : readable(path)),
  };
  const values = new Map<string, string>();
  for (const [name, part] of Object.entries(partsFor(variables, site.mapping)))
    if (all[part] !== '') values.set(name, all[part]);
  for (const [name, value] of Object.entries(site.values)) if (Object.hasOwn(variables, name)) values.set(name, value);
  return values;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
