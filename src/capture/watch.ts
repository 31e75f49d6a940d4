// Watches one browser: whether it responds and paints, whether a page uses too much memory, whether a helper process has died.
// The memory of a renderer belongs to its page. The growth of the processes that all pages share is divided among the
// renderers by the processor time that they used meanwhile; if it must be stopped, the one with the largest share is. What the
// GPU process takes for a frame belongs to none.
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { pictureTicks, rendererBytes, sharedBytes, weighEveryMs } from './budgets.ts';
import { Crash } from './crash.ts';
import type { PooledBrowser } from './pooled-browser.ts';
import { type BrowserProcess, processesOf, ticksOfThreads } from './processes.ts';

const pingEveryMs = 2000;
/** A browser on a busy machine responds within a second. */
const answerWithinMs = 6000;

/** A stopped page's memory is free after this time. Until then no other page is stopped. */
const reliefMs = 1500;

/** An ordinary page does not make the shared processes grow by this much. */
const blameBytes = 256 * 1024 * 1024;

/** `pages`: how many pages it renders at once. Returns the function that ends the watch. */
export function watchBrowser(pooled: PooledBrowser, pages: number, log: Log): () => void {
  const shared: Shared = { budget: sharedBytes(pages), grown: new Map(), ticks: new Map(), relievedAt: 0 };
  const painting: Painting = { given: 0, isAwaited: false, since: new Map(), ticks: new Map() };
  const ping = setInterval(() => void answers(pooled, shared, log), pingEveryMs);
  const weigh = setInterval(() => {
    // A frame may take longer than the page that it is of.
    if (pooled.busy.size > 0 || painting.isAwaited) look(pooled, shared, painting, log);
  }, weighEveryMs);
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
  try {
    if (await responds(pooled, answerWithinMs)) return;
    // A page may keep the browser busy. Without that page it may respond again.
    if (stopHeaviest(pooled, shared, log) && (await responds(pooled, reliefMs))) return;
    if (pooled.browser.session.signal.aborted) return;
    log.warn({ pid: pooled.browser.pid }, 'A browser does not respond and is killed.');
    await pooled.browser.kill();
  } finally {
    pinging.delete(pooled);
  }
}

/** True also if the browser has ended: then there is nothing to wait for. */
async function responds({ browser }: PooledBrowser, ms: number): Promise<boolean> {
  const deadline = new Deadline(ms, 'The browser');
  try {
    await deadline.race(browser.session.send('Browser.getVersion'));
    return true;
  } catch {
    return browser.session.signal.aborted;
  } finally {
    deadline.done();
  }
}

type Shared = {
  readonly budget: number;
  /** How many bytes of the growth are attributed to a renderer, by process id. */
  grown: Map<number, number>;
  /** The processor time of each renderer, as last measured. */
  ticks: Map<number, number>;
  relievedAt: number;
};

function look(pooled: PooledBrowser, shared: Shared, painting: Painting, log: Log): void {
  const processes = processesOf(pooled.browser.pid);
  const renderers = processes.filter(({ kind }) => kind === 'renderer');
  // A renderer ends with its page; the other processes keep their memory.
  const bytes = processes.reduce((sum, process) => sum + (process.kind === 'renderer' ? 0 : process.bytes), 0);
  // The first measurement has nothing to compare with.
  divide(shared, renderers, pooled.bytes || bytes, bytes);
  pooled.bytes = bytes;
  const gpu = processes.find(({ kind }) => kind === 'gpu');
  // A frame takes its memory in the GPU process, whichever renderers work meanwhile.
  if (gpu && bytes > shared.budget && gpu.bytes > bytes / 2) endByFrame(pooled, 'takes too much memory', log);
  else if (bytes > shared.budget) relieve(pooled, shared, log);
  for (const { pid, bytes } of renderers) if (bytes > rendererBytes) stopPage(pooled, pid, bytes, log);
  endIfBroken(pooled, log);
  if (gpu && isStuck(pooled, painting, ticksOfThreads(gpu.pid))) endByFrame(pooled, 'takes too long', log);
}

type Painting = {
  /** Pictures that the browser had made when it was last looked at. */
  given: number;
  /** A picture has been awaited since then. */
  isAwaited: boolean;
  /** The processor time of the GPU process's threads when it began to be awaited. */
  since: Ticks;
  /** The same when it was last looked at. */
  ticks: Ticks;
};

