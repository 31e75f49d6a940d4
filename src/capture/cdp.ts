// A thin typed client of the Chrome DevTools Protocol over a pipe: messages are JSON, each terminated by a NUL.
// Pages are flat sessions. When the pipe closes, a page crashes or we close a session, all its pending commands reject
// at once with the reason.
import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { MessageReader } from './cdp-reader.ts';
import { Crash, SessionClosed } from './crash.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
export type CommandName = keyof Commands;
export type EventName = keyof Events;
export type CommandParameters<M extends CommandName> = Commands[M]['paramsType'];
/** Pictures are already decoded; see cdp-reader.ts. */
export type CommandResult<M extends CommandName> = M extends 'Page.captureScreenshot'
  ? { data: Buffer }
  : Commands[M]['returnType'];
export type EventHandler<E extends EventName> = (params: Events[E][0]) => void;

/** The browser rejected the command. */
export class ProtocolError extends Error {
  readonly method: string;
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'ProtocolError';
    this.method = method;
  }
}

/** The response is longer than the limit; a page can cause that. */
export class AnswerTooLong extends ProtocolError {
  constructor(method: string) {
    super(method, 'the answer is too long');
    this.name = 'AnswerTooLong';
  }
}

type CdpMessage = {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};

type Pending = {
  readonly session: CdpSession;
  readonly method: string;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
};

/** The session of a page, or of the browser itself. */
export class CdpSession {
  readonly #connection: Connection;
  readonly #id: string | undefined;
  readonly #handlers = new Map<string, Set<(params: never) => void>>();
  readonly #ended = new AbortController();

  constructor(connection: Connection, id: string | undefined) {
    this.#connection = connection;
    this.#id = id;
  }

  /** Aborts with the reason when the session has ended. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  send<M extends CommandName>(method: M, ...params: CommandParameters<M>): Promise<CommandResult<M>> {
    const answer = this.signal.aborted
      ? Promise.reject(this.signal.reason)
      : this.#connection.request<CommandResult<M>>(this, this.#id, method, params[0]);
    // Callers race this against a deadline and may stop waiting: an unhandled rejection must not end the process.
    answer.catch(() => {});
    return answer;
  }

  /** Returns the function that removes the handler. */
  on<E extends EventName>(event: E, handler: EventHandler<E>): () => void {
    const handlers = this.#handlers.get(event) ?? new Set();
    this.#handlers.set(event, handlers);
    handlers.add(handler as (params: never) => void);
    this.#connection.want(event);
    return () => handlers.delete(handler as (params: never) => void);
  }

