// Runs inside the page: finds the article in what a reader sees. A page that is none (a list, a front page, an application)
// is taken as a whole.

import type { FullCopy, VisibleCopy } from './reading-types.ts';

/** The extractor, https://github.com/mozilla/readability. */
declare class Readability {
  constructor(document: Document, options: Record<string, unknown>);
  parse(): { content: Element; byline?: string | null; title?: string | null } | null;
}

export type Article = { readonly root: Element; readonly byline: string | null; readonly isWhole: boolean };

/** What the page says about itself. */
type PageFacts = { readonly title: string | null; readonly byline: string | null; readonly publishedAt: string | null };

export default function () {
  /** The extractor's work grows with text × depth. More than this takes seconds, and is no article. */
  const mostWork = 60_000_000;
  const mostElements = 40_000;
  /** A page with less text is read as a whole. */
  const shortPage = 300;

  const textLength = (root: Element): number => reader.textLength(root);

  /** Of the text that is found in the whole page. If less of it is visible, the page is searched without what is hidden. */
  const leastVisible = 0.7;

  const isTooLarge = ({ body }: Document, work: number): boolean =>
    work > mostWork || body.getElementsByTagName('*').length > mostElements;

  const findArticle = ({ document: copy, full, work }: VisibleCopy, facts: PageFacts): Article => {
    const { body } = copy;
    const whole = { root: body, byline: null, isWhole: true };
    if (isTooLarge(copy, work)) return whole;
    // The extractor changes the document, which is needed once more if there is no article in it.
    const found = (full && extractVisible(full, work)) ?? extract(copy.cloneNode(true) as Document);
    const byline = found?.byline && isIn(body, found.byline) ? found.byline : null;
    if (!found || !isArticle(found.content, body)) {
      if (reader.isThread(body, textLength(body))) reader.takeOutSite(body);
      return { ...whole, byline };
    }
    const content = articleAround(found.content, body) ?? found.content;
    const headline = reader.headlineOf(content, body, facts.title ?? '');
    if (headline && !facts.byline && !facts.publishedAt && reader.isPart(content, headline))
      return { ...whole, byline };
    dropLastHeadings(content);
    if (headline) reader.putBack(headline, content);
    return { root: content, byline, isWhole: false };
  };

  /** Its text may be hidden. */
  const isIn = (body: Element, text: string): boolean =>
    reader.tidy(body.textContent ?? '').includes(reader.tidy(text));

  const extractVisible = (full: FullCopy, work: number) => {
    if (isTooLarge(full.document, work + full.work())) return null;
    const found = extract(full.document);
    if (!found) return null;
    const length = textLength(found.content);
    reader.takeOutMarked(found.content);
    return textLength(found.content) >= leastVisible * length ? found : null;
  };

  const headings = ':is(h1, h2, h3, h4, h5, h6)';

  const extract = (own: Document) => {
    try {
      reader.prepareForExtractor(own);
      const found = new Readability(own, {
        keepClasses: true,
        disableJSONLD: true,
        serializer: (element: Element) => element,
      }).parse();
      for (const heading of found?.content.querySelectorAll('h3[data-first]') ?? []) reader.rename(heading, 'h1');
      for (const picture of found?.content.querySelectorAll('img:not([src], [alt])') ?? []) picture.remove();
      return found;
    } catch {
      return null;
    }
  };

  const mostLastHeadings = 5;

  /** What stood below them was left out: links to share the page, related posts. */
  const dropLastHeadings = (article: Element) => {
    const all = [...article.querySelectorAll(headings)];
    for (let i = 0; i < mostLastHeadings; i++) {
      const heading = all.pop();
      if (!heading || all.length === 0 || hasMoreAfter(heading, article)) return;
      heading.remove();
    }
  };

  const hasMoreAfter = (element: Element, root: Element): boolean => {
    const walker = root.ownerDocument.createTreeWalker(root);
    walker.currentNode = element;
    for (let at = walker.nextNode(); at; at = walker.nextNode())
      if (
        !element.contains(at) &&
        (at.nodeName === 'IMG' || (at.nodeType === Node.TEXT_NODE && /\S/.test((at as Text).data)))
      )
        return true;
    return false;
  };

  /**
   * What was found must be most of the page, or prose with few links: in the test pages of the extractor, links are at most 13 %
   * of an article's text. A list of teasers has more, and the extractor would take one corner of it.
   */
  const isArticle = (found: Element, body: Element): boolean => {
    const length = textLength(found);
    const all = textLength(body);
    if (all < shortPage) return false;
    const links = reader.linkLength(found) / Math.max(1, length);
    if (links > 0.4 || isOneOfMany(length, body) || reader.isThread(body, all)) return false;
    if (length > 0.6 * all) return true;
    return length > 500 && links < 0.2 && (links < 0.03 || proseLength(found) > Math.min(0.3 * length, 1500));
  };

  /** A page with several articles of about this length, of which most would be lost. */
  const isOneOfMany = (length: number, body: Element): boolean => {
    const lengths = [...body.querySelectorAll('article')].slice(0, 100).map(textLength);
    const all = lengths.reduce((sum, each) => sum + each, 0);
    return length < 0.6 * all && lengths.filter((each) => each > length / 2 && each < 2 * length).length >= 3;
  };

  const longestAround = 5000;

  const lengthAroundCode = (root: Element): number =>
    [...root.querySelectorAll('pre')].reduce(
      (length, code) => length - textLength(code),
      textLength(root) - reader.linkLength(root),
    );

  /** Where code is longer than the short text around it, the extractor may take the code for all of the article. */
  const articleAround = (found: Element, body: Element): Element | undefined => {
    const [only, other] = body.querySelectorAll('article, main:not(:has(article))');
    if (!only || other || !found.querySelector('pre')) return undefined;
    const copy = only.cloneNode(true) as Element;
    for (const part of copy.querySelectorAll('nav, footer')) part.remove();
    const length = lengthAroundCode(copy);
    return length < longestAround && lengthAroundCode(found) < 0.6 * length ? copy : undefined;
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

  return { findArticle };
}
