// Runs inside the page: what it says about itself, in JSON-LD, Open Graph, Twitter cards, microdata and its own elements.

export default function () {
  const longest = 2000;
  /** A date as ISO 8601. One without a time stays without. */
  const isoDate = (value: string | undefined | null): string | undefined => {
    const text = value?.trim().slice(0, 60);
    if (!text) return undefined;
    const day = /^(\d{4}-\d{2}-\d{2})$/.exec(text)?.[1];
    // 2024-05-01T10:00+0200 lacks a colon that Date wants.
    const date = new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
    if (Number.isNaN(date.getTime()) || date.getFullYear() < 1500 || date.getFullYear() > 3000) return undefined;
    if (day) return day;
    if (/\d:\d/.test(text)) return date.toISOString();
    const two = (number: number) => String(number).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  };

  const parts = /(?:^|\s)(?:reviews?|comments?|suggestedAnswer|acceptedAnswer|itemListElement)(?:\s|$)/;
  const mostItems = 50;

  /** Is this about a review, a comment or an answer, which has an author and a date of its own? */
  const isOfPart = (item: Element): boolean => {
    const owner = Element.prototype.closest.call(item.parentElement ?? item, '[itemscope]');
    return owner !== null && parts.test(reader.shortAttribute(owner, 'itemprop', 100));
  };

  /** The first that is wanted, of a few. */
  const firstOf = (page: Document, selector: string, isWanted: (element: Element) => boolean): Element | null => {
    const found = reader.all(page, selector);
    for (let i = 0; i < found.length && i < mostItems; i++)
      if (isWanted(found[i] as Element)) return found[i] as Element;
    return null;
  };

  /** Not that of a change, of a comment or of a teaser, whose heading is a link. */
  const isOwnTime = (time: Element): boolean => {
    if (/dateModified/.test(reader.shortAttribute(time, 'itemprop', 100)) || isOfPart(time)) return false;
    if (/(?:^|[\s_-])(?:updated|modified)(?:[\s_-]|$)/i.test(reader.shortAttribute(time, 'class', 200))) return false;
    const { closest } = Element.prototype;
    if (closest.call(time, '.comment, .comments, #comments')) return false;
    const article = closest.call(time, 'article');
    return (
      !article ||
      !reader.oneIn(article, ':is(h2, h3, h4) a[href], a[href] :is(h2, h3, h4)') ||
      reader.oneIn(article, 'h1') !== null
    );
  };

  const readMetadata = (page: Document, seen: Document, nowhere: string) => {
    const { linkedData, mainObject, schemaTypes, isArticleObject, nameOf, withoutTags } = reader;
    const objects = linkedData(page);
    const site = objects.find((object) => /WebSite/.test(schemaTypes(object)));
    const metas = new Map<string, string>();
    const found = reader.all(page, 'meta[content]');
    for (let i = 0; i < found.length && i < 2000; i++) {
      const meta = found[i] as Element;
      const value = reader.shortAttribute(meta, 'content', 2 * longest).trim();
      for (const name of ['property', 'name', 'itemprop', 'http-equiv']) {
        if (name === 'itemprop' && isOfPart(meta)) continue;
        const key = reader.shortAttribute(meta, name, 100).toLowerCase().trim();
        if (key && value && !metas.has(key)) metas.set(key, value);
      }
    }
    const meta = (...names: string[]): string | undefined => names.map((name) => metas.get(name)).find(Boolean);

    const main = mainObject(objects, `${meta('og:title')} ${reader.title(page)}`);
    const property = (name: string): Element | null =>
      firstOf(page, `[itemprop~="${name}"]`, (item) => !isOfPart(item));
    const itemText = (name: string): string | undefined => {
      const whole = property(name);
      // A person is an item of its own, with a picture and a role beside the name.
      const item = (whole && reader.oneIn(whole, '[itemprop~="name"]')) ?? whole;
      return item ? (reader.attribute(item, 'content') ?? reader.cut(item.textContent ?? '', 500)) : undefined;
    };
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
    const time = firstOf(
      page,
      'article time[datetime], main time[datetime], time[pubdate], time[itemprop="datePublished"]',
      (each) => !isEvent && isOwnTime(each),
    );
    const image = property('image');

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
          .map(isoDate)
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

  return { readMetadata, isOfPart };
}
