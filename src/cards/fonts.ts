// The typefaces of the cards, and the fallback fonts for all other scripts, from npm packages under the Open Font
// License.
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Renderer } from '@takumi-rs/core';
import { Coverage, coverageOf, type Range } from './font-coverage.ts';
import type { HanForm } from './script.ts';

/** The names contain no generic keyword: the engine reads "Serif" as `serif`. */
export const typefaces = { sans: 'Tintype Text', serif: 'Tintype Book', mono: 'Tintype Code' } as const;
export type Typeface = keyof typeof typefaces;

type Source = {
  readonly family: string;
  readonly package: string;
  /** The end of the file names: the axis of a variable font, or a weight. */
  readonly axis: string;
  readonly styles?: readonly ('normal' | 'italic')[];
  /** Also use its Latin characters. Otherwise they come from the typefaces. */
  readonly latin?: true;
};

const script = (name: string): Source => ({
  family: `Script ${name}`,
  package: `@fontsource-variable/noto-sans-${name}`,
  axis: 'wght',
});

const scripts: readonly Source[] = [
  ...['arabic', 'hebrew', 'devanagari', 'thai', 'bengali', 'tamil', 'telugu', 'kannada', 'malayalam', 'gujarati'],
  ...['gurmukhi', 'oriya', 'sinhala', 'khmer', 'lao', 'myanmar', 'georgian', 'armenian', 'ethiopic', 'javanese'],
  ...['adlam', 'canadian-aboriginal', 'cherokee', 'syriac', 'thaana'],
]
  .map(script)
  .concat(
    { family: 'Script tibetan', package: '@fontsource-variable/noto-serif-tibetan', axis: 'wght' },
    ...['mongolian', 'nko', 'tifinagh'].map((name) => ({
      family: `Script ${name}`,
      package: `@fontsource/noto-sans-${name}`,
      axis: '400',
    })),
    // Last: rare characters of Latin, Greek and Cyrillic that the typefaces lack.
    { family: 'Script others', package: '@fontsource-variable/noto-sans', axis: 'wght', latin: true },
  );
const hanSources = (['jp', 'kr', 'tc', 'sc'] as const).map(script);
const symbols: readonly Source[] = [
  script('symbols'),
  { family: 'Script symbols 2', package: '@fontsource/noto-sans-symbols-2', axis: '400' },
  { family: 'Script math', package: '@fontsource/noto-sans-math', axis: '400', latin: true },
];
const sans: Source = { family: typefaces.sans, package: '@fontsource-variable/inter', axis: 'opsz', latin: true };
const otherTypefaces: readonly Source[] = [
  {
    family: typefaces.serif,
    package: '@fontsource-variable/source-serif-4',
    axis: 'opsz',
    styles: ['normal', 'italic'],
    latin: true,
  },
  { family: typefaces.mono, package: '@fontsource-variable/jetbrains-mono', axis: 'wght', latin: true },
];
const fallbacks: readonly Source[] = [...hanSources, ...scripts, ...symbols];

const latinSlice = /-(latin|latin-ext|vietnamese|cyrillic|cyrillic-ext|greek|greek-ext)-[^-]+-(normal|italic)\.woff2$/;

/** Registers the typefaces. Returns the characters of all of them, and those of the first fallback. */
export async function registerTypefaces(renderer: Renderer): Promise<{ coverage: Coverage; plain: Coverage }> {
  const plain = new Coverage();
  const coverage = new Coverage();
  for (const ranges of await register(renderer, sans)) {
    plain.add(ranges);
    coverage.add(ranges);
  }
  for (const source of otherTypefaces) for (const ranges of await register(renderer, source)) coverage.add(ranges);
  return { coverage, plain };
}

/** Registers the fonts of all other scripts, and adds their characters: about a second, and 100 MB. */
export async function registerFallbacks(renderer: Renderer, coverage: Coverage): Promise<void> {
  // In sequence, to keep the fallback order.
  for (const source of fallbacks) for (const ranges of await register(renderer, source)) coverage.add(ranges);
}

/** Returns the characters of each file. */
async function register(renderer: Renderer, source: Source): Promise<Range[][]> {
  const { resolve } = createRequire(import.meta.url);
  const folder = join(dirname(resolve(`${source.package}/package.json`)), 'files');
  const files = (await readdir(folder)).sort();
  const wanted = (source.styles ?? (['normal'] as const)).flatMap((style) =>
    files
      .filter((file) => file.endsWith(`-${source.axis}-${style}.woff2`) && (source.latin || !latinSlice.test(file)))
      .map((file) => ({ file, style })),
  );
  if (wanted.length === 0) throw new Error(`${source.package} has no ${source.axis} files.`);
  return Promise.all(
    wanted.map(async ({ file, style }) => {
      const data = await readFile(join(folder, file));
      const ranges = await coverageOf(data);
      await renderer.registerFont({ name: source.family, data, style, unicodeRange: ranges });
      return ranges;
    }),
  );
}

const orders: Readonly<Record<HanForm, readonly HanForm[]>> = {
  jp: ['jp', 'tc', 'sc', 'kr'],
  kr: ['kr', 'jp', 'tc', 'sc'],
  tc: ['tc', 'jp', 'sc', 'kr'],
  sc: ['sc', 'tc', 'jp', 'kr'],
};

/** The families in fallback order, with the Han characters of this form first. */
export const fallbackOrder = (han: HanForm): string[] => [
  typefaces.sans,
  ...orders[han].map((form) => `Script ${form}`),
  ...[...scripts, ...symbols].map(({ family }) => family),
];
