// A PDF of one page that is as long as the content. The height is measured in a window as wide as the paper, because the
// browser does not tell how long a printed document is.
import type { Page } from './page.ts';
import { mmPerInch, type Paper, paperOf, paperStyle } from './paper.ts';
import { pdfFacts } from './pdf-facts.ts';
import { mostShrunk, pxPerMm, roomOf, setWindow, showAsPrinted } from './print-layout.ts';
import { printToPdf } from './print-to-pdf.ts';

/** The largest page that PDF readers show, in millimetres: 200 inches. */
const longestPage = 200 * mmPerInch;

/** CSS pixels beyond the measured height, because browsers round. What does not fit on one page is tried with more. */
const slack = [1, 24, 240];

/** `view` is the height of the window in which the page shows all it has. */
export async function printOnOnePage(page: Page, view: number): Promise<Buffer> {
  const { width, margin } = paperOf(page.request);
  const content = (await contentHeight(page, view)) / pxPerMm;
  const heights = slack.map((more) => content + margin.top + margin.bottom + more / pxPerMm);
  for (const height of heights.filter((each) => each <= longestPage)) {
    const bytes = await printOn(page, { width, margin, height });
    if ((pdfFacts(bytes)?.pages ?? 1) === 1) return bytes;
  }
  const height = Math.min(longestPage, ...heights.slice(-1));
  page.warnings.push(
    height === longestPage
      ? `The PDF was cut: a page has at most ${longestPage} mm, and the content is ${Math.ceil(content)} mm long.`
      : 'The PDF was cut: the content grows with the page.',
  );
  page.codes.add('cut');
  return printOn(page, { width, margin, height }, '1');
}

async function printOn(page: Page, paper: Paper, pageRanges?: string): Promise<Buffer> {
  await page.call('setPaper', paperStyle(paper));
  return printToPdf(page, paper, pageRanges);
}

/** In CSS pixels of the paper. */
async function contentHeight(page: Page, view: number): Promise<number> {
  const { request } = page;
  const { width: room } = roomOf(request);
  // Some pages open what is folded before they are printed.
  await page.call('announcePrint');
  await showAsPrinted(page, view);
  const shrunk = Math.min(mostShrunk, Math.max(1, (await page.call('contentSize')).width / room));
  await setWindow(page, room * shrunk, view);
  await page.call('recordHeights');
  await setWindow(page, room * shrunk, view + 200);
  await page.call('pinHeights');
  await setWindow(page, room * shrunk, view);
  const { height } = await page.call('contentSize');
  return (height * request.scale) / shrunk;
}
