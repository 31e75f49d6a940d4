// Runs inside the page: finds the article in what a reader sees. A page that is none (a list, a front page, an application)
// is taken as a whole.

/** The extractor, https://github.com/mozilla/readability. */
declare class Readability {
  constructor(document: Document, options: Record<string, unknown>);
  parse(): { content: Element; byline?: string | null; title?: string | null } | null;
}

export type Article = { readonly root: Element; readonly byline: string | null; readonly isWhole: boolean };

export default function () {
  /** The extractor's work grows with text × depth. More than this takes seconds, and is no article. */
  const mostWork = 60_000_000;
  const mostElements = 40_000;

  const textLength = (root: Element): number => (root.textContent ?? '').replace(/\s+/g, ' ').trim().length;

  const findArticle = (copy: Document, work: number, title: string | null): Article => {
    const body = copy.body;
    const whole = { root: body, byline: null, isWhole: true };
    if (work > mostWork || body.getElementsByTagName('*').length > mostElements) return whole;
    const found = extract(copy);
    if (!found || !isArticle(found.content, body)) return { ...whole, byline: found?.byline ?? null };
    putTitleBack(found.content, body, title);
    return { root: found.content, byline: found.byline ?? null, isWhole: false };
  };

  const extract = (copy: Document) => {
    try {
      // It changes the document, which is needed once more if it finds no article.
      return new Readability(copy.cloneNode(true) as Document, {
        keepClasses: true,
        disableJSONLD: true,
        serializer: (element: Element) => element,
      }).parse();
    } catch {
      return null;
    }
  };

  /**
   * What was found must be most of the page, or prose. A list of teasers has short paragraphs and many links, and the extractor
   * would take one corner of it.
   */
  const isArticle = (found: Element, body: Element): boolean => {
    const length = textLength(found);
    if (length === 0) return false;
    const share = length / Math.max(1, textLength(body));
    if (share > 0.6) return true;
    return length > 500 && proseLength(found) > Math.min(0.3 * length, 1500);
  };

  /** The text of long paragraphs that are not links. */
  const proseLength = (root: Element): number => {
    let length = 0;
    for (const paragraph of root.querySelectorAll('p, pre, blockquote, li, div')) {
      if (paragraph.querySelector('p, pre, blockquote, li, div')) continue;
      let text = textLength(paragraph);
      if (text < 80) continue;
      for (const link of paragraph.querySelectorAll('a')) text -= textLength(link);
      length += Math.max(0, text);
    }
    return length;
  };

  /** The extractor takes the headline out, because it returns the title beside the text. A reader sees it first. */
  const putTitleBack = (article: Element, body: Element, title: string | null) => {
    const plain = (text: string | null) => reader.tidy(text ?? '').toLowerCase();
    const wanted = plain(title);
    if (!wanted) return;
    const inside = new Set(
      [...article.querySelectorAll('h1, h2')].slice(0, 100).map(({ textContent }) => plain(textContent)),
    );
    for (const heading of [...body.querySelectorAll('h1, h2')].slice(0, 40)) {
      const text = plain(reader.cut(heading.textContent ?? '', 1000));
      if (inside.has(text)) return;
      const isTitle =
        text === wanted ||
        (wanted.includes(text) && text.length > 0.4 * wanted.length) ||
        (text.length > 15 && text.includes(wanted) && wanted.length > 0.4 * text.length);
      if (!text || !isTitle) continue;
      const own = article.ownerDocument.createElement('h1');
      own.textContent = reader.tidy(heading.textContent ?? '');
      article.prepend(own);
      return;
    }
  };

  return { findArticle };
}
