// Runs inside the page: what it says about itself, in JSON-LD, Open Graph, Twitter cards, microdata and its own elements.

export default function () {
  const longest = 2000;

  /** The content of each meta element by its name. The first of a name counts. */
  const metaContents = (page: Document): ReadonlyMap<string, string> => {
    const metas = new Map<string, string>();
    const found = reader.all(page, 'meta[content]');
    for (let i = 0; i < found.length && i < 2000; i++) {
      const meta = found[i] as Element;
      const value = reader.shortAttribute(meta, 'content', 2 * longest).trim();
      for (const name of ['property', 'name', 'itemprop', 'http-equiv']) {
        if (name === 'itemprop' && reader.isOfPart(meta)) continue;
        const key = reader.shortAttribute(meta, name, 100).toLowerCase().trim();
        if (key && value && !metas.has(key)) metas.set(key, value);
      }
    }
    return metas;
  };

  const readMetadata = (page: Document, seen: Document, nowhere: string) => {
    const { linkedData, mainObject, schemaTypes, isArticleObject, nameOf, withoutTags } = reader;
    const objects = linkedData(page);
    const site = objects.find((object) => /WebSite/.test(schemaTypes(object)));
    const metas = metaContents(page);
    const meta = (...names: string[]): string | undefined => names.map((name) => metas.get(name)).find(Boolean);

    const main = mainObject(objects, `${meta('og:title')} ${reader.title(page)}`);
    const itemText = (name: string) => reader.itemText(page, name);
    const text = (...values: (string | undefined | null)[]): string | null => {
      for (const value of values) {
        const tidy = value && reader.cut(reader.tidy(reader.cut(value, 2 * longest)), longest);
        if (tidy) return tidy;
      }
      return null;
    };
    const base = page.baseURI;
    const address = (...values: (string | undefined | null)[]): string | null => {
      for (const value of values) {
        const url = value && reader.absolute(value.trim(), base, ' http: https:', nowhere);
        if (url && url.length <= longest) return url;
      }
      return null;
    };
    const link = (selector: string): string | null => {
      const element = reader.one(page, selector);
      return element && reader.attribute(element, 'href');
    };
    const notAddress = (value: string | undefined): string | undefined =>
      value && /^https?:/.test(value) ? undefined : value;
    // The time of an event is when it takes place.
    const isEvent = main !== undefined && /Event/.test(schemaTypes(main));
    const time = isEvent ? null : reader.ownTime(page);
    const image = reader.ownItem(page, 'image');

    return {
      title: text(
        nameOf(main?.headline) ?? (main && isArticleObject(main) ? nameOf(main.name) : undefined),
        meta('og:title', 'twitter:title', 'dc.title', 'dcterms.title'),
        itemText('headline'),
        reader.title(page),
        // Of what can be seen.
        seen.querySelector('h1')?.textContent,
      ),
      description: text(
        withoutTags(nameOf(main?.description)),
        meta('og:description', 'twitter:description', 'description', 'dc.description', 'dcterms.description'),
        itemText('description'),
      ),
      language: text(
        reader.attribute(reader.rootElement(page), 'lang'),
        nameOf(main?.inLanguage),
        meta('content-language', 'og:locale', 'inlanguage')?.replace('_', '-'),
      ),
      byline: text(
        nameOf(main?.author),
        notAddress(meta('article:author', 'og:article:author')),
        meta('author', 'dc.creator', 'dcterms.creator', 'parsely-author'),
        itemText('author'),
        reader.one(page, '[rel~="author"]')?.textContent?.slice(0, 500),
      ),
      siteName: text(
        nameOf(main?.publisher),
        nameOf(site?.name),
        meta('og:site_name'),
        meta('application-name', 'apple-mobile-web-app-title'),
      ),
      publishedAt:
        [
          nameOf(main?.datePublished) ?? nameOf(main?.datePosted) ?? nameOf(main?.uploadDate),
          meta('article:published_time', 'og:article:published_time', 'datepublished'),
          itemText('datePublished'),
          meta(
            'parsely-pub-date',
            'sailthru.date',
            'dc.date.issued',
            'dcterms.issued',
            'dc.date',
            'dcterms.created',
            'pubdate',
            'publishdate',
            'date',
          ),
          time && reader.attribute(time, 'datetime'),
        ]
          .map(reader.isoDate)
          .find(Boolean) ?? null,
      image: address(
        nameOf(main?.image, 'url'),
        meta('og:image:secure_url', 'og:image:url', 'og:image', 'twitter:image', 'twitter:image:src'),
        image &&
          (reader.attribute(image, 'src') ?? reader.attribute(image, 'content') ?? reader.attribute(image, 'href')),
        link('link[rel~="image_src"]'),
      ),
      favicon: address(link('link[rel~="icon" i]'), link('link[rel~="apple-touch-icon" i]')),
      canonical: address(link('link[rel~="canonical" i]'), meta('og:url')),
    };
  };

  return { readMetadata };
}
