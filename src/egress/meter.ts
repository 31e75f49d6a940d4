// What one render takes from the network: counted, bounded, and cut as a whole when the render is over.
import type { Socket } from 'node:net';
import type { Budget, Refusal } from './egress-types.ts';

// A page can try to reach thousands of hosts; the first ones tell enough.
const maxKept = 200;

export class Meter {
  readonly signal: AbortSignal;
  readonly counts = { requests: 0, connections: 0, bytes: 0, sentBytes: 0 };
  /** When anything was last asked for or came, by performance.now(). */
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

  /** A request more, or false: the page has had its share. What runs may finish. */
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
    this.stir();
    return true;
  }

  /** Something was asked for or came; for what is not counted, to be called from outside. */
  stir(): void {
    this.activeAt = performance.now();
  }

  /** Something was asked on this connection. */
  asked(connection: object): void {
    this.#unanswered.add(connection);
    this.stir();
  }

  /** Something came on it, or it is closed. */
  answered(connection: object): void {
    this.#unanswered.delete(connection);
  }

  get unanswered(): number {
    return this.#unanswered.size;
  }

  /** False if the one response is now too long. Too much in all cuts everything. */
  received(bytes: number, responseBytes: number): boolean {
    this.counts.bytes += bytes;
    this.stir();
    if (this.counts.bytes > this.#budget.bytes) {
      this.exhausted ??= 'bytes';
      this.cut();
      return false;
    }
    if (responseBytes <= this.#budget.responseBytes) return true;
    this.exhausted ??= 'responseBytes';
    return false;
  }

  /** What the browser sends, heads and tunnels included. Too much cuts everything: a render is no way to send data out. */
  sent(bytes: number): void {
    this.counts.sentBytes += bytes;
    this.stir();
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

  /** The socket dies with the render, however slow or silent its peer is. */
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
