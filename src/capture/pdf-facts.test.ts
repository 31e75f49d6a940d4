// The facts of a PDF are read from its structure. What the page wrote into the file is never taken for it.
import { describe, expect, it } from 'vitest';
import { pdfFacts } from './pdf-facts.ts';

/** A PDF as the browser writes it: objects, cross-reference table, trailer. */
function pdf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n%\xd3\xeb\xe9\xe1\n';
  const offsets = objects.map((body, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<</Size ${objects.length + 1}\n/Root 2 0 R\n/Info 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

const page = (box = '0 0 612 792') =>
  `<</Type /Page\n/Resources <</Font <</F4 4 0 R>>>>\n/MediaBox [${box}]\n/Parent 3 0 R>>`;
const catalog = '<</Type /Catalog\n/Pages 3 0 R\n/Lang (en)>>';
const tree = (count: number) => `<</Type /Pages\n/Count ${count}\n/Kids [4 0 R]>>`;
const whole = (title: string, { root = catalog, box = undefined as string | undefined, count = 2 } = {}) =>
  pdf([`<</Title (${title})\n/Creator (Chromium)>>`, root, tree(count), page(box)]);

/** Half a megabyte, as a page's <title> gives it. */
const long = (words: string) => words.repeat(Math.ceil(540_000 / words.length));

describe('the facts of a PDF', () => {
  it('are the count of its page tree and the size of its first page', () => {
    expect(pdfFacts(whole('x'))).toEqual({ pages: 2, width: 612, height: 792 });
    expect(pdfFacts(whole('x', { count: 50, box: '0 0 841.92 595.92' }))).toEqual({
      pages: 50,
      width: 842,
      height: 596,
    });
  });

  it.each([
    ['/Count 1 ', long('/Count 1 ')],
    ['/Count 9999999999', long('/Count 9999999999')],
    ['a page tree', '/Type /Pages /Count 777 /MediaBox [0 0 1 1]'],
    ['an end of its own', '\\) >> endobj startxref 1 %%EOF trailer <</Root 9 0 R>>'],
    ['brackets', long('\\(\\)')],
  ])('are not changed by a title of %s', (_name, title) => {
    expect(pdfFacts(whole(title))).toEqual({ pages: 2, width: 612, height: 792 });
  });

  it('are not changed by a language that the page names before the page tree', () => {
    const root = '<</Type /Catalog\n/Lang (\\) /Pages 4 0 R \\()\n/Names <</Pages 4 0 R>>\n/Pages 3 0 R>>';
    expect(pdfFacts(whole('x', { root }))).toEqual({ pages: 2, width: 612, height: 792 });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.alloc(100_000, 7)],
    ['no table', Buffer.from('%PDF-1.4\nstartxref\n3\n%%EOF')],
    ['a table that leads nowhere', Buffer.from('xref\n0 9\ntrailer <</Root 900 0 R>>\nstartxref\n0\n%%EOF')],
    ['a tree that is its own child', pdf(['<<>>', catalog, '<</Kids [3 0 R] /Count 1>>'])],
  ])('of %s are none', (_name, bytes) => {
    expect(pdfFacts(bytes)).toBeUndefined();
  });
});
