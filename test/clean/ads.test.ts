import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CleanHarness, countOf, decode, isWhole, listSources, openCleanHarness } from './clean-harness.ts';
import { fixturesIn, metaOf } from './fixture-site.ts';

const pages = fixturesIn('ads');
const coloursOf = (name: string) => (metaOf('ads', name)['ad-colours'] ?? '').split(' ');

describe.each(listSources)('With the $source lists', ({ source, dir }) => {
  let harness: CleanHarness;
  beforeAll(async () => {
    harness = await openCleanHarness(dir);
  });
  afterAll(() => harness.stop());

  // Once is enough: where nothing is blocked the lists play no part.
  it.each(source === 'built-in' ? pages : [])(
    'the page %s shows its advertisements where nothing is blocked',
    async (name) => {
      const pixels = await decode((await harness.capture(harness.site.url('ads', name), { fullPage: true })).bytes);
      for (const colour of coloursOf(name)) expect(countOf(pixels, colour)).toBeGreaterThan(5000);
    },
  );

  it.each(pages)('blockAds leaves nothing of %s: no picture, no frame, no empty box', async (name) => {
    const { bytes, warnings } = await harness.capture(harness.site.url('ads', name), {
      fullPage: true,
      blockAds: true,
    });
    const pixels = await decode(bytes);
    for (const colour of coloursOf(name)) expect(countOf(pixels, colour)).toBe(0);
    expect(isWhole(pixels)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('blockAds asks nothing of advertising networks, trackers and chat services', async () => {
    harness.site.asked.length = 0;
    for (const name of pages) await harness.capture(harness.site.url('ads', name), { blockAds: true });
    const hosts = harness.site.asked.map((address) => address.split('/')[0]);
    expect([...new Set(hosts)]).toEqual(['www.harbour-weekly.com']);
  });

  it('blockCookies alone leaves advertisements as they are', async () => {
    const { bytes } = await harness.capture(harness.site.url('ads', 'advertisements'), { blockCookies: true });
    expect(countOf(await decode(bytes), '#ff1744')).toBeGreaterThan(5000);
  });

  it('a page on the host of an advertising network is captured all the same', async () => {
    const url = `http://ib.adnxs.com:${harness.site.port}/banners/custom-english.html`;
    const { bytes, page } = await harness.capture(url, { blockAds: true, fullPage: true });
    expect(page.status).toBe(200);
    expect(countOf(await decode(bytes), '#e9c46a')).toBeGreaterThan(500_000);
  });
});
