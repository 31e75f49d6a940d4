// A live page: its session, its main frame, and the deadline that every command is raced against.
import { checkHost } from '../kernel/allowed-hosts.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { VerdictCode } from '../kernel/verdict.ts';
import type { CaptureRequest } from './capture-request.ts';
import { type CdpSession, type CommandName, type CommandParameters, type CommandResult, ProtocolError } from './cdp.ts';
import { PageClock } from './clock.ts';
import { Crash } from './crash.ts';
import { brokenDocument, documentFailure, unsupportedContent } from './failures.ts';
import { callOf } from './in-page.ts';
import type { Facts, PageFunctionName, PageFunctions, PageResult, PictureRegion } from './in-page-types.ts';
import { boundLoad } from './load-bound.ts';
import { type MainDocument, MainFrame } from './main-frame.ts';
import { comeToRest } from './rest.ts';
import type { Tab } from './tab.ts';

/** Where the picture is taken, unless it is an element: images that are missing elsewhere do not count. */
const pictureRegion = ({ format, fullPage, clip }: CaptureRequest): PictureRegion =>
  format === 'pdf' ? 'page' : (clip ?? (fullPage ? 'page' : 'view'));

/** The page navigated to another document while its picture was taken. */
class Replaced extends Error {}

/** A page that navigates after its load, or during its capture, does so once or twice, or for ever. */
const mostDocuments = 4;

export class Page {
  readonly tab: Tab;
  readonly session: CdpSession;
  readonly request: CaptureRequest;
  readonly deadline: Deadline;
  readonly frame: MainFrame;
  readonly clock: PageClock;
  readonly warnings: string[] = [];
  /** Verdict codes found during the render; others follow from the facts. */
  readonly codes = new Set<VerdictCode>();
  #region: PictureRegion;
  /** How many documents were brought to rest. */
  #documents = 0;
  #load: { readonly document: MainDocument; readonly ended: Promise<void> } | undefined;
  #rest: { readonly document: MainDocument; readonly reached: Promise<void> } | undefined;
  /** The document whose picture was last requested, and its facts. */
  #facts: { readonly document: MainDocument; readonly facts: Promise<Facts | undefined> } | undefined;

  constructor(tab: Tab, request: CaptureRequest, deadline: Deadline) {
    this.tab = tab;
    this.session = tab.session;
    this.request = request;
    this.deadline = deadline;
    this.#region = pictureRegion(request);
    const readTime = () => this.frame.current?.world.run<number>('performance.now()', []) ?? Promise.resolve(0);
    this.clock = new PageClock(tab.session, tab.outlet, deadline, readTime);
    this.frame = new MainFrame(tab.session, tab.frameId, (url) => {
      checkHost(request.allowedHosts, url);
      this.clock.restart();
    });
  }

  /** The promise, unless the deadline or the session ends first: a dead page sends no events. */
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

  send<M extends CommandName>(method: M, ...params: CommandParameters<M>): Promise<CommandResult<M>> {
    return this.race(this.session.send(method, ...params));
  }

