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
  // Only the last word is looked at: the text may be long.
  const tail = Math.max(0, maxChars - 101);
  const inTail = cut.slice(tail).search(/\s\S{0,100}$/);
  const atWord = /\s/.test(text[maxChars] ?? '') ? maxChars : inTail < 0 ? 0 : tail + inTail;
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

const isNameEnd = (code: number) => code === 0x3e || code === 0x20;

/** br, hr and img have no end tag. */
const isEmpty = (html: string, start: number, end: number): boolean =>
  end - start === 2
    ? html.charCodeAt(start + 1) === 0x72 && /[bh]/.test(html[start] ?? '')
    : end - start === 3 && html.startsWith('img', start);

/**
 * Of HTML that our own writer made: `<` and `>` only stand around tags, and every end tag ends the last open element. Only
 * the places of open elements are noted: a text of a megabyte may have 250,000 tags.
 */
function cutHtml(html: string, maxChars: number): string {
  /** Where the names of the open elements start and end. */
  const starts: number[] = [];
  const ends: number[] = [];
  /** What the end tags of the open elements need. */
  let closing = 0;
  let at = 0;
  while (at < html.length) {
    if (html.charCodeAt(at) !== 0x3c) {
      const next = html.indexOf('<', at);
      const end = next < 0 ? html.length : next;
      if (end + closing > maxChars) {
        at = wholeCharacters(html, at, maxChars - closing);
        break;
      }
      at = end;
      continue;
    }
    const end = html.indexOf('>', at) + 1;
    if (html.charCodeAt(at + 1) === 0x2f) closing -= (ends.pop() ?? 0) - (starts.pop() ?? 0) + 3;
    else {
      let nameEnd = at + 1;
      while (nameEnd < end && !isNameEnd(html.charCodeAt(nameEnd))) nameEnd++;
      const isOpened = !isEmpty(html, at + 1, nameEnd);
      const own = isOpened ? nameEnd - at + 2 : 0;
      if (end + closing + own > maxChars) break;
      if (isOpened) {
        starts.push(at + 1);
        ends.push(nameEnd);
        closing += own;
      }
    }
    at = end;
  }
  const open = starts.map((start, i) => `</${html.slice(start, ends[i])}>`);
  return html.slice(0, at) + open.reverse().join('');
}

/** The end of the text from `start` to `end`, without half an entity or half a surrogate pair. */
function wholeCharacters(html: string, start: number, end: number): number {
  const entity = html.lastIndexOf('&', end - 1);
  if (entity >= start && end - entity < longestEntity && !html.slice(entity, end).includes(';')) return entity;
  const last = html.charCodeAt(end - 1);
  return end > start && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** &quot; */
const longestEntity = 6;
