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
/** A task of an ordinary page takes less, also on a busy machine. */
const longestTaskMs = 3000;
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
  readonly #expired = new Set<() => void>();
  /** When the clock became ours, and how much time has passed for the page since. */
  #since: number | undefined;
  #given = 0;
  /** What it was given last, and has not used up. */
  #budget = 0;
  /** The page has a stream open, such as server-sent events. */
  #hasStream = false;

  constructor(session: CdpSession, outlet: Outlet, deadline: Deadline) {
    this.#session = session;
    this.#outlet = outlet;
    this.#deadline = deadline;
    session.on('Emulation.virtualTimeBudgetExpired', () => {
      this.#given += this.#budget;
      this.#budget = 0;
      for (const resolve of this.#expired) resolve();
      this.#expired.clear();
    });
  }

  /** Another document may run in another process, whose clock is not ahead. */
  restart(): void {
    if (this.#since === undefined) return;
    this.#since = performance.now();
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
    this.#since ??= performance.now();
    await this.stayAhead();
    const waited = await this.#waitForResponses(ms, fetchBy);
    const passed = this.#budget > 0 ? this.#passed() : Promise.resolve();
    const left = Math.max(0, Math.min(work, endBy - performance.now()));
    if (!(await this.#deadline.within(left, passed))) await this.#interrupt();
    await this.stayAhead();
    return waited;
  }

  /** Ends when the time has passed, or when none is waited for any more. */
  async #waitForResponses(ms: number, fetchBy: number): Promise<number> {
    const began = performance.now();
    const isOpen = () => this.#outlet.unanswered > 0;
    let waited = 0;
    while (performance.now() < fetchBy && (isOpen() || !this.#hasStream)) {
      const passed = this.#pass(ms, 'pauseIfNetworkFetchesPending');
      while (!(await this.#deadline.within(lookEveryMs, passed)) && this.#lead > leadMs / 2) {
        const now = performance.now();
        this.#hasStream = !isOpen() && now - Math.max(began, this.#outlet.activeAt) > quietMs;
        if (this.#hasStream || now >= fetchBy) break;
      }
      if (this.#budget === 0) return waited;
      if (isOpen()) waited = performance.now() - began;
      if (this.#lead <= leadMs / 2) await this.#deadline.within(leadMs, this.#pass(leadMs - this.#lead, 'advance'));
    }
    void this.#pass(ms, 'advance');
    return waited;
  }

  /** Time goes on at real pace until the work is done: it waits for timers of the page. */
  async pace<T>(work: Promise<T>): Promise<T> {
    if (this.#since === undefined) return work;
    while (!(await this.#deadline.within(paceMs, work))) this.#goOn(Number.POSITIVE_INFINITY);
    return work;
  }

  /**
   * Time stands still until the work is done, except that it stays ahead of the real time. After a second it goes on: printing
   * may wait for images, and they for the page's tasks.
   */
  async hold<T>(begin: () => Promise<T>): Promise<T> {
    await this.stayAhead();
    const work = begin();
    if (this.#since === undefined) return work;
    for (let waited = 0; !(await this.#deadline.within(holdMs, work)); waited += holdMs)
      this.#goOn(waited < longestHoldMs ? leadMs / 2 : Number.POSITIVE_INFINITY);
    return work;
  }

  /** What is scheduled takes too long and stays undone. A loop that waits for time to pass would not end: it is ended. */
  async #interrupt(): Promise<void> {
    this.#budget = 0;
    this.#session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    const answers = this.#session.send('Runtime.evaluate', { expression: '0' });
    if (!(await this.#deadline.within(longestTaskMs, answers))) this.#session.send('Runtime.terminateExecution');
  }

  /**
   * A frame that is asked for while the page's time is behind comes late, or never. A page whose timers take longer than the
   * time they ask for cannot get ahead, and its scripts are stopped.
   */
  async stayAhead(): Promise<void> {
    if (this.#since === undefined) return;
    this.#goOn(leadMs / 2);
    if (this.#budget === 0 || (await this.#deadline.within(longestWorkMs, this.#passed()))) return;
    this.#session.send('Emulation.setScriptExecutionDisabled', { value: true });
    await this.#deadline.within(longestTaskMs, this.#passed());
  }

  /** Lets a little time pass if the page's is less than this ahead, and it has used up what it was given before. */
  #goOn(ahead: number): void {
    if (this.#budget === 0 && this.#lead < ahead) void this.#pass(Math.max(paceMs, leadMs - this.#lead), 'advance');
  }

  #pass(ms: number, policy: 'advance' | 'pauseIfNetworkFetchesPending'): Promise<void> {
    this.#since ??= performance.now();
    this.#budget = ms;
    this.#session.send('Emulation.setVirtualTimePolicy', {
      policy,
      budget: ms,
      maxVirtualTimeTaskStarvationCount: starvationCount,
    });
    return this.#passed();
  }

  #passed(): Promise<void> {
    return new Promise((resolve) => this.#expired.add(resolve));
  }
}
