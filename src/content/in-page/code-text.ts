// Runs inside the page: the text and the language of code.

export default function () {
  /** With a line for each <br> and each line that is a block of its own. */
  const codeText = (element: Element, isBlock: (element: Element) => boolean, mostChars: number): string => {
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

  const languageOf = (pre: Element): string => {
    const holders = [pre.querySelector('code'), pre, pre.parentElement, pre.parentElement?.parentElement];
    for (const holder of holders) {
      const language = holder?.getAttribute('data-language');
      if (language) return language;
    }
    return '';
  };

  /** A block between lines of more backticks than it has itself. */
  const fenced = (code: string, language: string): string => {
    const longest = Math.max(2, ...(code.match(/^ *`{3,}/gm) ?? []).slice(0, 1000).map((run) => run.trim().length));
    const fence = '`'.repeat(longest + 1);
    return `${fence}${language}\n${code}\n${fence}`;
  };

  return { codeText, languageOf, fenced };
}
