// Runs inside the page: what its microdata (itemprop) says about the page itself.

export default function () {
  const parts = /(?:^|\s)(?:reviews?|comments?|suggestedAnswer|acceptedAnswer|itemListElement)(?:\s|$)/;

  /** Is this about a review, a comment or an answer, which has an author and a date of its own? */
  const isOfPart = (item: Element): boolean => {
    const owner = Element.prototype.closest.call(item.parentElement ?? item, '[itemscope]');
    return owner !== null && parts.test(reader.shortAttribute(owner, 'itemprop', 100));
  };

  const ownItem = (page: Document, name: string): Element | null =>
    reader.firstOf(page, `[itemprop~="${name}"]`, (item) => !isOfPart(item));

  const itemText = (page: Document, name: string): string | undefined => {
    const whole = ownItem(page, name);
    // A person is an item of its own, with a picture and a role beside the name.
    const item = (whole && reader.oneIn(whole, '[itemprop~="name"]')) ?? whole;
    return item ? (reader.attribute(item, 'content') ?? reader.cut(item.textContent ?? '', 500)) : undefined;
  };

  return { isOfPart, itemText, ownItem };
}
