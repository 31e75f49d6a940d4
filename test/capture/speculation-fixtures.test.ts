// Every fixture with and without the guesses of src/capture/speculation.ts: `npm run test:long`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureSite, fixturesIn, startFixtureSite } from '../clean/fixture-site.ts';
import { type CaptureHarness, openCaptureHarness } from './capture-harness.ts';

const queries: Record<string, boolean>[] = [{}, { fullPage: true }];
const folders = ['ads', 'banners', 'edges', 'kept-back', 'kept-back-untouched', 'untouched'];

let site: FixtureSite;
let harnesses: CaptureHarness[] = [];
beforeAll(async () => {
  site = await startFixtureSite();
  const resolver = async () => ['127.0.0.1'];
  harnesses = await Promise.all(
    [true, false].map((speculative) => openCaptureHarness({ concurrency: 1, resolver, speculative })),
  );
});
afterAll(() => Promise.all([site?.stop(), ...harnesses.map((harness) => harness.close())]));

/** A banner that comes when it likes may be in one picture and not in the other: then both are taken again. */
const mostTries = 12;

async function sameBothWays(url: string, query: Record<string, boolean>): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries++) {
    const [a, b] = await Promise.all(harnesses.map(({ capture }) => capture(url, query)));
    if (a?.bytes.equals(b?.bytes ?? Buffer.of())) return true;
  }
  return false;
}

for (const folder of folders)
  describe(folder, () => {
    for (const name of fixturesIn(folder))
      it(`${name}: the same bytes with and without guesses`, async () => {
        for (const query of queries) expect(await sameBothWays(site.url(folder, name), query)).toBe(true);
      });
  });
