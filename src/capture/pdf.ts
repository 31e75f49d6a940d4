// The page as a PDF: paper, margins, header and footer, tagged and outlined.
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { Edges } from '../kernel/kinds.ts';
import { pdfBytes, pdfChunkBytes } from './budgets.ts';
import { ProtocolError } from './cdp.ts';
import type { CleanRun } from './clean/clean-types.ts';
import { expandPage } from './full-page.ts';
import { callOf } from './in-page.ts';
import type { Page } from './page.ts';
import type { CaptureRequest } from './parameters.ts';

export type Print = { readonly kind: 'pdf'; readonly bytes: Buffer };

const mmPerInch = 25.4;

/** Width and height in millimetres, upright. */
const papers: Record<CaptureRequest['pageSize'], readonly [number, number]> = {
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  letter: [8.5 * mmPerInch, 11 * mmPerInch],
  legal: [8.5 * mmPerInch, 14 * mmPerInch],
  tabloid: [11 * mmPerInch, 17 * mmPerInch],
};

const noMargin: Edges = { top: 0, right: 0, bottom: 0, left: 0 };

/** Checks what follows from the request alone, before the page is loaded. */
export function checkPrint(request: CaptureRequest): void {
  if (request.format !== 'pdf') return;
  const { width, height, margin } = paperOf(request);
  if (margin.left + margin.right >= width || margin.top + margin.bottom >= height)
    throw invalidParameter(
      'margin',
      `margin leaves no room on the page, which is ${Math.round(width)} × ${Math.round(height)} mm.`,
    );
  // Both make the browser's printing fail, and would not be loaded anyway.
  for (const name of ['headerTemplate', 'footerTemplate'] as const)
    if (/<link\b|@import\b/i.test(request[name] ?? ''))
      throw invalidParameter(name, `${name} must not load style sheets (<link>, @import); write the CSS into it.`);
}

export async function printPage(page: Page, cleaning: CleanRun | undefined): Promise<Print> {
  const { request } = page;
  const { width, height, margin } = paperOf(request);
  await expandPage(page, cleaning);
  if (!page.atRest && (await page.call('openForPrint')) > 1) {
    page.warnings.push('A scrolling element could not be expanded; the PDF shows only its visible part.');
    page.codes.add('cut');
  }
  await page.freeze(beforePrint(request));
  const hasTemplate = request.headerTemplate !== undefined || request.footerTemplate !== undefined;
  try {
    const { stream } = await inTime(page, () =>
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
        displayHeaderFooter: hasTemplate,
        headerTemplate: template(request.headerTemplate, margin),
        footerTemplate: template(request.footerTemplate, margin),
        generateTaggedPDF: true,
        generateDocumentOutline: true,
      }),
    );
    return { kind: 'pdf', bytes: await readStream(page, stream ?? '') };
  } catch (error) {
    throw error instanceof ProtocolError ? unprintable(error, request) : error;
  }
}

/** Reads the PDF in chunks: as one message it would be in memory four times before its size is known. */
async function readStream(page: Page, handle: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await page.send('IO.read', { handle, size: pdfChunkBytes });
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

/** The size of the paper in points, for a PDF whose own size could not be read. */
export function paperPoints(request: CaptureRequest): { width: number; height: number } {
  const { width, height } = paperOf(request);
  return { width: Math.round((width / mmPerInch) * 72), height: Math.round((height / mmPerInch) * 72) };
}

/** Printing ends this long before the deadline, so that the error can name it. */
const headStartMs = 50;

async function inTime<T>(page: Page, print: () => Promise<T>): Promise<T> {
  const ms = Math.max(0, page.deadline.remaining() - headStartMs);
  const printed = page.capture(print);
  printed.catch(() => {});
  if (await page.deadline.within(ms, printed)) return printed;
  throw new Problem('render_timeout', {
    message: `The browser did not finish printing the page: it was given ${Math.round(ms)} ms.`,
  });
}

function paperOf({ pageSize, landscape, margin }: CaptureRequest) {
  const [short, long] = papers[pageSize];
  return { width: landscape ? long : short, height: landscape ? short : long, margin: margin ?? noMargin };
}

/** The expression that is run last before a page is printed. */
export const beforePrint = (request: CaptureRequest): string => callOf('adopt', printStyle(request));

/** Without !important, an @page rule of the page would win over the parameters, orientation included. */
function printStyle(request: CaptureRequest): string {
  const { width, height, margin } = paperOf(request);
  const edges = [margin.top, margin.right, margin.bottom, margin.left].map((edge) => `${edge}mm`).join(' ');
  const style = `@page { size: ${width}mm ${height}mm !important; margin: ${edges} !important }`;
  // The browser prints in light colours: a page that supports dark mode prints dark only with this.
  return request.darkMode ? `${style} :root { color-scheme: dark !important }` : style;
}

/**
 * The browser prints templates at font size 0, and its own template where one of the two is missing. Ours start at 10 px,
 * inside the margins of the page, and a missing one is empty.
 */
const template = (html: string | undefined, margin: Edges): string =>
  html === undefined
    ? '<span></span>'
    : `<div style="font-size:10px;width:100%;box-sizing:border-box;padding:0 ${margin.right}mm 0 ${margin.left}mm">${html}</div>`;

function unprintable(error: ProtocolError, request: CaptureRequest): Problem {
  if (/content area|margin|print parameters/i.test(error.message))
    return invalidParameter('margin', 'margin leaves no room on the page at this pageSize and scale.');
  const name = request.headerTemplate !== undefined ? 'headerTemplate' : 'footerTemplate';
  if (request[name] !== undefined) return invalidParameter(name, `${name} could not be printed by the browser.`);
  throw error;
}
