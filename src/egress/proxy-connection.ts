// One connection of the browser to its proxy. A tunnel is connected to its origin and passed through. Of plain requests
// each head is parsed and checked; everything else is relayed unchanged in both directions, so that a page looks as it would
// without the proxy. Each connection of the browser belongs to one connection to one origin, as long as either lives.
import type { Socket } from 'node:net';
import { dial, dialFailure } from './dial.ts';
import type { EgressGuard } from './guard.ts';
import type { Meter } from './meter.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';

// Chromium bounds what it sends at 256 KB too (cookies and URL together).
const maxHeadBytes = 256 * 1024;

// Encrypted, the control frames of HTTP/2 (windows, acknowledgements) are shorter than this, and requests are longer.
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
    // Registered first, so that all bytes are counted, in a tunnel too.
    client.on('data', (chunk: Buffer) => meter.sent(chunk.length));
    client.on('data', this.#onData);
    client.on('error', () => {});
    // The last bytes of the browser (a beacon) are still sent; then the connection to the origin is closed too.
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
    // Closed without a response, here and below: the browser would show the response as the page.
    if (head === undefined || this.#answering || !this.#meter.admitRequest()) return void this.#client.destroy();
    this.#answering = true;
    if (head.kind === 'forward') this.#meter.asked(this);
    this.#client.pause();
    this.#answer(head, read.subarray(end + 4)).catch(() => this.#client.destroy());
  };

  async #answer(head: RequestHead, rest: Buffer): Promise<void> {
    // Another host on the same connection: surplus bytes of the first could be taken for the second one's response.
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
    // Responses inside a tunnel cannot be told apart: only the limit of all bytes applies.
    this.#join(origin, false);
    if (rest.length > 0) origin.socket.write(rest);
    // The requests are encrypted, but their presence can be seen.
    this.#client.on('data', (chunk) => {
      if (chunk.length >= smallestRequest) this.#meter.asked(this);
    });
    this.#client.pipe(origin.socket);
  }

  /** Checks and opens a connection; undefined if it is refused or fails. */
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
    // A response without a length ends with its connection, so the end is passed on.
    socket.pipe(this.#client);
  }

  /** A reset and not an end: a truncated response must not look complete. */
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
