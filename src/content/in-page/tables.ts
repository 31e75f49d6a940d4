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

  const isOnly = (element: Element | undefined): boolean =>
    element !== undefined && !reader.previousElement(element) && !reader.nextElement(element);

  const linesOf = (cell: Element): string[] => (reader.textContent(cell) ?? '').trim().split('\n');

  const numberOf = (cell: Element | null): number => {
    const text = cell ? (reader.textContent(cell) ?? '').trim() : '';
    return /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  };

  /** Numbers stand in the first columns, and rows of a hostile page have very many. */
  const mostNumbered = 4;

  const isAmongFirst = (cell: Element): boolean => {
    let left = mostNumbered;
    for (let at = reader.previousElement(cell); at && left > 0; at = reader.previousElement(at)) left--;
    return left > 0;
  };

  /** The cell above or below it. */
  const cellBeside = (cell: Element, row: Element | null): Element | null => {
    let beside = row && reader.oneIn(row, ':scope > td');
    for (let at = reader.previousElement(cell); at && beside; at = reader.previousElement(at))
      beside = reader.nextElement(beside);
    return beside;
  };

  const mostEmpty = 20;

  /** The next number in the same column. The lines that a change removed have none in the column of those it added. */
  const numberBeside = (cell: Element, row: Element, next: (row: Element) => Element | null): number => {
    let at = next(row);
    let number = Number.NaN;
    for (let left = mostEmpty; at && left > 0 && Number.isNaN(number); at = next(at), left--)
      number = numberOf(cellBeside(cell, at));
    return number;
  };

  /** Does the number of this cell follow the one above, or precede the one below? */
  const isCounted = (cell: Element, row: Element): boolean => {
    const number = numberOf(cell);
    if (isOnly(row)) return number === 1;
    return (
      numberBeside(cell, row, reader.previousElement) === number - 1 ||
      numberBeside(cell, row, reader.nextElement) === number + 1
    );
  };

  /** Does the cell hold the numbers of the lines in the cell beside it? */
  const numbersLines = (cell: Element, code: Element, row: Element): boolean => {
    if (!isAmongFirst(cell)) return false;
    const numbers = linesOf(cell);
    const isNumber = (line: string, at: number) =>
      /^\s*\d{1,7}\s*$/.test(line) && Number(line) === Number(numbers[0]) + at;
    if (!numbers.every(isNumber) || linesOf(code).length !== numbers.length) return false;
    return numbers.length > 1 || isCounted(cell, row);
  };

  /** A cell with nothing but the numbers of the lines of code beside it. */
  const isLineNumbers = ({ element, name, parent, isPreformatted }: ElementState): boolean => {
    const code = name === 'td' ? reader.nextElement(element) : null;
    if (!code || !parent || reader.oneIn(element, 'td')) return false;
    const isCode =
      isPreformatted || (isOnly(parent.element) && isOnly(parent.parent?.element) && reader.oneIn(element, 'pre'));
    return Boolean(isCode) && numbersLines(element, code, parent.element);
  };

  const mostRows = 50;

  /** Each row is a line of code, or all of them, behind its number. */
  const isCodeRow = (row: Element): boolean => {
    const numbers: Element[] = [];
    let code = reader.oneIn(row, ':scope > td');
    for (let next = code && reader.nextElement(code); code && next; next = reader.nextElement(next)) {
      if (numbers.length === mostNumbered) return false;
      numbers.push(code);
      code = next;
    }
    if (!code) return false;
    const line = code;
    const isEmpty = (cell: Element) => !/\S/.test(reader.textContent(cell) ?? '');
    return (
      reader.isCodeStyle(getComputedStyle(line)) &&
      numbers.every((cell) => isEmpty(cell) || numbersLines(cell, line, row))
    );
  };

  /** Is the table a listing, as embedded gists are? Its first rows decide. */
  const isCodeTable = (table: Element): boolean => {
    if (reader.oneIn(table, 'th, table, p, h1, h2, h3, h4, ul, ol, img')) return false;
    const first = reader.oneIn(table, 'tr');
    let left = mostRows;
    for (let row = first; row && left > 0; row = reader.nextElement(row), left--) if (!isCodeRow(row)) return false;
    return first !== null;
  };

  return { tableRows, isLineNumbers, isCodeTable };
}
