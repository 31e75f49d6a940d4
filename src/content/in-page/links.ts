// Runs inside the page: the links that a reader sees, in the order of the page.
import type { TextFacts } from '../content-types.ts';

export default function () {
  const longestText = 500;
  /** All links together: the answer of the page must fit into one message. */
  const mostChars = 500_000;

  /** The beginning of the text, without reading all of it. */
  const textOf = (root: Element): string => {
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let text = '';
    while (text.length < 2 * longestText && walker.nextNode())
      text += (walker.currentNode as Text).data.slice(0, 2 * longestText);
    return reader.tidy(text);
  };

  const visibleLinks = (root: Element, most: number): TextFacts['links'] => {
    const links = new Map<string, string>();
    let chars = 0;
    for (const link of root.querySelectorAll('a[data-href]')) {
      const href = link.getAttribute('data-href') ?? '';
      if (links.get(href)) continue;
      if (!links.has(href) && links.size >= most) break;
      const text =
        textOf(link) ||
        reader.tidy(link.querySelector('img[alt]')?.getAttribute('alt') ?? '') ||
        reader.tidy(link.getAttribute('data-label') ?? '');
      // A card often links a picture first and its heading then: the text comes from the first link that has one.
      const short = reader.cut(text, longestText);
      chars += short.length + (links.has(href) ? 0 : href.length);
      if (chars > mostChars) break;
      links.set(href, short);
    }
    return [...links].map(([href, text]) => ({ href, text }));
  };

  return { visibleLinks };
}
