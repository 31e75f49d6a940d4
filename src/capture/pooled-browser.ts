// One browser of the fleet and its slots.
import type { Egress } from '../egress/egress-types.ts';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Browser } from './browser.ts';
import { createSlot, type Slot } from './slot.ts';

/** Encoding, storing and sending an ordinary picture takes less. */
const disposeAfterMs = 100;

export class PooledBrowser {
  readonly browser: Browser;
  readonly busy = new Set<Slot>();
  renders = 0;
  /** Crashes of pages in a row. */
  crashes = 0;
  /** The memory of its processes without the renderers, as last measured. */
  bytes = 0;
  /** Process ids of renderers that were killed for their memory, and when; removed when their render has failed. */
  readonly stoppedPages = new Map<number, number>();
  retiring = false;
  readonly #startedAt = performance.now();
  readonly #egress: Egress;
  readonly #speculative: boolean;
  readonly #ready: Slot[] = [];
  readonly #making = new Set<Promise<void>>();
  readonly #leaving = new Set<Slot>();
  /** Slots in use whose page only waits. */
  readonly #waiting = new Set<Slot>();
  #warming: Promise<void> | undefined;
  #wanted = 0;

  constructor(browser: Browser, egress: Egress, speculative: boolean) {
    this.browser = browser;
    this.#egress = egress;
    this.#speculative = speculative;
    browser.session.signal.addEventListener('abort', () => this.#clear());
  }

  /** Milliseconds since it was started. */
  get age(): number {
    return performance.now() - this.#startedAt;
  }

  get idle(): number {
    return this.#ready.length;
  }

  /** Keeps this many slots. Slots in use count unless their page only waits. */
  fill(wanted: number): void {
    this.#wanted = wanted;
    while (!this.retiring && this.#kept() < wanted) this.#make();
  }

  #kept(): number {
    return this.#ready.length + this.#making.size + this.busy.size - this.#waiting.size + this.#leaving.size;
  }

  /**
   * Resolves when the first slot exists and has been painted once: a browser's first picture takes several times as long
   * as its second, and no request should wait for that.
   */
  warm(): Promise<void> {
    this.#warming ??= (async () => {
      if (this.#making.size > 0) await Promise.race(this.#making);
      await this.#ready[0]?.session.send('Page.captureScreenshot', { format: 'jpeg' }).catch(() => {});
    })();
    return this.#warming;
  }

  async take(deadline: Deadline): Promise<Slot> {
    // The renderer of an idle slot may have been killed.
    let slot = this.#ready.shift();
    while (slot?.session.signal.aborted) slot = this.#ready.shift();
    slot ??= await this.#create(deadline);
    this.busy.add(slot);
    return slot;
  }

  /** The turn of the page in this slot. While the page only waits, another slot is made for the next render. */
  turnFor(slot: Slot, turn: Turn): Turn {
    return {
      pause: () => {
        turn.pause();
        if (this.busy.has(slot)) this.#waiting.add(slot);
        this.fill(this.#wanted);
      },
      resume: () => {
        this.#waiting.delete(slot);
        return turn.resume();
      },
    };
  }

  /**
   * Disposing of a page and making the next one costs as much CPU time as a picture. If nothing else is being rendered,
   * that waits until the response has been sent.
   */
  give(slot: Slot): void {
    this.busy.delete(slot);
    this.#waiting.delete(slot);
    this.renders++;
    const quiet = !this.retiring && this.#ready.length >= this.#wanted - 1;
    this.#leaving.add(slot);
    if (quiet) void sleep(disposeAfterMs).then(() => this.#clearUp(slot));
    else this.#clearUp(slot);
  }

  #clearUp(slot: Slot): void {
    this.#leaving.delete(slot);
    slot.dispose();
    if (this.retiring && this.busy.size === 0) void this.end();
    else this.fill(this.#wanted);
  }

  /** Takes no more work, and ends after its last render. */
  retire(): void {
    this.retiring = true;
    this.#clear();
    if (this.busy.size === 0) void this.end();
  }

  end(): Promise<void> {
    this.retiring = true;
    return this.browser.kill();
  }

  #make(): void {
    const making = createSlot(this.browser, this.#egress)
      .then((slot) => {
        this.browser.services.learn();
        if (this.retiring) slot.dispose();
        else this.#ready.push(slot);
        if (this.#speculative && this.busy.size === 0) this.#ready[0]?.rehearse();
      })
      .catch(() => {})
      .finally(() => this.#making.delete(making));
    this.#making.add(making);
  }

  /** Makes a slot when none is ready. If the deadline ends first, the slot is disposed of when it is made. */
  async #create(deadline: Deadline): Promise<Slot> {
    const making = createSlot(this.browser, this.#egress);
    try {
      return await deadline.race(making);
    } catch (error) {
      making.then((slot) => slot.dispose()).catch(() => {});
      throw error;
    }
  }

  #clear(): void {
    for (const slot of this.#ready.splice(0)) slot.dispose();
  }
}
