// Looks after one browser: does it answer, does a page take too much memory, has a helper process died?
// Memory of a renderer is its page's. Memory of the processes that pages share is nobody's by name: what they grow by is
// put down to the pages that were being rendered meanwhile, and the one with the most is the one that is stopped.
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { rendererBytes, sharedBytes, weighEveryMs } from './budgets.ts';
import { Crash } from './crash.ts';
import type { PooledBrowser } from './pooled-browser.ts';
import { processesOf } from './processes.ts';
import type { Slot } from './slot.ts';

const pingEveryMs = 2000;
/** A browser with every core busy still answers within a second; a stopped one never does. */
const answerWithinMs = 6000;

/** What a stopped page held is given back within this time; before that no other one is stopped for it. */
const reliefMs = 1500;

/** By so much shared processes do not grow under an honest page. */
const blameBytes = 256 * 1024 * 1024;

/** `slots`: how many pages it renders at once. Gives back the function that ends the watch. */
export function watchBrowser(pooled: PooledBrowser, slots: number, log: Log): () => void {
  const shared = { budget: sharedBytes(slots), grown: new WeakMap<Slot, number>(), relievedAt: 0 };
  const ping = setInterval(() => void answers(pooled, shared, log), pingEveryMs);
  const weigh = setInterval(() => pooled.busy.size > 0 && look(pooled, shared, log), weighEveryMs);
  ping.unref();
  weigh.unref();
  return () => {
    clearInterval(ping);
    clearInterval(weigh);
  };
}

const pinging = new WeakSet<PooledBrowser>();

async function answers(pooled: PooledBrowser, shared: Shared, log: Log): Promise<void> {
  if (pinging.has(pooled)) return;
  pinging.add(pooled);
  const deadline = new Deadline(answerWithinMs, 'The browser');
  try {
    await deadline.race(pooled.browser.session.send('Browser.getVersion'));
  } catch {
    if (!pooled.browser.session.signal.aborted) {
      log.warn({ pid: pooled.browser.pid }, 'A browser does not answer; it is ended.');
      // What keeps it busy may be what a page gave it: that one is not worth another browser.
      stopHeaviest(pooled, shared);
      await pooled.browser.kill();
    }
  } finally {
    deadline.done();
    pinging.delete(pooled);
  }
}

type Shared = { readonly budget: number; readonly grown: WeakMap<Slot, number>; relievedAt: number };

function look(pooled: PooledBrowser, shared: Shared, log: Log): void {
  const processes = processesOf(pooled.browser.pid);
  // Renderers go with their pages; what the others keep, stays.
  const bytes = processes.reduce((sum, process) => sum + (process.kind === 'renderer' ? 0 : process.bytes), 0);
  // At the first look there is nothing to compare with.
  const growth = pooled.bytes === 0 ? 0 : Math.max(0, bytes - pooled.bytes) / pooled.busy.size;
  for (const slot of pooled.busy) shared.grown.set(slot, (shared.grown.get(slot) ?? 0) + growth);
  pooled.bytes = bytes;
  if (bytes > shared.budget) relieve(pooled, shared, log);
  for (const { kind, pid, bytes } of processes)
    if (kind === 'renderer' && bytes > rendererBytes) stopPage(pooled, pid, bytes, log);
  endIfBroken(pooled, log);
}

/** The page is not tried again; if its browser must go, the others are, on another one. */
function relieve(pooled: PooledBrowser, shared: Shared, log: Log): void {
  const mustGo = pooled.bytes > 2 * shared.budget;
  if (!mustGo && performance.now() - shared.relievedAt < reliefMs) return;
  shared.relievedAt = performance.now();
  const megabytes = Math.round(pooled.bytes / 1e6);
  log.warn(
    { pid: pooled.browser.pid, megabytes },
    'The browser takes too much memory; the page under which it grew is stopped.',
  );
  stopHeaviest(pooled, shared);
  if (!mustGo) return;
  log.warn({ pid: pooled.browser.pid, megabytes }, 'The browser takes twice the memory it may; it is ended.');
  void pooled.browser.kill();
}

/** Nobody, if they grew under nobody in particular: then the browser has grown old, and is replaced after the render. */
function stopHeaviest({ busy }: PooledBrowser, { grown }: Shared): void {
  const weight = (slot: Slot) => grown.get(slot) ?? 0;
  const [heaviest] = [...busy].sort((a, b) => weight(b) - weight(a));
  if (heaviest && weight(heaviest) > blameBytes)
    heaviest.session.end(new Crash('renderer', 'The page took more memory than a render may.', true));
}

/** Ends a browser that has lost a helper process. */
export function endIfBroken(pooled: PooledBrowser, log: Log): void {
  const helper = pooled.browser.session.signal.aborted ? undefined : pooled.browser.helpers.lost();
  if (!helper) return;
  log.warn({ pid: pooled.browser.pid, helper }, 'A helper process of the browser died; the browser is ended.');
  void pooled.browser.kill();
}

function stopPage(pooled: PooledBrowser, pid: number, bytes: number, log: Log): void {
  if (pooled.stoppedPages.has(pid)) return;
  pooled.stoppedPages.set(pid, performance.now());
  log.warn({ pid, megabytes: Math.round(bytes / 1e6) }, 'A page takes too much memory; it is stopped.');
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
