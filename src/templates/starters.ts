// The templates that a new one can start from: HTML files in src/og/starters.
import { readdir, readFile } from 'node:fs/promises';
import { fromFile } from './template-document.ts';

export type Starter = { readonly name: string; readonly description: string; readonly file: string };

const folder = new URL('../og/starters/', import.meta.url);

let reading: Promise<readonly Starter[]> | undefined;

export function starters(): Promise<readonly Starter[]> {
  reading ??= readAll();
  return reading;
}

async function readAll(): Promise<readonly Starter[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html')).sort();
  return Promise.all(
    names.map(async (name) => {
      const file = await readFile(new URL(name, folder), 'utf8');
      return { name: name.slice(0, -'.html'.length), description: String(fromFile(file).description ?? ''), file };
    }),
  );
}
