// Runs inside the page: the page as text.
import type { PageText, ReadOptions } from '../content-types.ts';

export default function () {
  /** Words of most scripts; those that are written without spaces count by the character. */
  const word = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’](?=\p{L}))*/gu;

  const countWords = (content: string, format: ReadOptions['format']): number => {
    const plain =
      format === 'html'
        ? content.replace(/<[^<>]*>/g, ' ')
        : format === 'markdown'
          ? content.replace(/\]\([^()\s]*\)/g, ' ')
          : content;
    let words = 0;
    for (const _ of plain.matchAll(word)) words++;
    return words;
  };

  /** `nowhere` is the address of a page that was sent as HTML: addresses relative to it lead nowhere. */
  const read = ({ format, selector, maxChars, maxLinks }: ReadOptions, nowhere: string): PageText => {
    // Markup that is left out of the text makes it shorter; a part of the page is left out of an article.
    const mostText = Math.min(4_000_000, 1_000_000 + 2 * maxChars);
    const copy = reader.visibleCopy(selector, mostText, nowhere);
    if (copy.missing) return { missing: copy.missing };
    const links = reader.visibleLinks(copy.selected ?? copy.document.body, maxLinks);
    const first = reader.readMetadata(document, null, nowhere);
    const article = copy.selected
      ? { root: copy.selected, byline: null }
      : reader.findArticle(copy.document, copy.work, first.title);
    const { content, isCut } =
      format === 'html'
        ? reader.writeHtml(article.root, maxChars)
        : reader.writeProse(article.root, format === 'markdown', maxChars);
    return {
      ...first,
      byline: first.byline ?? (article.byline && reader.cut(reader.tidy(article.byline), 2000)),
      links,
      content,
      words: countWords(content, format),
      truncated: isCut || copy.isCut,
    };
  };

  return { read };
}
