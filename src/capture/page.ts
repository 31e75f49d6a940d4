// A live page: its session, its main frame, and the deadline that everything asked of it is raced against.
import type { Deadline } from '../kernel/deadline.ts';
import type { Answer, CommandName, Parameters, Session } from './cdp.ts';
import { Crash } from './crash.ts';
import { documentFailure } from './failures.ts';
import type { Facts } from './in-page.ts';
import { type MainDocument, MainFrame } from './main-frame.ts';
import type { CaptureRequest } from './parameters.ts';
import type { Slot } from './slot.ts';

/** A document, and what there is to tell about it. */
export type Told = { readonly document: MainDocument; readonly facts: Facts };

export class Page {
  readonly slot: Slot;
  readonly session: Session;
  readonly request: CaptureRequest;
  readonly deadline: Deadline;
  readonly frame: MainFrame;
  readonly warnings: string[] = [];
  /** What was last told about a document that is at rest. */
  noted: Told | undefined;

  /** `settle` is the expression that every document of the main frame is given to answer with its facts. */
  constructor(slot: Slot, request: CaptureRequest, deadline: Deadline, settle: string) {
    this.slot = slot;
    this.session = slot.session;
    this.request = request;
    this.deadline = deadline;
    this.frame = new MainFrame(slot.session, slot.frameId, settle);
  }

  /** The promise, unless the deadline or the page ends first: events of a dead page never come. */
  race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this.session;
    if (signal.aborted) {
      promise.catch(() => {});
      return Promise.reject(signal.reason);
    }
    const died = Promise.withResolvers<never>();
    const stop = () => died.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    return this.deadline
      .race(Promise.race([promise, died.promise]))
      .finally(() => signal.removeEventListener('abort', stop));
  }

  send<M extends CommandName>(method: M, ...params: Parameters<M>): Promise<Answer<M>> {
    return this.race(this.session.send(method, ...params));
  }

  /** The document that is there to stay, loaded and settled. Documents the page goes on to are followed. */
  async settled(): Promise<Told> {
    const { frame } = this;
    for (;;) {
      const document = frame.current;
      if (!document) {
        await this.race(frame.changed());
        continue;
      }
      if (document.unreachable !== undefined) throw this.#unreachable(document.unreachable);
      await this.race(document.loaded);
      if (frame.current !== document) continue;
      if (this.deadline.currentStep === 'load') this.deadline.step('settle');
      const facts = await this.race(document.settled.catch(() => undefined));
      if (frame.current !== document) continue;
      if (facts && !frame.leaving) return { document, facts };
      // It is on its way to another document. If none comes, the page has lost its mind and not gone anywhere.
      if (!(await this.deadline.within(2000, this.race(frame.changed()))) && !facts)
        throw new Crash('renderer', 'The page stopped answering.');
    }
  }

  /** The first document is there, and loaded. */
  async loaded(): Promise<void> {
    while (!this.frame.current) await this.race(this.frame.changed());
    await this.race(this.frame.current.loaded);
  }

  /** Runs an expression in our world of the document; where the page leaves it meanwhile, in the next one. */
  async run<T>(expression: string): Promise<T> {
    return (await this.#runIn<T>(expression)).value;
  }

  /** With the document it was run in. */
  async #runIn<T>(expression: string): Promise<{ document: MainDocument; value: T }> {
    for (;;) {
      const { document } = await this.settled();
      try {
        return { document, value: await this.race(document.world.run<T>(expression)) };
      } catch (error) {
        this.deadline.throwIfOver();
        if (this.session.signal.aborted || (this.frame.current === document && !this.frame.leaving)) throw error;
      }
    }
  }

  /** Brings the page to rest: the last thing before its picture. `first` is an expression to run before. */
  async freeze(first?: string): Promise<void> {
    const expression = `${first ? `${first}, ` : ''}tintype.freeze().then(tintype.facts)`;
    const { document, value: facts } = await this.#runIn<Facts>(expression);
    this.noted = { document, facts };
  }

  /** About the document whose picture was taken: not always the one that was brought to rest. */
  async facts(): Promise<Facts> {
    return this.noted && this.noted.document === this.frame.current ? this.noted.facts : this.run('tintype.facts()');
  }

  /**
   * A capture or print. The browser never answers if the main frame commits another document meanwhile: then it
   * is asked again, of that document.
   */
  async shoot<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      const document = this.frame.current;
      const shot = ask().then((value) => ({ value }));
      shot.catch(() => {});
      while (this.frame.current === document) {
        const outcome = await this.race(Promise.race([shot, this.frame.changed()]));
        if (outcome) return outcome.value;
      }
      await this.settled();
    }
  }

  #unreachable(url: string): Error {
    return documentFailure(url, 'ERR_CONNECTION_CLOSED', this.slot.outlet, new URL(url).hostname);
  }
}
