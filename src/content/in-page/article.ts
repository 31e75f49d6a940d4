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

/** A headline that is not in the article. */
type Headline = {
  readonly heading: Element;
  /** It is the title of the page, too. */
  readonly isTitle: boolean;
  /** Where the article begins in the page. */
  readonly beginning: Text | undefined;
};

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
    const headline = headlineOf(content, body, facts.title ?? '');
    if (headline && !facts.byline && !facts.publishedAt && isPart(content, headline)) return { ...whole, byline };
    dropLastHeadings(content);
    if (headline) putBack(headline, content);
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

  /** Without the sign that is a link to the heading itself. */
  const withoutMark = (heading: string): string => heading.replace(/ ?[¶§]$| #$/, '');

  const plain = (text: string | null) => withoutMark(reader.tidy(reader.cut(text ?? '', 1000))).toLowerCase();

  const titleTest = (title: string): ((heading: Element) => boolean) => {
    const wanted = plain(title);
    // "Install | Widget docs"
    const parts = wanted.split(/ [|\-–—·•»:/] |: /);
    return ({ localName, textContent }) => {
      const text = plain(textContent);
      return (
        text !== '' &&
        (text === wanted ||
          (localName === 'h1' && parts.includes(text)) ||
          (wanted.includes(text) && text.length > 0.4 * wanted.length) ||
          (wanted !== '' && text.length > 15 && text.includes(wanted) && wanted.length > 0.4 * text.length))
      );
    };
  };

  /**
   * The extractor takes the headline out, because it returns the title beside the text, or finds a part of the page that does
   * not have it. It is the heading that is the title; otherwise the only <h1> of the page.
   */
  const headlineOf = (article: Element, body: Element, title: string): Headline | undefined => {
    const isTitle = titleTest(title);
    const own = [...article.querySelectorAll('h1, h2')].slice(0, 100);
    const inside = new Set(own.map(({ textContent }) => plain(textContent)));
    const all = [...body.querySelectorAll('h1, h2')].slice(0, 40);
    const start = all.findIndex(({ textContent }) => inside.has(plain(textContent)));
    let heading = all.slice(0, start < 0 ? all.length : start).find(isTitle);
    if (!heading && !own.some((each) => each.localName === 'h1' || isTitle(each))) {
      const first = all.filter(({ localName }) => localName === 'h1');
      heading = first.find(isTitle) ?? (first.length === 1 ? first.find(isHeadline) : undefined);
    }
    return heading && { heading, isTitle: isTitle(heading), beginning: beginningOf(article, body) };
  };

  /** Not the name of the site, which is a link to its first page. */
  const isHeadline = (heading: Element): boolean =>
    plain(heading.textContent) !== '' &&
    !heading.closest('nav, footer') &&
    ![...heading.querySelectorAll('a[data-href]')].some((link) => isFrontPage(link.getAttribute('data-href') ?? '')) &&
    !isFrontPage(heading.closest('a[data-href]')?.getAttribute('data-href') ?? '');

  const isFrontPage = (address: string): boolean => URL.parse(address)?.pathname === '/';

  const longText = 80;

  /** The first long text of the article, where it is in the page. */
  const beginningOf = (article: Element, body: Element): Text | undefined => {
    const first = findText(article, (text) => text.length >= longText)?.data.trim();
    return first ? findText(body, (text) => text === first) : undefined;
  };

  const findText = (root: Element, is: (text: string) => boolean): Text | undefined => {
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (is((walker.currentNode as Text).data.trim())) return walker.currentNode as Text;
    return undefined;
  };

  /** The description and the reviews beside a product, or the sections below the headline of a front page. */
  const isPart = (article: Element, { heading, isTitle, beginning }: Headline): boolean => {
    const isAfter = beginning && (heading.compareDocumentPosition(beginning) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    if (heading.localName === 'h1' && isAfter) return true;
    return !isTitle && findText(article, (text) => text !== '')?.parentElement?.closest(headings) != null;
  };

  const price = /\p{Sc} ?\d|\d ?\p{Sc}|\d ?(?:CHF|EUR|USD|kr)\b|[★☆]/u;
  const longestBox = 600;

  /** With a price, a rating or an introduction that stands in one box with it. */
  const putBack = ({ heading, beginning }: Headline, article: Element) => {
    const own = article.ownerDocument.createElement('h1');
    own.textContent = withoutMark(reader.tidy(heading.textContent ?? ''));
    let box = heading;
    const isSmall = ({ parentElement: parent }: Element) =>
      parent &&
      parent.localName !== 'body' &&
      !(beginning && parent.contains(beginning)) &&
      textLength(parent) < longestBox;
    for (let i = 0; i < 4 && isSmall(box) && !price.test(box.textContent ?? ''); i++) box = box.parentElement ?? box;
    if (heading.localName === 'h1' && box !== heading && price.test(box.textContent ?? '')) {
      const rest = article.ownerDocument.importNode(box, true);
      const among = [...box.querySelectorAll('h1')].indexOf(heading as HTMLHeadingElement);
      rest.querySelectorAll('h1')[among]?.remove();
      article.prepend(rest);
    } else if (beginning) article.prepend(...reader.introductionOf(heading, beginning, article));
    article.prepend(own);
  };

  return { findArticle };
}
