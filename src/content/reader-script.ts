// The script that reads a page.
import type { ReadOptions } from './content-types.ts';

export const readScript = async (options: ReadOptions): Promise<string> => `(${read})(${JSON.stringify(options)})`;

const read = `({ selector, maxChars }) => {
  const root = selector === undefined ? document.body : document.querySelector(selector);
  if (!root) return { missing: 'not found' };
  const text = root.innerText;
  return { title: document.title || null, description: null, language: document.documentElement.lang || null, byline: null,
    siteName: null, publishedAt: null, image: null, favicon: null, canonical: null, links: [],
    content: text.slice(0, maxChars), words: (text.match(/\\\\S+/g) ?? []).length, truncated: text.length > maxChars };
}`;
