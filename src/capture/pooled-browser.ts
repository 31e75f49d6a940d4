// One browser of the fleet and its tabs.
import type { Egress } from '../egress/egress-types.ts';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Browser } from './browser.ts';
import type { Crash } from './crash.ts';
import { createTab, type Tab } from './tab.ts';

/** Encoding, storing and sending an ordinary picture takes less. */
const disposeAfterMs = 100;

export class PooledBrowser {
  readonly browser: Browser;
  /** The tabs in use. */
  readonly busy = new Set<Tab>();
  /** Whose pages it renders, or has rendered last. */
  account: string | undefined;
  renders = 0;
  /** Crashes of pages in a row. */
  crashes = 0;
  /** The memory of its processes without the renderers, as last measured. */
  bytes = 0;
  /** Process ids of renderers that were killed for their memory, and when; removed when their render has failed. */
  readonly stoppedPages = new Map<number, number>();
  /** Why it was killed; final for a page that was alone in it. */
  harm: Crash | undefined;
  /** Its pages come one after the other. */
  isApart = false;
  retiring = false;
  usedAt = performance.now();
  readonly #startedAt = performance.now();
  readonly #egress: Egress;
  readonly #ready: Tab[] = [];
  readonly #making = new Set<Promise<void>>();
  readonly #leaving = new Set<Tab>();
  /** Tabs in use whose page only waits. */
  readonly #waiting = new Set<Tab>();
  /** Tabs in use that have shared the browser with another page, or with a frame that another page left. */
  readonly #accompanied = new Set<Tab>();
  #arriving = 0;
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

  /** No page is rendered here, and the next one may be. */
  get isFree(): boolean {
    return this.busy.size + this.#arriving === 0 && !this.retiring;
  }

  /** Has this page shared the browser with no other, nor with a frame that another has left? */
  isAlone(tab: Tab): boolean {
    return !this.#accompanied.has(tab);
  }

  /** Keeps this many tabs. Tabs in use count unless their page only waits. */
  fill(wanted: number): void {
    this.#wanted = wanted;
    while (!this.retiring && this.#kept() < wanted) this.#make();
  }

  #kept(): number {
    return this.#ready.length + this.#making.size + this.busy.size - this.#waiting.size + this.#leaving.size;
  }

  /**
   * Resolves when the first tab exists and has been painted once: a browser's first picture takes several times as long
   * as its second, and no request should wait for that.
   */
  warm(): Promise<void> {
    this.#warming ??= (async () => {
      if (this.#making.size > 0) await Promise.race(this.#making);
      await this.#ready[0]?.session.send('Page.captureScreenshot', { format: 'jpeg' }).catch(() => {});
    })();
    return this.#warming;
  }

  /** Takes a tab. The browser is this account's from now on. */
  async take(account: string, deadline: Deadline): Promise<Tab> {
    const isAlone = this.busy.size + this.#arriving === 0 && !this.browser.services.isPainting();
    if (account !== this.account) for (const tab of this.#leaving) this.#clearUp(tab);
    this.account = account;
    this.#arriving++;
    try {
      // The renderer of an idle tab may have been killed.
      let tab = this.#ready.shift();
      while (tab?.session.signal.aborted) tab = this.#ready.shift();
      tab ??= await this.#create(deadline);
      this.busy.add(tab);
      if (!isAlone) for (const each of this.busy) this.#accompanied.add(each);
      return tab;
    } finally {
      this.#arriving--;
    }
  }

  /** The turn of the page in this tab. While the page only waits, another tab is made for the next render. */
  turnFor(tab: Tab, turn: Turn): Turn {
    return {
      pause: () => {
        turn.pause();
        if (this.busy.has(tab)) this.#waiting.add(tab);
        this.fill(this.#wanted);
      },
      resume: () => {
        this.#waiting.delete(tab);
        return turn.resume();
      },
    };
  }

  /**
   * Disposing of a page and making the next one costs as much CPU time as a picture. If nothing else is being rendered,
   * that waits until the response has been sent.
   */
  give(tab: Tab): void {
    this.busy.delete(tab);
    this.#waiting.delete(tab);
    this.#accompanied.delete(tab);
    this.usedAt = performance.now();
    this.renders++;
    const quiet = !this.retiring && this.#ready.length >= this.#wanted - 1;
    this.#leaving.add(tab);
    if (quiet) void sleep(disposeAfterMs).then(() => this.#clearUp(tab));
    else this.#clearUp(tab);
  }

  #clearUp(tab: Tab): void {
    if (!this.#leaving.delete(tab)) return;
    tab.dispose();
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
    const making = createTab(this.browser, this.#egress)
      .then((tab) => {
        this.browser.services.learn();
        if (this.retiring) tab.dispose();
        else this.#ready.push(tab);
      })
      .catch(() => {})
      .finally(() => this.#making.delete(making));
    this.#making.add(making);
  }

  /** Makes a tab when none is ready. If the deadline ends first, the tab is disposed of when it is made. */
  async #create(deadline: Deadline): Promise<Tab> {
    const making = createTab(this.browser, this.#egress);
    try {
      return await deadline.race(making);
    } catch (error) {
      making.then((tab) => tab.dispose()).catch(() => {});
      throw error;
    }
  }

  #clear(): void {
    for (const tab of this.#ready.splice(0)) tab.dispose();
  }
}
