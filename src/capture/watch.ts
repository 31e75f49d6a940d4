// Watches one browser: whether it responds, whether a page uses too much memory, whether a helper process has died.
// The memory of a renderer belongs to its page. The growth of the processes that all pages share is divided among the
// pages that were being rendered meanwhile; if it must be stopped, the page with the largest share is.
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { rendererBytes, sharedBytes, weighEveryMs } from './budgets.ts';
import { Crash } from './crash.ts';
import type { PooledBrowser } from './pooled-browser.ts';
import { processesOf } from './processes.ts';
import type { Tab } from './tab.ts';

const pingEveryMs = 2000;
/** A browser on a busy machine responds within a second. */
const answerWithinMs = 6000;

/** A stopped page's memory is free after this time. Until then no other page is stopped. */
const reliefMs = 1500;

/** An ordinary page does not make the shared processes grow by this much. */
const blameBytes = 256 * 1024 * 1024;

/** `pages`: how many pages it renders at once. Returns the function that ends the watch. */
export function watchBrowser(pooled: PooledBrowser, pages: number, log: Log): () => void {
  const shared = { budget: sharedBytes(pages), grown: new WeakMap<Tab, number>(), relievedAt: 0 };
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
      log.warn({ pid: pooled.browser.pid }, 'A browser does not respond and is killed.');
      // A page may keep the browser busy: that page is not retried on another browser.
      stopHeaviest(pooled, shared);
      await pooled.browser.kill();
    }
  } finally {
    deadline.done();
    pinging.delete(pooled);
  }
}

type Shared = { readonly budget: number; readonly grown: WeakMap<Tab, number>; relievedAt: number };

function look(pooled: PooledBrowser, shared: Shared, log: Log): void {
  const processes = processesOf(pooled.browser.pid);
  // A renderer ends with its page; the other processes keep their memory.
  const bytes = processes.reduce((sum, process) => sum + (process.kind === 'renderer' ? 0 : process.bytes), 0);
  // The first measurement has nothing to compare with.
  const growth = pooled.bytes === 0 ? 0 : Math.max(0, bytes - pooled.bytes) / pooled.busy.size;
  for (const tab of pooled.busy) shared.grown.set(tab, (shared.grown.get(tab) ?? 0) + growth);
  pooled.bytes = bytes;
  if (bytes > shared.budget) relieve(pooled, shared, log);
  for (const { kind, pid, bytes } of processes)
    if (kind === 'renderer' && bytes > rendererBytes) stopPage(pooled, pid, bytes, log);
  endIfBroken(pooled, log);
}

/** The stopped page is not retried. If the browser is killed, the other pages are retried on the next one. */
function relieve(pooled: PooledBrowser, shared: Shared, log: Log): void {
  const mustGo = pooled.bytes > 2 * shared.budget;
  if (!mustGo && performance.now() - shared.relievedAt < reliefMs) return;
  shared.relievedAt = performance.now();
  const megabytes = Math.round(pooled.bytes / 1e6);
  log.warn(
    { pid: pooled.browser.pid, megabytes },
    'The browser uses too much memory; the page that caused it is stopped.',
  );
  stopHeaviest(pooled, shared);
  if (!mustGo) return;
  log.warn({ pid: pooled.browser.pid, megabytes }, 'The browser uses twice its memory limit and is killed.');
  void pooled.browser.kill();
}

/** Stops no page if none has a large share: then the browser is replaced after the render. */
function stopHeaviest({ busy }: PooledBrowser, { grown }: Shared): void {
  const weight = (tab: Tab) => grown.get(tab) ?? 0;
  const [heaviest] = [...busy].sort((a, b) => weight(b) - weight(a));
  if (heaviest && weight(heaviest) > blameBytes)
    heaviest.session.end(new Crash('renderer', 'The page used more memory than a render may use.', true));
}

/** Kills a browser that has lost a helper process. */
export function endIfBroken(pooled: PooledBrowser, log: Log): void {
  const helper = pooled.browser.session.signal.aborted ? undefined : pooled.browser.services.lost();
  if (!helper) return;
  log.warn({ pid: pooled.browser.pid, helper }, 'A helper process of the browser died; the browser is killed.');
  void pooled.browser.kill();
}

function stopPage(pooled: PooledBrowser, pid: number, bytes: number, log: Log): void {
  if (pooled.stoppedPages.has(pid)) return;
  pooled.stoppedPages.set(pid, performance.now());
  log.warn({ pid, megabytes: Math.round(bytes / 1e6) }, 'A page uses too much memory and is stopped.');
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
