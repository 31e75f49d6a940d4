// What the built-in templates look like in places that their golden images do not show.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInTemplates } from '../../src/cards/template-folder.ts';
import { createTestMaker, type TestMaker } from './maker.ts';

const templates = await builtInTemplates();
const all = [...templates.values()];
let maker: TestMaker;
beforeAll(async () => {
  maker = await createTestMaker();
});
afterAll(() => maker.stop());

describe.each(all.map(({ name }) => name))('%s', (name) => {
  it('says what it is for, and what each of its variables is', () => {
    const { description, variables, example } = templates.get(name) ?? { description: '', variables: {}, example: {} };
    expect(description).toMatch(/^[A-Z].{10,200}\.$/);
    for (const [variable, { doc }] of Object.entries(variables)) expect(doc, variable).toMatch(/^[A-Z].{5,}[.…]$/);
    expect(Object.keys(example).length).toBeGreaterThan(0);
  });

  it('paints its example in its background color, with words on it, as a card and as a tall one', async () => {
    const values = { ...exampleOf(name), bgColor: '#123456', accent: '#ff8800' };
    for (const [width, height] of [
      [600, 315],
      [360, 640],
    ] as const) {
      const { bytes, warnings } = await maker.card(name, values, { width, height });
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
const square: Size = [840, 840];
const tall: Size = [720, 1280];

/** A card as pixels, in design pixels. */
async function pixels(name: string, size: Size, values: Readonly<Record<string, string>>, logo?: Buffer) {
  const [width, height] = size;
  if (logo) maker.files.set('https://images.example/logo', logo);
  const all = logo ? { ...values, logo: 'https://images.example/logo' } : values;
  const { bytes } = await maker.card(name, all, { width, height });
  const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3);
  /** The pixels of a part of the card. */
  const part = (left: number, top: number, right: number, bottom: number) =>
    Buffer.concat(
      Array.from({ length: bottom - top }, (_, y) =>
        data.subarray(3 * ((top + y) * width + left), 3 * ((top + y) * width + right)),
      ),
    );
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
  return { data, at, part, where };
}
const exampleOf = (name: string) => templates.get(name)?.example ?? {};
const arabic = 'صور ولقطات شاشة وملفات من خدمة واحدة';

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

it.each(all.filter(({ variables }) => variables.logo).map(({ name }) => name))(
  '%s shows a wide logo whole, at most five times as wide as logos are high',
  async (name) => {
    const png = sharp({ create: { width: 2000, height: 80, channels: 3, background: '#ff00ff' } }).png();
    const logo = await png.toBuffer();
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

it('repository shows its figures whole beside a site', async () => {
  const site = 'A company with quite a long name, and more of it, and more of it';
  for (const [size, right] of [
    [wide, 540],
    [square, 840],
    [tall, 720],
  ] as const) {
    const example = exampleOf('repository');
    const [alone, beside] = await Promise.all([
      pixels('repository', size, example),
      pixels('repository', size, { ...example, site }),
    ]);
    const foot = [0, size[1] - 130, right, size[1]] as const;
    expect(beside.part(...foot).equals(alone.part(...foot))).toBe(true);
  }
});

it('pricing shows no part of features that have no room', async () => {
  const features = Array.from({ length: 12 }, (_, i) => `Feature ${i}`).join('\n');
  const card = await pixels('pricing', wide, { ...exampleOf('pricing'), feature_items: features });
  // The padding at the end of the panel, which is 528 wide.
  const { columns } = card.where((r, g, b) => r !== 0x7c || g !== 0x3a || b !== 0xed, [1080, 110, 1126, 520]);
  expect(columns).toEqual([]);
});

it('pricing leaves room for the name of the plan above its price, however many features there are', async () => {
  const values = { ...exampleOf('pricing'), accent: '#ff0000', bgColor: '#ffffff', site: '', badge: '' };
  const features = Array.from({ length: 12 }, (_, i) => `Feature ${i}`).join('\n');
  const card = await pixels('pricing', square, { ...values, feature_items: features });
  const name = card.where((r, g) => r > 150 && g < 100, [0, 0, 840, 400]).rows;
  const price = card.where((r) => r < 60, [0, 0, 400, 400]).rows;
  expect(name.length).toBeGreaterThan(20);
  expect(Math.max(...name)).toBeLessThan(Math.min(...price));
});

it('comparison shows rows of its lists whole or not at all', async () => {
  const short = { site: 'D', title: 'A', left_title: 'B', right_title: 'C', right_items: 'Hxgp', accent: '#000000' };
  const titles = {
    title: 'Which plan is the right one for a team that is growing fast?',
    right_title: 'Managed Business Cloud',
  };
  const rowsOf = async (values: Readonly<Record<string, string>>) => {
    const card = await pixels('comparison', wide, values);
    const { rows } = card.where((r) => r > 150, [690, 0, 800, 480]);
    const first = rows.findLastIndex((y, i) => y - (rows[i - 1] ?? 0) > 10);
    return rows.length - first;
  };
  expect(await rowsOf({ ...short, ...titles })).toBe(await rowsOf(short));
});

it('announcement shows its badge in the accent, also in front of its discs', async () => {
  const values = {
    accent: '#fde047',
    badge: 'A badge of many words, which is longer than any badge ought to be, really',
  };
  const { rows } = (await pixels('announcement', wide, values)).where(
    (r, g, b) => r === 0xfd && g === 0xe0 && b === 0x47,
    [900, 0, 1200, 300],
  );
  expect(rows.length).toBeGreaterThan(30);
});

it.each(['blog-post', 'stats-card'])('%s with a title only has it in the middle, and no lines', async (name) => {
  for (const size of [wide, square, tall]) {
    const { rows } = (await pixels(name, size, { title: 'Hello', accent: '#ffffff', bgColor: '#ffffff' })).where(
      (r) => r < 245,
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(Math.min(...rows)).toBeGreaterThan(size[1] * 0.25);
    expect(Math.max(...rows)).toBeLessThan(size[1] * 0.6);
  }
});

it('default and profile are mirrored in a card from right to left', async () => {
  const values = { title: arabic, description: '', role: '', handle: '', accent: '#ffffff', bgColor: '#000000' };
  const rings = await pixels('default', wide, { ...values, site: '' });
  // A ring around the upper left corner, 180 wide.
  const level = (x: number) => rings.at(x, 4)[0] ?? 0;
  expect(level(179)).toBeGreaterThan(level(170) + 20);
  expect(level(179)).toBeGreaterThan(level(190) + 20);
  const halo = await pixels('profile', wide, values);
  expect(halo.at(4, 625)[0]).toBe(0);
  expect(halo.at(1195, 625)[0]).toBeGreaterThan(20);
});
