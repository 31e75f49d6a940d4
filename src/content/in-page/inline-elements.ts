// Runs inside the page: writes the elements within a paragraph: links, emphasis, code, pictures.

export default function () {
  /** In pixels: a picture of this height is an emoji, and part of the text. */
  const tallestEmoji = 32;
  /** Or its name between colons. */
  const isEmoji = /^(?:[\p{Extended_Pictographic}\p{Emoji_Component}]{1,20}|:[\w+-]{1,40}:)$/u;

  const strong = new Set(['b', 'strong']);
  const emphasis = new Set(['i', 'em', 'cite', 'dfn', 'var']);
  const struck = new Set(['s', 'del', 'strike']);
  const code = new Set(['code', 'kbd', 'samp', 'tt']);

  type Run = ReturnType<typeof reader.createRun>;

  type Writing = {
    readonly isMarkdown: boolean;
    readonly mostChars: number;
    readonly isBlock: (element: Element) => boolean;
    /** Nothing more needs to be written. */
    readonly isFull: () => boolean;
  };

  const inlineWriter = ({ isMarkdown, mostChars, isBlock, isFull }: Writing) => {
    const openMarks = new Set<string>();

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
      const name = element.localName;
      if (name === 'a' && isOwnLink(element)) return;
      // Wikipedia's links from a footnote back to all places that have it.
      if (isMarkdown && element.classList.contains('mw-cite-backlink')) return;
      if (name === 'br') run.addBreak();
      else if (name === 'img') addImage(element, run);
      else if (name === 'iframe' || name === 'video') addVideo(element, run);
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
      else if ((name === 'sup' || name === 'sub') && isRaised(element))
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

    /** The number of a footnote. Where it leads would be longer than the note, and only means something in the page. */
    const isNoteMark = (link: Element) =>
      link.getAttribute('href') === '#here' &&
      (link.closest('sup') !== null || link.firstElementChild?.localName === 'sup') &&
      /^\s*\[?[\p{L}\p{N}*†‡ ]{1,12}\]?\s*$/u.test(link.textContent ?? '');

    /** A number between brackets is known for a note without being raised. */
    const isRaised = (element: Element) => {
      const link = element.querySelector('a');
      return !link || (isNoteMark(link) && !/[[\]]/.test(element.textContent ?? ''));
    };

    const addCode = (element: Element, run: Run) => {
      const text = reader.codeText(element, isBlock, mostChars).replace(/\s+/g, ' ');
      const isFormula = element.getAttribute('data-language') === 'math';
      run.addPart({ text: text.trim(), startsBlank: text.startsWith(' '), endsBlank: text.endsWith(' ') }, (inner) =>
        isFormula ? `$${reader.codeSpan(inner)}$` : reader.codeSpan(inner),
      );
    };

    const addLink = (element: Element, run: Run) => {
      const href = element.getAttribute('data-href');
      const part = partOf(element);
      run.addPart(part, (text) => (href && !isNoteMark(element) ? linked(text, href) : text));
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

    /** In a text without addresses there is nothing to say about it. */
    const addVideo = (video: Element, run: Run) => {
      const href = video.getAttribute('data-href');
      if (!href || !isMarkdown) return;
      run.blank();
      run.append(linked(reader.escapeText(video.getAttribute('data-label') ?? ''), href));
      run.blank();
    };

    return { addInline, partOf, linked };
  };

  return { inlineWriter };
}
