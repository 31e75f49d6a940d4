// Watches one browser: whether it responds and paints, whether a page uses too much memory, whether a helper process has died.
// The memory of a renderer belongs to its page. What all processes of a browser share belongs to all its pages, which are those of
// one account: too much of it costs them their browser.
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { pictureTicks, rendererBytes, sharedBytes, weighEveryMs } from './budgets.ts';
import { Crash } from './crash.ts';
import type { PooledBrowser } from './pooled-browser.ts';
import { type BrowserProcess, processesOf, ticksOfThreads } from './processes.ts';

const pingEveryMs = 2000;
/** A browser on a busy machine responds within a second. */
const answerWithinMs = 6000;

/** `pages`: how many pages it renders at once. Returns the function that ends the watch. */
export function watchBrowser(pooled: PooledBrowser, pages: number, log: Log): () => void {
  const painting: Painting = { given: 0, isAwaited: false, isAtRest: true, since: new Map(), ticks: new Map() };
  const ping = setInterval(() => void answers(pooled, log), pingEveryMs);
  const weigh = setInterval(() => {
    // A frame may take longer than the page that it is of.
    if (pooled.busy.size > 0 || !painting.isAtRest) look(pooled, sharedBytes(pages), painting, log);
  }, weighEveryMs);
  ping.unref();
  weigh.unref();
  return () => {
    clearInterval(ping);
    clearInterval(weigh);
  };
}

const pinging = new WeakSet<PooledBrowser>();

async function answers(pooled: PooledBrowser, log: Log): Promise<void> {
  if (pinging.has(pooled)) return;
  pinging.add(pooled);
  const { session } = pooled.browser;
  const deadline = new Deadline(answerWithinMs, 'The browser');
  try {
    await deadline.race(session.send('Browser.getVersion'));
  } catch {
    if (!session.signal.aborted) end(pooled, new Crash('browser', 'The browser does not respond.'), log);
  } finally {
    deadline.done();
    pinging.delete(pooled);
  }
}

function look(pooled: PooledBrowser, budget: number, painting: Painting, log: Log): void {
  const processes = processesOf(pooled.browser.pid);
  const ofKind = (kind: BrowserProcess['kind']) => processes.filter((process) => process.kind === kind);
  const isFull = ({ bytes }: BrowserProcess) => bytes > rendererBytes;
  for (const { pid, bytes } of ofKind('renderer').filter(isFull)) stopPage(pooled, pid, bytes, log);
  // A renderer ends with its page; the other processes keep their memory.
  pooled.bytes = processes.reduce((sum, { kind, bytes }) => sum + (kind === 'renderer' ? 0 : bytes), 0);
  if (pooled.bytes > budget) end(pooled, new Crash('renderer', 'The page uses too much memory.', true), log);
  endIfBroken(pooled, log);
  const [gpu] = ofKind('gpu');
  const ticks = gpu ? ticksOfThreads(gpu.pid) : new Map<string, number>();
  if (isStuck(pooled, painting, ticks))
    end(pooled, new Crash('renderer', 'The page takes too long to paint.', true), log);
}

type Painting = {
  /** Pictures that the browser had made when it was last looked at. */
  given: number;
  /** A picture has been awaited since then. */
  isAwaited: boolean;
  /** The GPU process did nothing before the last look. */
  isAtRest: boolean;
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
  const isAtRest = mostWork(painting.ticks, ticks) < restTicks;
  // A page that is gone may have left a frame, and one that others wait for may never get as far as to be captured.
  const isAwaited = awaited > 0 || (pooled.busy.size === 0 ? !isAtRest : pooled.isApart);
  Object.assign(painting, { ticks, isAtRest });
  if (given !== painting.given || (!isAwaited && isAtRest)) Object.assign(painting, { given, isAwaited: false });
  if (isAwaited && !painting.isAwaited) Object.assign(painting, { since: ticks, isAwaited: true });
  return painting.isAwaited && mostWork(painting.since, ticks) >= pictureTicks;
}

/** Its pages are rendered again, one after the other. */
function end(pooled: PooledBrowser, harm: Crash, log: Log): void {
  if (pooled.browser.session.signal.aborted) return;
  const { pid } = pooled.browser;
  log.warn({ pid, megabytes: Math.round(pooled.bytes / 1e6) }, `${harm.message} Its browser is killed.`);
  pooled.harm = harm;
  void pooled.browser.kill();
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
