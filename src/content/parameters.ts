// The table of /v1/content: the parameters of a screenshot that concern the loading of a page, and how its text is written.
import { cssSelector } from '../capture/css-selector.ts';
import { type ScreenshotValues, screenshotParameters } from '../capture/parameters.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { choice, int } from '../kernel/kinds.ts';
import type { Parsed, Table, Values } from '../kernel/parameters.ts';
import { textFormats } from './content-types.ts';

/** The longest text that is read and stored. */
export const longestText = 1_000_000;

const { url, html, baseUrl, width, height, device, delay, timeout, waitForSelector, waitUntil } = screenshotParameters;
const { hide, blockCookies, blockAds, darkMode, customCSS, customJS, headers, cookies, basicAuth } =
  screenshotParameters;
const { userAgent, locale, timezone, geolocation, media, reducedMotion } = screenshotParameters;
const { response, api_key, fresh, ttl, stale, failOn } = screenshotParameters;

export const contentParameters = {
  url: {
    ...url,
    doc: 'The page to read. It must be public: private addresses are refused. Required, unless a POST sends html.',
  },
  html: { ...html, doc: 'A page to read instead of url.' },
  baseUrl: { ...baseUrl, doc: 'Where relative links of html lead.' },
  format: {
    kind: choice(textFormats),
    default: 'markdown',
    cache: 'always',
    stage: 'capture',
    doc: 'How the text is written: Markdown, plain text as a person would copy it, or sanitised HTML.',
  },
  selector: {
    kind: cssSelector(),
    cache: 'changed',
    stage: 'capture',
    doc: 'Read only the first visible element that matches this CSS selector.',
    example: 'article',
  },
  maxChars: {
    kind: int(100, longestText),
    default: longestText,
    cache: 'never',
    stage: 'answer',
    doc: 'The text is cut after this many characters, and `truncated` is true.',
  },
  width,
  height,
  device,
  delay,
  timeout,
  waitForSelector,
  waitUntil,
  hide: { ...hide, doc: 'Elements that match are left out.' },
  blockCookies,
  blockAds,
  darkMode,
  userAgent,
  locale,
  timezone,
  geolocation,
  media,
  reducedMotion,
  customCSS,
  customJS: { ...customJS, doc: 'JavaScript run in the page before it is read, as the body of an async function.' },
  headers,
  cookies,
  basicAuth,
  response: { ...response, doc: 'Return JSON: the text with its title, author, date, links and more.' },
  api_key,
  fresh,
  ttl,
  stale,
  failOn,
} as const satisfies Table;

export type ContentValues = Values<typeof contentParameters>;

/** Throws for parameters that exclude each other. The checks of a login are those of a screenshot. */
export function checkContentSource(values: ContentValues): 'url' | 'html' {
  if (values.url === undefined && values.html === undefined)
    throw new Problem('missing_parameter', {
      parameter: 'url',
      message: `url is required: ${url.kind.expects}; or html in the body of a POST.`,
    });
  if (values.url !== undefined && values.html !== undefined)
    throw invalidParameter('html', 'url and html are both given; give one of them.');
  return values.url === undefined ? 'html' : 'url';
}

/** How a page is loaded that is then read: like that of a screenshot of the whole page. */
export function asScreenshot({
  values,
  given,
  unknown,
}: Parsed<typeof contentParameters>): Parsed<typeof screenshotParameters> {
  const { format: _format, selector: _selector, maxChars: _maxChars, ...loading } = values;
  return { values: { ...unchanged, ...loading, fullPage: true }, given, unknown };
}

const unchanged = Object.fromEntries(
  Object.entries(screenshotParameters as Table).map(([name, parameter]) => [name, parameter.default]),
) as ScreenshotValues;
