// The table of screenshot and PDF parameters. A new parameter is one entry here: validation, error texts, the type, plans,
// the cache key, OpenAPI and the docs come from it.
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { formatNames, formatSpellings, formats } from '../kernel/formats.ts';
import {
  choice,
  documentText,
  type Edges,
  edges,
  flag,
  float,
  geolocation,
  httpUrl,
  int,
  line,
  locale,
  pageRanges,
  rect,
  someOf,
  text,
  timezone,
} from '../kernel/kinds.ts';
import type { Parsed, Table, Values } from '../kernel/parameters.ts';
import { answerParameters, freshnessParameters, quality } from '../kernel/shared-parameters.ts';
import { verdictCodes } from '../kernel/verdict.ts';
import { cssSelector } from './css-selector.ts';
import { deviceNames, devices } from './devices.ts';
import { checkLogin, loginNames, loginParameters } from './login.ts';
import { sentDocumentUrl } from './sent-document.ts';

const pageSizes = ['a4', 'letter', 'legal', 'tabloid', 'a3', 'a5'] as const;

export const screenshotParameters = {
  url: {
    kind: httpUrl(4096),
    cache: 'always',
    stage: 'target',
    doc: 'The page to capture. It must be public: private addresses are refused. Required, unless a POST sends html or markdown.',
    example: 'https://example.com/',
  },
  html: {
    kind: documentText('HTML', 2_000_000),
    onlyBody: 'long',
    cache: 'changed',
    stage: 'target',
    doc: 'A page to capture instead of url. It has a web origin of its own, and what it loads must be public.',
    example: '<h1>Hello</h1>',
  },
  markdown: {
    kind: documentText('Markdown', 500_000),
    onlyBody: 'long',
    cache: 'changed',
    stage: 'target',
    doc: 'A text to capture instead of url, in the Markdown of GitHub, with a style of its own. Its first heading is the title of the page.',
    example: '# Hello',
  },
  baseUrl: {
    kind: httpUrl(4096),
    cache: 'changed',
    stage: 'target',
    doc: 'Where relative links of html and markdown lead.',
    example: 'https://example.com/',
  },
  format: {
    kind: choice(formatNames, formatSpellings),
    default: 'png',
    cache: 'always',
    stage: 'capture',
    doc: 'The output format.',
  },
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
    doc: 'Milliseconds for the whole request: queue, load, waits, capture. After that the response is 504.',
  },
  fullPage: {
    kind: flag(),
    default: false,
    cache: 'always',
    stage: 'capture',
    doc: 'Capture the whole scrollable page instead of the viewport, lazy images included. What is taller than 40000 CSS pixels is cut, and a warning says so; webp: at most 16383 pixels a side, avif: 16384 and 20 megapixels, otherwise 400.',
  },
  waitForSelector: {
    kind: cssSelector(),
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
    doc: 'When the page is ready: right after its load event, when nothing in view loads or moves any more, or in addition after half a second without requests. Each is bounded; a page that never settles is captured too.',
  },
  clip: {
    kind: rect(100000, 32000),
    cache: 'always',
    stage: 'capture',
    doc: 'Capture only this region of the page, x,y,w,h in CSS pixels. It may lie below the fold, and it overrides fullPage.',
    example: '0,0,600,400',
  },
  selector: {
    kind: cssSelector(),
    cache: 'changed',
    stage: 'capture',
    doc: 'Capture only the first visible element that matches this CSS selector, wherever it is on the page. Not with clip or format=pdf.',
    example: 'article',
  },
  padding: {
    kind: int(0, 500),
    default: 0,
    cache: 'changed',
    stage: 'capture',
    doc: 'CSS pixels around selector.',
  },
  hide: {
    kind: cssSelector('a valid CSS selector list'),
    cache: 'changed',
    stage: 'before load',
    doc: 'Elements that match become invisible and keep their room.',
    example: '.chat, #banner',
  },
  omitBackground: {
    kind: flag(),
    default: false,
    cache: 'changed',
    stage: 'capture',
    doc: 'Transparent where the page paints nothing. Not with jpg and pdf.',
  },
  resizeWidth: {
    kind: int(1, 4096),
    cache: 'changed',
    stage: 'answer',
    doc: 'Width of the output in pixels. Alone it keeps the aspect ratio; it never enlarges. Not with pdf.',
    example: '400',
  },
  resizeHeight: {
    kind: int(1, 4096),
    cache: 'changed',
    stage: 'answer',
    doc: 'Height of the output in pixels, like resizeWidth.',
    example: '300',
  },
  fit: {
    kind: choice(['inside', 'cover', 'contain'] as const),
    default: 'inside',
    cache: 'changed',
    stage: 'answer',
    doc: 'With resizeWidth and resizeHeight: inside is as large as fits into both; cover fills both and is cut at the edges; contain is padded to both, transparent or white. Where that would enlarge the picture, cover and contain give a smaller output of the same aspect ratio.',
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
    doc: 'Emulate a device: viewport, scale, touch, mobile layout and user agent. width, height and deviceScale override it.',
  },
  userAgent: {
    kind: line('a user agent', 500),
    plan: 'pro',
    cache: 'changed',
    stage: 'before load',
    doc: 'The user agent of the browser. It overrides that of device.',
    example: 'MyBot/1.0',
  },
  locale: {
    kind: locale(),
    plan: 'pro',
    cache: 'changed',
    stage: 'before load',
    doc: 'The language of the browser; also sets Accept-Language.',
    example: 'de-DE',
  },
  timezone: {
    kind: timezone(),
    plan: 'pro',
    cache: 'changed',
    stage: 'before load',
    doc: 'The time zone of the browser.',
    example: 'Europe/Berlin',
  },
  geolocation: {
    kind: geolocation(),
    plan: 'pro',
    cache: 'changed',
    stage: 'before load',
    doc: 'Where the browser is: lat,lon in degrees, or lat,lon,accuracy with metres. The permission is granted.',
    example: '52.52,13.405',
  },
  media: {
    kind: choice(['screen', 'print'] as const),
    plan: 'pro',
    cache: 'changed',
    stage: 'before load',
    doc: 'The CSS media type; by default screen for images and print for PDF.',
  },
  reducedMotion: {
    kind: flag(),
    default: false,
    plan: 'pro',
    cache: 'changed',
    stage: 'before load',
    doc: 'Emulate prefers-reduced-motion: reduce.',
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
  ...loginParameters,
  ...answerParameters,
  ...freshnessParameters,
  failOn: {
    kind: someOf(verdictCodes, 'any'),
    cache: 'never',
    stage: 'answer',
    doc: 'Return 422 if the verdict has one of these codes. Such a capture is not cached and not counted as a render.',
    example: 'blank,bot_wall',
  },

  pageSize: {
    kind: choice(pageSizes),
    default: 'letter',
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'Size of the PDF page. It overrides an @page rule of the page, as landscape and margin do.',
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
    doc: 'Margins of the PDF page in millimetres: top,right,bottom,left. None by default; 15 with a header or footer, 20 for markdown.',
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
  pageRanges: {
    kind: pageRanges(),
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'Which pages of the PDF to keep. A page beyond the last is a 400.',
    example: '1-3,5',
  },
  singlePage: {
    kind: flag(),
    default: false,
    plan: 'starter',
    onlyFormat: 'pdf',
    cache: 'changed',
    stage: 'capture',
    doc: 'One PDF page as long as the content, at the width of pageSize; landscape, margin, scale and templates hold. What is longer than 200 inches is cut, and a warning says so. Not with pageRanges.',
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

export type ScreenshotValues = Values<typeof screenshotParameters>;

export type CaptureRequest = Omit<ScreenshotValues, 'url'> & {
  /** Of the main document. That of a page which the caller sent is `baseUrl`, or an address of ours. */
  readonly url: string;
  /** Not a parameter: the hosts that the caller's key is limited to. Every document of the main frame is checked. */
  readonly allowedHosts?: readonly string[];
};

const sources = ['url', 'html', 'markdown'] as const;
export type Source = (typeof sources)[number];

/** What is captured. Throws unless exactly one source is given. */
export function sourceOf(values: Pick<ScreenshotValues, Source>): Source {
  const [source, second] = sources.filter((name) => values[name] !== undefined);
  if (source === undefined)
    throw new Problem('missing_parameter', {
      parameter: 'url',
      message: `url is required: ${screenshotParameters.url.kind.expects}; or html or markdown in the body of a POST.`,
    });
  if (second !== undefined)
    throw invalidParameter(second, `${source} and ${second} are both given; give one of url, html and markdown.`);
  return source;
}

/** Throws for parameters that exclude each other. */
export function checkCombination(values: ScreenshotValues, source: Source): void {
  const { format, selector, clip, omitBackground, baseUrl, resizeWidth, resizeHeight } = values;
  const { pageRanges: ranges, singlePage } = values;
  const isPdf = format === 'pdf';
  if (source === 'url' && baseUrl !== undefined)
    throw invalidParameter('baseUrl', 'baseUrl is for html and markdown; a page with a url has its own.');
  if (selector !== undefined && (clip !== undefined || isPdf))
    throw invalidParameter('selector', `selector cannot be combined with ${isPdf ? 'format=pdf' : 'clip'}.`);
  if (omitBackground && !formats[format].alpha)
    throw invalidParameter(
      'omitBackground',
      `omitBackground cannot be combined with format=${format}: use png, webp or avif.`,
    );
  const resized = resizeWidth !== undefined ? 'resizeWidth' : resizeHeight !== undefined ? 'resizeHeight' : undefined;
  if (resized !== undefined && isPdf) throw invalidParameter(resized, `${resized} cannot be combined with format=pdf.`);
  if (isPdf && singlePage && ranges !== undefined)
    throw invalidParameter('pageRanges', 'pageRanges cannot be combined with singlePage, which gives one page.');
  for (const name of loginNames)
    if (values[name] !== undefined && source !== 'url')
      throw invalidParameter(name, `${name} is for a page with a url; ${source} is sent by the caller.`);
  checkLogin(values);
}

/** A warning for each parameter that was given and changes nothing here. */
export function withoutEffect({ values, given }: Parsed<typeof screenshotParameters>): string[] {
  const { format, selector, resizeWidth, resizeHeight } = values;
  const reasons: Record<string, string | undefined> = {
    quality: formats[format].lossy ? undefined : `with format=${format}`,
    padding: selector === undefined ? 'without selector' : undefined,
    fit:
      resizeWidth === undefined || resizeHeight === undefined ? 'without both resizeWidth and resizeHeight' : undefined,
  };
  return [...given].flatMap((name) => {
    const { onlyFormat } = (screenshotParameters as Table)[name] ?? {};
    const reason = onlyFormat !== undefined && onlyFormat !== format ? `with format=${format}` : reasons[name];
    return reason === undefined ? [] : [`${name} has no effect ${reason}.`];
  });
}

const edgeNames = ['top', 'right', 'bottom', 'left'] as const;
const allAround = (mm: number): Edges => ({ top: mm, right: mm, bottom: mm, left: mm });
/** Chromium draws header and footer inside the margin: without a margin they would be invisible. */
const templateMargin = allAround(15);
/** A page of its own sets the space around its text itself; a text has none. */
const markdownMargin = allAround(20);

/** The margin where none is given; undefined is none. */
function defaultMargin({ markdown, headerTemplate, footerTemplate }: ScreenshotValues): Edges | undefined {
  if (markdown !== undefined) return markdownMargin;
  return headerTemplate !== undefined || footerTemplate !== undefined ? templateMargin : undefined;
}

/**
 * The defaults that depend on other values, and are given in words: they are left out, so that they need no plan and
 * have the cache key of a request without them.
 */
export function withoutGivenDefaults(values: ScreenshotValues): ScreenshotValues {
  const { media, margin, format } = values;
  const usual = defaultMargin(values) ?? allAround(0);
  const isUsual = margin !== undefined && edgeNames.every((edge) => margin[edge] === usual[edge]);
  return {
    ...values,
    media: media === (format === 'pdf' ? 'print' : 'screen') ? undefined : media,
    margin: isUsual ? undefined : margin,
  };
}

/** The request as it is rendered: with the values of the device and the defaults that depend on other values. */
export function effectiveRequest({ values, given }: Parsed<typeof screenshotParameters>): CaptureRequest {
  const device = values.device === undefined ? undefined : devices[values.device];
  const hasBox = values.resizeWidth !== undefined && values.resizeHeight !== undefined;
  return {
    ...values,
    url: new URL(values.url ?? values.baseUrl ?? sentDocumentUrl).href,
    ...(device && !given.has('width') && { width: device.width }),
    ...(device && !given.has('height') && { height: device.height }),
    ...(device && !given.has('deviceScale') && { deviceScale: device.scale }),
    // One side alone keeps the aspect ratio, so that every fit is the same.
    ...(!hasBox && { fit: 'inside' as const }),
    margin: values.margin ?? defaultMargin(values),
  };
}
