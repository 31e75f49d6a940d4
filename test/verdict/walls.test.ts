// Walls and innocent pages in the real browser. The half kept aside says how well the detector does on pages it was not
// tuned on. `npm run bench:verdict` prints the figures alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness } from '../capture/capture-harness.ts';
import type { VerdictPage } from './fixture-page.ts';
import { heldOutInnocents, heldOutWalls } from './held-out.ts';
import { innocents, walls } from './tuned.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  // The vendors' hosts are not there: their scripts fail at once, as they do for a browser that is turned away.
  harness = await openCaptureHarness({ concurrency: 3, resolver: async () => [] });
});
afterAll(() => harness.close());

/** The names of the pages that were judged to be walls. */
async function judgedWalls(pages: readonly VerdictPage[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...pages];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const url = harness.site.page(next.html, {}, next.status);
      const { verdict } = await harness.capture(url, { width: 800, height: 600 });
      if (verdict.codes.includes('bot_wall')) found.push(next.name);
    }
  };
  await Promise.all([work(), work(), work()]);
  return found;
}

const missing = (pages: readonly VerdictPage[], found: readonly string[]) =>
  pages.map(({ name }) => name).filter((name) => !found.includes(name));

describe('A bot wall is told from a page', () => {
  it('of those the detector was tuned on, all are judged right', async () => {
    const found = await judgedWalls(walls);
    expect(missing(walls, found)).toEqual([]);
    expect(await judgedWalls(innocents)).toEqual([]);
  }, 120_000);

  it('of those kept aside, with a precision of at least 0.98 and a recall of at least 0.9', async () => {
    const right = await judgedWalls(heldOutWalls);
    const wrong = await judgedWalls(heldOutInnocents);
    const precision = right.length / (right.length + wrong.length);
    const recall = right.length / heldOutWalls.length;
    console.log(
      `Kept aside: ${heldOutWalls.length} walls, ${heldOutInnocents.length} innocent pages · precision ${precision.toFixed(3)} · recall ${recall.toFixed(3)}`,
    );
    if (recall < 1) console.log(`  missed: ${missing(heldOutWalls, right).join(' · ')}`);
    if (wrong.length > 0) console.log(`  wrongly called a wall: ${wrong.join(' · ')}`);
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  }, 120_000);

  it('there are at least forty of each, half of them kept aside', () => {
    expect([walls, innocents, heldOutWalls, heldOutInnocents].every(({ length }) => length >= 20)).toBe(true);
    expect(walls.length + heldOutWalls.length).toBeGreaterThanOrEqual(40);
    expect(innocents.length + heldOutInnocents.length).toBeGreaterThanOrEqual(40);
  });
});
