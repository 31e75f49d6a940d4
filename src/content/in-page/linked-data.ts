// Runs inside the page: its JSON-LD (https://schema.org).

export default function () {
  /** A longer text is cut before it is parsed as HTML. */
  const longest = 4000;
  const mostScripts = 20;
  const mostJson = 500_000;

  type Json = { readonly [name: string]: unknown };
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

  /** All objects of the page's JSON-LD, those of @graph included. */
  const linkedData = (page: Document): Json[] => {
    const objects: Json[] = [];
    const add = (value: unknown) => {
      for (const each of Array.isArray(value) ? value : [value])
        if (isObject(each) && objects.length < 200) {
          objects.push(each);
          if (Array.isArray(each['@graph'])) for (const part of each['@graph']) if (isObject(part)) objects.push(part);
        }
    };
    const scripts = reader.all(page, 'script[type="application/ld+json" i]');
    for (let i = 0; i < scripts.length && i < mostScripts; i++) {
      const text = scripts[i]?.textContent ?? '';
      if (text.length > mostJson) continue;
      try {
        add(JSON.parse(text));
      } catch {
        // Broken JSON-LD is common and says nothing.
      }
    }
    return objects;
  };

  const schemaTypes = (object: Json): string => [object['@type']].flat().join(' ');
  const isArticleObject = (object: Json) => /Article|Posting|Report|Recipe|HowTo|NewsItem/.test(schemaTypes(object));
  const isPage = (object: Json) =>
    /WebPage|Product|VideoObject|Event|Course|Book|Movie|FAQPage|QAPage/.test(schemaTypes(object));

  /** Many sites write the entities of HTML into their JSON. */
  const decoded = (text: string): string => {
    if (!/&#?\w{1,31};/.test(text)) return text;
    const html = `<textarea>${reader.cut(text, longest).replaceAll('<', '&lt;')}</textarea>`;
    return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
  };

  /** The description of a job is HTML. */
  const withoutTags = (text: string | undefined): string | undefined =>
    text && /<\/?(?:p|br|div|ul|li|b|strong|h\d)\b/i.test(text)
      ? (new DOMParser().parseFromString(reader.cut(text, longest).replaceAll('<', ' <'), 'text/html').body
          .textContent ?? '')
      : text;

  /**
   * What the page is about. Where it describes several articles, as a front page does, it is the one that has the page's title;
   * a review is part of the page of a product.
   */
  const mainObject = (objects: readonly Json[], title: string): Json | undefined => {
    const articles = objects.filter(isArticleObject);
    const headlines = articles.map(({ headline, name }) => nameOf(headline) ?? nameOf(name));
    const isOne = new Set(headlines).size <= 1;
    const article = isOne ? articles[0] : articles.find((_, i) => headlines[i] && title.includes(headlines[i]));
    return article ?? objects.find(isPage) ?? objects.find((object) => /Review/.test(schemaTypes(object)));
  };

  /** The text of a value that may be a string, an object with a name, or a list of these. */
  const nameOf = (value: unknown, key = 'name'): string | undefined => {
    const names = [value]
      .flat()
      .slice(0, 20)
      .map((each) =>
        typeof each === 'string' ? each : isObject(each) && typeof each[key] === 'string' ? (each[key] as string) : '',
      )
      .map(decoded)
      .filter(Boolean);
    return names.length > 0 ? (key === 'name' ? names.join(', ') : names[0]) : undefined;
  };

  return { linkedData, mainObject, schemaTypes, isArticleObject, nameOf, withoutTags };
}
