// The pool of browsers. A browser renders the pages of one account at a time and is handed on when it is empty. After the first
// renders one more is kept ready, for another account or in place of one that died, has done many renders or uses much memory.
import type { Egress } from '../egress/egress-types.ts';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { createSemaphore, type Semaphore } from '../kernel/semaphore.ts';
import type { Turn } from '../kernel/turn.ts';
import { Apart } from './apart.ts';
import { type BrowserPlace, launchBrowser } from './browser.ts';
import { browserRenders, retiredBytes } from './budgets.ts';
import { Crash } from './crash.ts';
import { PooledBrowser } from './pooled-browser.ts';
import { removeStaleProfiles } from './profile.ts';
import { BrowserStartError } from './start-failure.ts';
import type { Tab } from './tab.ts';
import { endIfBroken, watchBrowser } from './watch.ts';

export type FleetOptions = {
  readonly place: BrowserPlace;
  readonly egress: Egress;
  /** How many pages work at once. */
  readonly concurrency: number;
  /** How many pages exist at once, those that only wait included; and so, how many accounts may need a browser. */
  readonly pages: number;
  /** The folder for the profiles of running browsers. */
  readonly folder: string;
  readonly log: Log;
  /** A browser is replaced after this many renders. */
  readonly rotateAfter: number | undefined;
};

/** After this many crashes in a row the browser is to blame: with a dead zygote every page crashes. */
const crashesInARow = 3;

/** The browser reports a dead renderer at once; on an overloaded machine after 2 s. */
const crashReportMs = 10_000;

/** A server that renders this little does without the 100 MB of a spare browser. */
const rendersBeforeSpare = 10;

/** Browsers that many accounts needed at once are ended when they were not used for this long. */
const unusedMs = 60_000;
const tidyEveryMs = 10_000;

/** Between retries in the background. A request does not wait for them but tries itself. */
const backOffMs = [200, 500, 1000, 2000, 5000];

