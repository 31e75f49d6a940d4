// Runs inside the page: the headline of an article. The extractor takes it out, because it returns the title beside the text, or
// finds a part of the page that does not have it.

/** A headline that is not in the article. */
type Headline = {
  readonly heading: Element;
  /** It is the title of the page, too. */
  readonly isTitle: boolean;
  /** Where the article begins in the page. */
  readonly beginning: Text | undefined;
};

export default function () {
  const headings = ':is(h1, h2, h3, h4, h5, h6)';

  /** Without the sign at its end that is a link to the heading itself. */
  const withoutOwnLink = (heading: string): string => heading.replace(/ ?[¶§]$| #$/, '');

  const plain = (text: string | null) => withoutOwnLink(reader.tidy(reader.cut(text ?? '', 1000))).toLowerCase();

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

  /** The heading that is the title of the page; otherwise its only <h1>. */
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
    own.textContent = withoutOwnLink(reader.tidy(heading.textContent ?? ''));
    let box = heading;
    const isSmall = ({ parentElement: parent }: Element) =>
      parent &&
      parent.localName !== 'body' &&
      !(beginning && parent.contains(beginning)) &&
      reader.textLength(parent) < longestBox;
    for (let i = 0; i < 4 && isSmall(box) && !price.test(box.textContent ?? ''); i++) box = box.parentElement ?? box;
    if (heading.localName === 'h1' && box !== heading && price.test(box.textContent ?? '')) {
      const rest = article.ownerDocument.importNode(box, true);
      const among = [...box.querySelectorAll('h1')].indexOf(heading as HTMLHeadingElement);
      rest.querySelectorAll('h1')[among]?.remove();
      article.prepend(rest);
    } else if (beginning) article.prepend(...reader.introductionOf(heading, beginning, article));
    article.prepend(own);
  };

  return { headlineOf, isPart, putBack };
}
