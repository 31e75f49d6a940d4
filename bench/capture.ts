// How long a picture takes: Tintype over HTTP with the cache passed by, against the floor and against what people would
// use instead. `npm run bench:capture -- [--no-peers] [--speculation] [small heavy] [png jpg webp full pdf element html]`
// `element` and `html` compare Tintype with itself: the picture of an element, and of the page sent as HTML, with that of the
// view of the same page.
// `--speculation` adds the capturer alone, with and without the guesses of src/capture/speculation.ts.
import { chosenOf, interleave, loadNote, median, quantile, setting, table } from './measure.ts';
import { startPages } from './pages.ts';
import { startPeers } from './peers.ts';
import { cpuBetween, usageOf } from './processes.ts';
import { report } from './report.ts';
import type { ShotWish } from './sides/answer.js';
import {
  type CaptureSide,
  startCapturer,
  startDefaultFloor,
  startFloor,
  startPlaywright,
  startTintype,
} from './sides.ts';

const rounds = setting('ROUNDS', 30);
const warmup = setting('WARM_UP', 30);
const kinds = {
  png: { format: 'png' },
  jpg: { format: 'jpg' },
  webp: { format: 'webp' },
  full: { format: 'png', fullPage: true },
  pdf: { format: 'pdf' },
  // In view on both pages.
  element: { format: 'png', selector: 'p, article' },
  html: { format: 'png' },
} satisfies Record<string, Omit<ShotWish, 'url'>>;
type Kind = keyof typeof kinds;
type Page = 'small' | 'heavy';

/** The first table comes after more turns than the others: a server that has just been started is no server that runs. */
let warm = false;

const pages = await startPages();
const peers = process.argv.includes('--no-peers') ? { sides: [], notes: [] } : await startPeers();
for (const note of peers.notes) console.log(note);
const tintype = await startTintype();
const others = [await startPlaywright(), ...peers.sides];
const defaultFloor = await startDefaultFloor();
const sides: CaptureSide[] = [await startFloor(), tintype, defaultFloor, ...others];
if (process.argv.includes('--speculation')) sides.push(await startCapturer(true), await startCapturer(false));
try {
  for (const page of chosenOf<Page>(['small', 'heavy']))
    for (const kind of chosenOf(Object.keys(kinds) as Kind[])) await compare(page, kind);
} finally {
  await Promise.all(sides.map((side) => side.close()));
  pages.close();
}
async function compare(page: Page, kind: Kind): Promise<void> {
  const wish = { url: `${pages.url}/${page}`, ...kinds[kind] } as ShotWish;
  const against = kind === 'element' ? elementAndView : kind === 'html' ? htmlAndUrl : undefined;
  const able = against === undefined ? await whoCan(wish) : await against(wish);
  const before = able.map(({ pid }) => usageOf(pid));
  const turns = warm ? 1 : warmup;
  warm = true;
  const timings = await interleave(
    able.map((side) => ({ name: side.name, once: () => side.capture(wish) })),
    rounds,
    // Longer than it takes to throw a context away and to make the next one.
    { warmup: turns, restMs: 200 },
  );
  const floor = median(timings[0]?.ms ?? []);
  const rows = able.map((side, i) => {
    const ms = timings[i]?.ms ?? [];
    const cpu = cpuBetween(before[i] ?? usageOf(0), usageOf(side.pid), rounds + turns);
    return [
      side.name,
      median(ms).toFixed(0),
      quantile(ms, 0.95).toFixed(0),
      (median(ms) / floor).toFixed(2),
      cpu.browser.toFixed(0),
      cpu.node.toFixed(0),
    ];
  });
  const head = ['side', 'p50 ms', 'p95 ms', against ? '× view' : '× floor', 'browser CPU ms', 'Node CPU ms'];
  // One process makes both pictures, so its CPU time says nothing about either.
  const columns = against ? 4 : head.length;
  const shown = rows.map((row) => row.slice(0, columns));
  console.log(table(`${page} page, ${kind} (${rounds} rounds, ${loadNote()})`, head.slice(0, columns), shown));
  const [first = Number.NaN, ours = Number.NaN] = timings.map(({ ms }) => median(ms));
  report(`capture.${page}.${kind}`, ours / first);
  if (kind === 'element' || kind === 'html') return;
  const fastestOf = (these: readonly CaptureSide[]) =>
    Math.min(...timings.filter((_, i) => these.includes(able[i] as CaptureSide)).map(({ ms }) => median(ms)));
  report(`default.${page}.${kind}`, ours / fastestOf([defaultFloor]));
  report(`peer.${page}.${kind}`, ours / fastestOf(others));
}

/** The view comes first: the element is measured against it. */
function elementAndView(wish: ShotWish): CaptureSide[] {
  const view: ShotWish = { url: wish.url, format: wish.format };
  return [
    { ...tintype, name: 'Tintype, view', capture: () => tintype.capture(view) },
    { ...tintype, name: 'Tintype, element', capture: () => tintype.capture(wish) },
  ];
}

/** The address comes first. Both are rendered anew each time. */
async function htmlAndUrl(wish: ShotWish): Promise<CaptureSide[]> {
  const html = await (await fetch(wish.url)).text();
  const send = async () => {
    const response = await fetch(`${tintype.url}/v1/screenshot`, {
      method: 'POST',
      headers: { 'x-api-key': tintype.key, 'content-type': 'application/json' },
      body: JSON.stringify({ html, baseUrl: wish.url, format: wish.format, fresh: true }),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  };
  return [
    { ...tintype, name: 'Tintype, its URL', capture: () => tintype.capture(wish) },
    { ...tintype, name: 'Tintype, the page as HTML', capture: send },
  ];
}

/** Another tool that cannot make this kind is left out of its table. */
async function whoCan(wish: ShotWish): Promise<CaptureSide[]> {
  const able: CaptureSide[] = [];
  for (const side of sides)
    await side.capture(wish).then(
      () => able.push(side),
      (error) => {
        if (!others.includes(side)) throw error;
        console.log(`Left out: ${error.message}`);
      },
    );
  return able;
}
