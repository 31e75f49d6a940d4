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

/** Wraps a long line. Its other rows are indented and have no number. */
export function wrapCode(
  line: string,
  columns: number,
  number: number,
): { text: string; number: number | undefined }[] {
  const indent = ' '.repeat(Math.min(/^\s*/.exec(line)?.[0].length ?? 0, Math.floor(columns / 2)) + 2);
  const rows: { text: string; number: number | undefined }[] = [];
  let rest = [...line];
  for (let first = true; first || rest.length > 0; first = false) {
    const width = first ? columns : columns - indent.length;
    const at = rest.length <= width ? rest.length : breakBefore(rest, width);
    rows.push({ text: (first ? '' : indent) + rest.slice(0, at).join(''), number: first ? number : undefined });
    rest = rest.slice(at);
  }
  return rows;
}

/** Breaks after the last blank or sign in the second half of the row; if there is none, inside a word. */
function breakBefore(letters: readonly string[], width: number): number {
  for (let at = width; at > width / 2; at--) if (/[\s.,;:(){}[\]+=]/.test(letters[at - 1] ?? '')) return at;
  return width;
}
