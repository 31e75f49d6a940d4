// Simple syntax highlighting: comments, strings, numbers and common keywords.

export type Ink = 'plain' | 'comment' | 'string' | 'number' | 'word';

const words =
  'abstract and as async await break case catch class const continue def default defer do elif else end enum export extends ' +
  'false final finally fn for from func function if impl import in interface is let loop match mod mut new nil None not null ' +
  'of or package pass private pub public raise return self static struct super switch this throw trait true True False try ' +
  'type undefined use val var void where while with yield';

const token = new RegExp(
  [
    '(?<comment>//.*|/\\*.*?\\*/|(?<=^|\\s)#(?!\\w).*|(?<=^|\\s)--\\s.*)',
    '(?<string>"(?:\\\\.|[^"\\\\])*"|\'(?:\\\\.|[^\'\\\\])*\'|`(?:\\\\.|[^`\\\\])*`)',
    '(?<number>\\b\\d[\\d_]*(?:\\.\\d+)?\\b)',
    `(?<word>\\b(?:${words.replaceAll(' ', '|')})\\b)`,
  ].join('|'),
  'gu',
);

/** Splits a line into runs of one color each. */
export function codeRuns(line: string): { text: string; ink: Ink }[] {
  const runs: { text: string; ink: Ink }[] = [];
  let at = 0;
  for (const match of line.matchAll(token)) {
    if (match.index > at) runs.push({ text: line.slice(at, match.index), ink: 'plain' });
    const ink = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] as Ink;
    runs.push({ text: match[0], ink });
    at = match.index + match[0].length;
  }
  if (at < line.length || runs.length === 0) runs.push({ text: line.slice(at), ink: 'plain' });
  return runs;
}

export const codeLines = (code: string): string[] => code.replaceAll('\t', '  ').split('\n');

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What East Asian typefaces draw on a square, and emoji. */
const square =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const emoji = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|.\ufe0f)/u;
/** The monospaced typeface has these; letters of other scripts come from proportional typefaces and may be wider. */
const monospaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}]/u;

/** The width of every character of the monospaced typeface, in ems. */
export const advance = 0.6;

/** The width of a letter with its marks, in columns. A square is an em wide, an emoji has margins. */
function columnsOf(letter: string): number {
  if (square.test(letter)) return 1 / advance;
  if (emoji.test(letter)) return 1.12 / advance;
  if (monospaced.test(letter)) return 1;
  return wideScript.test(letter) ? 1.5 : 1.1;
}

/** Letters that are often wider than high. */
const wideScript =
  /^[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;

type Letter = { readonly text: string; readonly columns: number };

const lettersOf = (line: string): Letter[] =>
  [...graphemes.segment(line)].map(({ segment }) => ({ text: segment, columns: columnsOf(segment) }));

const sum = (letters: readonly Letter[]): number => letters.reduce((total, { columns }) => total + columns, 0);

/** The width of a line of code, in columns. */
export const codeWidth = (line: string): number => sum(lettersOf(line));

/** Wraps a long line. Its other rows are indented and have no number. */
export function wrapCode(
  line: string,
  columns: number,
  number: number,
): { text: string; number: number | undefined }[] {
  const indent = ' '.repeat(Math.min(/^\s*/.exec(line)?.[0].length ?? 0, Math.floor(columns / 2)) + 2);
  const rows: { text: string; number: number | undefined }[] = [];
  let rest = lettersOf(line);
  for (let first = true; first || rest.length > 0; first = false) {
    const at = breakBefore(rest, first ? columns : columns - indent.length);
    const row = rest.slice(0, at).map(({ text }) => text);
    rows.push({ text: (first ? '' : indent) + row.join(''), number: first ? number : undefined });
    rest = rest.slice(at);
  }
  return rows;
}

/** What starts no line. */
const closing = /^[\p{Pe}\p{Pf}、。，．：；！？・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;

/** Breaks after the last blank, sign or square letter in the second half of the row; if there is none, inside a word. */
function breakBefore(letters: readonly Letter[], columns: number): number {
  let full = 0;
  for (let used = 0; full < letters.length; full++) {
    used += letters[full]?.columns ?? 0;
    if (used > columns) break;
  }
  if (full === letters.length) return full;
  for (let at = full; at > full / 2; at--) {
    const before = letters[at - 1]?.text ?? '';
    const after = letters[at]?.text ?? '';
    if (/[\s.,;:(){}[\]+=]/.test(before)) return at;
    if ((square.test(before) || square.test(after)) && !closing.test(after)) return at;
  }
  return Math.max(1, full);
}
