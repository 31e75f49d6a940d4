// Runs inside the page: mathematics as TeX. What a browser draws of a formula is no text that could be read in order.
import type { ElementState } from './reading-types.ts';

export default function () {
  /** A larger one is read like any other element. */
  const longest = 1000;
  const mostElements = 3000;
  const deepest = 50;

  const isDrawn = ({ element, name }: ElementState): boolean =>
    name === 'math' ||
    name === 'mjx-container' ||
    /(^|\s)(katex|MathJax|mwe-math-element)(\s|$)/.test(reader.shortAttribute(element, 'class', 200));

  /** As the page brings it for screen readers and for copying. */
  const written = (element: Element): string | undefined => {
    const note = reader.oneIn(element, 'annotation[encoding="application/x-tex"]');
    const math = reader.localName(element) === 'math' ? element : reader.oneIn(element, 'math');
    return (
      note?.textContent || (math && reader.attribute(math, 'alttext')) || (math ? texOf(math, deepest) : undefined)
    );
  };

  const group = (tex: string): string => (tex.length > 1 ? `{${tex}}` : tex);

  /** An empty cell keeps the others in their columns. */
  const cellsOf = (row: Node): Node[] => {
    const cells: Node[] = [];
    for (let child = reader.firstChild(row); child; child = reader.nextSibling(child))
      if (reader.nodeType(child) === 1) cells.push(child);
    return cells;
  };

  const texOf = (node: Node, left: number): string => {
    const type = reader.nodeType(node);
    if (type === 3) return (node as Text).data.trim();
    if (type !== 1 || left === 0) return '';
    const name = reader.localName(node as Element);
    if (name === 'mtr')
      return cellsOf(node)
        .map((cell) => texOf(cell, left - 1))
        .join(' & ');
    const inside: string[] = [];
    for (let child = reader.firstChild(node); child; child = reader.nextSibling(child)) {
      const tex = texOf(child, left - 1);
      if (tex) inside.push(tex);
    }
    const [first = '', second = '', third = ''] = inside;
    switch (name) {
      case 'mfrac':
        return `\\frac{${first}}{${second}}`;
      case 'msqrt':
        return `\\sqrt{${inside.join('')}}`;
      case 'mroot':
        return `\\sqrt[${second}]{${first}}`;
      case 'msup':
      case 'mover':
        return `${group(first)}^${group(second)}`;
      case 'msub':
      case 'munder':
        return `${group(first)}_${group(second)}`;
      case 'msubsup':
      case 'munderover':
        return `${group(first)}_${group(second)}^${group(third)}`;
      case 'mtable':
        return `\\begin{matrix}${inside.join(' \\\\ ')}\\end{matrix}`;
      case 'annotation':
      case 'annotation-xml':
        return '';
      default:
        return inside.join('');
    }
  };

  /** A formula that can be seen, in a line of its own if it has one; nothing for other elements. */
  const formulaOf = (state: ElementState, into: Document): Element | undefined => {
    if (!isDrawn(state) || !reader.hasSeenBox(state, 4)) return undefined;
    if (Element.prototype.getElementsByTagName.call(state.element, '*').length > mostElements) return undefined;
    const tex = reader
      .tidy(reader.cut(written(state.element) ?? '', longest + 1))
      // Wikipedia sets the size of each.
      .replace(/^\{\\(?:display|text)style (.*)\}$/, '$1');
    if (!tex || tex.length > longest) return undefined;
    const code = into.createElement('code');
    code.setAttribute('data-language', 'math');
    code.textContent = tex;
    if (!/^(block|flex|grid)/.test(state.style?.display ?? '')) return code;
    const line = into.createElement('div');
    line.append(code);
    return line;
  };

  return { formulaOf };
}