export class Fleet {
  readonly #options: FleetOptions;
  readonly #pages: Semaphore;
  readonly #apart = new Apart();
  readonly #browsers = new Set<PooledBrowser>();
  readonly #stopped = new AbortController();
  readonly #tidying = setInterval(() => this.#tidy(), tidyEveryMs).unref();
  #starting: Promise<PooledBrowser> | undefined;
  #keeping: Promise<void> | undefined;
  #version = '';
  #sandbox = false;
  /** Why there is no browser, while there is none. */
  #reason: string | undefined;
  /** Starts in a row that failed, or whose browser died at once. */
  #failures = 0;
  #restarts = 0;
  #renders = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#pages = createSemaphore(options.pages);
  }

  /** Starts the first browser. A failure is logged and retried; it does not stop the server. */
  async start(): Promise<void> {
    const stale = await removeStaleProfiles(this.#options.folder).catch(() => 0);
    if (stale > 0) this.#options.log.info({ stale }, 'Removed browser profiles that a stopped server had left.');
    const pooled = await this.#start().catch(() => undefined);
    pooled?.fill(this.#tabsInAdvance());
    await pooled?.warm();
  }

  /** Runs the work in a tab of its own. The tab is disposed of when the work or the deadline ends. */
  async use<T>(deadline: Deadline, turn: Turn, work: (tab: Tab, turn: Turn) => Promise<T>): Promise<T> {
    const { account = '' } = turn;
    const leave = await this.#apart.enter(account, deadline, turn);
    let release = () => {};
    try {
      release = await this.#pages.acquire(deadline);
      const { pooled, tab } = await this.#take(account, deadline);
      const drop = () => tab.dispose();
      deadline.signal.addEventListener('abort', drop, { once: true });
      try {
        const result = await work(tab, pooled.turnFor(tab, turn));
        if (this.#isGone(pooled)) throw browserGone();
        pooled.crashes = 0;
        this.#failures = 0;
        return result;
      } catch (error) {
        throw this.#judge(pooled, tab, error);
      } finally {
        deadline.signal.removeEventListener('abort', drop);
        this.#renders++;
        pooled.give(tab);
        this.#replaceIfOld(pooled);
        this.#keepReady();
      }
    } finally {
      release();
      leave();
    }
  }

  health() {
    const all = [...this.#browsers];
    const ready = all.some((pooled) => !pooled.retiring);
    return {
      ready,
      ...(!ready && this.#reason !== undefined && { reason: this.#reason }),
      browser: this.#version,
      sandbox: this.#sandbox,
      restarts: this.#restarts,
      renders: this.#renders,
      pagesReady: all.reduce((sum, pooled) => sum + pooled.idle, 0),
      pagesOpen: all.reduce((sum, pooled) => sum + pooled.busy.size, 0),
    };
  }

  async stop(): Promise<void> {
    const stopping = new Problem('shutting_down');
    this.#stopped.abort(stopping);
    clearInterval(this.#tidying);
    this.#pages.close(stopping);
    await Promise.all([this.#starting?.catch(() => {}), this.#keeping]);
    await Promise.all([...this.#browsers].map((pooled) => pooled.end()));
  }

  async #take(account: string, deadline: Deadline): Promise<{ pooled: PooledBrowser; tab: Tab }> {
    for (let failures = 0; ; ) {
      this.#stopped.signal.throwIfAborted();
      const pooled = this.#browserFor(account);
      if (!pooled) {
        // The one that starts may be taken by another account. If an earlier start fails, this request begins one of its own.
        const isFirst = this.#starting === undefined;
        await deadline.race(this.#start()).catch((error: unknown) => {
          deadline.throwIfOver();
          if (isFirst) throw error;
        });
        continue;
      }
      pooled.isApart = this.#apart.has(account);
      const taking = pooled.take(account, deadline);
      pooled.fill(this.#tabsInAdvance());
      this.#keepReady();
      try {
        return { pooled, tab: await taking };
      } catch (error) {
        deadline.throwIfOver();
        if (error instanceof Problem) throw error;
        // The browser died while the tab was made: try the next one.
        if (++failures >= 3) throw new Problem('renderer_unavailable', { cause: error });
        if (!pooled.browser.session.signal.aborted) await pooled.end();
      }
    }
  }

  /**
   * The browser of the account, or the one that was not used for the longest. An account that cost a browser gets a new one: it must
   * not take one after the other away from accounts that pause between two renders.
   */
  #browserFor(account: string): PooledBrowser | undefined {
    const own = [...this.#browsers].filter((pooled) => pooled.account === account && !pooled.retiring);
    const isOffered = ({ account: last, browser }: PooledBrowser) =>
      // A new browser paints for itself, to be warm.
      last === undefined || (!this.#apart.has(account) && !browser.services.isPainting());
    return [...own, ...this.#free().filter(isOffered)].find((pooled) => !this.#isGone(pooled));
  }

  /** Browsers that may be handed on, those first that were not used for the longest. */
  #free(): PooledBrowser[] {
    return [...this.#browsers].filter(({ isFree }) => isFree).sort((a, b) => a.usedAt - b.usedAt);
  }

  /** More tabs than can be in use: the next one is ready before a request needs it. Each takes 19 MB. */
  #tabsInAdvance(): number {
    const all = Math.ceil(this.#options.concurrency * 1.25);
    const inUse = [...this.#browsers].filter(({ isFree }) => !isFree).length;
    return Math.min(all, Math.max(2, Math.ceil((2 * all) / Math.max(1, inUse))));
  }

  /** Checked before and after each render: a picture made without a GPU or network process may be wrong. */
  #isGone(pooled: PooledBrowser): boolean {
    endIfBroken(pooled, this.#options.log);
    return pooled.browser.session.signal.aborted;
  }

  /** All callers wait for the same start. */
  #start(): Promise<PooledBrowser> {
    this.#starting ??= this.#launch()
      .catch((error) => {
        this.#failures++;
        this.#options.log.error({ err: error }, 'The browser did not start.');
        this.#reason = (error as Error).message;
        const message = error instanceof BrowserStartError ? { message: error.brief } : {};
        throw new Problem('renderer_unavailable', { ...message, cause: error });
      })
      .finally(() => {
        this.#starting = undefined;
        this.#keepReady();
      });
    return this.#starting;
  }

  async #launch(): Promise<PooledBrowser> {
    const { place, folder, log, egress, concurrency } = this.#options;
    const browser = await launchBrowser(place, folder, log);
    this.#version = browser.version;
    this.#sandbox = browser.sandbox;
    const pooled = new PooledBrowser(browser, egress);
    this.#browsers.add(pooled);
    const stopWatch = watchBrowser(pooled, concurrency, log);
    const lost = () => {
      stopWatch();
      this.#lost(pooled);
    };
    const { signal } = browser.session;
    if (signal.aborted) lost();
    else signal.addEventListener('abort', lost);
    if (this.#stopped.signal.aborted) await pooled.end();
    pooled.fill(1);
    void pooled.warm();
    return pooled;
  }

  #lost(pooled: PooledBrowser): void {
    this.#browsers.delete(pooled);
    if (this.#stopped.signal.aborted) return;
    if (pooled.harm && pooled.account !== undefined) this.#apart.add(pooled.account);
    if (!pooled.retiring) {
      this.#restarts++;
      this.#options.log.warn({ pid: pooled.browser.pid }, 'A browser died; another one takes over.');
    }
    if (pooled.age < 1000) this.#failures++;
    this.#keepReady();
  }

  /** Keeps a browser, and after the first renders one that no account uses: about 100 MB so that nobody waits for a start. */
  #keepReady(): void {
    if (this.#keeping || this.#isReady()) return;
    this.#keeping = (async () => {
      while (!this.#isReady()) {
        const pause = backOffMs[Math.min(this.#failures, backOffMs.length) - 1];
        if (pause !== undefined) await sleep(pause, this.#stopped.signal);
        const pooled = this.#isReady() ? undefined : await this.#start().catch(() => undefined);
        await pooled?.warm();
      }
    })()
      .catch(() => {})
      .finally(() => {
        this.#keeping = undefined;
      });
  }

  #isReady(): boolean {
    if (this.#stopped.signal.aborted) return true;
    const all = [...this.#browsers].filter(({ retiring }) => !retiring);
    const wantsSpare = this.#renders >= rendersBeforeSpare || all.some((pooled) => this.#isOld(pooled));
    return all.length > 0 && (!wantsSpare || (all.length > 1 && this.#hasSpare()));
  }

  #hasSpare = (): boolean => this.#free().some((pooled) => !this.#isOld(pooled));

  /** Keeps two browsers, and more while they are used. */
  #tidy(): void {
    for (const pooled of this.#free())
      if (performance.now() - pooled.usedAt > unusedMs && this.#browsers.size > 2 && this.#free().length > 1)
        pooled.retire();
  }

  #judge(pooled: PooledBrowser, tab: Tab, error: unknown): unknown {
    // If the browser was lost, the error says nothing about the page.
    const isGone = this.#isGone(pooled);
    if (pooled.harm) return pooled.isAlone(tab) ? pooled.harm : new Crash(pooled.harm.who, pooled.harm.message);
    if (!(error instanceof Crash)) return isGone ? browserGone() : error;
    if (error.who !== 'renderer' || error.final) return error;
    const [stopped] = pooled.stoppedPages;
    if (stopped) pooled.stoppedPages.delete(stopped[0]);
    if (stopped && performance.now() - stopped[1] < crashReportMs)
      return new Crash('renderer', 'The page used more memory than a render may use.', true);
    if (++pooled.crashes >= crashesInARow) this.#replace(pooled);
    return error;
  }

  #isOld({ renders, bytes }: PooledBrowser): boolean {
    const { rotateAfter = browserRenders, concurrency } = this.#options;
    return renders >= rotateAfter || bytes >= retiredBytes(concurrency);
  }

  #replaceIfOld(pooled: PooledBrowser): void {
    if (this.#isOld(pooled) && this.#hasSpare()) this.#replace(pooled);
  }

  /** Another one takes over; the old browser ends after its last render. */
  #replace(pooled: PooledBrowser): void {
    if (pooled.retiring) return;
    this.#restarts++;
    pooled.retire();
  }
}

const browserGone = () => new Crash('browser', 'The browser is gone, or has lost a helper process.');
