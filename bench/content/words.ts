// Words of a text, and how much two texts share.
import { marked } from 'marked';
import type { RawReader } from './raw-reader.ts';

/** Both sides write Markdown, and both are rendered by the same library before their words are compared. */
export const wordsOfMarkdown = async (reader: RawReader, markdown: string): Promise<readonly string[]> =>
  (await reader.wordsOfHtml(await marked.parse(markdown))).words;

/** The harmonic mean of precision and recall, over words with how often they occur. */
export function f1(found: readonly string[], wanted: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of wanted) {
    const left = counts.get(word) ?? 0;
    if (left > 0) shared++;
    counts.set(word, left - 1);
  }
  return found.length + wanted.length === 0 ? 1 : (2 * shared) / (found.length + wanted.length);
}
