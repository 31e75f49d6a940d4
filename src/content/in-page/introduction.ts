// Runs inside the page: the introduction of an article that stands below its headline, apart from the text. The extractor often
// takes such a box for the header of the site.

export default function () {
  /** A shorter text is a label, a date or a button. */
  const least = 40;
  const mostChars = 600;
  const mostParts = 3;
  const mostSteps = 4;

  const isLeftOut = ':is(nav, aside, footer, form, figure, ul, ol, table, button)';

  /** The largest box around the headline that does not have the beginning of the text. */
  const boxOf = (heading: Element, beginning: Text): Element => {
    let box = heading;
    for (let i = 0; i < mostSteps; i++) {
      const parent = box.parentElement;
      if (!parent || parent.localName === 'body' || parent.contains(beginning)) break;
      if (reader.textLength(parent) > mostChars) break;
      box = parent;
    }
    return box;
  };

  const isProse = (part: Element, heading: Element): boolean => {
    const length = reader.textLength(part);
    return (
      length >= least &&
      reader.linkLength(part) < 0.3 * length &&
      !part.closest(isLeftOut) &&
      (heading.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    );
  };

  /** Copies for the article, without what it has already. */
  const introductionOf = (heading: Element, beginning: Text, article: Element): Element[] => {
    const box = boxOf(heading, beginning);
    if (box === heading) return [];
    const own = reader.lettersOf(article.textContent ?? '');
    return [...box.querySelectorAll('p, h2, h3, div:not(p div, :has(p, div, h1, h2, h3, ul, ol, table))')]
      .filter((part) => isProse(part, heading) && !own.includes(reader.lettersOf(part.textContent ?? '')))
      .slice(0, mostParts)
      .map((part) => article.ownerDocument.importNode(part, true));
  };

  return { introductionOf };
}
