// What is promised beside the banners themselves: warnings, late comers, frames of other sites, busy pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noProgress, waitUntil } from '../../src/capture/clean/consent-progress.ts';
import {
  type CleanHarness,
  countOf,
  decode,
  fewAtATime,
  isWhole,
  listSources,
  openCleanHarness,
} from './clean-harness.ts';

const builtIn = listSources[0]?.dir ?? '';
let harness: CleanHarness;
beforeAll(async () => {
  harness = await openCleanHarness(builtIn);
});
afterAll(() => harness.stop());

const edge = (name: string) => harness.site.url('edges', name);

describe('blockCookies', () => {
  it('warns of a banner that cannot be removed', async () => {
    const { warnings, bytes } = await harness.capture(edge('stubborn'), { blockCookies: true });
    expect(countOf(await decode(bytes), '#d81b60')).toBeGreaterThan(10_000);
    expect(warnings).toEqual(['A cookie banner was found but could not be removed.']);
  });

  it('hides a banner that comes after the last look, while the page is scrolled through', async () => {
    const { bytes } = await harness.capture(edge('on-scroll'), { blockCookies: true, fullPage: true });
    const pixels = await decode(bytes);
    expect(countOf(pixels, '#d81b60')).toBe(0);
    expect(isWhole(pixels)).toBe(true);
  });

  it.each(['div', 'iframe'])(
    'removes a banner (%s) at whatever moment it comes',
    async (as) => {
      // Pictures are taken some 50 to 200 ms after the load: some of the banners come just then.
      const moments = Array.from({ length: 30 }, (_, index) => index * 8);
      const left = await fewAtATime(moments, async (after) => {
        const { bytes } = await harness.capture(`${edge('late')}?as=${as}&after=${after}`, { blockCookies: true });
        return countOf(await decode(bytes), '#d81b60');
      });
      expect(moments.filter((_, index) => left[index] !== 0)).toEqual([]);
    },
    120_000,
  );

  it('captures a page that is too busy to be cleaned', async () => {
    const { page } = await harness.capture(edge('busy'), { blockCookies: true, blockAds: true });
    expect(page.status).toBe(200);
  });

  it('cleans what a PDF is printed from, too', async () => {
    const plain = await harness.capture(harness.site.url('banners', 'custom-english'), { format: 'pdf' });
    const clean = await harness.capture(harness.site.url('banners', 'custom-english'), {
      format: 'pdf',
      blockCookies: true,
    });
    expect(clean.bytes.length).toBeLessThan(plain.bytes.length);
  });
});

describe('How long an opt-out is waited for', () => {
  it('not at all where nothing is under way', () => {
    expect(waitUntil([noProgress()], false)).toBe(0);
    expect(waitUntil([{ lifecycle: 'done', attempts: 1, popup: true }], false)).toBe(0);
  });
  it('until the heuristics have looked, where a banner is in sight', () => {
    expect(waitUntil([{ lifecycle: 'started', attempts: 1, popup: false }], true)).toBeGreaterThan(500);
    expect(waitUntil([{ lifecycle: 'started', attempts: 2, popup: false }], true)).toBe(0);
  });
  it('to the end, while it is clicking', () => {
    expect(waitUntil([{ lifecycle: 'runningOptOut', attempts: 1, popup: true }], false)).toBe(Number.POSITIVE_INFINITY);
  });
});
