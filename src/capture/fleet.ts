// The browsers. One serves, one stands by; slots are made in advance. A browser that dies, grows old or heavy is
// replaced by the one that stands by, and a start that fails is tried again by the next request, whatever happened before.
import type { Egress } from '../egress/egress-types.ts';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { type Gate, openGate } from '../kernel/gate.ts';
import type { Log } from '../kernel/log.ts';
import type { Turn } from '../kernel/turn.ts';
import { type Browser, type BrowserPlace, launchBrowser } from './browser.ts';
import { browserRenders, sharedBytes } from './budgets.ts';
import { Crash } from './crash.ts';
import { PooledBrowser } from './pooled-browser.ts';
import { removeStaleProfiles } from './profile.ts';
import type { Slot } from './slot.ts';
import { BrowserStartError } from './start-failure.ts';
import { endIfBroken, watchBrowser } from './watch.ts';

export type FleetOptions = {
  readonly place: BrowserPlace;
  readonly egress: Egress;
  /** Pages with work at once. */
  readonly concurrency: number;
  /** Pages at once, those that only wait included. */
  readonly pages: number;
  /** Where profiles are kept while browsers live. */
  readonly folder: string;
  readonly log: Log;
  /** A browser is replaced after this many renders. */
  readonly rotateAfter: number | undefined;
};

/** After this many crashes in a row it is not the pages: a dead zygote crashes every page. */
const crashesInARow = 3;

/** The browser tells of a dead renderer at once; on a machine without a free processor it took 2 s. */
const crashIsToldMs = 10_000;

/** Between tries in the background; a request does not wait for them but tries itself. */
const backOffMs = [200, 500, 1000, 2000, 5000];

