// Runs inside the page: writes the copy as Markdown, or as the text that a person would copy.

export default function () {
  /** Deeper lists and quotes are not indented further. */
  const mostIndents = 12;

  /** The name of a language. */
  const longestLabel = 20;

  type Run = ReturnType<typeof reader.createRun>;

  const writeProse = (root: Element, isMarkdown: boolean, mostChars: number): { content: string; isCut: boolean } => {
    let spent = 0;
    let indents = 0;
    let isInCell = false;
    /** The address of a link around blocks: the first text in it becomes the link. */
    let openLink: string | undefined;
    const isFull = () => spent > mostChars;

    const blocks = new WeakMap<Element, boolean>();
    /** Also an inline element with a block in it. */
    const isBlock = (element: Element): boolean => {
      const known = blocks.get(element);
      if (known !== undefined) return known;
      const mark = element.getAttribute('data-display');
      let is = mark ? mark === 'block' : reader.blockNames.has(element.localName);
      for (let child = element.firstElementChild; child && !is; child = child.nextElementSibling) is = isBlock(child);
      blocks.set(element, is);
      return is;
    };

    const { addInline, partOf, linked } = reader.inlineWriter({ isMarkdown, mostChars, isBlock, isFull });

    /** A finished block: lines at the current indentation. */
    const finished = (text: string): string[] => {
      if (!text) return [];
      spent += text.length + 2;
      return [text];
    };

    const paragraph = (run: Run): string[] => {
      const { text } = run.part();
      if (!text) return [];
      const href = openLink;
      openLink = undefined;
      if (!isMarkdown) return finished(text);
      return finished(href ? linked(text, href) : reader.escapeLines(text));
    };

    const blocksIn = (element: Element): string[] => {
      const found: string[] = [];
      let run = reader.createRun(isMarkdown);
      for (let child = element.firstChild; child && !isFull(); child = child.nextSibling) {
        if (child.nodeType === 3) run.addText((child as Text).data);
        else if (child.nodeType === 1 && isBlock(child as Element)) {
          found.push(...paragraph(run));
          run = reader.createRun(isMarkdown);
          found.push(...blockOf(child as Element));
        } else if (child.nodeType === 1) addInline(child as Element, run);
      }
      found.push(...paragraph(run));
      return isMarkdown
        ? found.filter((block, i) => !names(block, found[i + 1]) && !names(block, found[i - 1]))
        : found;
    };

    /** A label beside a block of code that says its language once more. */
    const names = (label: string, block: string | undefined): boolean =>
      label.length <= longestLabel && label.toLowerCase() === /^`{3,}(\S+)\n/.exec(block ?? '')?.[1];

    const blockOf = (element: Element): string[] => {
      const name = element.localName;
      if (/^h[1-6]$/.test(name)) return heading(element, Number(name[1]));
      switch (name) {
        case 'pre':
          return preformatted(element);
        case 'blockquote':
          return indented(() => quote(blocksIn(element)));
        case 'ul':
        case 'ol':
        case 'menu':
        case 'dir':
          return indented(() => list(element, name === 'ol'));
        case 'table':
          return table(element);
        case 'hr':
          return isMarkdown ? ['---'] : [];
        case 'a':
          return linkedBlocks(element);
        case 'dt':
          return term(element);
        default:
          return blocksIn(element);
      }
    };

    const linkedBlocks = (element: Element): string[] => {
      openLink = element.getAttribute('data-href') ?? undefined;
      const found = blocksIn(element);
      openLink = undefined;
      return found;
    };

    const heading = (element: Element, level: number): string[] => {
      const text = partOf(element).text.replace(/(?<!\s)\s*\n/g, ' ');
      const href = openLink;
      if (!text) return [];
      openLink = undefined;
      if (!isMarkdown) return finished(text);
      // Markdown takes a last word of # for the end of the heading's mark.
      const last = text.lastIndexOf(' ') + 1;
      const whole = /^#+$/.test(text.slice(last)) ? `${text.slice(0, last)}\\${text.slice(last)}` : text;
      return finished(`${'#'.repeat(level)} ${href ? linked(whole, href) : whole}`);
    };

    const term = (element: Element): string[] => {
      if ([...element.children].some(isBlock)) return blocksIn(element);
      const run = reader.createRun(isMarkdown);
      const part = partOf(element);
      if (part.text.includes('*')) run.addPart(part);
      else run.addEmphasis(part, '**');
      return finished(run.part().text);
    };

    const indented = (write: () => string[]): string[] => {
      indents++;
      const found = write();
      indents--;
      return found;
    };

    const quote = (inside: string[]): string[] =>
      isMarkdown && indents <= mostIndents && inside.length > 0
        ? [reader.listsApart(inside, isMarkdown).join('\n\n').replace(/^/gm, '> ').replace(/^> $/gm, '>')]
        : inside;

    const list = (element: Element, isOrdered: boolean): string[] => {
      const items: string[] = [];
      const children = itemsOf(element);
      const isReversed = element.hasAttribute('reversed');
      const type = element.getAttribute('type');
      const isItem = (child: Element) => child.localName === 'li' || child.localName === 'div';
      let number = Number(element.getAttribute('start') ?? (isReversed ? children.filter(isItem).length : 1));
      for (const child of children) {
        if (isFull()) break;
        const value = child.getAttribute('value');
        if (isOrdered && value) number = Number(value);
        const whole = reader.tight(isItem(child) ? blocksIn(child) : blockOf(child), isMarkdown);
        const text = isItem(child) ? reader.withoutMark(whole, isOrdered ? number : undefined) : whole;
        if (!text) continue;
        const mark = !isItem(child) ? '  ' : isOrdered ? reader.markOf(number, type, isMarkdown) : '- ';
        if (isItem(child)) number += isReversed ? -1 : 1;
        const task = isMarkdown ? text.replace(/^([☑☐])\s*/, (_, box) => (box === '☑' ? '[x] ' : '[ ] ')) : text;
        const pad = indents <= mostIndents ? ' '.repeat(mark.startsWith('- ') ? 2 : mark.length) : '';
        items.push(mark + task.replace(/\n(?=[^\n])/g, `\n${pad}`));
      }
      return items.length > 0 ? [items.join('\n')] : [];
    };

    /** A list may have text that is in no item; it is taken for one. */
    const itemsOf = (list: Element): Element[] => {
      const items: Element[] = [];
      let loose: Element | undefined;
      for (const child of [...list.childNodes]) {
        if (child.nodeType === 1 && isBlock(child as Element)) {
          items.push(child as Element);
          loose = undefined;
        } else if (loose) loose.append(child);
        else if (child.textContent?.trim()) {
          loose = list.ownerDocument.createElement('li');
          loose.append(child);
          items.push(loose);
        }
      }
      return items;
    };

    const preformatted = (element: Element): string[] => {
      const whole = reader.codeText(element, isBlock, mostChars);
      const text = whole.replace(/^\n|\s+$/g, '').replaceAll('\r', '');
      if (!text) return [];
      if (!isMarkdown) return finished(text);
      if (isInCell) return text.split('\n').flatMap((line) => (line.trim() ? finished(reader.codeSpan(line)) : []));
      return finished(reader.fenced(text, reader.languageOf(element)));
    };

    const table = (element: Element): string[] => {
      const rows = reader.tableRows(element);
      if (!rows) return blocksIn(element);
      const caption = element.querySelector(':scope > caption');
      const before = caption ? blocksIn(caption) : [];
      const cell = (of: Element | null): string => {
        if (!of || isFull()) return '';
        isInCell = true;
        const text = blocksIn(of).join('\n');
        isInCell = false;
        return reader.cellText(text, isMarkdown);
      };
      const lines = rows.cells.map((row) => row.map(cell)).filter((row) => row.some(Boolean));
      return lines.length > 0 ? [...before, reader.tableText(lines, rows.hasHead, isMarkdown)] : before;
    };

    const text = reader.listsApart(blockOf(root), isMarkdown).join('\n\n');
    return { content: cutProse(text, mostChars, isMarkdown), isCut: text.length > mostChars || isFull() };
  };

  /** Cuts between words, and ends a code block that is cut. */
  const cutProse = (text: string, most: number, isMarkdown: boolean): string => {
    if (text.length <= most) return text;
    const cut = (length: number) => {
      const start = reader.cut(text, length);
      const space = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'));
      return (space > length - 200 && space > length / 2 ? start.slice(0, space) : start).trimEnd();
    };
    const start = cut(most);
    let open = '';
    if (isMarkdown)
      for (const [, fence = ''] of start.matchAll(/^[ >]*(`{3,})/gm)) {
        if (!open) open = fence;
        else if (fence.length >= open.length) open = '';
      }
    return open ? `${cut(Math.max(0, most - open.length - 1))}\n${open}`.slice(0, most) : start;
  };

  return { writeProse };
}
