// Runs inside the page: listings, which are tables with a line of code in each row, or with all lines in one, behind their numbers.
import type { ElementState } from './reading-types.ts';

export default function () {
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

  return { isLineNumbers, isCodeTable };
}
