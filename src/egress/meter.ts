// Counts and limits the network use of one render, and closes all its connections at the end.
import type { Socket } from 'node:net';
import type { Budget, Refusal } from './egress-types.ts';

// A page can try to reach thousands of hosts; the first ones are enough for an error text.
const maxKept = 200;

export class Meter {
  readonly signal: AbortSignal;
  readonly counts = { requests: 0, connections: 0, bytes: 0, sentBytes: 0 };
  /** When anything was last sent or received, by performance.now(). */
  activeAt = 0;
  readonly refusals: Refusal[] = [];
  readonly failures: Refusal[] = [];
  exhausted: keyof Budget | undefined;
  #budget: Budget;
  #sockets = new Set<Socket>();
  #unanswered = new Set<object>();
  #over = new AbortController();

  constructor(budget: Budget, signal: AbortSignal) {
    this.#budget = budget;
    this.signal = this.#over.signal;
    if (signal.aborted) this.cut();
    signal.addEventListener('abort', () => this.cut(), { once: true, signal: this.signal });
  }

  get isOver(): boolean {
    return this.signal.aborted;
  }

  /** Counts a request. False if the budget is used up; requests under way may finish. */
  admitRequest(): boolean {
    return this.#admit('requests');
  }

  admitConnection(): boolean {
    return this.#admit('connections');
  }

  #admit(kind: 'requests' | 'connections'): boolean {
    if (this.isOver) return false;
    if (this.counts[kind] >= this.#budget[kind]) {
      this.exhausted ??= kind;
      return false;
    }
    this.counts[kind] += 1;
    this.noteActivity();
    return true;
  }

  /** Notes activity. */
  noteActivity(): void {
    this.activeAt = performance.now();
  }

  /** A request was sent on this connection. */
  asked(connection: object): void {
    this.#unanswered.add(connection);
    this.noteActivity();
  }

  /** Something was received on this connection, or it is closed. */
  answered(connection: object): void {
    this.#unanswered.delete(connection);
  }

  get unanswered(): number {
    return this.#unanswered.size;
  }

  /** False if the response is too long. If all responses together are too long, every connection is closed. */
  received(bytes: number, responseBytes: number): boolean {
    this.counts.bytes += bytes;
    this.noteActivity();
    if (this.counts.bytes > this.#budget.bytes) {
      this.exhausted ??= 'bytes';
      this.cut();
      return false;
    }
    if (responseBytes <= this.#budget.responseBytes) return true;
    this.exhausted ??= 'responseBytes';
    return false;
  }

  /** Counts what the browser sends, heads and tunnels included. Too much closes every connection, against data exfiltration. */
  sent(bytes: number): void {
    this.counts.sentBytes += bytes;
    this.noteActivity();
    if (this.counts.sentBytes <= this.#budget.sentBytes) return;
    this.exhausted ??= 'sentBytes';
    this.cut();
  }

  refused(refusal: Refusal): void {
    keep(this.refusals, refusal);
  }

  failed(failure: Refusal): void {
    keep(this.failures, failure);
  }

  /** Closes the socket when the render ends. */
  track(socket: Socket): void {
    if (this.isOver) return void socket.destroy();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  cut(): void {
    if (this.isOver) return;
    this.#over.abort();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function keep(list: Refusal[], entry: Refusal): void {
  const same = (other: Refusal) =>
    other.host === entry.host && other.port === entry.port && other.reason === entry.reason;
  if (list.length < maxKept && !list.some(same)) list.push(entry);
}
