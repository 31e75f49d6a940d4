// The page's clock. Once it is ours, the page's time stands still unless we let some of it pass, which takes as long as the
// page's work takes: two seconds of timers pass in some milliseconds.
import type { Outlet } from '../egress/egress-types.ts';
import type { Deadline } from '../kernel/deadline.ts';
import type { CdpSession } from './cdp.ts';

/** Without a response under way for this long, what is still open is a stream: time does not wait for it. */
const quietMs = 100;
const lookEveryMs = 20;
/** Tasks that may run without time going on: a timer of 0 ms that renews itself must not keep time from going on. */
const starvationCount = 500;
/** The work of some hundred ms of a page's time takes less. */
const longestWorkMs = 1500;
/** For a page that has waited for a response as long as it could. */
const leastWorkMs = 200;
/** A task of an ordinary page takes less, also on a busy machine. */
const longestTaskMs = 3000;
/** How often a budget that ended too early is renewed. */
const mostTries = 4;
/** At real pace, time goes on in steps of this size. */
const paceMs = 40;
/** While time stands still, it is looked at this often, and for this long. */
const holdMs = 150;
const longestHoldMs = 1000;
/**
 * The page's time must be ahead of the real time by this much while frames are needed: the compositor waits for the deadline
 * of a frame, which is a real time, by the page's clock.
 */
const leadMs = 600;

export type ForwardBounds = {
  /** By performance.now(): time waits for responses until then. */
  readonly fetchBy: number;
  /** By performance.now(): the wait ends then, whatever the page does. */
  readonly endBy: number;
  /** How long the page's work may take in real ms, when no response is waited for. */
  readonly work?: number;
};

export class PageClock {
  readonly #session: CdpSession;
  readonly #outlet: Outlet;
  readonly #deadline: Deadline;
  readonly #readTime: () => Promise<number>;
  #expired: () => void = () => {};
  /** When the clock became ours, the page's time then, and how much has passed for the page since. */
  #since: number | undefined;
  #origin = 0;
  #given = 0;
  /** A budget of time is being used up. */
  #runs = false;
  /** A budget was replaced before it was used up. It still ends, too early for the next one. */
  #isReplaced = false;
  /** The page has a stream open, such as server-sent events. */
  #hasStream = false;

