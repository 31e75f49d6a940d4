// The built-in templates as HTML: each is read, has the variables of the built-in one, and looks like a card.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deadline } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';
import { createHtmlPainter, type HtmlPainter } from '../../src/og/html/html-painter.ts';
import type { Picture } from '../../src/og/og-types.ts';
import { loadTemplates } from '../../src/og/template-files.ts';
import { type Starter, starters } from '../../src/templates/starters.ts';
import { describe as about, fromFile, type TemplateAbout } from '../../src/templates/template-document.ts';

const painter: HtmlPainter = createHtmlPainter(createLog('silent'), 1);
const builtIn = await loadTemplates();
const all = await starters();
const deadline = new Deadline(120_000);
let read: ReadonlyMap<string, { readonly source: string; readonly about: TemplateAbout }>;
beforeAll(async () => {
  read = new Map(await Promise.all(all.map(async (starter) => [starter.name, await readStarter(starter)] as const)));
});
afterAll(async () => {
  deadline.done();
  await painter.stop();
});

async function readStarter({ file }: Starter) {
  const { source, ...said } = fromFile(file);
  const { variables, files } = await painter.read(source, deadline);
  expect(files).toEqual([]);
  return { source, about: about(variables, said) };
}

it('there is one for every built-in template', () => {
  expect(all.map(({ name }) => name)).toEqual([...builtIn.keys()].sort());
});

describe.each(all.map(({ name }) => name))('%s', (name) => {
  it('has the description, the variables and the example of the built-in template', () => {
    const template = builtIn.get(name);
    const found = read.get(name)?.about;
    expect(found?.description).toBe(template?.description);
    expect(found?.variables).toEqual(template?.variables);
    expect(found?.example).toEqual(template?.example);
  });

  it('paints its example in its background color, with words on it, as a card and as a tall one', async () => {
    const { source, about: found } = read.get(name) ?? { source: '', about: undefined };
    for (const [width, height] of [
      [600, 315],
      [360, 640],
    ] as const) {
      const values = { ...found?.example, bgColor: '#123456', accent: '#ff8800' };
      const canvas = { width, height, format: 'png', quality: 80 } as const;
      const card = { source, variables: found?.variables ?? {}, files: [], values, pictures: [], canvas };
      const { bytes, warnings } = await painter.paint(card, deadline);
      expect(warnings).toEqual([]);
      const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      // The upper left corner is the background, or a gradient that begins with it.
      expect(Math.abs((data[2 + 3 * (width * 8 + 8)] ?? 0) - 0x56)).toBeLessThan(48);
      const { channels } = await sharp(bytes).greyscale().stats();
      expect(channels[0]?.max).toBeGreaterThan(230);
    }
  });
});

type Size = readonly [number, number];
const wide: Size = [1200, 630];
const tall: Size = [720, 1280];

/** A starter as pixels, in design pixels: its example with these values. */
async function pixels(name: string, size: Size, values: Readonly<Record<string, string>>, logo?: Picture) {
  const { source, about: found } = read.get(name) ?? { source: '', about: undefined };
  const [width, height] = size;
  const canvas = { width, height, format: 'png', quality: 80 } as const;
  const pictures = logo ? ([['logo', logo]] as const) : [];
  const card = { source, variables: found?.variables ?? {}, files: [], values, pictures, canvas };
  const { bytes } = await painter.paint(card, deadline);
  const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  /** The columns and rows of a part of the card that have a pixel for which this is so. */
  const where = (
    isSo: (r: number, g: number, b: number) => boolean,
    [left, top, right, bottom]: readonly number[] = [0, 0, width, height],
  ) => {
    const columns = new Set<number>();
    const rows = new Set<number>();
    for (let y = top ?? 0; y < (bottom ?? height); y++)
      for (let x = left ?? 0; x < (right ?? width); x++) {
        const i = 3 * (y * width + x);
        if (!isSo(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0)) continue;
        columns.add(x);
        rows.add(y);
      }
    return { columns: [...columns].sort((a, b) => a - b), rows: [...rows].sort((a, b) => a - b) };
  };
  return { data, where };
}
const exampleOf = (name: string) => read.get(name)?.about.example ?? {};

it.each([
  ['blog-post', 'category', '#ffffff'],
  ['code-snippet', 'filename', '#0f1018'],
  ['docs-page', 'section', '#ffffff'],
  ['job', 'label', '#ffffff'],
  ['pricing', 'title', '#ffffff'],
  ['product', 'price', '#ffffff'],
  ['profile', 'role', '#ffffff'],
  ['stats-card', 'stat1_number', '#ffffff'],
])('%s shows its %s, whatever the accent is', async (name, variable, accent) => {
  // Letters of the same width: an invisible text would leave the card the same.
  const withText = (text: string) =>
    pixels(name, wide, { ...exampleOf(name), accent, bgColor: '#ffffff', [variable]: text });
  const [one, other] = await Promise.all([withText('nnnnnnnn'), withText('uuuuuuuu')]);
  let most = 0;
  for (let i = 0; i < one.data.length; i++) most = Math.max(most, Math.abs((one.data[i] ?? 0) - (other.data[i] ?? 0)));
  expect(most).toBeGreaterThan(90);
});

it.each(all.filter(({ file }) => file.includes('src="{{logo}}"')).map(({ name }) => name))(
  '%s shows a wide logo whole, at most five times as wide as logos are high',
  async (name) => {
    const png = sharp({ create: { width: 2000, height: 80, channels: 3, background: '#ff00ff' } }).png();
    const logo = { src: await png.toBuffer(), width: 2000, height: 80 };
    for (const size of [wide, tall]) {
      const { columns, rows } = (await pixels(name, size, exampleOf(name), logo)).where(
        (r, g, b) => r > 250 && g < 5 && b > 250,
      );
      expect(columns.length).toBeGreaterThan(60);
      expect(columns.length).toBeLessThanOrEqual(180);
      // Whole: in its proportions.
      expect(Math.abs(rows.length - columns.length / 25)).toBeLessThan(2);
    }
  },
);