  /** The current document, loaded and at rest. Navigations by the page are followed. */
  async settled(): Promise<MainDocument> {
    const { frame, clock } = this;
    for (;;) {
      const document = frame.current;
      if (!document) {
        await this.race(frame.changed());
        continue;
      }
      if (document.unreachable !== undefined) throw this.#unreachable(document.unreachable);
      if (/^multipart\//i.test(document.mimeType)) throw unsupportedContent();
      await clock.pace(this.#loaded(document));
      if (frame.current !== document) continue;
      if (document.isEmpty) throw brokenDocument(this.#nameOf(document.url));
      const isAtRest = await this.#atRest(document);
      if (frame.current !== document) continue;
      if (isAtRest && !frame.leaving) return document;
      // A navigation has begun. If no document follows and this one did not come to rest, the page is unresponsive.
      const next = clock.pace(this.deadline.within(2000, this.race(frame.changed())));
      if (!(await next) && !isAtRest) throw new Crash('renderer', 'The page stopped responding.');
    }
  }

  /** False if the document was replaced meanwhile. */
  async #atRest(document: MainDocument): Promise<boolean> {
    if (this.deadline.currentStep === 'load') this.deadline.step('settle');
    if (this.#rest?.document !== document) this.#rest = { document, reached: this.#comeToRest(document) };
    try {
      await this.race(this.#rest.reached);
      return true;
    } catch (error) {
      this.deadline.throwIfOver();
      if (this.session.signal.aborted) throw error;
      await this.#reopened(document, error);
      return false;
    }
  }

  /** A page that goes on to another document again and again is taken as it has loaded. */
  async #comeToRest(document: MainDocument): Promise<void> {
    if (++this.#documents <= mostDocuments) await comeToRest(this, document);
    else this.codes.add('unfinished');
  }

  /** Brings the page to rest again, after something was changed. */
  async rest(): Promise<void> {
    const document = await this.settled();
    this.#rest = { document, reached: comeToRest(this, document, 'again') };
    await this.settled();
  }

  /** The document is still there, but our world in it is not: a style sheet in XSL has replaced what the document shows. */
  async #reopened(document: MainDocument, error: unknown): Promise<void> {
    const { frame } = this;
    if (!(error instanceof ProtocolError) || document.isReopened || frame.leaving) return;
    const { frameTree } = await this.session.send('Page.getFrameTree');
    if (frame.current === document && frameTree.frame.loaderId === document.loaderId) frame.reopen(document);
  }

  /** Resolves when the first document has loaded. */
  async loaded(): Promise<void> {
    while (!this.frame.current) await this.race(this.frame.changed());
    await this.#loaded(this.frame.current);
  }

  /** Resolves when the document has loaded, or its load was stopped. */
  #loaded(document: MainDocument): Promise<void> {
    if (this.#load?.document !== document) this.#load = { document, ended: boundLoad(this, document) };
    return this.race(this.#load.ended);
  }

  /** Runs an expression in our world of the document; if the page navigates meanwhile, again in the next document. */
  async run<T>(expression: string): Promise<T> {
    for (;;) {
      const document = await this.settled();
      try {
        return await this.clock.pace(this.race(document.world.run<T>(expression)));
      } catch (error) {
        this.deadline.throwIfOver();
        if (this.session.signal.aborted || (this.frame.current === document && !this.frame.leaving)) throw error;
      }
    }
  }

  /** Calls a function of our in-page library, in the same way. */
  call<N extends PageFunctionName>(name: N, ...args: Parameters<PageFunctions[N]>): Promise<PageResult<N>> {
    return this.run(callOf(name, ...args));
  }

  /** Stops all motion, right before the picture. `first` is an expression to run before. */
  async still(first?: string): Promise<void> {
    await this.run(first ? `Promise.resolve(${first}).then(tintype.still)` : 'tintype.still()');
  }

  /** The picture is taken of this region. */
  aimAt(region: PictureRegion): void {
    this.#region = region;
    this.#facts = undefined;
  }

  /** The facts of the document whose picture was taken. */
  async facts(): Promise<Facts> {
    return (await this.race(this.#facts?.facts ?? Promise.resolve(undefined))) ?? this.call('facts', this.#region);
  }

  /** Asked right after the picture: the page is idle while the browser encodes it. */
  #askFacts(document: MainDocument | undefined): void {
    if (!document || this.#facts?.document === document) return;
    const facts = document.world.call('facts', this.#region).then(
      (told) => (this.frame.current === document ? told : undefined),
      () => undefined,
    );
    this.#facts = { document, facts };
  }

  /**
   * Runs a command that captures or prints. The browser may never respond if the main frame commits another document
   * meanwhile: then this throws `Replaced`. While only a part of the page is shown, the facts of the page are not asked for.
   */
  async capture<T>(ask: () => Promise<T>, shown: 'all' | 'a part' = 'all'): Promise<T> {
    return this.clock.hold(async () => {
      const document = this.frame.current;
      const answer = ask().then((value) => ({ value }));
      answer.catch(() => {});
      if (shown === 'all') this.#askFacts(document);
      while (this.frame.current === document) {
        const outcome = await this.race(Promise.race([answer, this.frame.changed()]));
        if (outcome) return outcome.value;
      }
      throw new Replaced();
    });
  }

  /** Runs `take`, and again from the beginning if the page has navigated; a few times at most. */
  async follow<T>(take: () => Promise<T>): Promise<T> {
    for (let documents = 1; ; documents++)
      try {
        return await take();
      } catch (error) {
        if (!(error instanceof Replaced)) throw error;
        if (documents === mostDocuments)
          throw new Problem('render_timeout', {
            message: `The page navigated away during each of ${mostDocuments} capture attempts.`,
          });
        await this.settled();
      }
  }

  #unreachable(url: string): Error {
    return documentFailure(this.#nameOf(url), 'ERR_CONNECTION_CLOSED', this.tab.outlet, new URL(url).hostname);
  }

  /** The address in an error. Of one that the page led to only the origin: the rest is text that the page chose. */
  #nameOf(url: string): string {
    return url === this.request.url ? url : new URL(url).origin;
  }
}