  /** `readTime`: what the page's clock shows, in ms since its document began. */
  constructor(session: CdpSession, outlet: Outlet, deadline: Deadline, readTime: () => Promise<number>) {
    this.#session = session;
    this.#outlet = outlet;
    this.#deadline = deadline;
    this.#readTime = readTime;
    session.on('Emulation.virtualTimeBudgetExpired', () => this.#expired());
  }

  /** Another document may run in another process, whose clock is not ahead. */
  restart(): void {
    if (this.#since === undefined) return;
    this.#since = performance.now();
    this.#origin = 0;
    this.#given = 0;
  }

  get #lead(): number {
    return this.#since === undefined ? leadMs : this.#given - (performance.now() - this.#since);
  }

  /**
   * Lets `ms` pass for the page, which may take no longer than its work. While a response is under way, time goes on at real
   * pace instead. Resolves to how long that was, in ms.
   */
  async forward(ms: number, { fetchBy, endBy, work = longestWorkMs }: ForwardBounds): Promise<number> {
    if (this.#since === undefined) {
      this.#origin = await this.#readTime();
      this.#since = performance.now();
    }
    await this.#stayAhead();
    const waited = await this.#waitForResponses(ms, fetchBy);
    if (waited === undefined) return 0;
    const left = Math.max(leastWorkMs, Math.min(work, endBy - performance.now()));
    if (!(await this.#deadline.within(left, this.#advance(ms)))) await this.#interrupt();
    await this.#stayAhead();
    return waited;
  }

  /** Undefined if the time has passed, because none was under way. */
  async #waitForResponses(ms: number, fetchBy: number): Promise<number | undefined> {
    const began = performance.now();
    const isOpen = () => this.#outlet.unanswered > 0;
    while (performance.now() < fetchBy && (isOpen() || !this.#hasStream)) {
      // The browser knows of requests that have not reached the outlet yet.
      if (!isOpen()) {
        if (await this.#deadline.within(lookEveryMs, this.#pass(ms, 'pauseIfNetworkFetchesPending'))) return undefined;
        this.#isReplaced = true;
      }
      do {
        await this.#deadline.within(leadMs, this.#advance(Math.max(paceMs, leadMs - this.#lead)));
        await this.#deadline.pause(paceMs);
      } while (isOpen() && performance.now() < fetchBy);
      this.#hasStream = !isOpen() && performance.now() - Math.max(began, this.#outlet.activeAt) > quietMs;
    }
    return performance.now() - began;
  }

  /** Time goes on at real pace until the work is done: it waits for timers of the page. */
  async pace<T>(work: Promise<T>): Promise<T> {
    if (this.#since === undefined) return work;
    while (!(await this.#deadline.within(paceMs, work))) this.#goOn(Number.POSITIVE_INFINITY);
    return work;
  }

  /**
   * Time stands still until the work is done, except that it stays ahead of the real time. After a second it goes on: printing
   * may wait for images, and they for the page's tasks. A page whose timers take longer than the time they ask for cannot get
   * ahead, and its scripts are stopped.
   */
  async hold<T>(begin: () => Promise<T>): Promise<T> {
    if (!(await this.#stayAhead())) {
      this.#session.send('Emulation.setScriptExecutionDisabled', { value: true });
      await this.#stayAhead();
    }
    const work = begin();
    if (this.#since === undefined) return work;
    for (let waited = 0; !(await this.#deadline.within(holdMs, work)); waited += holdMs)
      this.#goOn(waited < longestHoldMs ? leadMs / 2 : Number.POSITIVE_INFINITY);
    return work;
  }

  /** A frame that is asked for while the page's time is behind comes late, or never. False if the page takes too long for it. */
  async #stayAhead(): Promise<boolean> {
    if (this.#since === undefined || this.#lead >= leadMs / 2) return true;
    return this.#deadline.within(longestWorkMs, this.#advance(leadMs - this.#lead));
  }

  /** What is scheduled takes too long and stays undone. A loop that waits for time to pass would not end: it is ended. */
  async #interrupt(): Promise<void> {
    this.#isReplaced = true;
    this.#runs = false;
    this.#session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    const answers = this.#session.send('Runtime.evaluate', { expression: '0' });
    if (!(await this.#deadline.within(longestTaskMs, answers))) this.#session.send('Runtime.terminateExecution');
  }

  /** Lets a little time pass if the page's is less than this ahead, and it has used up what it was given before. */
  #goOn(ahead: number): void {
    if (!this.#runs && this.#lead < ahead) this.#advance(Math.max(paceMs, leadMs - this.#lead)).catch(() => {});
  }

  /** Lets this time pass, also while responses are under way. */
  async #advance(ms: number): Promise<void> {
    if (!this.#isReplaced) return this.#pass(ms, 'advance');
    const end = (await this.#readTime()) + ms;
    for (let tries = 0, left = ms; tries < mostTries && left > 1; tries++) {
      await this.#pass(left, 'advance');
      const now = await this.#readTime();
      left = end - now;
      this.#given = now - this.#origin;
    }
    this.#isReplaced = false;
  }

  #pass(ms: number, policy: 'advance' | 'pauseIfNetworkFetchesPending'): Promise<void> {
    this.#runs = true;
    this.#session.send('Emulation.setVirtualTimePolicy', {
      policy,
      budget: ms,
      maxVirtualTimeTaskStarvationCount: starvationCount,
    });
    return new Promise((resolve) => {
      this.#expired = () => {
        if (!this.#runs) return;
        this.#runs = false;
        this.#given += ms;
        resolve();
      };
    });
  }
}
