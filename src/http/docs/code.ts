// Code in the documentation: highlighted, with a button that copies it.
import highlighter from 'highlight.js/lib/common';
import { escapeHtml } from '../../kernel/escape-html.ts';

const names: Readonly<Record<string, string>> = {
  sh: 'Shell',
  curl: 'Shell',
  js: 'JavaScript',
  javascript: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  astro: 'Astro',
  vue: 'Vue',
  svelte: 'Svelte',
  md: 'Markdown',
  'go-html-template': 'Hugo template',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
  json: 'JSON',
  html: 'HTML',
  yaml: 'YAML',
  http: 'HTTP',
};

/** Languages that are highlighted as another one. */
const similar: Readonly<Record<string, string>> = {
  curl: 'sh',
  astro: 'html',
  vue: 'html',
  svelte: 'html',
  'go-html-template': 'html',
};

function highlighted(code: string, language: string): string {
  const known = similar[language] ?? language;
  return highlighter.getLanguage(known) === undefined
    ? escapeHtml(code)
    : highlighter.highlight(code, { language: known, ignoreIllegals: true }).value;
}

export function codeBlock(code: string, language: string): string {
  const label = names[language] ?? 'Text';
  return `<figure class="code"><figcaption>${label}${copyButton}</figcaption>${codeArea(code, language, label)}</figure>`;
}

/** It can be scrolled with the keyboard, too. */
export const codeArea = (code: string, language: string, label: string): string =>
  `<pre tabindex="0" role="group" aria-label="Code: ${label}"><code>${highlighted(code, language)}</code></pre>`;

export const copyButton = '<button type="button" class="copy scripted-only">Copy</button>';
