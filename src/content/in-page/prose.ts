// Runs inside the page: writes the copy as Markdown, or as the text that a person would copy.

export default function () {
  /** Deeper lists and quotes are not indented further. */
  const mostIndents = 12;

  /** In pixels: a picture of this height is an emoji, and part of the text. */
  const tallestEmoji = 32;
  /** Or its name between colons. */
  const isEmoji = /^(?:[\p{Extended_Pictographic}\p{Emoji_Component}]{1,20}|:[\w+-]{1,40}:)$/u;

  const strong = new Set(['b', 'strong']);
  const emphasis = new Set(['i', 'em', 'cite', 'dfn', 'var']);
  const struck = new Set(['s', 'del', 'strike']);
  const code = new Set(['code', 'kbd', 'samp', 'tt']);

  const writeProse = (root: Element, isMarkdown: boolean, mostChars: number): { content: string; isCut: boolean } => {
    let spent = 0;
    let indents = 0;
    let isInCell = false;
    /** The address of a link around blocks: the first text in it becomes the link. */
    let openLink: string | undefined;
    const openMarks = new Set<string>();
    const isFull = () => spent > mostChars;
    const nameOf = (element: Element) => element.localName;

    const blocks = new WeakMap<Element, boolean>();
    /** Also an inline element with a block in it. */
    const isBlock = (element: Element): boolean => {
      const known = blocks.get(element);
      if (known !== undefined) return known;
      const mark = element.getAttribute('data-display');
      let is = mark ? mark === 'block' : reader.blockNames.has(nameOf(element));
      for (let child = element.firstElementChild; child && !is; child = child.nextElementSibling) is = isBlock(child);
      blocks.set(element, is);
      return is;
    };

    type Run = ReturnType<typeof reader.createRun>;

    const addChildren = (element: Element, run: Run) => {
      for (let child = element.firstChild; child && !isFull(); child = child.nextSibling) {
        if (child.nodeType === 3) run.addText((child as Text).data);
        else if (child.nodeType === 1) addInline(child as Element, run);
      }
    };

    const partOf = (element: Element) => {
      const run = reader.createRun(isMarkdown);
      addChildren(element, run);
      return run.part();
    };

    const addInline = (element: Element, run: Run): void => {
      const name = nameOf(element);
      if (name === 'a' && isOwnLink(element)) return;
      if (name === 'br') run.addBreak();
      else if (name === 'img') addImage(element, run);
      else if (element.hasAttribute('data-text')) run.addText(` ${element.getAttribute('data-text')} `);
      else if (name === 'rt') run.addPart(partOf(element), (text) => `(${text})`);
      else if (name === 'q') run.addPart(partOf(element), (text) => `“${text}”`);
      else if (isBlock(element)) {
        run.blank();
        addChildren(element, run);
        run.blank();
      } else if (!isMarkdown) addChildren(element, run);
      else if (strong.has(name)) addEmphasis(element, run, '**');
      else if (emphasis.has(name)) addEmphasis(element, run, '*');
      else if (struck.has(name)) addEmphasis(element, run, '~~');
      else if (code.has(name)) addCode(element, run);
      else if (name === 'a') addLink(element, run);
      else if ((name === 'sup' || name === 'sub') && !element.querySelector('a'))
        run.addPart(partOf(element), (text) => `<${name}>${text}</${name}>`);
      else addChildren(element, run);
    };

    /** A second mark of the same kind would end the first. */
    const addEmphasis = (element: Element, run: Run, mark: string) => {
      if (openMarks.has(mark)) return addChildren(element, run);
      openMarks.add(mark);
      run.addEmphasis(partOf(element), mark);
      openMarks.delete(mark);
    };

    /** The sign beside a heading that is a link to the heading itself, or the one that leads back from a footnote. */
    const isOwnLink = (link: Element) =>
      link.getAttribute('href') === '#here' && /^[#¶§🔗↩↑⤴^]\p{M}?$/u.test(link.textContent?.trim() ?? '');

    const addCode = (element: Element, run: Run) => {
      const text = codeText(element).replace(/\s+/g, ' ');
      const isFormula = element.getAttribute('data-language') === 'math';
      run.addPart({ text: text.trim(), startsBlank: text.startsWith(' '), endsBlank: text.endsWith(' ') }, (inner) =>
        isFormula ? `$${reader.codeSpan(inner)}$` : reader.codeSpan(inner),
      );
    };

    const addLink = (element: Element, run: Run) => {
      const href = element.getAttribute('data-href');
      const part = partOf(element);
      run.addPart(part, (text) => (href ? linked(text, href) : text));
    };

    const linked = (text: string, href: string) =>
      `[${text.replace(/(?<!\s)\s*\n/g, ' ')}](${reader.linkAddress(href)})`;

    const addImage = (image: Element, run: Run) => {
      const src = image.getAttribute('data-src');
      const alt = image.getAttribute('alt') ?? '';
      const isSmall = Number(image.getAttribute('height')) <= tallestEmoji;
      if (src && isMarkdown && !(isSmall && isEmoji.test(alt)))
        run.append(`![${reader.escapeText(alt)}](${reader.linkAddress(src)})`);
      else if (isMarkdown || isSmall) run.addText(alt);
    };

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
      return found;
    };

    const blockOf = (element: Element): string[] => {
      const name = nameOf(element);
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
        ? [listsApart(inside).join('\n\n').replace(/^/gm, '> ').replace(/^> $/gm, '>')]
        : inside;

    const list = (element: Element, isOrdered: boolean): string[] => {
      const items: string[] = [];
      const children = itemsOf(element);
      const isReversed = element.hasAttribute('reversed');
      const isItem = (child: Element) => nameOf(child) === 'li' || nameOf(child) === 'div';
      let number = Number(element.getAttribute('start') ?? (isReversed ? children.filter(isItem).length : 1));
      for (const child of children) {
        if (isFull()) break;
        const value = child.getAttribute('value');
        if (isOrdered && value) number = Number(value);
        const whole = tight(isItem(child) ? blocksIn(child) : blockOf(child));
        const text = isItem(child) ? withoutMark(whole, isOrdered ? number : undefined) : whole;
        if (!text) continue;
        // A number of more than nine digits is no list in Markdown.
        const mark = !isItem(child) ? '  ' : isOrdered ? `${Math.min(Math.max(number, 0), 999_999_999)}. ` : '- ';
        if (isItem(child)) number += isReversed ? -1 : 1;
        const task = isMarkdown ? text.replace(/^([☑☐])\s*/, (_, box) => (box === '☑' ? '[x] ' : '[ ] ')) : text;
        const pad = indents <= mostIndents ? ' '.repeat(mark.length) : '';
        items.push(mark + task.replace(/\n(?=[^\n])/g, `\n${pad}`));
      }
      return items.length > 0 ? [items.join('\n')] : [];
    };

    /** Some pages write the mark of an item themselves. */
    const withoutMark = (item: string, number: number | undefined): string =>
      item.replace(/^(?:[•‣◦▪]|(\d{1,9})\\?\.)\s+/, (mark, own) =>
        own === undefined || Number(own) === number ? '' : mark,
      );

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

    /** Lists that follow each other have different marks; with the same ones they would be one list. */
    const listsApart = (blocks: readonly string[]): readonly string[] => {
      let last = '';
      return blocks.map((block) => {
        const mark = isMarkdown ? (/^(?:-|\d+\.) /.exec(block)?.[0].at(-2) ?? '') : '';
        const isOther = mark !== '' && mark === last;
        last = isOther ? '' : mark;
        if (!isOther) return block;
        return mark === '-' ? block.replace(/^- /gm, '* ') : block.replace(/^(\d+)\. /gm, '$1) ');
      });
    };

    /** A nested list follows its item without an empty line. */
    const tight = (inside: readonly string[]): string =>
      listsApart(inside).reduce(
        (text, block) =>
          text && /^([-*] |\d+[.)] )/.test(block) ? `${text}\n${block}` : text ? `${text}\n\n${block}` : block,
        '',
      );

    const preformatted = (element: Element): string[] => {
      const text = codeText(element)
        .replace(/^\n|\s+$/g, '')
        .replaceAll('\r', '');
      if (!text) return [];
      if (!isMarkdown) return finished(text);
      if (isInCell) return text.split('\n').flatMap((line) => (line.trim() ? finished(reader.codeSpan(line)) : []));
      const longest = Math.max(2, ...(text.match(/^ *`{3,}/gm) ?? []).slice(0, 1000).map((run) => run.trim().length));
      const fence = '`'.repeat(longest + 1);
      return finished(`${fence}${languageOf(element)}\n${text}\n${fence}`);
    };

    const languageOf = (element: Element): string => {
      const holders = [
        element.querySelector('code'),
        element,
        element.parentElement,
        element.parentElement?.parentElement,
      ];
      for (const holder of holders) {
        const language = holder?.getAttribute('data-language');
        if (language) return language;
      }
      return '';
    };

    /** With a line for each <br> and each line that is a block of its own. */
    const codeText = (element: Element): string => {
      let text = '';
      const newLine = () => {
        if (text && !text.endsWith('\n')) text += '\n';
      };
      const add = (parent: Node) => {
        for (let child = parent.firstChild; child && text.length <= mostChars; child = child.nextSibling) {
          if (child.nodeType === 3) text += (child as Text).data;
          else if ((child as Element).localName === 'br') text += '\n';
          else {
            const isOwnLine = isBlock(child as Element) && !/^t[dh]$/.test((child as Element).localName);
            if (isOwnLine) newLine();
            add(child);
            if (isOwnLine) newLine();
          }
        }
      };
      add(element);
      return text;
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
        return isMarkdown
          ? text
              .replace(/(?<! ) *\n+/g, '<br>')
              // What is escaped already stays as it is.
              .replace(/\\.|\|/g, (found) => (found === '|' ? '\\|' : found))
          : text.replace(/(?<!\s)\s*\n\s*/g, ' ').replaceAll('\t', ' ');
      };
      const lines = rows.cells.map((row) => row.map(cell)).filter((row) => row.some(Boolean));
      if (lines.length === 0) return before;
      if (!isMarkdown) return [...before, lines.map((row) => row.join('\t')).join('\n')];
      const width = Math.max(...lines.map(({ length }) => length));
      const line = (row: readonly string[]) =>
        `| ${Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ')} |`;
      const [head = [], ...rest] = rows.hasHead ? lines : [[], ...lines];
      return [...before, [line(head), line(Array(width).fill('---')), ...rest.map(line)].join('\n')];
    };

    const text = listsApart(blockOf(root)).join('\n\n');
    return { content: reader.cutProse(text, mostChars, isMarkdown), isCut: text.length > mostChars || isFull() };
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

  return { writeProse, cutProse };
}
