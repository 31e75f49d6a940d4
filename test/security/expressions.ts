// Every regular expression that stands in our sources, found by parsing them: one that is added tomorrow is tried, too.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAst } from 'vite';

const src = join(import.meta.dirname, '../../src');

/**
 * Not tried over long texts, since what they read is short before it reaches them. A line here says why.
 */
const shortInput: Readonly<Record<string, string>> = {
  'config.ts': "an operator's settings",
  'cli/': 'words of the command line',
  'cards/fonts.ts': 'names of files',
  'access/accounts.ts': 'an address of at most 254 characters; tried by checkEmail',
  'capture/': 'what a page sends: test/capture/hostile-pages',
  'egress/': 'targets of at most 4,096 characters',
};

export type Found = { readonly place: string; readonly expression: RegExp };

export async function expressionsOf(): Promise<Found[]> {
  const found: Found[] = [];
  for (const file of (await readdir(src, { recursive: true })).sort()) {
    if (!/\.(ts|js)$/.test(file) || file.endsWith('.test.ts')) continue;
    if (Object.keys(shortInput).some((place) => file.startsWith(place))) continue;
    const tree = parseAst(await readFile(join(src, file), 'utf8'), { lang: file.endsWith('.ts') ? 'ts' : 'js' });
    visit(tree, (pattern, flags) => found.push({ place: `src/${file}`, expression: new RegExp(pattern, flags) }));
  }
  return found;
}

function visit(node: unknown, tell: (pattern: string, flags: string) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const { regex } = node as { regex?: { pattern: string; flags: string } };
  if (regex !== undefined) tell(regex.pattern, regex.flags);
  else for (const child of Object.values(node)) visit(child, tell);
}
