// What schema.org data of a page (JSON-LD) says about it.

export type StructuredFacts = {
  readonly headline: string;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly date: string;
  readonly image: string;
  readonly siteName: string;
  readonly section: string;
  readonly price: string;
};

/**
 * Of these the whole page is about the first; anything else on it (breadcrumbs, lists, organisations) is not its subject. An
 * article may have a video or a review in it.
 */
const articles = /Article$|BlogPosting$|^Report$/;
const others =
  /^Product$|^Recipe$|Event$|^VideoObject$|^PodcastEpisode$|^Course$|^Book$|^HowTo$|^Review$|^JobPosting$|SoftwareApplication$|^ProfilePage$|^Movie$|^Dataset$/;
const mostNodes = 300;

type Json = Readonly<Record<string, unknown>>;

export function structuredFacts(texts: readonly string[]): StructuredFacts {
  const nodes = texts.flatMap((text) => nodesOf(parsed(text))).slice(0, mostNodes);
  const first = (kind: RegExp) => nodes.find((node) => typesOf(node).some((type) => kind.test(type)));
  const subject = first(articles) ?? first(others) ?? {};
  const site = nodes.find((node) => typesOf(node).includes('WebSite')) ?? {};
  const publisher = subject.publisher ?? subject.isPartOf;
  return {
    headline: textOf(subject.headline),
    name: textOf(subject.name),
    description: textOf(subject.description),
    author: authorOf(subject.author ?? subject.creator),
    date: textOf(subject.datePublished) || textOf(subject.dateCreated) || textOf(subject.startDate),
    image: urlOf(subject.image) || urlOf(subject.thumbnailUrl),
    siteName: nameOf(site) || nameOf(publisher),
    section: textOf(subject.articleSection),
    price: priceOf(subject.offers),
  };
}

function parsed(text: string): unknown {
  for (const attempt of [text, withoutWrapping(text)])
    try {
      return JSON.parse(attempt);
    } catch {}
  return undefined;
}

/** Some pages wrap the data in CDATA or comments, or break lines within strings. */
function withoutWrapping(text: string): string {
  const bare = text.replaceAll('<![CDATA[', '').replaceAll(']]>', '');
  const [start, end] = [bare.search(/[{[]/), Math.max(bare.lastIndexOf('}'), bare.lastIndexOf(']'))];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them within strings
  return start < 0 ? '' : bare.slice(start, end + 1).replaceAll(/[\u0000-\u001f]/g, ' ');
}

/** The nodes at the top, in @graph and as the main entity; not those that others refer to. */
function nodesOf(value: unknown, level = 0): Json[] {
  if (level > 4 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, mostNodes).flatMap((each) => nodesOf(each, level + 1));
  const node = value as Json;
  return [node, ...nodesOf(node['@graph'], level + 1), ...nodesOf(node.mainEntity, level + 1)];
}

const typesOf = (node: Json): string[] =>
  [node['@type']]
    .flat()
    .filter((type): type is string => typeof type === 'string')
    .map((type) => type.slice(type.lastIndexOf('/') + 1, 100));

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function textOf(value: unknown): string {
  const one = firstOf(value);
  if (typeof one === 'string') return one.slice(0, 5000).trim();
  if (typeof one === 'number') return String(one);
  return typeof one === 'object' && one !== null ? textOfValue(one as Json) : '';
}

/** {"@value": "…", "@language": "en"} */
const textOfValue = (value: Json): string =>
  typeof value['@value'] === 'string' ? value['@value'].slice(0, 5000) : '';

function nameOf(value: unknown): string {
  const one = firstOf(value);
  return typeof one === 'object' && one !== null ? textOf((one as Json).name) : '';
}

/** At most two names; a third would not fit a card. */
function authorOf(value: unknown): string {
  const all = [value].flat().map((each) => (typeof each === 'string' ? each.slice(0, 200).trim() : nameOf(each)));
  const names = [...new Set(all.filter((name) => name !== ''))];
  return names.length > 2 ? `${names[0]} and others` : names.join(' and ');
}

function urlOf(value: unknown): string {
  const one = firstOf(value);
  if (typeof one !== 'object' || one === null) return textOf(one);
  return textOf((one as Json).url) || textOf((one as Json).contentUrl) || textOf((one as Json)['@id']);
}

function priceOf(value: unknown): string {
  const offer = firstOf(value);
  if (typeof offer !== 'object' || offer === null) return '';
  const { price, lowPrice, priceCurrency, priceSpecification } = offer as Json;
  const amount = textOf(price) || textOf(lowPrice);
  if (amount === '') return priceOf(priceSpecification);
  return withCurrency(amount, textOf(priceCurrency));
}

/** "49.00" and "EUR" as a reader writes them. */
export function withCurrency(amount: string, currency: string): string {
  const number = Number(amount);
  if (!/^[A-Z]{3}$/.test(currency) || !Number.isFinite(number)) return amount.slice(0, 30);
  return new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    number,
  );
}
