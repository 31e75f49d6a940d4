// Captures a second at 1 to 16 at once: Tintype over HTTP with the cache passed by, against the floor at its best, and
// the memory each takes. `npm run bench:throughput -- [small heavy] [1 2 4 8 16]`
import { chosenOf, loadNote, median, setting, table } from './measure.ts';
import { startPages } from './pages.ts';
import { usageOf } from './processes.ts';
import { type CaptureSide, startDefaultFloor, startFloor, startTintype } from './sides.ts';

const seconds = setting('SECONDS', 6);
const rounds = setting('ROUNDS', 3);
const levels = chosenOf(['1', '2', '4', '8', '16']).map(Number);

type Seen = { rate: number; cpu: number; nodeMb: number; browserMb: number };

let asked = 0;
/** Each time another address: identical requests at the same moment would be one render. */
const captureAnew = (side: CaptureSide, url: string) => side.capture({ url: `${url}?n=${asked++}`, format: 'png' });

const pages = await startPages();
// So many contexts ready as Tintype keeps: with fewer, the floor would wait for them.
const floor = await startFloor(6);
const defaultFloor = await startDefaultFloor(6);
const tintype = await startTintype();
const sides = [floor, defaultFloor, tintype];
try {
  for (const page of chosenOf(['small', 'heavy'] as const)) await compare(`${pages.url}/${page}`, page);
} finally {
  await Promise.all(sides.map((side) => side.close()));
  pages.close();
}

async function compare(url: string, page: 'small' | 'heavy'): Promise<void> {
  const seen = new Map<string, Seen[]>();
  for (let round = 0; round < rounds; round++)
    for (const level of levels)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const key = `${side.name} ${level}`;
        seen.set(key, [...(seen.get(key) ?? []), await drive(side, url, level)]);
      }
  const of = (side: CaptureSide, level: number, what: keyof Seen) =>
    median((seen.get(`${side.name} ${level}`) ?? []).map((run) => run[what]));
  const bestOf = (side: CaptureSide) => Math.max(...levels.map((level) => of(side, level, 'rate')));
  const best = bestOf(floor);
  const rows = levels.flatMap((level) =>
    sides.map((side) => [
      `${level} at once, ${side.name}`,
      of(side, level, 'rate').toFixed(1),
      (of(side, level, 'rate') / best).toFixed(2),
      of(side, level, 'cpu').toFixed(0),
      of(side, level, 'browserMb').toFixed(0),
      of(side, level, 'nodeMb').toFixed(0),
    ]),
  );
  const head = ['side', 'captures/s', "× floor's best", 'CPU ms each', 'browser MB', 'Node MB'];
  console.log(table(`${page} page, png (median of ${rounds} × ${seconds} s, ${loadNote()})`, head, rows));
}

async function drive(side: CaptureSide, url: string, level: number): Promise<Seen> {
  await Promise.all(Array.from({ length: level }, () => captureAnew(side, url)));
  const before = usageOf(side.pid);
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  let nodeMb = 0;
  let browserMb = 0;
  const looks = setInterval(() => {
    const { nodeBytes, browserBytes } = usageOf(side.pid);
    nodeMb = Math.max(nodeMb, nodeBytes / 1e6);
    browserMb = Math.max(browserMb, browserBytes / 1e6);
  }, 1500);
  await Promise.all(
    Array.from({ length: level }, async () => {
      while (performance.now() < end) {
        await captureAnew(side, url);
        count++;
      }
    }),
  );
  clearInterval(looks);
  const after = usageOf(side.pid);
  const cpu = (after.nodeMs + after.browserMs - before.nodeMs - before.browserMs) / count;
  return { rate: count / ((performance.now() - started) / 1000), cpu, nodeMb, browserMb };
}
