// Which part of a page fills which variable of a template.
import type { CatalogueEntry, VariableType } from '../og/og-types.ts';
import type { Site } from '../store/sites.ts';
import { isPagePart, type PageFacts, type PagePart } from './page-facts.ts';

/** By the names that templates use. An own template gets these, too; what it does not use is left out. */
export const usualVariables: Readonly<Record<string, PagePart>> = {
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
export function usualPart(name: string, type: VariableType): PagePart | undefined {
  const part = Object.hasOwn(usualVariables, name) ? usualVariables[name] : undefined;
  return part !== undefined && mayFill(part, type) ? part : undefined;
}

/** What fills each variable. `entry` is undefined for a template of the account's own, whose variables are not known here. */
function partsFor(mapping: Site['mapping'], entry: CatalogueEntry | undefined): Map<string, PagePart> {
  const parts = new Map<string, PagePart>();
  if (entry === undefined) for (const [name, part] of Object.entries(usualVariables)) parts.set(name, part);
  else
    for (const [name, { type }] of Object.entries(entry.variables)) {
      const part = usualPart(name, type);
      if (part !== undefined) parts.set(name, part);
    }
  for (const [name, part] of Object.entries(mapping)) {
    if (isPagePart(part)) parts.set(name, part);
    else parts.delete(name);
  }
  return parts;
}

/** The values of a card. A fixed value of the owner wins. */
export function cardValues(
  site: Pick<Site, 'origin' | 'mapping' | 'values'>,
  facts: PageFacts,
  path: string,
  entry: CatalogueEntry | undefined,
): Map<string, string> {
  const { host } = new URL(site.origin);
  const all = {
    ...facts,
    siteName: facts.siteName || host,
    host,
    address: host + (path === '/' ? '' : readable(path)),
  };
  const values = new Map<string, string>();
  for (const [name, part] of partsFor(site.mapping, entry)) if (all[part] !== '') values.set(name, all[part]);
  for (const [name, value] of Object.entries(site.values)) values.set(name, value);
  return values;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
