// One connection of the browser to its proxy. A tunnel is joined to its origin and left alone. Plain requests are read
// head by head, each judged, and their bytes relayed as they are in both directions: the browser's own parser reads
// the answers, so a page looks as it would without us. Behind one connection of the browser there is one to one origin,
// for as long as either lives.
import type { Socket } from 'node:net';
import { dial, dialFailure } from './dial.ts';
import type { EgressGuard } from './guard.ts';
import type { Meter } from './meter.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';

// Chromium bounds what it sends at 256 KB too (cookies and URL together).
const maxHeadBytes = 256 * 1024;

// What HTTP/2 says between requests (windows, acknowledgements) is shorter than this once it is encrypted, requests are longer.
const smallestRequest = 56;

type Origin = { readonly host: string; readonly port: number; readonly socket: Socket };

export class ProxyConnection {
  #client: Socket;
  #meter: Meter;
  #guard: EgressGuard;
  #origin: Origin | undefined;
  #unread: Buffer | undefined;
  #bodyLeft = 0;
  #responseBytes = 0;
  #answering = false;

  constructor(client: Socket, meter: Meter, guard: EgressGuard) {
    this.#client = client;
    this.#meter = meter;
    this.#guard = guard;
    meter.track(client);
    // Before anybody else hears of them, and for as long as the connection lives, tunnel or not.
    client.on('data', (chunk: Buffer) => meter.sent(chunk.length));
    client.on('data', this.#onData);
    client.on('error', () => {});
    // What the browser sent last (a beacon) still goes out; then the origin's side is closed too.
    client.on('close', () => {
      meter.answered(this);
      this.#origin?.socket.destroySoon();
    });
  }

  #onData = (chunk: Buffer): void => {
    if (this.#meter.isOver) return;
    const rest = this.#bodyLeft > 0 ? this.#relayBody(chunk) : chunk;
    if (rest.length === 0) return;
    const read = this.#unread ? Buffer.concat([this.#unread, rest]) : rest;
    const end = read.indexOf('\r\n\r\n');
    this.#unread = end === -1 ? read : undefined;
    if (end === -1) {
      if (read.length > maxHeadBytes) this.#client.destroy();
      return;
    }
    const head = parseRequestHead(read.toString('latin1', 0, end));
    // Dropped without a word, here and below: a body of ours would be shown as the page.
    if (head === undefined || this.#answering || !this.#meter.admitRequest()) return void this.#client.destroy();
    this.#answering = true;
    if (head.kind === 'forward') this.#meter.asked(this);
    this.#client.pause();
    this.#answer(head, read.subarray(end + 4)).catch(() => this.#client.destroy());
  };

  async #answer(head: RequestHead, rest: Buffer): Promise<void> {
    // Another host on the same connection: what the first one sent too much could be taken for the second one's answer.
    if (this.#origin !== undefined && !isNextRequestTo(this.#origin, head)) return void this.#client.destroy();
    const origin = this.#origin ?? (await this.#connect(head.host, head.port));
    if (origin === undefined || this.#client.destroyed) {
      origin?.socket.destroy();
      return void this.#client.destroy();
    }
    if (head.kind === 'tunnel') return this.#tunnel(origin, rest);
    if (this.#origin === undefined) this.#join(origin, true);
    this.#responseBytes = 0;
    this.#bodyLeft = head.bodyLength;
    origin.socket.write(head.text, 'latin1');
    this.#answering = false;
    this.#client.resume();
    if (rest.length > 0) this.#onData(rest);
  }

  #tunnel(origin: Origin, rest: Buffer): void {
    this.#client.off('data', this.#onData);
    this.#client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    // Inside a tunnel one response cannot be told from the next: there only the bound of all bytes holds.
    this.#join(origin, false);
    if (rest.length > 0) origin.socket.write(rest);
    // What is asked inside cannot be read, but that something is.
    this.#client.on('data', (chunk) => {
      if (chunk.length >= smallestRequest) this.#meter.asked(this);
    });
    this.#client.pipe(origin.socket);
  }

  /** Every new connection is judged anew; undefined where it may not or cannot be made. */
  async #connect(host: string, port: number): Promise<Origin | undefined> {
    const meter = this.#meter;
    const decision = await this.#guard.judge(host, port, meter.signal);
    if (decision.kind === 'refused') return void meter.refused({ host, port, reason: decision.reason });
    if (decision.kind === 'failed') return void meter.failed({ host, port, reason: decision.reason });
    if (!meter.admitConnection()) return undefined;
    try {
      const socket = await dial(host, decision.addresses, port, meter.signal);
      meter.track(socket);
      return { host, port, socket };
    } catch (error) {
      if (!meter.isOver) meter.failed({ host, port, reason: dialFailure(error) });
      return undefined;
    }
  }

  #join(origin: Origin, boundResponses: boolean): void {
    this.#origin = origin;
    const { socket } = origin;
    socket.on('data', (chunk) => {
      this.#meter.answered(this);
      if (boundResponses) this.#responseBytes += chunk.length;
      if (!this.#meter.received(chunk.length, this.#responseBytes)) this.#abandon(origin);
    });
    socket.on('error', () => this.#abandon(origin));
    socket.on('close', () => {
      if (!socket.readableEnded) this.#abandon(origin);
    });
    // An answer without a length ends with its connection, so the end is passed on.
    socket.pipe(this.#client);
  }

  /** A reset, not an end: an answer cut short must not look whole. */
  #abandon(origin: Origin): void {
    origin.socket.destroy();
    this.#client.resetAndDestroy();
  }

  #relayBody(chunk: Buffer): Buffer {
    const body = chunk.length <= this.#bodyLeft ? chunk : chunk.subarray(0, this.#bodyLeft);
    this.#bodyLeft -= body.length;
    const socket = this.#origin?.socket;
    if (socket?.write(body) === false) {
      this.#client.pause();
      socket.once('drain', () => this.#client.resume());
    }
    return chunk.subarray(body.length);
  }
}

const isNextRequestTo = (origin: Origin, head: RequestHead): boolean =>
  head.kind === 'forward' && head.host === origin.host && head.port === origin.port;
