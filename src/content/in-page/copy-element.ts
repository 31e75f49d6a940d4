// Runs inside the page: the counterpart of an element in the copy. It has the few attributes that the extractor and the writers
// use, each cut: a page cannot bring code, handlers or megabytes of attributes into the copy.
import type { ElementState } from './reading-types.ts';

export default function () {
  const blockNames = new Set(
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search section summary table caption tbody td tfoot th thead tr ul'.split(
      ' ',
    ),
  );
  const isTablePart = (name: string) => /^(table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th)$/.test(name);
  /** An element that is found by its name on a form or a document would hide the methods that the extractor calls. */
  const isNamed = (name: string) =>
    /^(form|input|button|select|textarea|fieldset|output|object|embed|img|iframe)$/.test(name);

  const htmlSpace = 'http://www.w3.org/1999/xhtml';

  type Named = Pick<ElementState, 'element' | 'name'> &
    Partial<Pick<ElementState, 'style' | 'isCode' | 'isPreformatted' | 'isRowItem'>>;

  const copyName = ({ element, name, style, isCode, isPreformatted, isRowItem }: Named): string => {
    if (reader.namespace(element) !== htmlSpace) return name === 'a' ? 'a' : 'span';
    if (isCode) return 'pre';
    // Rows of code are lines. HTML has no tables in <pre>.
    if (isPreformatted && isTablePart(name)) return /^t[dh]$/.test(name) ? 'span' : 'div';
    if (name === 'html' || name === 'body' || name === 'iframe' || name === 'frame' || name === 'slot') return 'div';
    const level =
      reader.shortAttribute(element, 'role', 10) === 'heading' && reader.shortAttribute(element, 'aria-level', 2);
    if (level && /^[1-6]$/.test(level)) return `h${level}`;
    // A whole reference may be one, which is not shown in italics.
    if (name === 'cite' && style?.fontStyle === 'normal') return 'span';
    // The extractor makes a paragraph of its own of each <div>.
    if (isRowItem && (name === 'div' || name === 'p')) return 'span';
    // The extractor may write the copy as HTML and parse it again: tags in these would become text.
    if (/^(xmp|plaintext|noembed|noframes)$/.test(name)) return 'pre';
    return /^[a-z][a-z0-9-]*$/.test(name) ? name : 'span';
  };

  /** A large first letter, with the rest of its word beside it. */
  const isInitial = ({
    element,
    name,
    style,
  }: Pick<ElementState, 'element' | 'name'> & Partial<ElementState>): boolean => {
    if (style?.float !== 'left' && style?.float !== 'right') return false;
    const next = reader.nextSibling(element);
    return (
      !blockNames.has(name) &&
      /^\s*["“„«‘'¿¡]?\p{L}['’]?\s*$/u.test(reader.cut(reader.textContent(element) ?? '', 10)) &&
      next !== null &&
      reader.nodeType(next) === Node.TEXT_NODE &&
      /^\s?[\p{L}'’]/u.test(next.nodeValue ?? '')
    );
  };

  const displayMark = (state: Named, name: string): string | undefined => {
    const { name: own, style, isRowItem } = state;
    if (!style || isTablePart(own)) return undefined;
    const isInline = isRowItem || isInitial(state) || /^(inline|contents|ruby|math)/.test(style.display);
    return isInline === blockNames.has(name) ? (isInline ? 'inline' : 'block') : undefined;
  };

  /** The language of code, from the classes that highlighters use. */
  const codeLanguage = (element: Element): string | undefined => {
    for (const name of ['data-lang', 'data-language']) {
      const value = reader.shortAttribute(element, name, 40);
      if (/^[\w+#.-]+$/.test(value)) return value.toLowerCase();
    }
    const classes = reader.shortAttribute(element, 'class', 400);
    const match =
      /(?:^|\s)(?:language|lang|highlight-source|brush:|sourceCode)[-\s]?([\w+#.-]+)/i.exec(classes) ??
      /(?:^|\s)hljs\s+([\w+#.-]+)/.exec(classes) ??
      // Sphinx
      /(?:^|\s)highlight-([\w+#.-]+)\s+notranslate/.exec(classes);
    const found = match?.[1]?.toLowerCase();
    return found && !/^(none|default|plaintext|highlighter-rouge|auto|nohighlight)$/.test(found) ? found : undefined;
  };

  const numbers: Record<string, readonly string[]> = {
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    ol: ['start'],
    li: ['value'],
  };

  const kept = [
    ['class', 200],
    ['role', 40],
    ['dir', 4],
    ['lang', 40],
    ['itemprop', 100],
    ['rel', 100],
  ] as const;

  const letterTypes: Record<string, string> = {
    'lower-alpha': 'a',
    'lower-latin': 'a',
    'upper-alpha': 'A',
    'upper-latin': 'A',
    'lower-roman': 'i',
    'upper-roman': 'I',
  };

  /** As the list is shown, by its `type` or by a style. */
  const letterType = (list: Element): string | undefined =>
    letterTypes[getComputedStyle(reader.oneIn(list, ':scope > li') ?? list).listStyleType];

  const makeCopy = (state: Named, into: Document, nowhere: string): Element => {
    const { element } = state;
    const name = copyName(state);
    const copy = into.createElement(name);
    const set = (key: string, value: string | undefined | null) => {
      if (value) copy.setAttribute(key, value);
    };
    set('data-display', displayMark(state, name));
    if (name === 'ol') set('type', letterType(element));
    if (!reader.hasAttributes(element)) return copy;
    for (const [key, length] of kept) set(key, reader.shortAttribute(element, key, length));
    // The extractor takes the first author for that of the page.
    if (copy.getAttribute('itemprop')?.includes('author') && reader.isOfPart(element)) copy.removeAttribute('itemprop');
    if (!isNamed(name)) set('id', reader.shortAttribute(element, 'id', 100));
    for (const key of numbers[name] ?? []) {
      const value = reader.shortAttribute(element, key, 6);
      if (/^-?\d+$/.test(value)) set(key, value);
    }
    if (name === 'a') {
      const href = reader.attribute(element, 'href') ?? reader.attribute(element, 'xlink:href');
      const absolute = reader.absolute(href, element.baseURI, ' http: https: mailto:', nowhere);
      set('data-href', absolute);
      // The extractor takes links within the page for text, and others for navigation.
      set('href', absolute && /^#./.test(href ?? '') ? '#here' : absolute);
      const label = reader.shortAttribute(element, 'aria-label', 500) || reader.shortAttribute(element, 'title', 500);
      if (label && reader.showsIcon(element)) set('data-label', label);
    }
    if (name === 'ol' && reader.attribute(element, 'reversed') !== null) set('reversed', 'reversed');
    if (name === 'time') set('datetime', reader.shortAttribute(element, 'datetime', 60));
    if (/^(pre|code|div|figure)$/.test(name)) set('data-language', codeLanguage(element));
    return copy;
  };

  return { blockNames, isInitial, makeCopy };
}
