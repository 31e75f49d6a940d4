// Some pages of a site, to show what their cards look like: from its sitemap, otherwise from the links of its home page.
import type { Egress } from '../egress/egress-types.ts';
import { Deadline } from '../kernel/deadline.ts';
import type { Site } from '../store/sites.ts';
import { isSameSite, longestPath } from './origin.ts';
import { fetchMs, htmlTypes, pageBytes } from './ownership.ts';
import type { PageReader } from './reading/reader.ts';

const shown = 10;
const sitemapTypes = ['application/xml', 'text/xml', 'text/plain'];
const notPages = /\.(?:jpe?g|png|gif|webp|avif|svg|pdf|xml|css|js|json|zip|gz|mp[34]|ico|txt|rss|atom)$/i;

type Dependencies = {
  readonly egress: Pick<Egress, 'fetchPage'>;
  readonly reader: Pick<PageReader, 'page' | 'sitemap'>;
};

/** At most ten paths, the home page first. */
export async function previewPaths(site: Site, { egress, reader }: Dependencies): Promise<string[]> {
  const deadline = new Deadline(fetchMs, 'The preview');
  const get = async (url: string, types: readonly string[]) => {
    const mayFollow = (target: URL) => isSameSite(target, site.origin);
    const answer = await egress.fetchPage({ url, bytes: pageBytes, redirects: 3, mayFollow, types }, deadline.signal);
    return answer.status === 200 ? { bytes: answer.body, type: answer.type, url: answer.url } : undefined;
  };
  const sitemap = async (url: string): Promise<readonly string[]> => {
    const file = await get(url, sitemapTypes);
    return (file && (await reader.sitemap(site.accountId, file, deadline))) ?? [];
  };
  const fromSitemap = async () => {
    const found = await sitemap(`${site.origin}/sitemap.xml`);
    // An index names other sitemaps; the first one has enough pages.
    const child = found.map((url) => URL.parse(url)).find((url) => url?.pathname.endsWith('.xml'));
    return child && isSameSite(child, site.origin) ? sitemap(child.href) : found;
  };
  const fromHome = async () => {
    const home = await get(`${site.origin}/`, htmlTypes);
    return (home && (await reader.page(site.accountId, home, deadline)))?.links ?? [];
  };
  try {
    const named = pathsIn(await deadline.race(fromSitemap()).catch(() => []), site);
    const paths = named.length > 0 ? named : pathsIn(await deadline.race(fromHome()).catch(() => []), site);
    return ['/', ...spread(paths, shown - 1)];
  } finally {
    deadline.cancel();
  }
}

function pathsIn(urls: readonly string[], site: Site): string[] {
  const paths = new Set<string>();
  for (const text of urls) {
    const url = URL.parse(text);
    if (url === null || !isSameSite(url, site.origin) || url.pathname.length > longestPath) continue;
    if (url.pathname !== '/' && !notPages.test(url.pathname)) paths.add(url.pathname);
  }
  return [...paths];
}

/** Evenly from the whole list: the first pages of a sitemap are often all of one kind. */
function spread(all: readonly string[], count: number): string[] {
  if (all.length <= count) return [...all];
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? '');
}
