// What a page says about itself, collected in one pass over its tags. Everything that is kept is bounded, whatever the page
// contains.
import { Parser } from 'htmlparser2';

export type Outline = {
  readonly language: string;
  readonly base: string;
  readonly title: string;
  /** The first value of each name of `metaNames`, in lower case with colons instead of dots. */
  readonly metas: ReadonlyMap<string, string>;
  /** The texts of application/ld+json. */
  readonly structured: readonly string[];
  readonly heading: string;
  readonly paragraph: string;
  readonly time: string;
  readonly author: string;
  readonly image: string;
  readonly icon: string;
  readonly links: readonly string[];
};

const metaNames: ReadonlySet<string> = new Set([
  ...['og:title', 'og:description', 'og:image', 'og:image:secure_url', 'og:image:url', 'og:site_name', 'og:locale'],
  ...['twitter:title', 'twitter:description', 'twitter:image', 'twitter:image:src', 'twitter:site'],
  ...['title', 'description', 'author', 'date', 'pubdate', 'application-name', 'apple-mobile-web-app-title'],
  ...['article:author', 'article:published_time', 'article:section', 'article:author_name', 'byl', 'headline'],
  ...['dc:title', 'dc:description', 'dc:creator', 'dc:date', 'dcterms:title', 'dcterms:creator', 'dcterms:date'],
  ...['dcterms:created', 'dc:date:issued', 'parsely-title', 'parsely-author', 'parsely-pub-date', 'parsely-image-url'],
  ...['parsely-section', 'sailthru:title', 'sailthru:author', 'sailthru:date', 'sailthru:description'],
  ...['sailthru:image:full', 'weibo:article:title', 'weibo:article:description', 'datepublished', 'image'],
  ...['thumbnail', 'product:price:amount', 'product:price:currency', 'og:price:amount', 'og:price:currency'],
  ...['citation_title', 'citation_author', 'citation_publication_date', 'tintype-site'],
]);

const longestMeta = 5000;
const longestText = 2000;
const mostScripts = 20;
const longestScript = 200_000;
const mostLinks = 300;
/** A page of people has some dozens of levels. The parser's time grows with the depth, so a deeper page is read no further. */
const deepest = 2000;
const chunk = 64 * 1024;
/** Every text is added to each open one. */
const mostCaptures = 8;

const silent = new Set(['script', 'style', 'template', 'noscript', 'svg', 'select', 'textarea', 'iframe', 'math']);
const aside = new Set(['nav', 'header', 'footer', 'aside', 'form', 'figcaption', 'button', 'dialog', 'menu']);
/** Pictures that belong to the page and not to what it is about. */
const ornament =
  /avatar|icon|logo|sprite|pixel|badge|emoji|spacer|gravatar|button|tracking|blank\.|1x1|\.svg(?:$|\?)|\/svg\//i;
/** A smaller picture looks blurred on a card. */
const leastWidth = 250;
const bylineClass = /^(?:byline|p-author|author-name|byline-name|byline__name|article-author|post-author)$/i;

type Capture = { readonly depth: number; text: string; readonly done: (text: string) => void };
type Attributes = Readonly<Record<string, string>>;

