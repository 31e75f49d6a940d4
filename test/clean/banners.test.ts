// Every banner is met in the real browser, and pixels decide: its colour is gone, the page is whole and as tall
// as it is. `kept-back` are banners the sweep was not tuned on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CleanHarness,
  countOf,
  decode,
  fewAtATime,
  isWhole,
  listSources,
  openCleanHarness,
} from './clean-harness.ts';
import { fixturesIn, metaOf } from './fixture-site.ts';

// Long enough for the slowest of the stand-ins to have shown its banner.
const delay = 700;
const fixtures = ['banners', 'kept-back'].flatMap((folder) => fixturesIn(folder).map((name) => ({ folder, name })));
// Some thirty pages, each waited for: more than the usual time on a busy machine.
const manyPages = 300_000;
const colourOf = ({ folder, name }: (typeof fixtures)[number]) => metaOf(folder, name)['banner-colour'] ?? '';

const accepts = /accept|agree|allow|consent|\bok\b|fine|sure|akzept|einverst|zustimm/i;
const declines = /disagree|not consent|sans accepter/i;

describe.each(listSources)('With the $source lists', ({ source, dir }) => {
  // The fetched lists block most products at the network; what is left to the sweep is the same for both.
  const banners = source === 'built-in' ? fixtures : fixtures.filter(({ folder }) => folder === 'banners');
  let harness: CleanHarness;
  beforeAll(async () => {
    harness = await openCleanHarness(dir);
  });
  afterAll(() => harness.stop());

  // Without this the rest would prove nothing: a fixture that shows no banner is always clean.
  if (source === 'built-in')
    it(
      'each fixture shows its banner where nothing is blocked',
      async () => {
        const shown = await fewAtATime(banners, async (banner) => {
          const { bytes } = await harness.capture(harness.site.url(banner.folder, banner.name), { delay });
          return countOf(await decode(bytes), colourOf(banner));
        });
        expect(banners.filter((_, index) => (shown[index] ?? 0) < 10_000)).toEqual([]);
      },
      manyPages,
    );

  it(
    'blockCookies removes every banner, harms no page, and accepts nothing',
    async () => {
      harness.site.asked.length = 0;
      const rows = await fewAtATime(banners, async (banner) => {
        const url = harness.site.url(banner.folder, banner.name);
        const { bytes, warnings } = await harness.capture(url, { blockCookies: true, fullPage: true, delay });
        const pixels = await decode(bytes);
        const left = countOf(pixels, colourOf(banner)) > 0;
        return { banner: `${banner.folder}/${banner.name}`, left, harmed: !left && !isWhole(pixels), warnings };
      });
      console.log(tableOf(source, rows));
      expect(rows.filter(({ left, harmed }) => left || harmed)).toEqual([]);
      expect(rows.flatMap(({ warnings }) => warnings.filter((warning) => /cookie/i.test(warning)))).toEqual([]);

      const clicked = harness.site.asked
        .flatMap((path) => /\/clicked\/(.+)/.exec(path)?.[1] ?? [])
        .map(decodeURIComponent);
      console.log(`  clicked: ${[...new Set(clicked)].sort().join(' · ')}`);
      expect(clicked.filter((label) => accepts.test(label) && !declines.test(label))).toEqual([]);
      expect(clicked.length).toBeGreaterThan(0);
    },
    manyPages,
  );
});

function tableOf(source: string, rows: readonly { banner: string; left: boolean; harmed: boolean }[]): string {
  const total = (wanted: (row: (typeof rows)[number]) => boolean) => rows.filter(wanted).length;
  const lines = rows.map(
    ({ banner, left, harmed }) => `  ${(left ? 'LEFT' : harmed ? 'HARMED' : 'removed').padEnd(9)}${banner}`,
  );
  const sum = `removed ${total((row) => !row.left && !row.harmed)} · left ${total((row) => row.left)} · harmed ${total((row) => row.harmed)}`;
  return [`Cookie banners, ${source} lists`, ...lines, `  ${sum}`].join('\n');
}
