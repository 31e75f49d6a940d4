// Runs inside the page: the rows of a table that holds data. Tables that lay out a page are read as blocks.
import type { ElementState } from './reading-types.ts';

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

  /** Nothing, if the table is a layout: one column, tables or headings in cells, or a cell like a page. */
  const tableRows = (table: Element): Rows | undefined => {
    if (table.querySelector('table, pre, h1, h2, h3, hr')) return undefined;
    const rows = rowsIn(table);
    const cells = rows.map((row) => [...row.children].filter(isCell));
    const hasHeads = table.querySelector('th') !== null;
    if (!cells.some(({ length }) => length > 1)) return undefined;
    const longest = Math.max(...cells.flat().map(({ textContent }) => textContent?.length ?? 0));
    if (!hasHeads && (longest > 3000 || rows.length < 2)) return undefined;
    const isHead = (row: Element | undefined) =>
      row !== undefined &&
      (row.parentElement?.localName === 'thead' || [...row.children].every(({ localName }) => localName === 'th'));
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

  const isOnly = (element: Element | undefined): boolean =>
    element !== undefined && !reader.previousElement(element) && !reader.nextElement(element);

  const linesOf = (cell: Element): string[] => (reader.textContent(cell) ?? '').trim().split('\n');

  /** A cell with nothing but the numbers of the lines of code beside it. */
  const isLineNumbers = ({ element, name, parent, isPreformatted }: ElementState): boolean => {
    const code = name === 'td' ? reader.nextElement(element) : null;
    if (!code || reader.oneIn(element, 'td')) return false;
    const isCodeTable =
      isPreformatted || (isOnly(parent?.element) && isOnly(parent?.parent?.element) && reader.oneIn(element, 'pre'));
    if (!isCodeTable) return false;
    const numbers = linesOf(element);
    const isNumber = (line: string, at: number) =>
      /^\s*\d{1,7}\s*$/.test(line) && Number(line) === Number(numbers[0]) + at;
    return numbers.every(isNumber) && linesOf(code).length === numbers.length;
  };

  return { tableRows, isLineNumbers };
}
