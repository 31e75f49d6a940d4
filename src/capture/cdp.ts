// A thin typed client of the Chrome DevTools Protocol over a pipe: messages are JSON, each ended by a NUL.
// Pages are flat sessions. Nothing waits for ever: when the pipe closes, a page crashes or we close a
// session, everything asked of it rejects at once with the reason.
import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { Crash, SessionClosed } from './crash.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
export type CommandName = keyof Commands;
export type EventName = keyof Events;
export type Parameters<M extends CommandName> = Commands[M]['paramsType'];
export type Answer<M extends CommandName> = Commands[M]['returnType'];
export type EventHandler<E extends EventName> = (params: Events[E][0]) => void;

/** The browser understood the command and refused it. */
export class ProtocolError extends Error {
  readonly method: string;
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'ProtocolError';
    this.method = method;
  }
}

/** V8's longest string is 2^29 − 24 characters. The largest piece of a picture stays below, whatever it shows. */
const longestMessage = 2 ** 29 - 2 ** 20;

type Message = {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};

type Pending = {
  readonly session: Session;
  readonly method: string;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
};

/** One page's line to the browser, or the browser's own. */
export class Session {
  readonly #connection: Connection;
  readonly #id: string | undefined;
  readonly #handlers = new Map<string, Set<(params: never) => void>>();
  readonly #ended = new AbortController();

  constructor(connection: Connection, id: string | undefined) {
    this.#connection = connection;
    this.#id = id;
  }

  /** Aborts, with the reason, when nothing can be asked here any more. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  send<M extends CommandName>(method: M, ...params: Parameters<M>): Promise<Answer<M>> {
    const answer = this.signal.aborted
      ? Promise.reject(this.signal.reason)
      : this.#connection.request<Answer<M>>(this, this.#id, method, params[0]);
    // Callers race answers against deadlines and walk away; what they left must not end the process.
    answer.catch(() => {});
    return answer;
  }

  /** Gives back the function that stops listening. */
  on<E extends EventName>(event: E, handler: EventHandler<E>): () => void {
    const handlers = this.#handlers.get(event) ?? new Set();
    this.#handlers.set(event, handlers);
    handlers.add(handler as (params: never) => void);
    return () => handlers.delete(handler as (params: never) => void);
  }

  emit(event: string, params: unknown): void {
    for (const handler of [...(this.#handlers.get(event) ?? [])]) handler(params as never);
  }

  /** Ends the session for everybody who uses it. The first reason stays. */
  end(reason: unknown = new SessionClosed()): void {
    if (this.signal.aborted) return;
    this.#connection.forget(this, this.#id, reason);
    this.#handlers.clear();
    this.#ended.abort(reason);
  }
}

export class Connection {
  readonly browser: Session;
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  readonly #sessions = new Map<string, Session>();
  #chunks: Buffer[] = [];
  #unread = 0;
  #nextId = 1;

  /** `input` is what the browser reads, `output` what it writes. */
  constructor(input: Writable, output: Readable) {
    this.#input = input;
    this.browser = new Session(this, undefined);
    this.browser.on('Target.detachedFromTarget', ({ sessionId }) => this.#sessions.get(sessionId)?.end());
    output.on('data', (chunk: Buffer) => this.#read(chunk));
    for (const stream of [input, output])
      for (const event of ['error', 'close', 'end']) stream.on(event, () => this.close());
  }

  async attach(targetId: string): Promise<Session> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = this.session(sessionId);
    session.on('Inspector.targetCrashed', () => session.end(new Crash('renderer', 'The page crashed its renderer.')));
    return session;
  }

  /** The line to a target that is attached already, such as a frame of another site. */
  session(sessionId: string): Session {
    const session = this.#sessions.get(sessionId) ?? new Session(this, sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** The pipe is gone, and with it the browser: every session ends, everything asked rejects. */
  close(): void {
    if (this.browser.signal.aborted) return;
    const reason = new Crash('browser', 'The browser died.');
    for (const session of [...this.#sessions.values()]) session.end(reason);
    this.browser.end(reason);
    this.#input.destroy();
    this.#chunks = [];
  }

  request<T>(session: Session, sessionId: string | undefined, method: string, params: unknown): Promise<T> {
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { session, method, resolve: resolve as (value: never) => void, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  forget(session: Session, sessionId: string | undefined, reason: unknown): void {
    if (sessionId !== undefined) this.#sessions.delete(sessionId);
    for (const [id, pending] of this.#pending) {
      if (pending.session !== session) continue;
      this.#pending.delete(id);
      pending.reject(reason);
    }
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#chunks.push(chunk.subarray(start, end));
      const text = (this.#chunks.length === 1 ? chunk.subarray(start, end) : Buffer.concat(this.#chunks)).toString();
      this.#chunks = [];
      this.#unread = 0;
      start = end + 1;
      this.#dispatch(JSON.parse(text) as Message);
    }
    if (start === chunk.length) return;
    this.#chunks.push(chunk.subarray(start));
    this.#unread += chunk.length - start;
    // What cannot become a string cannot be read: better without this browser than without this process.
    if (this.#unread > longestMessage) this.close();
  }

  #dispatch(message: Message): void {
    if (message.id !== undefined) {
      const pending = this.#pending.get(message.id);
      if (!pending) return;
      this.#pending.delete(message.id);
      if (message.error) pending.reject(new ProtocolError(pending.method, message.error.message));
      else pending.resolve(message.result as never);
    } else if (message.method !== undefined) {
      const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId);
      session?.emit(message.method, message.params);
    }
  }
}
