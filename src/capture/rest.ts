// How a page comes to rest after its load: its time goes forward in slices until nothing is scheduled and nothing moves, and
// then stands still.
import { restBounds } from './budgets.ts';
import type { ForwardBounds } from './clock.ts';
import { captureBy } from './load-bound.ts';
import type { MainDocument } from './main-frame.ts';
import type { Page } from './page.ts';

/** The page's time in one slice. Animation libraries treat a longer gap as time in the background. */
const sliceMs = 400;

/** A frame takes 16 ms; that of a huge page, or on a busy machine, much longer. */
const frameMs = 1000;

/** Has the page changed with these frames? Undefined if it has drawn none: it is huge, or the machine is busy. */
async function changesInFrames(page: Page, { world }: MainDocument, count: number): Promise<boolean | undefined> {
  const seen = world.call('lookAfterFrames', count);
  const inTime = await page.deadline.within(frameMs, page.race(seen));
  return inTime ? (await seen).changed : undefined;
}

async function changesInFrame(page: Page, document: MainDocument): Promise<boolean> {
  return (await changesInFrames(page, document, 1)) ?? (await page.race(document.world.call('look'))).changed;
}

/** Until when responses are waited for. */
export function fetchBounds(page: Page, since = performance.now(), ms: number = restBounds.answers): ForwardBounds {
  const endBy = captureBy(page.deadline);
  const isPatient = page.request.waitUntil === 'networkidle';
  return { endBy, fetchBy: isPatient ? endBy : Math.min(endBy, since + ms) };
}

/** Brings a loaded document to rest. Rejects if the page navigates meanwhile. */
export async function comeToRest(page: Page, document: MainDocument, how: 'first' | 'again' = 'first'): Promise<void> {
  const { request, clock, tab } = page;
  const { world } = document;
  if (request.waitUntil === 'load') {
    await page.deadline.within(restBounds.unfinished, page.race(world.call('fontsReady')));
    return;
  }
  const since = (how === 'first' ? document.loadedAt : undefined) ?? performance.now();
  const bounds = fetchBounds(page, since);
  const { mayAct, mayDraw } = await page.race(world.call('watch'));
  if (!mayAct) {
    // Only files of the style sheets may be missing.
    await page.race(clock.forward(sliceMs, bounds));
    if (mayDraw) await changesInFrame(page, document);
    return;
  }
  const most = how === 'first' ? restBounds.page : restBounds.pageAgain;
  const isMissing = () => tab.outlet.unanswered > 0 && performance.now() >= bounds.fetchBy;
  const looksUnfinished = async () => isMissing() && (await page.race(world.call('looksUnfinished')));
  let isFinished = await goForward(page, document, most, bounds);
  if (await looksUnfinished()) {
    Object.assign(bounds, fetchBounds(page, since, restBounds.unfinished));
    isFinished = await goForward(page, document, most, bounds);
  }
  if (request.waitUntil === 'networkidle' && isMissing())
    page.warnings.push('The network was not idle before the capture had to begin.');
  if (!isFinished || (await looksUnfinished())) page.codes.add('unfinished');
}

/** Frames in which a page that has not stopped with its time is looked at. */
const someFrames = 4;

/** Documents whose motion did not end when it was waited for. */
const endless = new WeakSet<MainDocument>();

/**
 * Lets `most` ms pass in slices, and all that is left at once when a slice has changed nothing. False if the page's work took
 * so long that there was no time for it.
 */
async function goForward(page: Page, document: MainDocument, most: number, bounds: ForwardBounds): Promise<boolean> {
  let left = restBounds.work;
  let changed = true;
  const isReplaced = () => page.frame.current !== document || performance.now() >= bounds.endBy;
  // What changes after two more slices is endless motion.
  for (let spent = 0; spent < most || (changed && spent < most + 2 * sliceMs); ) {
    const ms = changed ? sliceMs : Math.max(sliceMs, most - spent);
    const began = performance.now();
    const waited = await page.race(page.clock.forward(ms, { ...bounds, work: left }));
    left -= performance.now() - began - waited;
    changed = await changesInFrame(page, document);
    spent += ms;
    if (isReplaced()) return true;
    if (left <= 0) return !changed || spent >= most;
  }
  // Some motion goes on with each frame, and not with the time. Its frames are counted: a busy machine draws fewer.
  if (changed && endless.has(document)) return true;
  const framesBy = performance.now() + 2 * restBounds.work;
  for (let frames = 0; changed && frames < restBounds.frames && performance.now() < framesBy && !isReplaced(); )
    if ((await changesInFrames(page, document, someFrames)) === false) changed = false;
    else frames += someFrames;
  if (changed) endless.add(document);
  return true;
}

/** Waits for an element, as long as there is time. Time goes forward quickly at first, and then at real pace. */
export async function waitForSelector(page: Page, selector: string): Promise<void> {
  const { clock, deadline } = page;
  let spent = 0;
  while (!(await page.call('has', selector))) {
    if (spent < restBounds.page) {
      await page.race(clock.forward(100, fetchBounds(page)));
      spent += 100;
    } else await clock.pace(page.race(deadline.pause(50)));
  }
}
