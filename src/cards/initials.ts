const cased = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** The first letters of the first and the last word; one letter in scripts without capitals. */
export function initials(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .trim()
    .split(/\s+/u);
  const letterOf = (word: string | undefined) => word?.match(/^.\p{M}*/su)?.[0] ?? '';
  const first = letterOf(words[0]);
  const last = words.length > 1 ? letterOf(words.at(-1)) : '';
  return cased.test(first) ? (first + last).toUpperCase() : first;
}
