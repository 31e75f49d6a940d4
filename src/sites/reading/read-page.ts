// A page becomes its facts: from JSON-LD, then Open Graph, Twitter and other meta elements, then the page itself.
import { Parser } from 'htmlparser2';
import type { PageFacts } from '../page-facts.ts';
import { decodePage } from './charset.ts';
import { type Outline, oneLine, outlineOf } from './outline.ts';
import { asInHeading, namesOfHost, plainName, withoutSiteName } from './page-title.ts';
import { structuredFacts, withCurrency } from './structured-data.ts';

/** In characters; a card shows less. */
const limits = { title: 300, description: 500, author: 100, siteName: 100, section: 80, date: 60, price: 30 };
const longestUrl = 2000;
/** An image that is one of our own cards: a page's og:image is, once its owner has pasted the line. */
const ownCard = /\/v1\/(?:sites\/site_|og[?.])/;

/** Pictures that stand for a page without one: used only if there is no other. */
const standIn = /placeholder|default|fallback|blank\./i;

export type ReadPage = {
  readonly facts: PageFacts;
  /** The proof of ownership, if the page has one. */
  readonly token: string;
  /** Addresses of the page's links, absolute. */
  readonly links: readonly string[];
};

/** `names` are those that the owner gave the site. */
export function readPage(bytes: Uint8Array, type: string, url: string, names: readonly string[] = []): ReadPage {
  const outline = outlineOf(decodePage(bytes, type));
  const base = URL.parse(outline.base, url)?.href ?? url;
  const links = outline.links.flatMap((link) => URL.parse(link, base)?.href ?? []);
  return { facts: factsOf(outline, url, base, names), token: outline.metas.get('tintype-site') ?? '', links };
}

function factsOf(outline: Outline, url: string, base: string, names: readonly string[]): PageFacts {
  const { metas } = outline;
  const data = structuredFacts(outline.structured);
  const meta = (...keys: string[]) => keys.map((key) => metas.get(key) ?? '');
  const firstText = (...texts: string[]) => texts.map(cleanText).find((text) => text !== '') ?? '';

  const named = [...meta('og:site_name'), data.siteName].map(cleanText);
  // Some pages have their title in the name of the application: it counts only where nothing else names the site.
  const siteName = siteNameOf([...named, ...meta('application-name', 'apple-mobile-web-app-title').map(cleanText)]);
  const author = authorOf(
    [
      data.author,
      ...meta('author', 'article:author_name', 'article:author', 'parsely-author', 'sailthru:author', 'dc:creator'),
      ...meta('dcterms:creator', 'citation_author', 'byl'),
      outline.author,
    ].map(cleanText),
  );
  const siteNames = [...names, siteName, ...named, author, ...namesOfHost(new URL(url).hostname)];
  const title = titleOf(
    [
      ...meta('og:title', 'twitter:title', 'dc:title', 'dcterms:title', 'parsely-title', 'sailthru:title', 'headline'),
      ...meta('weibo:article:title', 'citation_title'),
      outline.title,
      outline.heading,
      ...meta('title'),
    ].map(cleanText),
    [data.headline, data.name].map(cleanText),
    cleanText(outline.heading),
    siteNames,
  );

  const images = [
    data.image,
    ...meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
    ...meta('parsely-image-url', 'sailthru:image:full', 'image', 'thumbnail'),
    outline.image,
  ];
  const description = firstText(
    data.description,
    ...meta('og:description', 'twitter:description', 'description', 'dc:description', 'sailthru:description'),
    ...meta('weibo:article:description'),
    outline.paragraph,
  );
  const date = [
    data.date,
    ...meta(
      'article:published_time',
      'datepublished',
      'parsely-pub-date',
      'sailthru:date',
      'dc:date',
      'dcterms:created',
    ),
    ...meta('dcterms:date', 'dc:date:issued', 'citation_publication_date', 'pubdate', 'date'),
    outline.time,
  ];
  return {
    title: cut(title, limits.title),
    description: plainName(description) === plainName(title) ? '' : cut(description, limits.description),
    author,
    date: dateOf(date.map(cleanText), outline.language || (metas.get('og:locale') ?? '')),
    image: imageOf(images, base),
    icon: imageUrl(outline.icon, base),
    siteName,
    section: sectionOf([data.section, ...meta('article:section', 'parsely-section')].map(cleanText)),
    price: data.price || priceOf(metas),
  };
}

