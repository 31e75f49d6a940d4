// Follows the main frame of a page through its documents: the requested one, and those the page navigates to itself.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from './cdp.ts';
import { openWorld, type World } from './in-page.ts';

export type MainDocument = {
  readonly loaderId: string;
  readonly url: string;
  readonly mimeType: string;
  /** The response ended before there was anything to show. */
  isEmpty: boolean;
  /** Set on the browser's own error page: the address that could not be loaded. */
  readonly unreachable: string | undefined;
  readonly world: World;
  /** The world was made a second time. */
  readonly isReopened: boolean;
  /** When it became the current document, by performance.now(). */
  readonly enteredAt: number;
  /** When its load event came, by performance.now(). */
  loadedAt: number | undefined;
  /** Resolves when it has loaded or another document has replaced it. */
  readonly loaded: Promise<void>;
};

/** A refresh that is scheduled for later than this is not waited for. */
const plannedWithinSeconds = 1;

export class MainFrame {
  /** The document shown now; undefined before the first. */
  current: MainDocument | undefined;
  readonly #session: CdpSession;
  readonly #frameId: string;
  #planned = false;
  #leaving = false;
  #complete = false;
  #loaded: () => void = () => {};
  #changed = Promise.withResolvers<void>();

  /** `check` throws for a URL that is not allowed: then the session ends, so that no picture shows anything of that document. */
  constructor(session: CdpSession, frameId: string, check: (url: string) => void) {
    this.#session = session;
    this.#frameId = frameId;
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      try {
        check(frame.unreachableUrl ?? frame.url);
      } catch (error) {
        return session.end(error);
      }
      this.#enter(frame);
    });
    session.on('Page.loadEventFired', () => {
      this.#complete = true;
      if (this.current) this.current.loadedAt = performance.now();
      this.#loaded();
    });
    session.on('Page.frameStoppedLoading', (event) => {
      if (event.frameId !== frameId) return;
      // Without a load event before it, the response was cut off, the page called window.stop, or the new document was a
      // download.
      const document = this.current;
      this.#leaving = false;
      this.#change();
      if (this.#complete || !document) return this.#loaded();
      document.world
        .call('isEmpty')
        .then((isEmpty) => {
          document.isEmpty = isEmpty;
        })
        .catch(() => {})
        .finally(this.#loaded);
    });
    session.on('Page.frameScheduledNavigation', (event) => {
      if (event.frameId !== frameId) return;
      // A page that refreshes itself every second is captured; one that navigates elsewhere is followed.
      const elsewhere = event.delay <= plannedWithinSeconds && event.url !== this.current?.url;
      if (event.delay === 0 || elsewhere) this.#planned = true;
    });
    session.on('Page.frameClearedScheduledNavigation', (event) => {
      if (event.frameId !== frameId) return;
      this.#planned = false;
      this.#change();
    });
    session.on('Page.frameStartedNavigating', ({ frameId: id, navigationType }) => {
      if (id === frameId && !/sameDocument/i.test(navigationType)) this.#leaving = true;
    });
  }

  /** A navigation to another document has begun. */
  get leaving(): boolean {
    return this.#leaving || this.#planned;
  }

  /** Resolves at the next change of `current` or `leaving`. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }

  #enter({ loaderId, url, mimeType, unreachableUrl: unreachable }: Protocol.Page.Frame): void {
    this.#loaded();
    this.#leaving = false;
    this.#planned = false;
    this.#complete = false;
    const load = Promise.withResolvers<void>();
    this.#loaded = load.resolve;
    this.current = {
      loaderId,
      url,
      mimeType,
      isEmpty: false,
      unreachable,
      world: openWorld(this.#session, this.#frameId),
      isReopened: false,
      enteredAt: performance.now(),
      loadedAt: undefined,
      loaded: load.promise,
    };
    this.#change();
  }

  /** Makes our world of the document again. */
  reopen(document: MainDocument): void {
    this.current = { ...document, world: openWorld(this.#session, this.#frameId), isReopened: true };
    this.#change();
  }

  #change(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}
