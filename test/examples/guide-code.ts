// The code of a guide: a block after a line that is nothing but "`path/of/the/file`:" is that file.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const readGuide = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../docs/guides', `${name}.md`), 'utf8');

export function filesIn(guide: string): ReadonlyMap<string, string> {
  const found = guide.matchAll(/^`([^`\n]+)`:\n\n```[\w-]+\n([\s\S]*?)^```$/gm);
  return new Map([...found].map(([, path = '', code = '']) => [path, code]));
}

export async function writeFiles(folder: string, files: Iterable<readonly [string, string]>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The content of each `<meta>` of a page by its name or property. The last one wins, and there should be one. */
export function metaOf(html: string): ReadonlyMap<string, string> {
  const tags = [...html.matchAll(/<meta\s[^>]*>/g)].map(([tag]) => {
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
    return [attribute('property') || attribute('name'), unescapeHtml(attribute('content'))] as const;
  });
  return new Map(tags);
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
