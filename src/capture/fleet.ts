// The browsers. One serves, one stands by; slots are made in advance. A browser that dies, grows old or heavy is
// replaced by the one that stands by, and a start that fails is tried again by the next request, whatever happened before.
import type { Egress } from '../egress/egress-types.ts';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { createSemaphore, type Semaphore } from '../kernel/semaphore.ts';
import type { Turn } from '../kernel/turn.ts';
import { type Browser, type BrowserPlace, launchBrowser } from './browser.ts';
import { browserRenders, sharedBytes } from './budgets.ts';
import { Crash } from './crash.ts';
import { Member } from './member.ts';
import { removeStaleProfiles } from './profile.ts';
import type { Slot } from './slot.ts';
import { BrowserStartError } from './start-failure.ts';
import { endIfBroken, watchMember } from './watch.ts';

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
  readonly #pages: Semaphore;
  readonly #members = new Set<Member>();
  readonly #stopped = new AbortController();
  #serving: Member | undefined;
  #spare: Member | undefined;
  #starting: Promise<Member> | undefined;
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
    this.#pages = createSemaphore(options.pages);
  }

  /** Starts the first browser. A failure is told and tried again; it does not stop the server. */
  async start(): Promise<void> {
    const stale = await removeStaleProfiles(this.#options.folder).catch(() => 0);
    if (stale > 0) this.#options.log.info({ stale }, 'Removed browser profiles that a stopped server had left.');
    const member = await this.#ready().catch(() => undefined);
    await member?.warm();
  }

  /** Runs the work in a slot of its own. The slot is gone when the work ends or the deadline does. */
  async use<T>(deadline: Deadline, turn: Turn, work: (slot: Slot, turn: Turn) => Promise<T>): Promise<T> {
    const release = await this.#pages.acquire(deadline);
    try {
      const { member, slot } = await this.#take(deadline);
      const drop = () => slot.dispose();
      deadline.signal.addEventListener('abort', drop, { once: true });
      try {
        const result = await work(slot, member.told(slot, turn));
        if (this.#isGone(member)) throw browserGone();
        member.crashes = 0;
        return result;
      } catch (error) {
        // Whatever went wrong with half a browser says nothing about the page.
        throw !(error instanceof Crash) && this.#isGone(member) ? browserGone() : this.#judge(member, error);
      } finally {
        deadline.signal.removeEventListener('abort', drop);
        this.#renders++;
        member.give(slot);
        this.#rotateIfOld(member);
      }
    } finally {
      release();
    }
  }

  health() {
    const all = [...this.#members];
    return {
      ready: this.#serving !== undefined,
      ...(this.#serving === undefined && this.#reason !== undefined && { reason: this.#reason }),
      browser: this.#version,
      sandbox: this.#sandbox,
      restarts: Math.max(0, this.#starts - 2),
      renders: this.#renders,
      slotsIdle: all.reduce((sum, member) => sum + member.idle, 0),
      slotsBusy: all.reduce((sum, member) => sum + member.busy.size, 0),
    };
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new Problem('shutting_down'));
    this.#pages.close(new Problem('shutting_down'));
    await Promise.all([this.#starting?.catch(() => {}), this.#sparing]);
    await Promise.all([...this.#members].map((member) => member.end()));
  }

  async #take(deadline: Deadline): Promise<{ member: Member; slot: Slot }> {
    for (let attempt = 1; ; attempt++) {
      const member = await deadline.race(this.#ready());
      try {
        return { member, slot: await member.take(deadline) };
      } catch (error) {
        deadline.throwIfOver();
        if (error instanceof Problem) throw error;
        // The browser died while the slot was made; the next one is as good.
        if (attempt >= 3) throw new Problem('renderer_unavailable', { cause: error });
        if (!member.browser.session.signal.aborted) await member.end();
      }
    }
  }

  /** The browser that serves; if there is none, one is started now, once for all who ask. */
  #ready(): Promise<Member> {
    if (this.#stopped.signal.aborted) return Promise.reject(this.#stopped.signal.reason);
    const next = this.#serving ?? this.#spare;
    if (next && this.#isGone(next)) {
      // It may have died before anybody listened for that.
      if (this.#members.has(next)) this.#lost(next);
      return this.#ready();
    }
    if (this.#serving) return Promise.resolve(this.#serving);
    if (this.#spare) return Promise.resolve(this.#serve(this.#spare));
    this.#starting ??= this.#launch()
      .then((member) => this.#serving ?? this.#serve(member))
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
  #isGone(member: Member): boolean {
    endIfBroken(member, this.#options.log);
    return member.browser.session.signal.aborted;
  }

  #serve(member: Member): Member {
    if (this.#spare === member) this.#spare = undefined;
    this.#serving = member;
    this.#reason = undefined;
    member.fill(slotsInAdvance(this.#options.concurrency));
    // Not at the same time: both would be slower, and this one is waited for.
    void member.warm().then(() => this.#keepSpare());
    return member;
  }

  async #launch(): Promise<Member> {
    const { place, folder, log, egress } = this.#options;
    const browser: Browser = await launchBrowser(place, folder, log);
    this.#starts++;
    this.#version = browser.version;
    this.#sandbox = browser.sandbox;
    const member = new Member(browser, egress);
    this.#members.add(member);
    const stopWatch = watchMember(member, this.#options.concurrency, log);
    browser.session.signal.addEventListener('abort', () => {
      stopWatch();
      this.#lost(member);
    });
    if (this.#stopped.signal.aborted) await member.end();
    return member;
  }

  #lost(member: Member): void {
    this.#members.delete(member);
    if (!member.retiring && !this.#stopped.signal.aborted)
      this.#options.log.warn({ pid: member.browser.pid }, 'A browser died; another one takes over.');
    if (this.#spare === member) this.#spare = undefined;
    if (this.#serving === member) this.#serving = undefined;
    if (this.#stopped.signal.aborted) return;
    // One that dies as soon as it is started is not started again in the same breath.
    if (member.age < 1000 && !this.#spare) this.#recover();
    else this.#ready().catch(() => {});
    this.#keepSpare();
  }

  /** A second browser, started and idle: about 100 MB for a takeover without a wait. */
  #keepSpare(): void {
    if (this.#spare || this.#sparing || !this.#serving || this.#stopped.signal.aborted) return;
    this.#sparing = this.#launch()
      .then((member) => {
        if (member.browser.session.signal.aborted) throw new Error('It died as soon as it had started.');
        this.#spare = member;
        member.fill(1);
        return member.warm();
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
  #judge(member: Member, error: unknown): unknown {
    if (!(error instanceof Crash) || error.who !== 'renderer' || error.final) return error;
    const [stopped] = member.stoppedPages;
    if (stopped) member.stoppedPages.delete(stopped[0]);
    if (stopped && performance.now() - stopped[1] < crashIsToldMs)
      return new Crash('renderer', 'The page took more memory than a render may.', true);
    if (++member.crashes >= crashesInARow && this.#serving === member) this.#replace(member);
    return error;
  }

  #rotateIfOld(member: Member): void {
    if (
      member === this.#serving &&
      this.#spare &&
      (member.renders >= (this.#options.rotateAfter ?? browserRenders) ||
        member.bytes >= sharedBytes(this.#options.concurrency))
    )
      this.#replace(member);
  }

  /** The one that stands by takes over first; the old one ends with its last render. */
  #replace(member: Member): void {
    this.#serving = undefined;
    member.retire();
    this.#ready().catch(() => {});
  }
}

const browserGone = () => new Crash('browser', 'The browser is gone, or has lost a helper process.');

/** One more than can be in use, and a half: a slot is made while others work, so that nobody waits for it. */
const slotsInAdvance = (concurrency: number) => concurrency + Math.ceil(concurrency / 2);
