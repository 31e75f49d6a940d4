// Which origin starts the requests of a page. `Fetch.requestPaused` does not say it: `Network.requestWillBeSent` names the
// document of the same request, and the document's execution context has its real origin, which is opaque in a sandbox.
import { sleep } from '../kernel/deadline.ts';
import type { TargetSession } from './targets.ts';

/** The two events of a request come by different ways: a few milliseconds apart, more when the machine is busy. */
const mostWaitMs = 3000;
/** Of each kind, the newest: a page may make documents and requests without end. */
const mostRemembered = 10_000;

type Answer = PromiseWithResolvers<string>;

export class Initiators {
  readonly #origin: string;
  /** By loader: the origin of each document. */
  readonly #documents = new Map<string, Answer>();
  /** By request: the origin of the document or worker that starts it. */
  readonly #requests = new Map<string, Answer>();
  #isAlone = true;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** No document of another origin has been in the page so far. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  async watchFrame(session: TargetSession): Promise<void> {
    /** By frame: the loader of its current document. */
    const loaders = new Map<string, string>();
    session.on('Page.frameNavigated', ({ frame }) => remember(loaders, frame.id, frame.loaderId));
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { isDefault, frameId = '' } = (context.auxData ?? {}) as { isDefault?: boolean; frameId?: string };
      const loader = loaders.get(frameId);
      // Without a loader it is the blank page of a new tab.
      if (!isDefault || loader === undefined) return;
      const origin = originOf(context.origin);
      this.#isAlone &&= origin === this.#origin;
      answerTo(this.#documents, loader).resolve(origin);
    });
    session.on('Network.requestWillBeSent', ({ requestId, request, type, frameId = '', loaderId }) => {
      const leadsHere = originOf(request.url) === this.#origin;
      // A navigation names the frame and the loader that it is for, not those that started it.
      if (type === 'Document') this.#isAlone &&= leadsHere;
      // The script of a worker has no loader.
      else if (leadsHere) answerTo(this.#requests, requestId).resolve(this.#originOf(loaderId || loaders.get(frameId)));
    });
    await Promise.all([session.send('Page.enable'), watch(session)]);
  }

  /** A dedicated worker: what it requests is paused in the session of its frame. */
  async watchWorker(session: TargetSession): Promise<void> {
    const origin = Promise.withResolvers<string>();
    // The address of its script, which has the origin of the worker: blob:null/… in a sandbox.
    session.on('Runtime.executionContextCreated', ({ context }) => origin.resolve(originOf(context.origin)));
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (originOf(request.url) === this.#origin) answerTo(this.#requests, requestId).resolve(origin.promise);
    });
    await watch(session);
  }

  /** Does a document or worker of the origin start this request, which is no navigation? */
  async isOwn(requestId: string): Promise<boolean> {
    const giveUp = new AbortController();
    const { promise } = answerTo(this.#requests, requestId);
    const origin = await Promise.race([promise, sleep(mostWaitMs, giveUp.signal)]);
    giveUp.abort();
    return origin === this.#origin;
  }

  #originOf(loader = ''): Promise<string> {
    return answerTo(this.#documents, loader).promise;
  }
}

/** Without buffers for what arrives, which nobody reads. */
const watch = (session: TargetSession): Promise<unknown> =>
  Promise.all([
    session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1, maxPostDataSize: 1 }),
    session.send('Runtime.enable'),
  ]);

/** "null" for an opaque origin. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? 'null';

/** Whoever comes first, the question or the answer. */
function answerTo(map: Map<string, Answer>, key: string): Answer {
  const known = map.get(key);
  if (known !== undefined) return known;
  const answer = Promise.withResolvers<string>();
  remember(map, key, answer);
  return answer;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest);
}