  emit(event: string, params: unknown): void {
    for (const handler of [...(this.#handlers.get(event) ?? [])]) handler(params as never);
  }

  /** Has this session a handler for the event? */
  hasHandler(event: string): boolean {
    return (this.#handlers.get(event)?.size ?? 0) > 0;
  }

  /** Ends the session and rejects its pending commands. Only the first reason counts. */
  end(reason: unknown = new SessionClosed()): void {
    if (this.signal.aborted) return;
    this.#connection.forget(this, this.#id, reason);
    this.#handlers.clear();
    this.#ended.abort(reason);
  }
}

const pictureCommand = 'Page.captureScreenshot';
/** A request with a long data: URL. If its event is lost, nobody has started it, and it gets no login. */
const expendable = 'Network.requestWillBeSent';

export class Connection {
  readonly browser: CdpSession;
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  readonly #sessions = new Map<string, CdpSession>();
  /** The names of all events that any session has ever had a handler for. */
  readonly #wanted = new Set(['Target.detachedFromTarget']);
  #nextId = 1;
  #picturesGiven = 0;

  /** `input` is what the browser reads, `output` what it writes. */
  constructor(input: Writable, output: Readable) {
    this.#input = input;
    this.browser = new CdpSession(this, undefined);
    const reader = new MessageReader({
      message: (text) => this.#dispatch(JSON.parse(text) as CdpMessage),
      wants: (event) => this.#wanted.has(event),
      awaitsPicture: (id) => this.#pending.get(id)?.method === pictureCommand,
      picture: (id, data) => this.#dispatch({ id, result: { data } }),
      tooLong: (head, tail) => this.#tooLong(head, tail),
    });
    output.on('data', (chunk: Buffer) => reader.read(chunk));
    for (const stream of [input, output])
      for (const event of ['error', 'close', 'end']) stream.on(event, () => this.close());
  }

  async attach(targetId: string): Promise<CdpSession> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = this.session(sessionId);
    session.on('Inspector.targetCrashed', () => session.end(new Crash('renderer', 'The page crashed its renderer.')));
    return session;
  }

  /** The session of a target that is already attached, such as a frame of another site. */
  session(sessionId: string): CdpSession {
    const session = this.#sessions.get(sessionId) ?? new CdpSession(this, sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** How many pictures the browser has made, and how many it is asked for now. */
  pictures(): { readonly given: number; readonly awaited: number } {
    const awaited = [...this.#pending.values()].filter(({ method }) => method === pictureCommand).length;
    return { given: this.#picturesGiven, awaited };
  }

  /** The pipe is closed, so the browser has died, or it is about to be killed: every session ends. */
  close(reason = new Crash('browser', 'The browser died.')): void {
    if (this.browser.signal.aborted) return;
    for (const session of [...this.#sessions.values()]) session.end(reason);
    this.browser.end(reason);
    this.#input.destroy();
  }

  request<T>(session: CdpSession, sessionId: string | undefined, method: string, params: unknown): Promise<T> {
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { session, method, resolve: resolve as (value: never) => void, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  want(event: string): void {
    this.#wanted.add(event);
  }

  forget(session: CdpSession, sessionId: string | undefined, reason: unknown): void {
    if (sessionId !== undefined) this.#sessions.delete(sessionId);
    for (const [id, pending] of this.#pending) {
      if (pending.session !== session) continue;
      this.#pending.delete(id);
      pending.reject(reason);
    }
  }

  /**
   * A message over the limit is not parsed. If it is a response, its command rejects. If it is an event without a handler
   * (a page's console) or an expendable one, it is dropped; with any other event, the page's session ends.
   */
  #tooLong(head: string, tail: string): void {
    const id = Number(/^\{"id":(\d+)/.exec(head)?.[1] ?? Number.NaN);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.reject(new AnswerTooLong(pending.method));
    const method = /^\{"method":"([\w.]+)"/.exec(head)?.[1] ?? '';
    // Quotes inside a string of the page are escaped, so this matches the end of the message itself.
    const session = this.#sessions.get(/"sessionId":"(\w+)"\}$/.exec(tail)?.[1] ?? '');
    if (session?.hasHandler(method) && method !== expendable)
      session.end(new Crash('renderer', `The page is too large to render: its ${method} event exceeds 8 MiB.`, true));
  }

  #dispatch(message: CdpMessage): void {
    if (message.id !== undefined) {
      const pending = this.#pending.get(message.id);
      if (!pending) return;
      this.#pending.delete(message.id);
      if (pending.method === pictureCommand && !message.error) this.#picturesGiven++;
      if (message.error) pending.reject(new ProtocolError(pending.method, message.error.message.slice(0, 500)));
      // A small picture arrives as any other response.
      else if (pending.method === pictureCommand) pending.resolve(decoded(message.result) as never);
      else pending.resolve(message.result as never);
    } else if (message.method !== undefined) {
      // Sent to the session that attached the target: the browser's, or that of the page for its frames.
      if (message.method === 'Target.detachedFromTarget')
        this.#sessions.get((message.params as { sessionId: string }).sessionId)?.end();
      const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId);
      session?.emit(message.method, message.params);
    }
  }
}

const decoded = (result: unknown): unknown => {
  const { data } = result as { data: string | Buffer };
  return { data: typeof data === 'string' ? Buffer.from(data, 'base64') : data };
};
