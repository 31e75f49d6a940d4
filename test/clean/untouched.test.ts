// Pages that mention cookies, consent or advertising and are neither: with everything blocked they look, pixel
// for pixel, as they do without.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturesIn } from './fixture-site.ts';
import { decode, difference, fewAtATime, type Laundry, listSources, openLaundry } from './laundry.ts';

const pages = ['untouched', 'kept-back-untouched'].flatMap((folder) =>
  fixturesIn(folder).map((name) => ({ folder, name })),
);

describe.each(listSources)('With the $source lists', ({ source, dir }) => {
  let laundry: Laundry;
  beforeAll(async () => {
    laundry = await openLaundry(dir);
  });
  afterAll(() => laundry.stop());

  it('blockAds and blockCookies change nothing on pages without advertisements and banners', async () => {
    expect(pages.length).toBeGreaterThanOrEqual(20);
    const changed = await fewAtATime(pages, async ({ folder, name }) => {
      const url = laundry.site.url(folder, name);
      const plain = await laundry.capture(url, { fullPage: true });
      const blocked = await laundry.capture(url, { fullPage: true, blockAds: true, blockCookies: true });
      expect(blocked.warnings).toEqual(plain.warnings);
      return difference(await decode(plain.bytes), await decode(blocked.bytes));
    });
    const harmed = pages.filter((_, index) => changed[index] !== 0).map(({ folder, name }) => `${folder}/${name}`);
    console.log(
      `Pages that must not be touched, ${source} lists: ${pages.length - harmed.length} untouched · ${harmed.length} harmed`,
    );
    expect(harmed).toEqual([]);
    // Some thirty pages, twice each: more than the usual time on a busy machine.
  }, 300_000);
});