export function outlineOf(html: string): Outline {
  const metas = new Map<string, string>();
  const structured: string[] = [];
  const links = new Set<string>();
  const captures: Capture[] = [];
  // The first of each, in the main part of the page and anywhere.
  const inMain = { heading: '', paragraph: '', time: '', image: '' };
  const anywhere = { heading: '', paragraph: '', time: '', image: '' };
  const found = { language: '', base: '', title: '', author: '', icon: '', imageLink: '' };
  let depth = 0;
  let silentFrom = 0;
  let scriptText: string | undefined;
  const mainFrom: number[] = [];
  const asideFrom: number[] = [];

  const note = (name: keyof typeof inMain, value: string, isMain: boolean) => {
    if (value === '') return;
    if (isMain) inMain[name] ||= value;
    anywhere[name] ||= value;
  };
  const capture = (done: Capture['done']) => {
    if (captures.length < mostCaptures) captures.push({ depth, text: '', done });
  };

  function readMeta({ property, name, itemprop, content }: Attributes): void {
    const value = (content ?? '').slice(0, longestMeta).trim();
    if (value === '') return;
    for (const word of (property ?? name ?? itemprop ?? '').slice(0, 200).toLowerCase().split(/\s+/)) {
      const key = word.replaceAll('.', ':');
      if (metaNames.has(key) && !metas.has(key)) metas.set(key, value);
    }
  }

  function readLink({ rel, href }: Attributes): void {
    const words = (rel ?? '').slice(0, 200).toLowerCase().split(/\s+/);
    if (href === undefined) return;
    if (words.includes('apple-touch-icon')) found.icon ||= href.slice(0, longestText);
    if (words.includes('image_src')) found.imageLink ||= href.slice(0, longestText);
  }

  function readImage(attributes: Attributes, isMain: boolean): void {
    const { src = '', alt = '', width, height } = attributes;
    const lazy = attributes['data-src'] ?? attributes['data-original'] ?? attributes['data-lazy-src'];
    const first = attributes.srcset?.slice(0, longestText).trim().split(/[\s,]/, 1)[0];
    const url = [lazy, src, first].find((each) => each !== undefined && each !== '' && !each.startsWith('data:')) ?? '';
    if (url === '' || url.length > longestText || ornament.test(url) || ornament.test(alt.slice(0, 200))) return;
    const [across, down] = [width, height].map((text) => Number.parseInt(text ?? '', 10));
    // A comparison with a size that is not given is false.
    if ((across ?? 0) < leastWidth || (down ?? 0) < leastWidth / 2) return;
    if (isMain) inMain.image ||= url;
    else if ((across ?? 0) >= leastWidth && (down ?? 0) >= leastWidth) anywhere.image ||= url;
  }

  function readElement(name: string, attributes: Attributes): void {
    const isAside = asideFrom.length > 0;
    const isMain = mainFrom.length > 0 && !isAside;
    switch (name) {
      case 'html':
        found.language ||= (attributes.lang ?? '').slice(0, 35);
        break;
      case 'base':
        found.base ||= (attributes.href ?? '').slice(0, longestText);
        break;
      case 'meta':
        readMeta(attributes);
        break;
      case 'link':
        readLink(attributes);
        break;
      case 'title':
        if (found.title === '') capture((text) => (found.title ||= text));
        break;
      case 'h1':
        if (inMain.heading === '') capture((text) => note('heading', text, mainFrom.length > 0));
        break;
      case 'p':
        if (!isAside && inMain.paragraph === '')
          capture((text) => text.length >= (isMain ? 50 : 80) && note('paragraph', text, isMain));
        break;
      case 'time':
        if (inMain.time === '') {
          if (attributes.datetime) note('time', attributes.datetime.slice(0, 60), mainFrom.length > 0);
          else capture((text) => note('time', text.slice(0, 60), mainFrom.length > 0));
        }
        break;
      case 'img':
        if (inMain.image === '' && !isAside) readImage(attributes, isMain);
        break;
      case 'a':
        if (attributes.href && links.size < mostLinks) links.add(attributes.href.slice(0, longestText));
        break;
    }
    if (found.author === '' && isAuthor(attributes))
      capture((text) => {
        if (text.length <= 80) found.author ||= text;
      });
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (silentFrom > 0) return;
        if (name === 'script' && /^\s*application\/ld\+json/i.test((attributes.type ?? '').slice(0, 60)))
          scriptText = structured.length < mostScripts ? '' : undefined;
        if (silent.has(name)) silentFrom = depth;
        else {
          // Regions count for what is inside of them; a header of an article holds its heading.
          readElement(name, attributes);
          if (name === 'article' || name === 'main' || attributes.role === 'main' || isBody(attributes))
            mainFrom.push(depth);
          if (aside.has(name) && !(name === 'header' && mainFrom.length > 0)) asideFrom.push(depth);
        }
      },
      ontext(text) {
        if (scriptText !== undefined && scriptText.length < longestScript) scriptText += text;
        if (silentFrom > 0) return;
        for (const each of captures) if (each.text.length < longestText) each.text += text;
      },
      onclosetag() {
        if (silentFrom === depth) {
          silentFrom = 0;
          if (scriptText !== undefined) structured.push(scriptText);
          scriptText = undefined;
        }
        while (captures.length > 0 && (captures.at(-1)?.depth ?? 0) >= depth) {
          const ended = captures.pop();
          ended?.done(oneLine(ended.text));
        }
        if (mainFrom.at(-1) === depth) mainFrom.pop();
        if (asideFrom.at(-1) === depth) asideFrom.pop();
        depth--;
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length && depth < deepest; at += chunk) parser.write(html.slice(at, at + chunk));
  if (depth < deepest) parser.end();
  return {
    ...found,
    metas,
    structured,
    links: [...links],
    heading: inMain.heading || anywhere.heading,
    paragraph: inMain.paragraph || anywhere.paragraph,
    time: inMain.time || anywhere.time,
    image: found.imageLink || inMain.image || anywhere.image,
  };
}

const isBody = ({ itemprop }: Attributes): boolean => itemprop === 'articleBody';

function isAuthor({ rel, itemprop, class: classes }: Attributes): boolean {
  if (rel === 'author' || itemprop === 'author') return true;
  const words = classes?.slice(0, 300).split(/\s+/) ?? [];
  return words.some((word) => bylineClass.test(word));
}

/** Blanks of any kind are one blank. */
export const oneLine = (text: string): string => text.slice(0, 4000).split(/\s+/).filter(Boolean).join(' ');
