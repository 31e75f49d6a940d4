// The pool of browsers. One serves; after the first renders there is a spare; tabs are made in advance. The spare replaces a
// browser that died, has done many renders or uses too much memory. If a browser does not start, the next request tries again.
import type { Egress } from '../egress/egress-types.ts';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { createSemaphore, type Semaphore } from '../kernel/semaphore.ts';
import type { Turn } from '../kernel/turn.ts';
import { type Browser, type BrowserPlace, launchBrowser } from './browser.ts';
import { browserRenders, sharedBytes } from './budgets.ts';
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
  /** How many pages exist at once, those that only wait included. */
  readonly pages: number;
  /** The folder for the profiles of running browsers. */
  readonly folder: string;
  readonly log: Log;
  /** A browser is replaced after this many renders. */
  readonly rotateAfter: number | undefined;
  /** Off only to compare pictures. */
};

/** After this many crashes in a row the browser is to blame: with a dead zygote every page crashes. */
const crashesInARow = 3;

/** The browser reports a dead renderer at once; on an overloaded machine after 2 s. */
const crashReportMs = 10_000;

/** A server that renders this little does without the 100 MB of a spare browser. */
const rendersBeforeSpare = 10;

/** Between retries in the background. A request does not wait for them but tries itself. */
const backOffMs = [200, 500, 1000, 2000, 5000];

