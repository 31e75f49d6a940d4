// The usual way without a page: Readability and Turndown, from npm, on the HTML as it was sent. A browser parses it and runs
// none of it.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findPlace } from '../../test/capture/capture-harness.ts';
import { install } from '../peers.ts';

export type Words = { readonly words: readonly string[]; readonly headings: ReadonlySet<string> };

export type RawReader = {
  /** Markdown. */
  read(html: string, url: string): Promise<string>;
  wordsOfHtml(html: string): Promise<Words>;
  close(): Promise<void>;
};

export async function openRawReader(): Promise<RawReader> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-raw-reader-'));
  await install(folder, ['@mozilla/readability@0.6.0', 'turndown@7.2.5']);
  const { path } = await findPlace();
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  for (const [file, name] of [
    ['@mozilla/readability/Readability.js', 'Readability'],
    ['turndown/dist/turndown.js', 'TurndownService'],
  ] as const) {
    const code = await readFile(join(folder, 'node_modules', file), 'utf8');
    await page.evaluate(`${code};\nglobalThis.${name} = ${name}; 0`);
  }

  const call = <T>(code: string, ...values: string[]): Promise<T> =>
    page.evaluate<T>(`(${code})(${values.map((value) => JSON.stringify(value)).join()})`);

  return {
    read: (html, url) =>
      call(
        `(html, url) => {
          const page = new DOMParser().parseFromString(html, 'text/html');
          const base = page.createElement('base');
          base.href = url;
          page.head.prepend(base);
          const found = new Readability(page).parse()?.content ?? '';
          return new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' }).turndown(found);
        }`,
        html,
        url,
      ),
    async wordsOfHtml(html) {
      const { words, headings } = await call<{ words: string[]; headings: string[] }>(
        `(html) => {
          const page = new DOMParser().parseFromString(html, 'text/html');
          for (const unseen of page.querySelectorAll('script, style, noscript, template')) unseen.remove();
          const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
          let text = '';
          while (walker.nextNode()) text += walker.currentNode.data + ' ';
          const words = text.replaceAll('\\u00AD', '').normalize('NFKC').toLowerCase().match(/[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]|[\\p{L}\\p{N}]+/gu) ?? [];
          const headings = [...page.querySelectorAll('h1, h2, h3')].map(({ textContent }) => textContent.replace(/\\s+/g, ' ').trim().toLowerCase());
          return { words, headings };
        }`,
        html,
      );
      return { words, headings: new Set(headings) };
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
