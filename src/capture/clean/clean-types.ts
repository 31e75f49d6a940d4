// What the cleaning of a page (advertisements, cookie banners) offers to the stages of a capture, and what it needs: the
// CDP sessions of the page and of its frames.
import type { Deadline } from '../../kernel/deadline.ts';
import type { CommandName, CommandParameters, CommandResult, EventHandler, EventName } from '../cdp.ts';
import type { RequestHandler } from '../interception.ts';
import type { TargetSetUp } from '../targets.ts';

/** One flat CDP session. */
export interface CleanSession {
  send<M extends CommandName>(method: M, ...params: CommandParameters<M>): Promise<CommandResult<M>>;
  /** Returns the function that removes the handler. */
  on<E extends EventName>(event: E, handler: EventHandler<E>): () => void;
}

export interface CleanPage extends CleanSession {
  /** The requested address. */
  readonly url: string;
  /**
   * Another session of the same connection. A frame of another site is a target of its own: the cleaner attaches to it
   * (Target.setAutoAttach on the page's session, iframes only) and uses this session for it.
   */
  session(sessionId: string): CleanSession;
  /** How the capture itself sets up each target; its requests are paused for this handler too. */
  setUp(handler: RequestHandler): TargetSetUp;
}

export type Wants = { readonly ads: boolean; readonly cookies: boolean };

/** The cleaning of one page. Only the deadline makes these reject: a page that cannot be cleaned is still captured. */
export interface CleanRun {
  /** From the load event on, during the wait for a settled page. Ends within 3 s. */
  afterLoad(deadline: Deadline): Promise<void>;
  /**
   * When the page has settled and customJS has run, before it is measured and captured; for a full page again after the
   * scrolling.
   */
  beforeCapture(deadline: Deadline): Promise<void>;
  /** After the capture: has a removable banner appeared since, that may be in the picture? */
  bannerCame(deadline: Deadline): Promise<boolean>;
  /** A banner was found that could not be removed. */
  readonly bannerLeft: boolean;
}

export type ListState = {
  /** `built-in`: no lists were fetched, only our own short list is used. */
  readonly source: 'fetched' | 'built-in';
  /** Unix time in milliseconds when the lists were fetched, and the milliseconds since. */
  readonly fetchedAt?: number;
  readonly age?: number;
  /** The version of the package the lists came from. */
  readonly version?: string;
};

export interface Cleaner {
  /**
   * Called before the navigation of a render with blockAds or blockCookies.
   */
  prepare(page: CleanPage, wants: Wants): Promise<CleanRun>;
  readonly lists: ListState;
}
