import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturesIn, metaOf } from './fixture-site.ts';
import { countOf, decode, isWhole, type Laundry, listSources, openLaundry } from './laundry.ts';

const pages = fixturesIn('ads');
const coloursOf = (name: string) => (metaOf('ads', name)['ad-colours'] ?? '').split(' ');

describe.each(listSources)('With the $source lists', ({ source, dir }) => {
  let laundry: Laundry;
  beforeAll(async () => {
    laundry = await openLaundry(dir);
  });
  afterAll(() => laundry.stop());

  // Once is enough: where nothing is blocked the lists play no part.
  it.each(source === 'built-in' ? pages : [])(
    'the page %s shows its advertisements where nothing is blocked',
    async (name) => {
      const pixels = await decode((await laundry.capture(laundry.site.url('ads', name), { fullPage: true })).bytes);
      for (const colour of coloursOf(name)) expect(countOf(pixels, colour)).toBeGreaterThan(5000);
    },
  );

  it.each(pages)('blockAds leaves nothing of %s: no picture, no frame, no empty box', async (name) => {
    const { bytes, warnings } = await laundry.capture(laundry.site.url('ads', name), {
      fullPage: true,
      blockAds: true,
    });
    const pixels = await decode(bytes);
    for (const colour of coloursOf(name)) expect(countOf(pixels, colour)).toBe(0);
    expect(isWhole(pixels)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('blockAds asks nothing of advertising networks, trackers and chat services', async () => {
    laundry.site.asked.length = 0;
    for (const name of pages) await laundry.capture(laundry.site.url('ads', name), { blockAds: true });
    const hosts = laundry.site.asked.map((address) => address.split('/')[0]);
    expect([...new Set(hosts)]).toEqual(['www.harbour-weekly.com']);
  });

  it('blockCookies alone leaves advertisements as they are', async () => {
    const { bytes } = await laundry.capture(laundry.site.url('ads', 'advertisements'), { blockCookies: true });
    expect(countOf(await decode(bytes), '#ff1744')).toBeGreaterThan(5000);
  });

  it('a page on the host of an advertising network is captured all the same', async () => {
    const url = `http://ib.adnxs.com:${laundry.site.port}/banners/custom-english.html`;
    const { bytes, page } = await laundry.capture(url, { blockAds: true, fullPage: true });
    expect(page.status).toBe(200);
    expect(countOf(await decode(bytes), '#e9c46a')).toBeGreaterThan(500_000);
  });
});
