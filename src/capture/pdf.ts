// The page as a PDF: some or all of its pages, or one that is as long as the content.
import { invalidParameter, type Problem } from '../kernel/errors.ts';
import { pageHeight, printedHeight } from './budgets.ts';
import { keepCanvases } from './canvases.ts';
import type { CaptureRequest } from './capture-request.ts';
import { ProtocolError } from './cdp.ts';
import type { CleanRun } from './clean/clean-types.ts';
import { expandPage } from './full-page.ts';
import type { Extent } from './in-page-types.ts';
import { warnCut } from './in-view-only.ts';
import { captureBy } from './load-bound.ts';
import type { Page } from './page.ts';
import { readPageRanges } from './page-ranges.ts';
import { beforePrint, paperOf } from './paper.ts';
import { pdfFacts } from './pdf-facts.ts';
import { layOutForPrint, mostShrunk, roomOf } from './print-layout.ts';
import { printToPdf } from './print-to-pdf.ts';
import { printOnOnePage } from './single-page.ts';
import { isSizeWatched } from './watchers.ts';

export type Print = { readonly kind: 'pdf'; readonly bytes: Buffer };

export async function printPage(page: Page, cleaning: CleanRun | undefined): Promise<Print> {
  const { request } = page;
  const extent = await expandPage(page, cleaning, pageHeight, printedHeight);
  if (extent.height > printedHeight)
    warnCut(
      page,
      `What appears on scrolling below ${printedHeight} px of the page's ${extent.height} px may be missing.`,
    );
  const room = request.singlePage ? null : roomOf(request).height;
  // A list that exists only in view may have made the window taller.
  const view = Math.max(extent.viewHeight, request.height);
  if (!(await mustBeLaidOut(page))) {
    await page.still(beforePrint(request, false));
    warnWide(page, await page.call('measure'));
  } else {
    let hidden = await page.call('openForPrint', room);
    // Where the time is short, the page is printed as it is.
    const hasTime = performance.now() < captureBy(page.deadline);
    if (hasTime) {
      warnWide(page, await layOutForPrint(page, view));
      // On paper the content of a frame may be taller.
      hidden = await page.call('openForPrint', room);
      await keepCanvases(page);
    }
    if (hidden > 1) warnCut(page, 'A scrolling element could not be expanded; the PDF shows only its visible part.');
    await page.still(beforePrint(request, hasTime));
  }
  try {
    return { kind: 'pdf', bytes: await (request.singlePage ? printOnOnePage(page, view) : printRanges(page)) };
  } catch (error) {
    throw error instanceof ProtocolError ? unprintable(error, request) : error;
  }
}

/** Its print styles, or scripts that watch its size, may make another page of it. */
const mustBeLaidOut = async (page: Page): Promise<boolean> =>
  (await page.call('needsPrintLayout')) || ((await page.call('isScripted')) && (await isSizeWatched(page)));

function warnWide(page: Page, { width, viewWidth }: Extent): void {
  const room = Math.floor(roomOf(page.request).width * mostShrunk);
  if (width > viewWidth + 1 && width > room)
    page.warnings.push(
      `The page is ${width} px wide and the paper has room for ${room}; a smaller scale, landscape or a larger pageSize shows more of it.`,
    );
}

/** The browser leaves out pages that do not exist, without an error, so the pages of its result are counted. */
async function printRanges(page: Page): Promise<Buffer> {
  const paper = paperOf(page.request);
  if (page.request.pageRanges === undefined) return printToPdf(page, paper);
  const { text, pages, last } = readPageRanges(page.request.pageRanges);
  const bytes = await printToPdf(page, paper, text).catch((error) => {
    if (error instanceof ProtocolError && /page (range|count)/i.test(error.message)) return undefined;
    throw error;
  });
  if (bytes !== undefined && (pdfFacts(bytes)?.pages ?? pages) === pages) return bytes;
  const all = pdfFacts(await printToPdf(page, paper))?.pages;
  throw invalidParameter(
    'pageRanges',
    `pageRanges names page ${last}, and the document has ${all === 1 ? 'one page' : `${all ?? 'fewer'} pages`}.`,
  );
}

function unprintable(error: ProtocolError, request: CaptureRequest): Problem {
  if (/content area|margin|print parameters/i.test(error.message))
    return invalidParameter('margin', 'margin leaves no room on the page at this pageSize and scale.');
  const name = request.headerTemplate !== undefined ? 'headerTemplate' : 'footerTemplate';
  if (request[name] !== undefined) return invalidParameter(name, `${name} could not be printed by the browser.`);
  throw error;
}
