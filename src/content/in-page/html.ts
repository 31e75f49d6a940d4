// Runs inside the page: writes the copy as HTML with a small set of elements and attributes. Nothing in it runs, loads a style
// or leads to a script.

export default function () {
  const kept = new Set(
    'a abbr address article b bdi bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small strong sub summary sup table tbody td tfoot th thead time tr u ul var'.split(
      ' ',
    ),
  );
  const empty = new Set(['br', 'hr', 'img']);
  const attributes: Record<string, readonly string[]> = {
    a: ['href'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    ol: ['start', 'reversed', 'type'],
    li: ['value'],
    time: ['datetime'],
  };
  const everywhere = ['dir', 'lang'];
  const needsTable = /^(caption|thead|tbody|tfoot|tr|td|th)$/;

  const escaped = (text: string): string =>
    text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
  const quoted = (text: string): string => escaped(text).replaceAll('"', '&quot;');

  const writeHtml = (root: Element, mostChars: number): { content: string; isCut: boolean } => {
    const parts: string[] = [];
    let length = 0;
    /** What the end tags of the open elements need. */
    let reserved = 0;
    let isCut = false;
    const add = (text: string) => {
      parts.push(text);
      length += text.length;
    };
    const room = () => mostChars - length - reserved;

    const addText = (data: string, isPreformatted: boolean) => {
      const words = isPreformatted ? data : data.replace(/[ \t\n\r\f]+/g, ' ');
      const text = !isPreformatted && parts.at(-1) === '\n' ? words.trimStart() : words;
      const html = escaped(text);
      if (html.length <= room()) return add(html);
      isCut = true;
      // Escaping makes a text up to five times longer; an entity is not cut.
      let short = '';
      for (const character of reader.cut(text, Math.max(0, room()))) {
        const next = escaped(character);
        if (short.length + next.length > room()) break;
        short += next;
      }
      add(short);
    };

    /** An element of its own name, a <div> for another block, or only its content. */
    const nameFor = (element: Element, within: ReadonlySet<string>): string | undefined => {
      const { localName } = element;
      const isBlock =
        element.getAttribute('data-display') === 'block' ||
        (reader.blockNames.has(localName) && element.getAttribute('data-display') !== 'inline');
      const hasBlock = () => [...element.children].some(({ localName: inner }) => reader.blockNames.has(inner));
      if (localName === 'p' && hasBlock()) return 'div';
      if (localName === 'a' && (within.has('a') || !element.hasAttribute('data-href'))) return undefined;
      if (needsTable.test(localName) && !within.has('table')) return 'div';
      if (localName === 'li' && !within.has('ul') && !within.has('ol')) return 'div';
      if (localName === 'img' && !element.hasAttribute('data-src')) return undefined;
      if (localName === 'div' && !isBlock) return undefined;
      if (kept.has(localName)) return localName;
      return isBlock ? 'div' : undefined;
    };

    const startTag = (element: Element, name: string): string => {
      const names = [...(attributes[name] ?? []), ...everywhere];
      const written = names.flatMap((key) => {
        // Addresses that were checked when the page was copied; the extractor cannot change these.
        const value = element.getAttribute(key === 'href' || key === 'src' ? `data-${key}` : key);
        return value === null ? [] : [` ${key}="${quoted(value)}"`];
      });
      const language = name === 'code' || name === 'pre' ? element.getAttribute('data-language') : null;
      if (language) written.push(` class="language-${quoted(language)}"`);
      return `<${name}${written.join('')}>`;
    };

    const write = (parent: Element, within: ReadonlySet<string>, isPreformatted: boolean) => {
      for (let child = parent.firstChild; child && !isCut; child = child.nextSibling) {
        if (child.nodeType === 3) addText((child as Text).data, isPreformatted);
        else if (child.nodeType === 1) writeElement(child as Element, within, isPreformatted);
      }
    };

    const writeElement = (element: Element, within: ReadonlySet<string>, isPreformatted: boolean) => {
      const name = nameFor(element, within);
      if (!name) {
        const text = element.getAttribute('data-text');
        if (text) addText(` ${text} `, false);
        return write(element, within, isPreformatted);
      }
      const start = startTag(element, name);
      const end = empty.has(name) ? '' : `</${name}>`;
      if (start.length + end.length > room()) {
        isCut = true;
        return;
      }
      add(start);
      if (!end) return;
      reserved += end.length;
      write(element, within.has(name) ? within : new Set([...within, name]), isPreformatted || name === 'pre');
      reserved -= end.length;
      add(end);
      if (!isPreformatted && reader.blockNames.has(name) && room() > 0) add('\n');
    };

    write(root, new Set(), false);
    return { content: parts.join('').trim(), isCut };
  };

  return { writeHtml };
}
