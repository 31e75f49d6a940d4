// The paper of a PDF: its size, its margins, and the style that makes the page keep to them.
import { invalidParameter } from '../kernel/errors.ts';
import type { Edges } from '../kernel/kinds.ts';
import type { CaptureRequest } from './capture-request.ts';
import { callOf } from './in-page.ts';

/** In millimetres. */
export type Paper = { readonly width: number; readonly height: number; readonly margin: Edges };

export const mmPerInch = 25.4;

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

export function paperOf({ pageSize, landscape, margin }: CaptureRequest): Paper {
  const [short, long] = papers[pageSize];
  return { width: landscape ? long : short, height: landscape ? short : long, margin: margin ?? noMargin };
}

/** Throws if nothing could be printed, whatever the page. */
export function checkPaper(request: CaptureRequest): void {
  if (request.format !== 'pdf') return;
  const { width, height, margin } = paperOf(request);
  const isTooHigh = margin.top + margin.bottom >= height && !request.singlePage;
  if (margin.left + margin.right >= width || isTooHigh)
    throw invalidParameter(
      'margin',
      `margin leaves no room on the page, which is ${Math.round(width)} × ${Math.round(height)} mm.`,
    );
  // Both make the browser's printing fail, and would not be loaded anyway.
  for (const name of ['headerTemplate', 'footerTemplate'] as const)
    if (/<link\b|@import\b/i.test(request[name] ?? ''))
      throw invalidParameter(name, `${name} must not load style sheets (<link>, @import); write the CSS into it.`);
}

/** The size of the paper in points, for a PDF whose own size could not be read. */
export function paperPoints(request: CaptureRequest): { width: number; height: number } {
  const { width, height } = paperOf(request);
  return { width: Math.round((width / mmPerInch) * 72), height: Math.round((height / mmPerInch) * 72) };
}

/**
 * The expression that is run last before a page is printed. The paper of a single page is known later. What is folded is
 * hidden only if the page is laid out with its print styles, which may unfold it.
 */
export const beforePrint = (request: CaptureRequest, isLaidOut = true): string => {
  const calls = [
    callOf('unstick'),
    callOf('wrapCode'),
    ...(isLaidOut ? [callOf('hideFoldedOnPrint')] : []),
    // One long page has its bars once, at its ends.
    ...(request.singlePage ? [] : [callOf('placeOnPaper')]),
  ];
  return `(${[...calls, callOf('adopt', styleOf(request))].join()})`;
};

const styleOf = (request: CaptureRequest): string =>
  colors(request) +
  clippedImages +
  scrolledBackgrounds +
  (request.singlePage ? noBreaks : paperStyle(paperOf(request)));

/** Without !important, an @page rule of the page would win over the parameters, orientation included. */
export function paperStyle({ width, height, margin }: Paper): string {
  const edges = [margin.top, margin.right, margin.bottom, margin.left].map((edge) => `${edge}mm`).join(' ');
  return `@page { size: ${width}mm ${height}mm !important; margin: ${edges} !important; ${emptyBoxes(margin)} }`;
}

/** The boxes in which the page's own @page rules write headers and page numbers. */
const marginBoxes: Readonly<Record<keyof Edges, readonly string[]>> = {
  top: ['top-left-corner', 'top-left', 'top-center', 'top-right', 'top-right-corner'],
  right: ['right-top', 'right-middle', 'right-bottom'],
  bottom: ['bottom-left-corner', 'bottom-left', 'bottom-center', 'bottom-right', 'bottom-right-corner'],
  left: ['left-top', 'left-middle', 'left-bottom'],
};

/** In a margin without room, the browser would write over the content. */
const emptyBoxes = (margin: Edges): string =>
  (Object.keys(marginBoxes) as (keyof Edges)[])
    .flatMap((edge) => (margin[edge] > 0 ? [] : marginBoxes[edge]))
    .map((box) => `@${box} { content: none !important }`)
    .join(' ');

/** A page of another name is another page. */
const noBreaks =
  '*, ::before, ::after { break-before: auto !important; break-after: auto !important; page: auto !important }';

/**
 * An image that its box cuts off (object-fit: cover) takes the printer 25 ms, because it encodes the visible part again.
 * With a margin, however small, the box clips it instead, and its file is put into the PDF as it is.
 */
const clippedImages = ':where(img) { overflow-clip-margin: content-box 0.02px } ';

/** A fixed background is painted for the first page only. Those of elements are changed one by one, as `local` stays. */
const scrolledBackgrounds = '::before, ::after { background-attachment: scroll !important } ';

/** The browser prints in light colors: a page that supports dark mode prints dark only with this. */
const colors = ({ darkMode }: CaptureRequest): string => (darkMode ? ':root { color-scheme: dark !important } ' : '');