type Ticks = ReadonlyMap<string, number>;

/** Of the thread that worked the most: WebGL uses one thread for each core, and its frame takes no longer for that. */
const mostWork = (before: Ticks, now: Ticks): number =>
  Math.max(0, ...[...now].map(([thread, ticks]) => ticks - (before.get(thread) ?? 0)));

/** Of the 40 clock ticks between two looks. A frame that takes seconds uses nearly all of them, unless the machine is busy. */
const restTicks = 2;

/**
 * The GPU process paints what WebGL draws and composites the frames of all pages, one after the other. A frame with hundreds of
 * large filters, or an endless shader, takes it minutes, and longer than its page exists. Its processor time counts: on a busy
 * machine it gets little.
 */
function isStuck(pooled: PooledBrowser, painting: Painting, ticks: Ticks): boolean {
  const { given, awaited } = pooled.browser.connection.pictures();
  // A suspect may never get as far as to be captured, and others wait for its end.
  const isAwaited = awaited > 0 || pooled.suspects > 0;
  const isAtRest = mostWork(painting.ticks, ticks) < restTicks;
  painting.ticks = ticks;
  // The page that awaited a picture may be gone, and its frame not.
  if (given !== painting.given || (!isAwaited && isAtRest)) Object.assign(painting, { given, isAwaited: false });
  if (isAwaited && !painting.isAwaited) Object.assign(painting, { since: ticks, isAwaited: true });
  return painting.isAwaited && mostWork(painting.since, ticks) >= pictureTicks;
}

/** It is not known which page it is of: all of them are retried, one after the other. */
function endByFrame(pooled: PooledBrowser, what: string, log: Log): void {
  if (pooled.browser.session.signal.aborted) return;
  log.warn({ pid: pooled.browser.pid }, `Painting a frame ${what}; the browser is killed.`);
  pooled.browser.connection.close(new Crash('compositor', `Painting a frame of this or another page ${what}.`));
  void pooled.browser.kill();
}

/**
 * A page has to work to make the shared processes grow, so a page that only waits gets no share, however long it has
 * been open. What is freed makes every share smaller.
 */
function divide(shared: Shared, renderers: readonly BrowserProcess[], before: number, bytes: number): void {
  const spent = ({ pid, ticks }: BrowserProcess) => Math.max(0, ticks - (shared.ticks.get(pid) ?? 0));
  const spentByAll = renderers.reduce((sum, renderer) => sum + spent(renderer), 0);
  const perTick = Math.max(0, bytes - before) / Math.max(1, spentByAll);
  const kept = Math.min(1, bytes / Math.max(1, before));
  const shareOf = (renderer: BrowserProcess) =>
    (shared.grown.get(renderer.pid) ?? 0) * kept + spent(renderer) * perTick;
  shared.grown = new Map(renderers.map((renderer) => [renderer.pid, shareOf(renderer)]));
  shared.ticks = new Map(renderers.map(({ pid, ticks }) => [pid, ticks]));
}

/** The stopped page is not retried. If the browser is killed, the other pages are retried on the next one. */
function relieve(pooled: PooledBrowser, shared: Shared, log: Log): void {
  const mustGo = pooled.bytes > 2 * shared.budget;
  const isFirst = performance.now() - shared.relievedAt > reliefMs;
  if (!mustGo && !isFirst) return;
  shared.relievedAt = performance.now();
  const megabytes = Math.round(pooled.bytes / 1e6);
  log.warn({ pid: pooled.browser.pid, megabytes }, 'The browser uses too much memory.');
  const isStopped = stopHeaviest(pooled, shared, log);
  // If that page was the cause, the next measurement is lower. A killed browser would hide which page it was.
  if (!mustGo || (isStopped && isFirst)) return;
  log.warn({ pid: pooled.browser.pid, megabytes }, 'The browser uses twice its memory limit and is killed.');
  void pooled.browser.kill();
}

/** Stops no page if none has a large share: then the browser is replaced after the render. */
function stopHeaviest(pooled: PooledBrowser, { grown }: Shared, log: Log): boolean {
  const [heaviest] = [...grown].sort(([, a], [, b]) => b - a);
  if (!heaviest || heaviest[1] <= blameBytes) return false;
  stopPage(pooled, ...heaviest, log);
  return true;
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
