import { describe, expect, it } from 'vitest';
import { convertMarkdown } from './convert.ts';

/** What is inside of the article. */
const html = (markdown: string) => /<article dir="auto">\n([\s\S]*)<\/article>/.exec(convertMarkdown(markdown))?.[1];
const titleOf = (markdown: string) => /<title>(.*?)<\/title>/s.exec(convertMarkdown(markdown))?.[1];

describe('Markdown in the flavour of GitHub', () => {
  it('has tables with aligned columns', () => {
    const table = html('| a | b |\n|---|--:|\n| 1 | **2** |');
    expect(table).toMatch(/<th>a<\/th>\s*<th align="right">b<\/th>/);
    expect(table).toMatch(/<td align="right"><strong>2<\/strong><\/td>/);
  });

  it('breaks the words of a table only where they have no room', () => {
    const row = (words: string[]) => `| ${words.join(' | ')} |`;
    const table = (words: string[]) => [row(words), row(words.map(() => '---')), row(words)].join('\n');
    expect(html(table(['Parameter', 'Value', 'a long sentence of many short words that goes on and on']))).toMatch(
      /^<table>/,
    );
    expect(html(table(Array.from({ length: 10 }, () => 'Parameter')))).toMatch(/^<table class="wide-table">/);
    expect(html(table(['a', `https://e.test/${'x'.repeat(80)}`]))).toMatch(/^<table class="wide-table">/);
  });

  it('has task lists, strikethrough, links without brackets and raw HTML', () => {
    expect(html('- [x] done\n- [ ] open')).toMatch(/<input checked[^>]*>[\s\S]*<input disabled[^>]*>/);
    expect(html('~~old~~')).toContain('<del>old</del>');
    expect(html('see https://example.com/a and www.example.com')).toMatch(
      /<a href="https:\/\/example.com\/a">[\s\S]*<a href="http:\/\/www.example.com">/,
    );
    expect(html('a <kbd>Ctrl</kbd>\n\n<div align="center">\n\n**b**\n\n</div>')).toMatch(
      /<kbd>Ctrl<\/kbd>[\s\S]*<div align="center">[\s\S]*<strong>b<\/strong>[\s\S]*<\/div>/,
    );
  });

  it('colors code in a language it knows, and only escapes other code', () => {
    expect(html('```js\nconst a = "<b>";\n```')).toContain('<span class="hljs-keyword">const</span>');
    expect(html('```ts title="x"\nlet a: string;\n```')).toContain('hljs-keyword');
    expect(html('```nonsense\na < b && c\n```')).toBe('<pre><code>a &lt; b &amp;&amp; c\n</code></pre>\n');
    expect(html('    <b>')).toBe('<pre><code>&lt;b&gt;\n</code></pre>\n');
    expect(html(`\`\`\`js\n${'let a;\n'.repeat(10_000)}\`\`\``)).not.toContain('hljs');
  });

  it.each([
    ['# Hello World', 'hello-world'],
    ['## What’s new in 2.0?', 'whats-new-in-20'],
    ['# `code` & **bold** [link](https://e.test/)', 'code--bold-link'],
    ['# Größe 大きさ snake_case', 'größe-大きさ-snake_case'],
    ['# a <b>c</b>', 'a-c'],
    ['# "quoted" <img src=x onerror=y>', 'quoted-'],
  ])('gives the heading %s the id %s', (markdown, id) => {
    expect(html(markdown)).toContain(`id="${id}"`);
  });

  it('numbers headings of the same text as GitHub does', () => {
    const ids = [...(html('# a\n# a\n# a-1\n# a') ?? '').matchAll(/id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['a', 'a-1', 'a-1-1', 'a-2']);
  });

  it('has its first heading as title, as text', () => {
    expect(titleOf('text\n\n## The *first* `<b>` & heading\n\n# Second')).toBe('The first &lt;b&gt; &amp; heading');
    expect(titleOf('no heading')).toBe('');
  });
});
