// One browser of the fleet, with the slots that were made in it.
import type { Egress } from '../egress/egress-types.ts';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Browser } from './browser.ts';
import { createSlot, type Slot } from './slot.ts';

/** Longer than encoding, storing and sending a picture of usual size. */
const answerFirstMs = 100;

export class PooledBrowser {
  readonly browser: Browser;
  readonly busy = new Set<Slot>();
  renders = 0;
  /** Pages that crashed one after the other. */
  crashes = 0;
  /** What its processes, without the renderers, weighed when last looked at. */
  bytes = 0;
  /** Renderers that were ended for the memory they took, and when, as far as no render has ended for it yet. */
  readonly stoppedPages = new Map<number, number>();
  retiring = false;
  readonly #startedAt = performance.now();
  readonly #egress: Egress;
  readonly #ready: Slot[] = [];
  readonly #making = new Set<Promise<void>>();
  readonly #leaving = new Set<Slot>();
  /** Of those in use, the ones whose page only waits. */
  readonly #waiting = new Set<Slot>();
  #warming: Promise<void> | undefined;
  #wanted = 0;

  constructor(browser: Browser, egress: Egress) {
    this.browser = browser;
    this.#egress = egress;
    browser.session.signal.addEventListener('abort', () => this.#clear());
  }

  /** Milliseconds since it was started. */
  get age(): number {
    return performance.now() - this.#startedAt;
  }

  get idle(): number {
    return this.#ready.length;
  }

  /** Keeps this many slots in all, those in use included unless their page only waits. */
  fill(wanted: number): void {
    this.#wanted = wanted;
    while (!this.retiring && this.#kept() < wanted) this.#make();
  }

  #kept(): number {
    return this.#ready.length + this.#making.size + this.busy.size - this.#waiting.size + this.#leaving.size;
  }

  /**
   * Resolves when a first slot is there and has been painted once: a browser's first picture takes several times as
   * long as its second, and no request should be the one to wait for it.
   */
  warm(): Promise<void> {
    this.#warming ??= (async () => {
      if (this.#making.size > 0) await Promise.race(this.#making);
      await this.#ready[0]?.session.send('Page.captureScreenshot', { format: 'jpeg' }).catch(() => {});
    })();
    return this.#warming;
  }

  async take(deadline: Deadline): Promise<Slot> {
    // A page that died while it waited (its renderer was killed) is no slot any more.
    let slot = this.#ready.shift();
    while (slot?.session.signal.aborted) slot = this.#ready.shift();
    slot ??= await this.#create(deadline);
    this.busy.add(slot);
    return slot;
  }

  /** The turn of the page in this slot; while it only waits, another slot is made for whoever begins meanwhile. */
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
   * To throw a page away and make the next one takes as much of the processor as a picture does. Where nobody else
   * renders, the answer goes out first.
   */
  give(slot: Slot): void {
    this.busy.delete(slot);
    this.#waiting.delete(slot);
    this.renders++;
    const quiet = !this.retiring && this.#ready.length >= this.#wanted - 1;
    this.#leaving.add(slot);
    if (quiet) void sleep(answerFirstMs).then(() => this.#clearUp(slot));
    else this.#clearUp(slot);
  }

  #clearUp(slot: Slot): void {
    this.#leaving.delete(slot);
    slot.dispose();
    if (this.retiring && this.busy.size === 0) void this.end();
    else this.fill(this.#wanted);
  }

  /** Takes no more work, and ends when what runs is done. */
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
        this.browser.helpers.learn();
        if (this.retiring) slot.dispose();
        else this.#ready.push(slot);
      })
      .catch(() => {})
      .finally(() => this.#making.delete(making));
    this.#making.add(making);
  }

  /** Where none is ready: made now, and thrown away if nobody waits for it any more. */
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
