// Cuts a text so that what is left is still whole in its format.
import type { TextFormat } from './content-types.ts';

/** At most this many characters, up to the end of a word. HTML elements and blocks of code that are cut are closed. */
export function cutText(text: string, maxChars: number, format: TextFormat = 'text'): string {
  if (text.length <= maxChars) return text;
  if (format === 'html') return cutHtml(text, maxChars);
  const cut = cutAtWord(text, maxChars);
  const fence = format === 'markdown' ? openFence(cut) : '';
  return fence ? `${cutAtWord(text, Math.max(0, maxChars - fence.length - 1))}\n${fence}` : cut;
}

/** No half of a surrogate pair. */
function cutAtWord(text: string, maxChars: number): string {
  const cut = text.slice(0, maxChars);
  const atWord = /\s/.test(text[maxChars] ?? '') ? maxChars : cut.search(/\s\S{0,100}$/);
  const end = atWord > 0 ? atWord : maxChars;
  return cut
    .slice(0, end)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

/** The fence of a code block that is not closed. */
function openFence(markdown: string): string {
  let open = '';
  for (const [, fence = ''] of markdown.matchAll(/^[ >]*(`{3,})/gm)) {
    if (!open) open = fence;
    else if (fence.length >= open.length) open = '';
  }
  return open;
}

const emptyElements = new Set(['br', 'hr', 'img']);

/** Of HTML that our own writer made: `<` and `>` only stand around tags. */
function cutHtml(html: string, maxChars: number): string {
  const parts: string[] = [];
  const open: string[] = [];
  let length = 0;
  let closing = 0;
  for (const [token, slash, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)[^<>]*>|[^<]+/g)) {
    const isStart = name !== '' && slash === '' && !emptyElements.has(name);
    const end = isStart ? name.length + 3 : 0;
    if (slash === '/') closing -= (open.pop()?.length ?? 0) + 3;
    else if (length + token.length + closing + end > maxChars) {
      // An entity is not cut.
      if (!name) parts.push(token.slice(0, maxChars - length - closing).replace(/[\uD800-\uDBFF]$|&[^;]*$/, ''));
      break;
    }
    parts.push(token);
    length += token.length;
    if (isStart) open.push(name);
    closing += end;
  }
  return (
    parts.join('') +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  );
}
