// Prints with the browser and reads the PDF from it, within the deadline and the size of a PDF.
import { Problem } from '../kernel/errors.ts';
import type { Edges } from '../kernel/kinds.ts';
import { pdfBytes, pdfChunkBytes } from './budgets.ts';
import type { Page } from './page.ts';
import { mmPerInch, type Paper } from './paper.ts';

/** Prints these pages, or all. */
export async function printToPdf(page: Page, { width, height, margin }: Paper, pageRanges = ''): Promise<Buffer> {
  const { request } = page;
  // A step of its own: a time-out says that it was the printing.
  page.deadline.step('print');
  const { stream } = await page.capture(() =>
    page.session.send('Page.printToPDF', {
      transferMode: 'ReturnAsStream',
      paperWidth: width / mmPerInch,
      paperHeight: height / mmPerInch,
      marginTop: margin.top / mmPerInch,
      marginRight: margin.right / mmPerInch,
      marginBottom: margin.bottom / mmPerInch,
      marginLeft: margin.left / mmPerInch,
      printBackground: request.printBackground,
      scale: request.scale,
      pageRanges,
      displayHeaderFooter: request.headerTemplate !== undefined || request.footerTemplate !== undefined,
      headerTemplate: template(request.headerTemplate, margin),
      footerTemplate: template(request.footerTemplate, margin),
      generateTaggedPDF: true,
      generateDocumentOutline: true,
    }),
  );
  return readStream(page, stream ?? '');
}

/**
 * Reads the PDF in chunks: as one message it would be in memory four times before its size is known. The next chunk is
 * requested before the last one has come, because the end of a short PDF is only known from an empty chunk.
 */
async function readStream(page: Page, handle: string): Promise<Buffer> {
  const read = () => {
    const chunk = page.send('IO.read', { handle, size: pdfChunkBytes });
    // The one beyond the end is not waited for.
    chunk.catch(() => {});
    return chunk;
  };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for (let next = [read(), read()] as const; ; next = [next[1], read()]) {
      const { data, base64Encoded, eof } = await next[0];
      const chunk = Buffer.from(data, base64Encoded ? 'base64' : 'latin1');
      size += chunk.length;
      if (size > pdfBytes) throw tooLarge();
      chunks.push(chunk);
      if (eof) return Buffer.concat(chunks, size);
    }
  } finally {
    page.session.send('IO.close', { handle });
  }
}

const tooLarge = (): Problem =>
  new Problem('unsupported_content', {
    parameter: 'url',
    message: `The PDF is larger than ${pdfBytes / 1e6} MB. Print it without backgrounds (printBackground=false), hide its largest images with customCSS, or use format=jpg.`,
  });

/**
 * The browser prints templates at font size 0, and its own template where one of the two is missing. Ours start at 10 px,
 * inside the margins of the page, and a missing one is empty.
 */
const template = (html: string | undefined, margin: Edges): string =>
  html === undefined
    ? '<span></span>'
    : `<div style="font-size:10px;width:100%;box-sizing:border-box;padding:0 ${margin.right}mm 0 ${margin.left}mm">${html}</div>`;
