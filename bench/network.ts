// Pages behind a network: documents that take 0.8 to 1.5 s, with files of 300 ms, asked for by 24 callers at once. Such a page
// mostly waits, so the rate that is possible is that of the processors, or of the pages that may be open at once, whichever
// is less. `npm run bench:network`
import { loadConfig } from '../src/config.ts';
import { loadNote, median, setting, table } from './measure.ts';
import { startPages } from './pages.ts';
import { report } from './report.ts';
import { startTintype } from './sides.ts';

const seconds = setting('SECONDS', 15);
const rounds = setting('ROUNDS', 2);
const callers = 24;

const pages = await startPages();
const tintype = await startTintype();
let asked = 0;
const capture = (path: string) =>
  tintype.capture({ url: `${pages.url}/${path}?n=${asked++}`, format: 'png', timeout: 60_000 });

async function rateOf(path: string, many: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: many }, async () => {
      while (performance.now() < end) {
        await capture(path);
        count++;
      }
    }),
  );
  return count / ((performance.now() - started) / 1000);
}

try {
  for (let i = 0; i < 12; i++) await capture('near');
  const alone: number[] = [];
  for (let i = 0; i < 6; i++) {
    const started = performance.now();
    await capture('far');
    alone.push((performance.now() - started) / 1000);
  }
  // The server has the defaults of this machine.
  const places = Math.min(callers, loadConfig({}).pagesAtOnce);
  const rates = { near: [] as number[], far: [] as number[] };
  for (let round = 0; round < rounds; round++)
    for (const path of ['near', 'far'] as const) rates[path].push(await rateOf(path, callers));
  const processors = median(rates.near);
  const open = places / median(alone);
  const far = median(rates.far);
  const possible = Math.min(processors, open);
  const rows = [
    ['behind the network', far.toFixed(2), ''],
    ['the same page without the network: what the processors allow', processors.toFixed(2), ''],
    [`${places} pages at once ÷ ${median(alone).toFixed(2)} s of one alone`, open.toFixed(2), ''],
    ['of the possible rate', '', (far / possible).toFixed(2)],
  ];
  console.log(
    table(
      `Captures a second of ${callers} callers (${rounds} × ${seconds} s, ${loadNote()})`,
      ['', 'a second', '×'],
      rows,
    ),
  );
  report('network.rate', far / possible, { Tintype: far, 'the processors': processors, 'pages at once': open });
} finally {
  await tintype.close();
  pages.close();
}
