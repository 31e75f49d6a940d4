// Does it stay linear? Full pages of 1,000 to 32,000 px, canvases up to 3840×3840 at scale 3, and 1 to 2,000
// sub-resources through the guarding proxy against direct. `npm run bench:growth`
import { interleave, loadNote, median, setting, table } from './measure.ts';
import { startPages } from './pages.ts';
import type { ShotWish } from './sides/answer.js';
import { startFloor, startTintype } from './sides.ts';

const rounds = setting('ROUNDS', 5);
const pages = await startPages();
const floor = await startFloor(2);
const tintype = await startTintype();

try {
  await grow(
    'Full page',
    'px',
    [1000, 2000, 4000, 8000, 16_000, 32_000],
    (height) => ({ url: `${pages.url}/tall?height=${height}`, format: 'jpg', fullPage: true }),
    (height) => (1280 * height) / 1e6,
    'ms per megapixel',
  );
  await grow(
    'Canvas at scale 3',
    'px a side',
    [100, 480, 960, 1920, 3840],
    (side) => ({ url: `${pages.url}/tall?height=4000`, format: 'jpg', width: side, height: side, deviceScale: 3 }),
    (side) => (side * side * 9) / 1e6,
    'ms per megapixel',
  );
  await grow(
    'Sub-resources',
    '',
    // The page itself is a request, too, and 2,000 are the budget of a render.
    [1, 10, 100, 500, 1000, 1990],
    (count) => ({ url: `${pages.url}/many?count=${count}`, format: 'jpg' }),
    (count) => count,
    'ms per resource',
  );
} finally {
  await Promise.all([floor.close(), tintype.close()]);
  pages.close();
}

async function grow(
  title: string,
  unit: string,
  sizes: readonly number[],
  wish: (size: number) => ShotWish,
  amount: (size: number) => number,
  per: string,
): Promise<void> {
  const rows: string[][] = [];
  // The first ones of a kind are those in which its code is compiled; that is no part of how it grows.
  const middle = wish(sizes[Math.floor(sizes.length / 2)] ?? 0);
  for (let i = 0; i < 8; i++) for (const side of [floor, tintype]) await side.shoot(middle);
  for (const size of sizes) {
    const [direct = [], ours = []] = (
      await interleave(
        [floor, tintype].map((side) => ({ name: side.name, once: () => side.shoot(wish(size)) })),
        rounds,
        { warmup: 1, restMs: 200 },
      )
    ).map(({ ms }) => ms);
    const p50 = median(ours);
    rows.push([
      `${size} ${unit}`,
      median(direct).toFixed(0),
      p50.toFixed(0),
      (p50 / median(direct)).toFixed(2),
      (p50 / amount(size)).toFixed(2),
      '▇'.repeat(Math.max(1, Math.round(p50 / 100))).slice(0, 60),
    ]);
  }
  const head = [title, 'floor p50 ms', 'Tintype p50 ms', '× floor', per, 'a block is 100 ms'];
  console.log(table(`${title} (${rounds} rounds, ${loadNote()})`, head, rows));
}
