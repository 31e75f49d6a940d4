// A guide as a page: its HTML, its headings, and its sections for the search. Our own files, so HTML in them is trusted.
import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { createIds, plainText } from '../../capture/markdown/headings.ts';
import { escapeHtml } from '../../kernel/escape-html.ts';
import { codeBlock } from './code.ts';

export type Heading = { readonly depth: number; readonly id: string; readonly text: string };
export type Section = { readonly id: string; readonly heading: string; readonly text: string };
export type GuidePage = {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** The Markdown, with the links of this server. */
  readonly markdown: string;
};

/** Addresses in the examples of the guides that stand for the reader's own server. */
const standIns = ['http://127.0.0.1:3000', 'https://shots.example.com'];

/** `name` is that of the guide, such as `guides/nextjs`; links in it are relative to its file. */
export function renderGuide(
  name: string,
  source: string,
  baseUrl: string,
  isPage: (name: string) => boolean,
): GuidePage {
  const markdown = withLinks(
    withoutComments(replaceAll(source, standIns, baseUrl).replaceAll('"$TINTYPE/', `"${baseUrl}/`)),
    baseUrl,
    (href) => isPage(fileOf(href, name).guide),
  );
  const idOf = createIds();
  const headings: Heading[] = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const text = plainText(tokens);
        const id = idOf(text);
        if (depth > 1) headings.push({ depth, id, text });
        return headingHtml(depth, id, text, this.parser.parseInline(tokens));
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(pageLink(href, name))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        // Relative, because the policy of the page allows pictures of its own origin only.
        const src = href.startsWith(baseUrl) ? href.slice(baseUrl.length) : href;
        return `<img src="${escapeHtml(src)}" alt="${escapeHtml(text)}" width="1200" height="630" loading="lazy">`;
      },
      table(table: Tokens.Table): string {
        return scrollable(Renderer.prototype.table.call(this, table).replaceAll('<th></th>', '<td></td>'));
      },
      code: ({ text, lang = '' }: Tokens.Code) => codeBlock(text, lang.split(/\s/, 1)[0] ?? ''),
    },
  });
  const tokens = marked.lexer(markdown);
  const html = marked.parser(tokens);
  const first = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  return { title: first ? plainText(first.tokens) : '', html, headings, sections: sectionsOf(tokens), markdown };
}

export const headingHtml = (depth: number, id: string, text: string, html: string): string =>
  depth === 1
    ? `<h1>${html}</h1>\n`
    : `<h${depth} id="${escapeHtml(id)}">${html}<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>\n`;

/** A table that is wider than a phone scrolls by itself, with the keyboard, too. */
export const scrollable = (table: string): string =>
  `<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;

const withoutComments = (text: string): string => text.replaceAll(/<!--[\s\S]*?-->\n*/g, '');

const replaceAll = (text: string, names: readonly string[], by: string): string =>
  names.reduce((result, name) => result.replaceAll(name, by), text);

/** Pictures of templates are made by the server. A link to a file that readers of a server do not have becomes its text. */
function withLinks(markdown: string, baseUrl: string, isPage: (href: string) => boolean): string {
  return markdown.replaceAll(
    /(!?)\[([^\]\n]{1,500})\]\(([^)\s]{1,1000})\)/g,
    (whole, mark: string, text: string, href: string) => {
      const template = /golden\/og\/([\w-]+)\.png$/.exec(href)?.[1];
      if (mark !== '') return template ? `![${text}](${baseUrl}/api/templates/${template}/picture)` : '';
      if (/^(?:https?:|#)/.test(href)) return whole;
      return isPage(href) ? whole : text;
    },
  );
}

/** What a relative link leads to: the name of a guide, or nothing, and the anchor. */
function fileOf(href: string, from: string): { guide: string; hash: string } {
  const { pathname, hash } = new URL(href, `http://docs/${from}.md`);
  return { guide: pathname.endsWith('.md') ? pathname.slice(1, -3) : '', hash };
}

function pageLink(href: string, from: string): string {
  if (/^(?:https?:|#)/.test(href)) return href;
  const { guide, hash } = fileOf(href, from);
  return `/docs/${guide}${hash}`;
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const idOf = createIds();
  const sections: { id: string; heading: string; words: string[] }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText((token as Tokens.Heading).tokens);
      const id = idOf(heading);
      sections.push({ id: (token as Tokens.Heading).depth === 1 ? '' : id, heading, words: [] });
    } else sections.at(-1)?.words.push(wordsOf(token));
  }
  return sections.map(({ id, heading, words }) => ({
    id,
    heading,
    text: words.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}

function wordsOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(({ tokens }) => plainText(tokens)).join(' ')).join('\n');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(wordsOf).join('\n');
  if ('tokens' in token && token.tokens) return plainText(token.tokens);
  return 'text' in token ? String(token.text) : '';
}
