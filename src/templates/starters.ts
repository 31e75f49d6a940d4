// The built-in templates as HTML, to start an own template from.
import { readdir, readFile } from 'node:fs/promises';
import { lazily } from '../kernel/lazily.ts';
import { fromFile } from './template-document.ts';

const folder = new URL('../cards/starters/', import.meta.url);

export type Starter = {
  readonly name: string;
  readonly description: string;
  /** The whole text, with what is said of the variables at the top. */
  readonly file: string;
};

/** In the order of their names. */
export const starters: () => Promise<readonly Starter[]> = lazily(async () => {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.html')).sort();
  return Promise.all(
    names.map(async (name) => {
      const file = await readFile(new URL(name, folder), 'utf8');
      return { name: name.replace('.html', ''), description: String(fromFile(file).description ?? ''), file };
    }),
  );
});
