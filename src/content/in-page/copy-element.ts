// Runs inside the page: the counterpart of an element in the copy. It has the few attributes that the extractor and the writers
// use, each cut: a page cannot bring code, handlers or megabytes of attributes into the copy.
import type { ElementState } from './reading-types.ts';

export default function () {
  const blockNames = new Set(
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search section summary table caption tbody td tfoot th thead tr ul'.split(
      ' ',
    ),
  );
  const leaves = new Set('img input select textarea video canvas object embed iframe frame'.split(' '));
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

  /** A name that nobody sees stands for an icon that can be seen: a picture, a background or a pseudo-element. */
  const showsIcon = (link: Element): boolean => {
    const inside = Element.prototype.querySelectorAll.call(link, '*');
    for (let i = -1; i < inside.length && i < 20; i++) {
      const element = i < 0 ? link : (inside[i] as Element);
      if (!reader.isRendered(element, { visibilityProperty: true, opacityProperty: true })) continue;
      const { width, height } = reader.rectOf(element);
      if (width < 4 || height < 4) continue;
      if (/^(img|svg|canvas|video|object)$/.test(reader.localName(element))) return true;
      const { backgroundImage, maskImage } = getComputedStyle(element);
      if (backgroundImage !== 'none' || (maskImage && maskImage !== 'none')) return true;
      if (['::before', '::after'].some((part) => !/^(none|normal|"")$/.test(getComputedStyle(element, part).content)))
        return true;
    }
    return false;
  };

  const mostAround = 10;

  const isNothing = (node: Node): boolean =>
    reader.nodeType(node) === Node.COMMENT_NODE ||
    (reader.nodeType(node) === Node.ELEMENT_NODE && reader.isForScreenReaders(node as Element)) ||
    (reader.nodeType(node) === Node.TEXT_NODE && !/\S/.test(node.nodeValue ?? ''));

  const isAlone = (element: Element): boolean =>
    [reader.previousSibling, reader.nextSibling].every((step) => {
      let at = step(element);
      while (at && isNothing(at)) at = step(at);
      return !at;
    });

  /** Does its cell hold nothing else? */
  const isAloneInCell = ({ element, parent }: ElementState): boolean => {
    let inner = element;
    for (let at = parent, i = 0; at && i < mostAround && isAlone(inner); at = at.parent, i++) {
      if (at.name === 'td' || at.name === 'th') return true;
      inner = at.element;
    }
    return false;
  };

  /**
   * The name that a page gives to a drawing counts like the alternative text of a picture, if the page says that it is one, or
   * if a cell has nothing else. Words for screen readers beside it are such a name. In a link or a button it says what happens
   * on a click.
   */
  const drawingLabel = (state: ElementState): string => {
    const { element, isPreformatted, isInTable } = state;
    const isPicture = reader.shortAttribute(element, 'role', 10) === 'img';
    const isCell = isInTable && isAloneInCell(state);
    if (isPreformatted || !(isPicture || isCell) || !reader.hasSeenBox(state, 4)) return '';
    let at = state.parent;
    for (let i = 0; at && i < mostAround; i++, at = at.parent) if (/^(a|button|summary)$/.test(at.name)) return '';
    const spoken = isCell ? reader.spokenBeside(element)?.textContent?.slice(0, 2000) : undefined;
    const label =
      spoken ||
      reader.shortAttribute(element, 'aria-label', 2000) ||
      reader.oneIn(element, ':scope > title')?.textContent?.slice(0, 2000);
    return reader.cut(reader.tidy(label ?? ''), 1000);
  };

  /** An icon of a font, or of a style. */
  const isIconBox = (state: ElementState): boolean => isNamedPicture(state) || isCellIcon(state);

  /** The stars of a rating, which are drawings or backgrounds. */
  const isNamedPicture = ({ element }: ElementState): boolean =>
    reader.shortAttribute(element, 'role', 10) === 'img' &&
    !/\S/.test(reader.textContent(element) ?? '') &&
    reader.shortAttribute(element, 'aria-label', 1) !== '' &&
    showsIcon(element);

  const isCellIcon = ({ element, name, isInTable }: ElementState): boolean =>
    isInTable &&
    /^(i|span|em|b|div)$/.test(name) &&
    reader.firstChild(element) === null &&
    reader.spokenBeside(element) !== null &&
    showsIcon(element);

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
      if (label && showsIcon(element)) set('data-label', label);
    }
    if (name === 'ol' && reader.attribute(element, 'reversed') !== null) set('reversed', 'reversed');
    if (name === 'time') set('datetime', reader.shortAttribute(element, 'datetime', 60));
    if (/^(pre|code|div|figure)$/.test(name)) set('data-language', codeLanguage(element));
    return copy;
  };

  /**
   * An element without children that can be seen. Those that give no text are in the copy too: the extractor judges a part of
   * the page by its pictures, frames and fields.
   */
  const copyLeaf = (state: ElementState, into: Document, nowhere: string): Element | undefined => {
    const { element, name } = state;
    if (name === 'canvas' || !reader.isRendered(element, { visibilityProperty: true, opacityProperty: true }))
      return undefined;
    const copy = bareLeaf(name, into);
    if (name === 'img') describeImage(state, copy, nowhere);
    else if (name === 'iframe' || name === 'video') describeVideo(state, copy, nowhere);
    else if (isControl(name) && reader.hasSeenBox(state, 4)) {
      const text = reader.withoutInvisible(controlText(state));
      if (text) copy.setAttribute('data-text', text);
    }
    return copy;
  };

  const bareLeaf = (name: string, into: Document): Element => {
    const copy = into.createElement(name === 'frame' ? 'iframe' : name);
    // The extractor does not count pictures without any address. No address is written from this one.
    if (name === 'img') copy.setAttribute('data-srcset', '#');
    return copy;
  };

  const isControl = (name: string) => /^(input|select|textarea)$/.test(name);

  /** What was loaded, or what a script would have loaded. */
  const sourceOf = (image: HTMLImageElement, nowhere: string): string | undefined => {
    const lazy = ['data-src', 'data-lazy-src', 'data-original'].map((name) => reader.attribute(image, name));
    for (const address of [image.currentSrc || reader.attribute(image, 'src'), ...lazy]) {
      const src = reader.absolute(address, image.baseURI, ' http: https:', nowhere);
      if (src) return src;
    }
    return undefined;
  };

  /** A picture counts if it can be seen, one without an alternative text if it is no icon either. */
  const describeImage = (state: ElementState, copy: Element, nowhere: string) => {
    const image = state.element as HTMLImageElement;
    const alt = reader.cut(reader.tidy(reader.shortAttribute(image, 'alt', 2000)), 1000);
    // A browser makes the box of a picture that did not load large enough for its alternative text.
    const isPixel = ['width', 'height'].some((side) => /^[0-2](px)?$/.test(reader.shortAttribute(image, side, 5)));
    if (isPixel || !reader.hasSeenBox(state, alt ? 2 : 32)) return;
    const src = sourceOf(image, nowhere);
    const { width, height } = reader.rectOf(image);
    const size = { width: String(Math.round(width)), height: String(Math.round(height)) };
    // The extractor puts any attribute that looks like a picture's address into `src`: only `data-src` is written.
    const values = { src, 'data-src': src, alt, ...size, 'data-text': alt };
    for (const [key, value] of Object.entries(values)) if (value) copy.setAttribute(key, value);
  };

  const players =
    /^https:\/\/(?:(?:www\.)?(?:youtube|youtube-nocookie|dailymotion)\.com\/embed\/|player\.(?:vimeo\.com|bilibili\.com|twitch\.tv)\/)/;

  /** A video that a reader can play becomes a link to it. Other frames may be advertisements, and other videos decoration. */
  const describeVideo = (state: ElementState, copy: Element, nowhere: string) => {
    const { element, name } = state;
    const isFrame = name === 'iframe';
    const loaded = isFrame ? '' : (element as Partial<HTMLVideoElement>).currentSrc;
    const address = loaded || reader.attribute(element, 'src');
    const href = reader.absolute(address, element.baseURI, ' http: https:', nowhere);
    if (!href || !(isFrame ? players.test(href) : reader.attribute(element, 'controls') !== null)) return;
    if (!reader.hasSeenBox(state, 32)) return;
    const label = reader.shortAttribute(element, 'title', 500) || reader.shortAttribute(element, 'aria-label', 500);
    copy.setAttribute('data-href', href);
    copy.setAttribute('data-label', reader.cut(reader.tidy(label), 500) || 'Video');
  };

  /** What a form control shows. A password is not text. */
  const controlText = ({ element, name, style }: ElementState): string => {
    if (reader.isMasked(style)) return '';
    if (name === 'select') {
      const chosen = [...((element as Partial<HTMLSelectElement>).selectedOptions ?? [])].slice(0, 20);
      return chosen.map(({ text }) => text.slice(0, 200)).join(', ');
    }
    if (name === 'textarea') return (element as Partial<HTMLTextAreaElement>).value?.slice(0, 10_000) ?? '';
    const { type, value, checked } = element as HTMLInputElement;
    if (type === 'checkbox' || type === 'radio') return checked ? '☑' : '☐';
    return /^(submit|button|reset|text|search|url|email|tel|number|date|time|month|week|datetime-local)$/.test(type)
      ? value.slice(0, 1000)
      : '';
  };

  return {
    blockNames,
    isLeaf: (name: string) => leaves.has(name),
    drawingLabel,
    isIconBox,
    isInitial,
    makeCopy,
    copyLeaf,
    bareLeaf,
  };
}