export class Fleet {
  readonly #options: FleetOptions;
  readonly #pages: Semaphore;
  readonly #browsers = new Set<PooledBrowser>();
  readonly #stopped = new AbortController();
  #serving: PooledBrowser | undefined;
  #spare: PooledBrowser | undefined;
  #starting: Promise<PooledBrowser> | undefined;
  #sparing: Promise<void> | undefined;
  #recovering = false;
  #hadSpare = false;
  #version = '';
  #sandbox = false;
  /** Why there is no browser, while there is none. */
  #reason: string | undefined;
  #starts = 0;
  #renders = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#pages = createSemaphore(options.pages);
  }

  /** Starts the first browser. A failure is logged and retried; it does not stop the server. */
  async start(): Promise<void> {
    const stale = await removeStaleProfiles(this.#options.folder).catch(() => 0);
    if (stale > 0) this.#options.log.info({ stale }, 'Removed browser profiles that a stopped server had left.');
    const pooled = await this.#ready().catch(() => undefined);
    await pooled?.warm();
  }

  /**
   * Runs the work in a tab of its own. The tab is disposed of when the work or the deadline ends. A suspect may have kept a
   * browser from painting.
   */
  async use<T>(
    deadline: Deadline,
    turn: Turn,
    isSuspect: boolean,
    work: (tab: Tab, turn: Turn) => Promise<T>,
  ): Promise<T> {
    const release = await this.#pages.acquire(deadline);
    try {
      const { pooled, tab } = await this.#take(deadline);
      const drop = () => tab.dispose();
      deadline.signal.addEventListener('abort', drop, { once: true });
      if (isSuspect) pooled.suspects++;
      try {
        const result = await work(tab, pooled.turnFor(tab, turn));
        if (this.#isGone(pooled)) throw browserGone();
        pooled.crashes = 0;
        return result;
      } catch (error) {
        // If the browser has lost a process, the error says nothing about the page.
        throw !(error instanceof Crash) && this.#isGone(pooled) ? browserGone() : this.#judge(pooled, error);
      } finally {
        deadline.signal.removeEventListener('abort', drop);
        if (isSuspect) pooled.suspects--;
        this.#renders++;
        pooled.give(tab);
        this.#keepSpare();
        this.#rotateIfOld(pooled);
      }
    } finally {
      release();
    }
  }

  health() {
    const all = [...this.#browsers];
    return {
      ready: this.#serving !== undefined,
      ...(this.#serving === undefined && this.#reason !== undefined && { reason: this.#reason }),
      browser: this.#version,
      sandbox: this.#sandbox,
      restarts: Math.max(0, this.#starts - (this.#hadSpare ? 2 : 1)),
      renders: this.#renders,
      pagesReady: all.reduce((sum, pooled) => sum + pooled.idle, 0),
      pagesOpen: all.reduce((sum, pooled) => sum + pooled.busy.size, 0),
    };
  }

  async stop(): Promise<void> {
    const stopping = new Problem('shutting_down');
    this.#stopped.abort(stopping);
    this.#pages.close(stopping);
    await Promise.all([this.#starting?.catch(() => {}), this.#sparing]);
    await Promise.all([...this.#browsers].map((pooled) => pooled.end()));
  }

  async #take(deadline: Deadline): Promise<{ pooled: PooledBrowser; tab: Tab }> {
    for (let attempt = 1; ; attempt++) {
      const pooled = await deadline.race(this.#ready());
      try {
        return { pooled, tab: await pooled.take(deadline) };
      } catch (error) {
        deadline.throwIfOver();
        if (error instanceof Problem) throw error;
        // The browser died while the tab was made: try the next one.
        if (attempt >= 3) throw new Problem('renderer_unavailable', { cause: error });
        if (!pooled.browser.session.signal.aborted) await pooled.end();
      }
    }
  }

  /** The serving browser. If there is none, all callers wait for the same start. */
  #ready(): Promise<PooledBrowser> {
    if (this.#stopped.signal.aborted) return Promise.reject(this.#stopped.signal.reason);
    const next = this.#serving ?? this.#spare;
    if (next && this.#isGone(next)) {
      // It may have died before the abort handler was added.
      if (this.#browsers.has(next)) this.#lost(next);
      return this.#ready();
    }
    if (this.#serving) return Promise.resolve(this.#serving);
    if (this.#spare) return Promise.resolve(this.#serve(this.#spare));
    this.#starting ??= this.#launch()
      .then((pooled) => this.#serving ?? this.#serve(pooled))
      .catch((error) => {
        this.#options.log.error({ err: error }, 'The browser did not start.');
        this.#reason = (error as Error).message;
        this.#recover();
        const message = error instanceof BrowserStartError ? { message: error.brief } : {};
        throw new Problem('renderer_unavailable', { ...message, cause: error });
      })
      .finally(() => {
        this.#starting = undefined;
      });
    return this.#starting;
  }

  /** Checked before and after each render: a picture made without a GPU or network process may be wrong. */
  #isGone(pooled: PooledBrowser): boolean {
    endIfBroken(pooled, this.#options.log);
    return pooled.browser.session.signal.aborted;
  }

  #serve(pooled: PooledBrowser): PooledBrowser {
    if (this.#spare === pooled) this.#spare = undefined;
    this.#serving = pooled;
    this.#reason = undefined;
    pooled.fill(tabsInAdvance(this.#options.concurrency));
    // One after the other: a request may be waiting for this one.
    void pooled.warm().then(() => this.#keepSpare());
    return pooled;
  }

  async #launch(): Promise<PooledBrowser> {
    const { place, folder, log, egress } = this.#options;
    const browser: Browser = await launchBrowser(place, folder, log);
    this.#starts++;
    this.#version = browser.version;
    this.#sandbox = browser.sandbox;
    const pooled = new PooledBrowser(browser, egress);
    this.#browsers.add(pooled);
    const stopWatch = watchBrowser(pooled, this.#options.concurrency, log);
    browser.session.signal.addEventListener('abort', () => {
      stopWatch();
      this.#lost(pooled);
    });
    if (this.#stopped.signal.aborted) await pooled.end();
    return pooled;
  }

  #lost(pooled: PooledBrowser): void {
    this.#browsers.delete(pooled);
    if (!pooled.retiring && !this.#stopped.signal.aborted)
      this.#options.log.warn({ pid: pooled.browser.pid }, 'A browser died; another one takes over.');
    if (this.#spare === pooled) this.#spare = undefined;
    if (this.#serving === pooled) this.#serving = undefined;
    if (this.#stopped.signal.aborted) return;
    // A browser that died right after its start is started again after a pause.
    if (pooled.age < 1000 && !this.#spare) this.#recover();
    else this.#ready().catch(() => {});
    this.#keepSpare();
  }

  /** Keeps a second browser, started and idle: about 100 MB so that a takeover needs no wait. */
  #keepSpare(): void {
    if (this.#spare || this.#sparing || !this.#serving || this.#stopped.signal.aborted) return;
    if (this.#renders < rendersBeforeSpare && !this.#isOld(this.#serving)) return;
    this.#sparing = this.#launch()
      .then((pooled) => {
        if (pooled.browser.session.signal.aborted) throw new Error('The browser died right after its start.');
        this.#spare = pooled;
        this.#hadSpare = true;
        pooled.fill(1);
        return pooled.warm();
      })
      .catch((error) => {
        if (this.#stopped.signal.aborted) return undefined;
        this.#options.log.error({ err: error }, 'The spare browser did not start.');
        return sleep(backOffMs.at(-1) ?? 5000, this.#stopped.signal).catch(() => {});
      })
      .finally(() => {
        this.#sparing = undefined;
        // The spare may have become the serving browser meanwhile.
        this.#keepSpare();
      });
  }

  #recover(): void {
    if (this.#recovering) return;
    this.#recovering = true;
    const tryAgain = async () => {
      for (let i = 0; !this.#serving && !this.#stopped.signal.aborted; i++) {
        await sleep(backOffMs[Math.min(i, backOffMs.length - 1)] ?? 5000, this.#stopped.signal);
        await this.#ready().catch(() => {});
      }
    };
    tryAgain()
      .catch(() => {})
      .finally(() => {
        this.#recovering = false;
      });
  }

  /** Counts crashes. A crash because of too much memory becomes final: it would happen again. */
  #judge(pooled: PooledBrowser, error: unknown): unknown {
    if (!(error instanceof Crash) || error.who !== 'renderer' || error.final) return error;
    const [stopped] = pooled.stoppedPages;
    if (stopped) pooled.stoppedPages.delete(stopped[0]);
    if (stopped && performance.now() - stopped[1] < crashReportMs)
      return new Crash('renderer', 'The page used more memory than a render may use.', true);
    if (++pooled.crashes >= crashesInARow && this.#serving === pooled) this.#replace(pooled);
    return error;
  }

  #rotateIfOld(pooled: PooledBrowser): void {
    if (pooled === this.#serving && this.#spare && this.#isOld(pooled)) this.#replace(pooled);
  }

  #isOld({ renders, bytes }: PooledBrowser): boolean {
    const { rotateAfter = browserRenders, concurrency } = this.#options;
    return renders >= rotateAfter || bytes >= sharedBytes(concurrency);
  }

  /** The spare takes over; the old browser ends after its last render. */
  #replace(pooled: PooledBrowser): void {
    this.#serving = undefined;
    pooled.retire();
    this.#ready().catch(() => {});
  }
}

const browserGone = () => new Crash('browser', 'The browser is gone, or has lost a helper process.');

/** More tabs than can be in use: the next one is ready before a request needs it. Each takes 19 MB. */
const tabsInAdvance = (concurrency: number) => concurrency + Math.ceil(concurrency / 4);
