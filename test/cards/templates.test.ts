import { readdirSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CatalogueEntry } from '../../src/cards/card-types.ts';
import { goldenCard, readGolden } from './golden.ts';
import { createTestMaker, difference, pixelsOf, type TestMaker } from './maker.ts';

const names = readdirSync(new URL('../../src/cards/templates', import.meta.url))
  .map((file) => file.replace(/\.html$/, ''))
  .sort();

let maker: TestMaker;
beforeAll(async () => {
  maker = await createTestMaker();
});

describe('the catalogue', () => {
  it('has the four templates of the contract and at least eight more', () => {
    const found = maker.catalogue.map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(['default', 'blog-post', 'stats-card', 'changelog-card']));
    expect(found.length).toBeGreaterThanOrEqual(12);
    expect(found).toEqual(names);
  });

  it('every variable that the contract names is taken by one of its four templates', () => {
    const known = (template: string) =>
      Object.keys(maker.catalogue.find(({ name }) => name === template)?.variables ?? {});
    const common = ['title', 'description', 'author', 'accent', 'bgColor', 'avatar', 'date'];
    for (const template of ['default', 'blog-post', 'stats-card', 'changelog-card'])
      expect(known(template), template).toEqual(expect.arrayContaining(common));
    expect(known('stats-card')).toEqual(
      expect.arrayContaining(['stat1_number', 'stat1_label', 'stat2_number', 'stat2_label']),
    );
    expect(known('changelog-card')).toEqual(expect.arrayContaining(['version', 'change_items']));
  });
});

describe.each(names)('the template %s', (name) => {
  it('renders its example like the golden image', async () => {
    const [painted, golden] = await Promise.all([
      pixelsOf(await goldenCard(maker, name)),
      pixelsOf(await readGolden(name)),
    ]);
    // Other processors round anti-aliased edges differently; a moved word is a hundred times more.
    expect(difference(painted, golden)).toBeLessThan(0.002);
  });

  it('renders the same bytes for the same variables', async () => {
    const [one, other] = await Promise.all([goldenCard(maker, name), goldenCard(maker, name)]);
    expect(one.equals(other)).toBe(true);
  });

  it.each([
    [1200, 630],
    [1080, 1080],
    [1080, 1920],
    [100, 100],
    [4096, 100],
    [100, 4096],
    [137, 611],
  ])('fills %i × %i exactly', async (width, height) => {
    const { example } = maker.catalogue.find((entry) => entry.name === name) ?? { example: {} };
    const card = await maker.card(name, example, { width, height });
    expect(await sharp(card.bytes).metadata()).toMatchObject({ width, height, format: 'png' });
    expect(card).toMatchObject({ width, height, type: 'image/png' });
  });

  it('renders without variables, with one word and with 2,000 characters in each', async () => {
    const { variables } = maker.catalogue.find((entry) => entry.name === name) ?? {
      variables: {} as CatalogueEntry['variables'],
    };
    const fill = (text: string, item: string) =>
      Object.fromEntries(
        Object.entries(variables)
          .filter(([, { type }]) => type === 'text' || type === 'items')
          .map(([variable, { type }]) => [variable, type === 'items' ? Array(20).fill(item).join('\n') : text]),
      );
    const long = 'A sentence that goes on. '.repeat(80);
    for (const values of [
      {},
      fill('Hi', 'Hi'),
      fill(long, long.slice(0, 500)),
      fill('W'.repeat(2000), 'W'.repeat(500)),
    ]) {
      const { channels } = await sharp((await maker.card(name, values)).bytes).stats();
      // More than one colour: something is on the ground.
      expect(channels.some(({ stdev }) => stdev > 1)).toBe(true);
    }
  });

  it('shows its images', async () => {
    const { variables, example } = maker.catalogue.find((entry) => entry.name === name) ?? {
      variables: {},
      example: {},
    };
    const images = Object.entries(variables).filter(([, { type }]) => type === 'image_url');
    // A colour no template has.
    const magenta = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ff00ff' } })
      .png()
      .toBuffer();
    for (const [variable] of images) {
      maker.files.set('https://images.example/magenta', magenta);
      const card = await maker.card(name, { ...example, [variable]: 'https://images.example/magenta' });
      const { data } = await pixelsOf(card.bytes);
      let found = 0;
      // Where a picture lies under words it is darkened, so the hue is looked for.
      for (let i = 0; i < data.length; i += 3)
        if ((data[i] ?? 0) > 60 && (data[i + 1] ?? 255) < (data[i] ?? 0) / 4 && (data[i + 2] ?? 0) > 60) found++;
      expect(found, variable).toBeGreaterThan(500);
    }
  });
});

describe('the output', () => {
  it.each(['png', 'jpg', 'webp', 'avif'] as const)('is a real %s of the asked size', async (format) => {
    const card = await maker.card('default', { title: 'Hello' }, { format, width: 800, height: 418 });
    const { format: found, width, height, hasAlpha } = await sharp(card.bytes).metadata();
    expect({ found, width, height, hasAlpha }).toEqual({
      // sharp calls avif by the name of its container.
      found: { png: 'png', jpg: 'jpeg', webp: 'webp', avif: 'heif' }[format],
      width: 800,
      height: 418,
      hasAlpha: false,
    });
    expect(card.type).toBe(format === 'jpg' ? 'image/jpeg' : `image/${format}`);
  });

  it.each(['jpg', 'webp', 'avif'] as const)('of %s is smaller at a lower quality', async (format) => {
    const low = await maker.card('default', { title: 'Hello' }, { format, quality: 10 });
    const high = await maker.card('default', { title: 'Hello' }, { format, quality: 95 });
    expect(low.bytes.length).toBeLessThan(high.bytes.length);
  });

  it('can be 4096 × 4096', async () => {
    const card = await maker.card('default', { title: 'Hello' }, { width: 4096, height: 4096 });
    expect(await sharp(card.bytes).metadata()).toMatchObject({ width: 4096, height: 4096 });
  });
});