/** `shown` are titles that readers see; a headline of structured data that is none of them may be something else. */
function titleOf(
  shown: readonly string[],
  [headline = '', name = '']: readonly string[],
  heading: string,
  siteNames: readonly string[],
): string {
  const isShown = (text: string) => text !== '' && shown.some((each) => plainName(each).includes(plainName(text)));
  const structured = !isShown(headline) && isShown(name) ? name : headline || name;
  const titles = [structured, ...shown]
    .map((text) => asInHeading(withoutSiteName(text, siteNames), heading))
    .filter((text) => text !== '');
  const known = new Set(siteNames.map(plainName));
  return titles.find((text) => !known.has(plainName(text))) ?? titles[0] ?? '';
}

function priceOf(metas: ReadonlyMap<string, string>): string {
  for (const name of ['product', 'og'])
    if (metas.has(`${name}:price:amount`))
      return withCurrency(metas.get(`${name}:price:amount`) ?? '', metas.get(`${name}:price:currency`) ?? '');
  return '';
}

/** Some pages escape a text twice, or leave tags in it. */
function cleanText(text: string): string {
  const short = text.slice(0, 5000);
  const hasMarkup =
    /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,31});|<\/?(?:em|i|b|strong|span|br|sup|sub|a|p|mark|code|wbr)\b/i;
  return oneLine(hasMarkup.test(short) ? textOfHtml(short) : short);
}

function textOfHtml(html: string): string {
  let text = '';
  const parser = new Parser({
    ontext: (part) => (text += part),
    onopentagname: (name) => (text += name === 'br' ? ' ' : ''),
  });
  parser.end(html);
  return text;
}

/** Cut at a word, with an ellipsis. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  const blank = start.lastIndexOf(' ');
  return `${(blank > length / 2 ? start.slice(0, blank) : start).trimEnd()}…`;
}

/** Some have a slogan behind the name. */
function siteNameOf(candidates: readonly string[]): string {
  const name = candidates.find((text) => text !== '' && !/^https?:/i.test(text)) ?? '';
  return (name.split(name.length <= 30 ? ' | ' : / [|–—-] /, 1)[0] ?? '').slice(0, limits.siteName);
}

/** Some programs write their own word for "none", or the name of a list instead of one for readers. */
const sectionOf = (candidates: readonly string[]): string =>
  candidates.find(
    (text) =>
      text !== '' &&
      text.length <= limits.section &&
      !/^(?:nil|null|none|undefined|uncategorized|[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,5})$/i.test(text),
  ) ?? '';

function authorOf(candidates: readonly string[]): string {
  for (const candidate of candidates) {
    const name = candidate
      .slice(0, 300)
      .replace(/^(?:written by|by|von|par|por|di)[\s:]+/i, '')
      .replace(/[\s,;:|–—-]{1,9}$/, '')
      .trim();
    // An address of a profile is no name; nor is a handle, or a line with a date.
    if (name === '' || name.length > limits.author || /^(?:https?:|www\.|@|\/)|\.com\/|\d{4}/i.test(name)) continue;
    return name;
  }
  return '';
}

function dateOf(candidates: readonly string[], locale: string): string {
  for (const text of candidates) {
    // The day as it is written, in the time zone of whoever wrote it.
    const [, year, month, day] =
      /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(text) ?? [];
    const time = day === undefined ? Number.NaN : Date.UTC(Number(year), Number(month) - 1, Number(day));
    if (Number.isFinite(time)) return formatDate(time, locale);
    if (/\d/.test(text) && /\p{L}/u.test(text) && text.length <= 40) return text;
  }
  return '';
}

function formatDate(time: number, locale: string): string {
  const [language] = Intl.DateTimeFormat.supportedLocalesOf(
    isLocale(locale) ? [locale.replaceAll('_', '-'), 'en'] : ['en'],
  );
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
}

const isLocale = (text: string): boolean => /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(text);

function imageOf(candidates: readonly string[], base: string): string {
  const urls = candidates
    .map((image) => imageUrl(image.includes('&amp;') ? cleanText(image) : image, base))
    .filter(Boolean);
  return urls.find((url) => !standIn.test(url)) ?? urls[0] ?? '';
}

/** An absolute https URL, or nothing. Pages that are older than https name their images with http, which works with https too. */
function imageUrl(text: string, base: string): string {
  const url = text === '' || text.length > longestUrl ? null : URL.parse(text.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || ownCard.test(url.href)) return '';
  url.protocol = 'https:';
  return url.href.length > longestUrl ? '' : url.href;
}
