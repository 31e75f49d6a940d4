// A request for a page as it is rendered: the parameters of the table after the checks that concern several of them, with the
// defaults that depend on others.
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { formats } from '../kernel/formats.ts';
import type { Edges } from '../kernel/kinds.ts';
import type { Parsed, Table } from '../kernel/parameters.ts';
import { devices } from './devices.ts';
import { checkLogin, loginNames } from './login.ts';
import { type ScreenshotValues, screenshotParameters } from './parameters.ts';
import { sentDocumentUrl } from './sent-document.ts';

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
 * The defaults that depend on other values, and are given in words, and headers and cookies without any: they are left
 * out, so that they need no plan and have the cache key of a request without them.
 */
export function withoutGivenDefaults(values: ScreenshotValues): ScreenshotValues {
  const { media, margin, format, headers, cookies } = values;
  const usual = defaultMargin(values) ?? allAround(0);
  const isUsual = margin !== undefined && edgeNames.every((edge) => margin[edge] === usual[edge]);
  return {
    ...values,
    media: media === (format === 'pdf' ? 'print' : 'screen') ? undefined : media,
    margin: isUsual ? undefined : margin,
    headers: Object.keys(headers ?? {}).length === 0 ? undefined : headers,
    cookies: cookies?.length === 0 ? undefined : cookies,
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
