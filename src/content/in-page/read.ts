// Runs inside the page: the page as text.
import type { ReadAnswer, ReadOptions } from '../content-types.ts';

export default function () {
  /** Words of most scripts; those that are written without spaces count by the character. */
  const word = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’](?=\p{L}))*/gu;

  /** Of the whole text, also where it is cut. */
  const countWords = (root: Element): number => {
    let words = 0;
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) for (const _ of (walker.currentNode as Text).data.matchAll(word)) words++;
    return words;
  };

  /** XML without a style, which the browser shows as a tree of its own making. */
  const shownXml = (into: Document, mostText: number): Element | undefined => {
    const source = document.contentType.endsWith('xml') && reader.one(document, '#webkit-xml-viewer-source-xml');
    if (!source) return undefined;
    const pre = into.createElement('pre');
    pre.setAttribute('data-language', 'xml');
    const parts = [...source.childNodes].map((node) => new XMLSerializer().serializeToString(node));
    pre.textContent = reader.cut(parts.join('\n'), mostText);
    return pre;
  };

  /** `nowhere` is the address of a page that was sent as HTML: addresses relative to it lead nowhere. */
  const read = ({ format, selector, maxChars, maxLinks }: ReadOptions, nowhere: string): ReadAnswer => {
    // Markup that is left out of the text makes it shorter; a part of the page is left out of an article.
    const mostText = Math.min(4_000_000, 1_000_000 + 2 * maxChars);
    const copy = reader.visibleCopy(selector, mostText, nowhere);
    if (copy.missing) return { missing: copy.missing };
    const links = reader.visibleLinks(copy.selected ?? copy.document.body, maxLinks);
    const first = reader.readMetadata(document, copy.document, nowhere);
    const part = copy.selected ?? shownXml(copy.document, mostText);
    const article = part ? { root: part, byline: null } : reader.findArticle(copy, first);
    const { content, isCut } =
      format === 'html'
        ? reader.writeHtml(article.root, maxChars)
        : reader.writeProse(article.root, format === 'markdown', maxChars);
    return {
      ...first,
      byline: first.byline ?? (article.byline && reader.cut(reader.tidy(article.byline), 2000)),
      links,
      content,
      words: countWords(article.root),
      truncated: isCut || copy.isCut,
    };
  };

  return { read };
}
