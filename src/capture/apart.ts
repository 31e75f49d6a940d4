// Accounts whose pages cost a browser. For some minutes their pages are rendered one after the other: the next browser that is
// lost to them had one page, and that page is to blame.
import type { Deadline } from '../kernel/deadline.ts';
import { createSemaphore, type Release, type Semaphore } from '../kernel/semaphore.ts';
import type { Turn } from '../kernel/turn.ts';

/** Each further browser that they cost begins these minutes again. */
const apartMs = 2 * 60_000;

export class Apart {
  readonly #accounts = new Map<string, { until: number; readonly order: Semaphore }>();

  add(account: string): void {
    const now = performance.now();
    for (const [each, { until }] of this.#accounts) if (until < now) this.#accounts.delete(each);
    const { order } = this.#accounts.get(account) ?? { order: createSemaphore(1) };
    this.#accounts.set(account, { until: now + apartMs, order });
  }

  has(account: string): boolean {
    return (this.#accounts.get(account)?.until ?? 0) >= performance.now();
  }

  /** Waits until the account's other pages have ended, without a slot. */
  async enter(account: string, deadline: Deadline, turn: Turn): Promise<Release> {
    const order = this.has(account) ? this.#accounts.get(account)?.order : undefined;
    if (order === undefined) return () => {};
    turn.pause();
    const release = await order.acquire(deadline);
    await deadline.race(turn.resume()).catch((error: unknown) => {
      release();
      throw error;
    });
    return release;
  }
}
