// The page's clock. Once it is ours, the page's time stands still unless we let some of it pass, which takes as long as the
// page's work takes: two seconds of timers pass in some milliseconds.
import type { Outlet } from '../egress/egress-types.ts';
import type { Deadline } from '../kernel/deadline.ts';
import type { CdpSession } from './cdp.ts';

/** Without a response under way for this long, what is still open is a stream: time does not wait for it. */
const quietMs = 100;
const lookEveryMs = 20;
/** Tasks that may run without time going on: a `setTimeout(f, 0)` that renews itself must not keep time from going on. */
const starvationCount = 500;
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
};

export class PageClock {
  readonly #session: CdpSession;
  readonly #outlet: Outlet;
  readonly #deadline: Deadline;
  readonly #expired = new Set<() => void>();
  /** When the clock became ours, and how much time has passed for the page since. */
  #since: number | undefined;
  #given = 0;
  /** The page has a stream open, such as server-sent events. */
  #hasStream = false;

  constructor(session: CdpSession, outlet: Outlet, deadline: Deadline) {
    this.#session = session;
    this.#outlet = outlet;
    this.#deadline = deadline;
    session.on('Emulation.virtualTimeBudgetExpired', () => {
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

  /** Lets `ms` pass for the page. Resolves to how long it waited for responses, in real ms. */
  async forward(ms: number, { fetchBy, endBy }: ForwardBounds): Promise<number> {
    const began = performance.now();
    const isOpen = this.#outlet.unanswered > 0;
    const waits = began < fetchBy && (isOpen || !this.#hasStream);
    const passed = this.#pass(ms, waits ? 'pauseIfNetworkFetchesPending' : 'advance');
    let waited = 0;
    while (waits && !(await this.#deadline.within(lookEveryMs, passed))) {
      const now = performance.now();
      const isQuiet = this.#outlet.unanswered === 0 && now - Math.max(began, this.#outlet.activeAt) > quietMs;
      if (this.#outlet.unanswered > 0) waited = now - began;
      if (!isQuiet && now < fetchBy) continue;
      this.#hasStream = isQuiet;
      void this.#pass(ms, 'advance');
      break;
    }
    await this.#deadline.within(Math.max(0, endBy - performance.now()), passed);
    await this.#stayAhead();
    return waited;
  }

  /** Time goes on at real pace until the work is done: it waits for timers of the page. */
  async pace<T>(work: Promise<T>): Promise<T> {
    if (this.#since === undefined) return work;
    while (!(await this.#deadline.within(paceMs, work)))
      void this.#pass(Math.max(paceMs, leadMs - this.#lead), 'advance');
    return work;
  }

  /**
   * Time stands still until the work is done, except that it stays ahead of the real time. After a second it goes on: printing
   * may wait for images, and they for the page's tasks.
   */
  async hold<T>(work: Promise<T>): Promise<T> {
    if (this.#since === undefined) return work;
    for (let waited = 0; !(await this.#deadline.within(holdMs, work)); waited += holdMs)
      if (waited < longestHoldMs) void this.#stayAhead();
      else void this.#pass(Math.max(holdMs, leadMs - this.#lead), 'advance');
    return work;
  }

  async #stayAhead(): Promise<void> {
    if (this.#lead < leadMs / 2) await this.#deadline.within(leadMs, this.#pass(leadMs - this.#lead, 'advance'));
  }

  #pass(ms: number, policy: 'advance' | 'pauseIfNetworkFetchesPending'): Promise<void> {
    this.#since ??= performance.now();
    this.#given += ms;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#expired.add(resolve);
    this.#session
      .send('Emulation.setVirtualTimePolicy', {
        policy,
        budget: ms,
        maxVirtualTimeTaskStarvationCount: starvationCount,
      })
      .catch(() => resolve());
    return promise;
  }
}
