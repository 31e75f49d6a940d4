// The texts and ids of headings of a Markdown text.
import type { Token } from 'marked';

/** What a reader sees of these, without formatting. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'html') return '';
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? String(token.text) : '';
    })
    .join('');
}

/** The ids of headings as GitHub makes them, so that links to them work: the second "Usage" is usage-1. */
export function createIds(): (heading: string) => string {
  const given = new Map<string, number>();
  return (heading) => {
    const id = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let unique = id;
    let count = given.get(id) ?? 0;
    while (given.has(unique)) unique = `${id}-${++count}`;
    given.set(id, count);
    given.set(unique, given.get(unique) ?? 0);
    return unique;
  };
}
