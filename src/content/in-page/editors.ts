// Runs inside the page: the code in editors (Monaco, CodeMirror 5, Ace), which place each line by a style of its own.

export default function () {
  /** An editor only has the lines in sight. */
  const mostLines = 20_000;

  const isText = /(?:^|\s)(?:view-lines|CodeMirror-code|ace_text-layer)(?:\s|$)/;

  /** The lines of an editor. Monaco hides them from screen readers, which get a field instead. */
  const isEditorText = (element: Element): boolean => isText.test(reader.shortAttribute(element, 'class', 200));

  /** Monaco adds a line that comes into view at the end, wherever it is seen. */
  const linesInOrder = (text: Element): Node[] => {
    const lines: { readonly node: Node; readonly top: number }[] = [];
    for (let node = reader.firstChild(text); node && lines.length < mostLines; node = reader.nextSibling(node))
      if (reader.nodeType(node) === Node.ELEMENT_NODE) lines.push({ node, top: reader.rectOf(node as Element).top });
    return lines.sort((a, b) => a.top - b.top).map(({ node }) => node);
  };

  /** The extractor leaves out boxes that are called after scrolling, as those around long lines of code are. */
  const forgetScrollers = (own: Document) => {
    for (const box of own.querySelectorAll('[class*="scroll" i]:has(pre)')) box.removeAttribute('class');
  };

  return { isEditorText, linesInOrder, forgetScrollers };
}
