// Pages that mention cookies, consent or advertising and are neither: with everything blocked they look, pixel
// for pixel, as they do without.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CleanHarness,
  decode,
  difference,
  fewAtATime,
  listSources,
  openCleanHarness,
  type Pixels,
} from './clean-harness.ts';
import { fixturesIn } from './fixture-site.ts';

const pages = ['untouched', 'kept-back-untouched'].flatMap((folder) =>
  fixturesIn(folder).map((name) => ({ folder, name })),
);

/** As the page is without us: the same for every list. */
const plain = new Map<string, { pixels: Pixels; warnings: readonly string[] }>();

describe.each(listSources)('With the $source lists', ({ source, dir }) => {
  let harness: CleanHarness;
  beforeAll(async () => {
    harness = await openCleanHarness(dir);
  });
  afterAll(() => harness.stop());

  async function look(url: string) {
    const { bytes, warnings } = await harness.capture(url, { fullPage: true });
    return { pixels: await decode(bytes), warnings };
  }

  it('blockAds and blockCookies change nothing on pages without advertisements and banners', async () => {
    expect(pages.length).toBeGreaterThanOrEqual(20);
    const changed = await fewAtATime(pages, async ({ folder, name }) => {
      const url = harness.site.url(folder, name);
      const known = plain.get(name) ?? (await look(url));
      plain.set(name, known);
      const blocked = await harness.capture(url, { fullPage: true, blockAds: true, blockCookies: true });
      expect(blocked.warnings).toEqual(known.warnings);
      return difference(known.pixels, await decode(blocked.bytes));
    });
    const harmed = pages.flatMap(({ folder, name }, index) =>
      changed[index] === 0 ? [] : [`${folder}/${name}: ${changed[index]} pixels`],
    );
    console.log(
      `Pages that must not be touched, ${source} lists: ${pages.length - harmed.length} untouched · ${harmed.length} harmed`,
    );
    expect(harmed).toEqual([]);
    // Some thirty pages, twice each: more than the usual time on a busy machine.
  }, 300_000);
});
