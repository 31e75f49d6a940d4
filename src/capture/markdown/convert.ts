// Markdown in the flavour of GitHub as a page. Hostile text can make this slow: it runs in a thread (converter.ts).
import { readFileSync } from 'node:fs';
import highlighter from 'highlight.js/lib/common';
import { Marked, Renderer, type Tokens } from 'marked';
import { escapeHtml } from '../../kernel/escape-html.ts';
import { createIds, plainText } from './headings.ts';

const style = readFileSync(new URL('./markdown.css', import.meta.url), 'utf8');

/** Longer blocks of code are shown without colors: they take seconds. */
const longestHighlighted = 50_000;

/** Raw HTML in it is kept: the page is the caller's own, and runs in the sandbox of every page. */
export function convertMarkdown(markdown: string): string {
  const idOf = createIds();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        return `<h${depth} id="${escapeHtml(idOf(plainText(tokens)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(table: Tokens.Table): string {
        const html = Renderer.prototype.table.call(this, table);
        return widthOf(table) > widestTable ? html.replace('<table>', '<table class="wide-table">') : html;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        return `<pre><code>${highlighted(text, lang.split(/\s/, 1)[0] ?? '')}\n</code></pre>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const first = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const title = first === undefined ? '' : plainText(first.tokens);
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><article dir="auto">
${marked.parser(tokens)}</article></body></html>`;
}

const highlighted = (code: string, language: string): string =>
  code.length <= longestHighlighted && highlighter.getLanguage(language) !== undefined
    ? highlighter.highlight(code, { language, ignoreIllegals: true }).value
    : escapeHtml(code);

/** Characters that a line has room for, in tables of several columns. */
const widestTable = 60;

/** The sum of the longest words of the columns: a table cannot be narrower unless words are broken. */
const widthOf = ({ header, rows }: Tokens.Table): number =>
  header
    .map((_, column) =>
      [header, ...rows].reduce((most, row) => Math.max(most, longestWord(row[column]?.text ?? '')), 0),
    )
    .reduce((sum, width) => sum + width, 0);

const longestWord = (text: string): number => text.split(/\s+/).reduce((most, word) => Math.max(most, word.length), 0);