export class Fleet {
  readonly #options: FleetOptions;
  readonly #gate: Gate;
  readonly #browsers = new Set<PooledBrowser>();
  readonly #stopped = new AbortController();
  #serving: PooledBrowser | undefined;
  #spare: PooledBrowser | undefined;
  #starting: Promise<PooledBrowser> | undefined;
  #sparing: Promise<void> | undefined;
  #recovering = false;
  #version = '';
  #sandbox = false;
  /** Why there is no browser, while there is none. */
  #reason: string | undefined;
  #starts = 0;
  #renders = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#gate = openGate(options.pages);
  }

  /** Starts the first browser. A failure is told and tried again; it does not stop the server. */
  async start(): Promise<void> {
    const stale = await removeStaleProfiles(this.#options.folder).catch(() => 0);
    if (stale > 0) this.#options.log.info({ stale }, 'Removed browser profiles that a stopped server had left.');
    const pooled = await this.#ready().catch(() => undefined);
    await pooled?.warm();
  }

  /** Runs the work in a slot of its own. The slot is gone when the work ends or the deadline does. */
  async use<T>(deadline: Deadline, turn: Turn, work: (slot: Slot, turn: Turn) => Promise<T>): Promise<T> {
    const leave = await this.#gate.enter(deadline);
    try {
      const { pooled, slot } = await this.#take(deadline);
      const drop = () => slot.dispose();
      deadline.signal.addEventListener('abort', drop, { once: true });
      try {
        const result = await work(slot, pooled.turnFor(slot, turn));
        if (this.#isGone(pooled)) throw browserGone();
        pooled.crashes = 0;
        return result;
      } catch (error) {
        // Whatever went wrong with half a browser says nothing about the page.
        throw !(error instanceof Crash) && this.#isGone(pooled) ? browserGone() : this.#judge(pooled, error);
      } finally {
        deadline.signal.removeEventListener('abort', drop);
        this.#renders++;
        pooled.give(slot);
        this.#rotateIfOld(pooled);
      }
    } finally {
      leave();
    }
  }

  health() {
    const all = [...this.#browsers];
    return {
      ready: this.#serving !== undefined,
      ...(this.#serving === undefined && this.#reason !== undefined && { reason: this.#reason }),
      browser: this.#version,
      sandbox: this.#sandbox,
      restarts: Math.max(0, this.#starts - 2),
      renders: this.#renders,
      slotsIdle: all.reduce((sum, pooled) => sum + pooled.idle, 0),
      slotsBusy: all.reduce((sum, pooled) => sum + pooled.busy.size, 0),
    };
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new Problem('shutting_down'));
    this.#gate.close(new Problem('shutting_down'));
    await Promise.all([this.#starting?.catch(() => {}), this.#sparing]);
    await Promise.all([...this.#browsers].map((pooled) => pooled.end()));
  }

  async #take(deadline: Deadline): Promise<{ pooled: PooledBrowser; slot: Slot }> {
    for (let attempt = 1; ; attempt++) {
      const pooled = await deadline.race(this.#ready());
      try {
        return { pooled, slot: await pooled.take(deadline) };
      } catch (error) {
        deadline.throwIfOver();
        if (error instanceof Problem) throw error;
        // The browser died while the slot was made; the next one is as good.
        if (attempt >= 3) throw new Problem('renderer_unavailable', { cause: error });
        if (!pooled.browser.session.signal.aborted) await pooled.end();
      }
    }
  }

  /** The browser that serves; if there is none, one is started now, once for all who ask. */
  #ready(): Promise<PooledBrowser> {
    if (this.#stopped.signal.aborted) return Promise.reject(this.#stopped.signal.reason);
    const next = this.#serving ?? this.#spare;
    if (next && this.#isGone(next)) {
      // It may have died before anybody listened for that.
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

  /** Asked before and after each render: what is drawn without a GPU or network process is not to be trusted. */
  #isGone(pooled: PooledBrowser): boolean {
    endIfBroken(pooled, this.#options.log);
    return pooled.browser.session.signal.aborted;
  }

  #serve(pooled: PooledBrowser): PooledBrowser {
    if (this.#spare === pooled) this.#spare = undefined;
    this.#serving = pooled;
    this.#reason = undefined;
    pooled.fill(slotsInAdvance(this.#options.concurrency));
    // Not at the same time: both would be slower, and this one is waited for.
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
    // One that dies as soon as it is started is not started again in the same breath.
    if (pooled.age < 1000 && !this.#spare) this.#recover();
    else this.#ready().catch(() => {});
    this.#keepSpare();
  }

  /** A second browser, started and idle: about 100 MB for a takeover without a wait. */
  #keepSpare(): void {
    if (this.#spare || this.#sparing || !this.#serving || this.#stopped.signal.aborted) return;
    this.#sparing = this.#launch()
      .then((pooled) => {
        if (pooled.browser.session.signal.aborted) throw new Error('It died as soon as it had started.');
        this.#spare = pooled;
        pooled.fill(1);
        return pooled.warm();
      })
      .catch((error) => {
        this.#options.log.error({ err: error }, 'The spare browser did not start.');
        return sleep(backOffMs.at(-1) ?? 5000, this.#stopped.signal).catch(() => {});
      })
      .finally(() => {
        this.#sparing = undefined;
        // It may have been called upon before it was warm.
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

  /** Counts crashes, and says of one that came from the page taking too much memory that it would come again. */
  #judge(pooled: PooledBrowser, error: unknown): unknown {
    if (!(error instanceof Crash) || error.who !== 'renderer' || error.final) return error;
    const [stopped] = pooled.stoppedPages;
    if (stopped) pooled.stoppedPages.delete(stopped[0]);
    if (stopped && performance.now() - stopped[1] < crashIsToldMs)
      return new Crash('renderer', 'The page took more memory than a render may.', true);
    if (++pooled.crashes >= crashesInARow && this.#serving === pooled) this.#replace(pooled);
    return error;
  }

  #rotateIfOld(pooled: PooledBrowser): void {
    if (
      pooled === this.#serving &&
      this.#spare &&
      (pooled.renders >= (this.#options.rotateAfter ?? browserRenders) ||
        pooled.bytes >= sharedBytes(this.#options.concurrency))
    )
      this.#replace(pooled);
  }

  /** The one that stands by takes over first; the old one ends with its last render. */
  #replace(pooled: PooledBrowser): void {
    this.#serving = undefined;
    pooled.retire();
    this.#ready().catch(() => {});
  }
}

const browserGone = () => new Crash('browser', 'The browser is gone, or has lost a helper process.');

/** One more than can be in use, and a half: a slot is made while others work, so that nobody waits for it. */
const slotsInAdvance = (concurrency: number) => concurrency + Math.ceil(concurrency / 2);
