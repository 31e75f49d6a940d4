// Runs inside the page: the rows of a table that holds data, and its text. Tables that lay out a page are read as blocks.

export default function () {
  const mostColumns = 100;

  type Rows = { readonly cells: readonly (readonly (Element | null)[])[]; readonly hasHead: boolean };

  const rowsIn = (table: Element): Element[] =>
    [...table.children].flatMap((child) =>
      child.localName === 'tr'
        ? [child]
        : /^t(head|body|foot)$/.test(child.localName)
          ? [...child.children].filter(({ localName }) => localName === 'tr')
          : [],
    );

  const isCell = ({ localName }: Element) => localName === 'td' || localName === 'th';

  const isHead = (row: Element | undefined): boolean =>
    row !== undefined &&
    (row.parentElement?.localName === 'thead' || [...row.children].every(({ localName }) => localName === 'th'));

  /** Longer code needs lines of its own. */
  const mostCode = 500;

  const isShortCode = ({ textContent }: Element): boolean => (textContent?.length ?? 0) <= mostCode;

  /** Nothing, if the table is a layout: one column, tables or headings in cells, long code, or a cell like a page. */
  const tableRows = (table: Element): Rows | undefined => {
    if (table.querySelector('table, h1, h2, h3, hr')) return undefined;
    const rows = rowsIn(table);
    const codes = [...table.querySelectorAll('pre')];
    if (codes.length > 0 && !(isHead(rows[0]) && codes.every(isShortCode))) return undefined;
    const cells = rows.map((row) => [...row.children].filter(isCell));
    const hasHeads = table.querySelector('th') !== null;
    if (!cells.some(({ length }) => length > 1)) return undefined;
    const longest = Math.max(...cells.flat().map(({ textContent }) => textContent?.length ?? 0));
    if (!hasHeads && (longest > 3000 || rows.length < 2)) return undefined;
    return { cells: placed(cells), hasHead: isHead(rows[0]) };
  };

  /** Each cell in its column: one that spans several leaves the others empty. */
  const placed = (rows: readonly (readonly Element[])[]): (Element | null)[][] => {
    const below: number[] = [];
    return rows.map((row) => {
      const line: (Element | null)[] = [];
      const skip = () => {
        while ((below[line.length] ?? 0) > 0 && line.length < mostColumns) {
          below[line.length] = (below[line.length] ?? 0) - 1;
          line.push(null);
        }
      };
      for (const cell of row) {
        skip();
        if (line.length >= mostColumns) break;
        const span = (name: string) => Math.min(Math.max(1, Number(cell.getAttribute(name) ?? 1)), mostColumns);
        const down = span('rowspan') - 1;
        for (let i = span('colspan'), isFirst = true; i > 0 && line.length < mostColumns; i--, isFirst = false) {
          below[line.length] = Math.max(below[line.length] ?? 0, down);
          line.push(isFirst ? cell : null);
        }
      }
      skip();
      return line;
    });
  };

  const cellText = (text: string, isMarkdown: boolean): string =>
    isMarkdown
      ? text
          .replace(/(?<! ) *\n+/g, '<br>')
          // What is escaped already stays as it is.
          .replace(/\\.|\|/g, (found) => (found === '|' ? '\\|' : found))
      : text.replace(/(?<!\s)\s*\n\s*/g, ' ').replaceAll('\t', ' ');

  const tableText = (rows: readonly (readonly string[])[], hasHead: boolean, isMarkdown: boolean): string => {
    if (!isMarkdown) return rows.map((row) => row.join('\t')).join('\n');
    const width = Math.max(...rows.map(({ length }) => length));
    const line = (row: readonly string[]) => `| ${Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ')} |`;
    const [head = [], ...rest] = hasHead ? rows : [[], ...rows];
    return [line(head), line(Array(width).fill('---')), ...rest.map(line)].join('\n');
  };

  return { tableRows, cellText, tableText };
}
