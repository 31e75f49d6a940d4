// What cleaning a page (advertisements, cookie banners) promises to the stages of a capture, and
// what it needs of the page: CDP on the page's own flat session and on those of its frames.
import type { Deadline } from '../../kernel/deadline.ts';
import type { CommandName, CommandParameters, CommandResult, EventHandler, EventName } from '../cdp.ts';

/** One flat CDP session. */
export interface CleanSession {
  send<M extends CommandName>(method: M, ...params: CommandParameters<M>): Promise<CommandResult<M>>;
  /** Returns the function that removes the handler. */
  on<E extends EventName>(event: E, handler: EventHandler<E>): () => void;
}

export interface CleanPage extends CleanSession {
  /** The target as it was asked for. */
  readonly url: string;
  /**
   * The same connection, addressed to another session. A frame of another site is a target of its
   * own: the cleaner attaches to it (Target.setAutoAttach on the page's session, iframes only) and
   * speaks to it through this.
   */
  session(sessionId: string): CleanSession;
}

export type Wants = { readonly ads: boolean; readonly cookies: boolean };

/** The cleaning of one page. None of these throws but for the deadline: a page that cannot be cleaned is still captured. */
export interface CleanRun {
  /** From the load event on, beside the wait for a settled page. Ends by itself within 3 s. */
  afterLoad(deadline: Deadline): Promise<void>;
  /**
   * When the page is settled and customJS has run, before it is measured and captured; for a full
   * page once more after the scroll-through. Gives warnings for the caller, each a sentence.
   */
  beforeCapture(deadline: Deadline): Promise<string[]>;
  /** After the capture: a banner that can be removed has come since, and may be in the picture. */
  bannerCame(deadline: Deadline): Promise<boolean>;
  /** The last look found a banner that could not be removed. */
  readonly bannerLeft: boolean;
}

export type ListState = {
  /** `built-in`: no lists could be fetched, the short list of our own is used. */
  readonly source: 'fetched' | 'built-in';
  /** Unix time in milliseconds when the lists were fetched, and the milliseconds since. */
  readonly fetchedAt?: number;
  readonly age?: number;
  /** The version of the package the lists came from. */
  readonly version?: string;
};

export interface Cleaner {
  /**
   * Before navigation, and only for a render that wants something: it switches CDP `Fetch` on, so
   * nothing else in the page's stages may use that domain then.
   */
  prepare(page: CleanPage, wants: Wants): Promise<CleanRun>;
  readonly lists: ListState;
}
