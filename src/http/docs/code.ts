// Code in the documentation: highlighted, with a button that copies it.
import highlighter from 'highlight.js/lib/common';
import { escapeHtml } from './escape.ts';

const names: Readonly<Record<string, string>> = {
  sh: 'Shell',
  curl: 'Shell',
  js: 'JavaScript',
  javascript: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
  json: 'JSON',
  html: 'HTML',
  yaml: 'YAML',
  http: 'HTTP',
};

export function highlighted(code: string, language: string): string {
  const known = language === 'curl' ? 'sh' : language;
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
