// The table of screenshot and PDF parameters. A new parameter is one entry here: validation, error texts, the type, plans,
// the cache key, OpenAPI, the docs and the boundary tests come from it.
import { formatNames } from '../kernel/formats.ts';
import { choice, edges, flag, float, httpUrl, int, rect, someOf, text } from '../kernel/kinds.ts';
import type { Parsed, Table, Values } from '../kernel/parameters.ts';
import { answerParameters, freshnessParameters, quality } from '../kernel/shared-parameters.ts';
import { verdictCodes } from '../kernel/verdict.ts';
import { deviceNames, devices } from './devices.ts';

const pageSizes = ['a4', 'letter', 'legal', 'tabloid', 'a3', 'a5'] as const;

export const screenshotParameters = {
  url: {
    kind: httpUrl(4096),
    required: true,
    cache: 'always',
    stage: 'target',
    doc: 'The page to capture. It must be public: private addresses are refused.',
    example: 'https://example.com/',
  },
  format: { kind: choice(formatNames), default: 'png', cache: 'always', stage: 'capture', doc: 'The output format.' },
  width: {
    kind: int(1, 3840),
    default: 1280,
    cache: 'always',
    stage: 'viewport',
    doc: 'Width of the viewport in CSS pixels.',
  },
  height: {
    kind: int(1, 3840),
    default: 800,
    cache: 'always',
    stage: 'viewport',
    doc: 'Height of the viewport in CSS pixels.',
  },
  quality,
  deviceScale: {
    kind: float(1, 3),
    default: 1,
    cache: 'always',
    stage: 'viewport',
    doc: 'Device pixel ratio: 2 gives twice as many pixels each way.',
  },
  delay: {
    kind: int(0, 10000),
    default: 0,
    cache: 'always',
    stage: 'after load',
    doc: 'Milliseconds to wait after the page has loaded.',
  },
  timeout: {
    kind: int(1, 60000),
    default: 30000,
    cache: 'never',
    stage: 'answer',
    doc: 'Milliseconds for the whole request: queue, load, waits, capture. Then the answer is 504.',
  },
  fullPage: {
    kind: flag(),
    default: false,
    cache: 'always',
    stage: 'capture',
    doc: 'Capture the whole scrollable page instead of the viewport, lazy images included. What is taller than 40000 CSS pixels is cut, and a warning says so; webp holds at most 16383 pixels a side.',
  },
  waitForSelector: {
    kind: text('a CSS selector', 1000),
    cache: 'changed',
    stage: 'after load',
    doc: 'Wait until an element matches this CSS selector, at most until timeout.',
    example: '#content',
  },
  waitUntil: {
    kind: choice(['load', 'settled', 'networkidle'] as const),
    default: 'settled',
    cache: 'changed',
    stage: 'after load',
    doc: 'When the page is ready: right after its load event, when nothing in view loads or moves any more, or in addition after half a second without requests. Each is bounded; a page that never rests is captured all the same.',
  },
  clip: {
    kind: rect(100000, 32000),
    cache: 'always',
    stage: 'capture',
    doc: 'Capture only this region of the page, x,y,w,h in CSS pixels. It may lie below the fold, and it wins over fullPage.',
    example: '0,0,600,400',
  },
  blockCookies: {
    kind: flag(),
    default: false,
    plan: 'starter',
    cache: 'changed',
    stage: 'before load',
    doc: 'Remove cookie consent banners, by opting out where that is offered.',
  },
  blockAds: {
    kind: flag(),
    default: false,
    plan: 'starter',
    cache: 'changed',
    stage: 'before load',
    doc: 'Block advertisements, trackers and chat widgets.',
  },
  darkMode: {
    kind: flag(),
    default: false,
    plan: 'starter',
    cache: 'changed',
    stage: 'before load',
    doc: 'Emulate prefers-color-scheme: dark.',
  },
  device: {
    kind: choice(deviceNames),
    plan: 'pro',
    cache: 'changed',
    stage: 'viewport',
    doc: 'Emulate a device: viewport, scale, touch, mobile layout and user agent. width, height and deviceScale given beside it win.',
  },
  customCSS: {
    kind: text('CSS', 50000, 'code'),
    plan: 'pro',
    cache: 'changed',
    stage: 'before load',
    doc: 'CSS that is in the page before its first paint.',
    example: 'body { background: #fff }',
  },
  customJS: {
    kind: text('JavaScript', 50000, 'code'),
    plan: 'pro',
    cache: 'changed',
    stage: 'after load',
    doc: 'JavaScript run in the page before the capture, as the body of an async function.',
    example: "document.querySelector('h1').textContent = 'Hello'",
  },
  ...answerParameters,
  ...freshnessParameters,
  failOn: {
    kind: someOf(verdictCodes, 'any'),
    cache: 'never',
    stage: 'answer',
    doc: 'Answer 422 instead of a capture whose verdict has one of these codes. Such a capture is not cached and not counted as a render.',
    example: 'blank,bot_wall',
  },

  pageSize: {
    kind: choice(pageSizes),
    default: 'letter',
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'Size of the PDF page. It wins over an @page rule of the page, as landscape and margin do.',
  },
  landscape: {
    kind: flag(),
    default: false,
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'Turn the PDF page to landscape.',
  },
  margin: {
    kind: edges(500),
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'Margins of the PDF page in millimetres: top,right,bottom,left. None by default; 15 with a header or footer.',
    example: '10,10,10,10',
  },
  headerTemplate: {
    kind: text('HTML', 20000, 'code'),
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'HTML printed at the top of every PDF page. Elements with the class pageNumber, totalPages, title, url or date are filled in.',
    example: '<span class="title"></span>',
  },
  footerTemplate: {
    kind: text('HTML', 20000, 'code'),
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'HTML printed at the bottom of every PDF page, like headerTemplate.',
    example: '<span class="pageNumber"></span>',
  },
  printBackground: {
    kind: flag(),
    default: true,
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'Print background colours and images.',
  },
  scale: {
    kind: float(0.1, 2),
    default: 1,
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'Scale of the page in the PDF.',
  },
} as const satisfies Table;

export type CaptureRequest = Values<typeof screenshotParameters> & {
  /** Not a parameter: the hosts that the caller's key is limited to. Every document of the main frame is checked. */
  readonly allowedHosts?: readonly string[];
};

const templateMargin = { top: 15, right: 15, bottom: 15, left: 15 };

/** The request as it is rendered: with the values of the device and the defaults that depend on other values. */
export function effectiveRequest({ values, given }: Parsed<typeof screenshotParameters>): CaptureRequest {
  const device = values.device === undefined ? undefined : devices[values.device];
  const hasTemplate = values.headerTemplate !== undefined || values.footerTemplate !== undefined;
  return {
    ...values,
    url: new URL(values.url).href,
    ...(device && !given.has('width') && { width: device.width }),
    ...(device && !given.has('height') && { height: device.height }),
    ...(device && !given.has('deviceScale') && { deviceScale: device.scale }),
    // Chromium draws header and footer inside the margin: without a margin they would be invisible.
    ...(hasTemplate && values.margin === undefined && { margin: templateMargin }),
  };
}
