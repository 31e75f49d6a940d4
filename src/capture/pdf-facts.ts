// Reads the number of pages and their size, in points, from a PDF made by the browser. It follows the file structure from
// the end: cross-reference table → catalog → page tree → first page. A search for keywords could match the page's own text,
// and a page could make it slow.

export type PdfFacts = { readonly pages: number; readonly width: number; readonly height: number };

/** How much of an object is read. The keys are near its start; a page lists its images before them. */
const objectBytes = 256 * 1024;
/** The browser's page tree has 8 children a node. */
const deepestTree = 16;

/** Undefined if the file does not have the structure that the browser writes. */
export function pdfFacts(bytes: Buffer): PdfFacts | undefined {
  const table = crossReferences(bytes);
  if (table === undefined) return undefined;
  const valueAt = (object: number, key: string): string[] => after(bytes, table.offsetOf(object), key);
  const tree = Number(valueAt(table.root, '/Pages')[0]);
  const pages = Number(valueAt(tree, '/Count')[0]);
  let node = tree;
  for (let depth = 0; depth < deepestTree; depth++) {
    const [open, child] = valueAt(node, '/Kids');
    if (open !== '[') break;
    node = Number(child);
  }
  const [open, left, bottom, right, top] = valueAt(node, '/MediaBox');
  const [width, height] = [Number(right) - Number(left), Number(top) - Number(bottom)];
  if (open !== '[' || !Number.isInteger(pages) || !(pages > 0 && width > 0 && height > 0)) return undefined;
  return { pages, width: Math.round(width), height: Math.round(height) };
}

/** ISO 32000-1, 7.5.4: every entry has 20 bytes, so that each can be read on its own. */
function crossReferences(bytes: Buffer): { root: number; offsetOf(object: number): number } | undefined {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 64));
  const at = Number(/startxref\s+(\d{1,12})\s+%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN);
  if (!(at < bytes.length)) return undefined;
  const head = /^xref\s+0 (\d{1,9})\s?\n/.exec(bytes.toString('latin1', at, at + 40));
  if (head === null) return undefined;
  const [first, count] = [at + head[0].length, Number(head[1])];
  const root = Number(after(bytes, first + 20 * count, '/Root')[0]);
  const offsetOf = (object: number): number =>
    object > 0 && object < count
      ? Number(bytes.toString('latin1', first + 20 * object, first + 20 * object + 10))
      : bytes.length;
  return { root, offsetOf };
}

/** The first tokens after a key of the dictionary at or after this offset; none if it has no such key. */
function after(bytes: Buffer, at: number, key: string): string[] {
  const words = wordsOf(bytes.subarray(at, at + objectBytes));
  let depth = 0;
  for (const word of words) {
    if (word === '<<') depth++;
    else if (word === '>>' && --depth === 0) return [];
    else if (depth === 1 && word === key) return [...take(words, 5)];
    else if (word === 'endobj' || word === 'stream') return [];
  }
  return [];
}

function* take(words: Iterator<string>, count: number): Generator<string> {
  for (let i = 0; i < count; i++) {
    const { value, done } = words.next();
    if (done) return;
    yield value;
  }
}

const [openBracket, closeBracket, backslash] = [0x28, 0x29, 0x5c];
const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0;
const isDelimiter = (byte: number) => '()<>[]/%'.includes(String.fromCharCode(byte));

/** The tokens of a piece of PDF. A string is one token without its content: the page controls that. */
function* wordsOf(bytes: Buffer): Generator<string> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const two = bytes.toString('latin1', at, at + 2);
    const from = at++;
    if (isBlank(byte)) continue;
    if (two === '<<' || two === '>>') {
      at++;
      yield two;
    } else if (byte === openBracket) {
      for (let depth = 1; depth > 0 && at < bytes.length; at++) {
        if (bytes[at] === backslash) at++;
        else if (bytes[at] === openBracket) depth++;
        else if (bytes[at] === closeBracket) depth--;
      }
      yield '()';
    } else if (two[0] === '<') {
      const end = bytes.indexOf('>', at);
      at = end < 0 ? bytes.length : end + 1;
      yield '<>';
    } else {
      const single = isDelimiter(byte) && two[0] !== '/';
      while (!single && at < bytes.length && !isBlank(bytes[at] ?? 0) && !isDelimiter(bytes[at] ?? 0)) at++;
      yield bytes.toString('latin1', from, at);
    }
  }
}
