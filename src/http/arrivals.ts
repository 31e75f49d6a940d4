// Takes requests into work. Requests that arrive together are all read in one turn of the event loop: when it has taken some
// time, the others get turns of their own, so that nobody waits for all of them.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerFactoryHandler } from 'fastify';

const turnMs = 25;
const mostInTurn = 64;
/** Requests that a client has sent on one connection before their answers. Browsers, proxies and libraries send one. */
const mostUnanswered = 32;

/** What Fastify sets on a server that it makes itself. */
type ServerSettings = {
  readonly http?: { readonly maxHeaderSize?: number; readonly requireHostHeader?: boolean };
  readonly keepAliveTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionTimeout?: number;
};

/** `isUrgent` requests do not wait: those for the health. */
export const pacedServer =
  (isUrgent: (url: string) => boolean) =>
  (handler: FastifyServerFactoryHandler, options: ServerSettings): Server => {
    const server = createServer({ ...options.http }, paced(handler as RequestListener, isUrgent));
    // An expectation other than 100-continue may be ignored (RFC 9110). Node's own 417 has no body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.keepAliveTimeout = options.keepAliveTimeout ?? server.keepAliveTimeout;
    server.requestTimeout = options.requestTimeout ?? server.requestTimeout;
    server.timeout = options.connectionTimeout ?? server.timeout;
    return server;
  };

export function paced(handle: RequestListener, isUrgent: (url: string) => boolean): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  const waiting: (() => void)[] = [];
  /** When the first request of this turn arrived. */
  let turnBegan: number | undefined;

  const endTurn = () => {
    turnBegan = undefined;
    if (waiting.length === 0) return;
    // Node runs what one request leads to before the next of these, so the time that it took is known.
    let began: number | undefined;
    for (let left = Math.min(waiting.length, mostInTurn); left > 0; left--)
      setImmediate(() => {
        began ??= performance.now();
        if (performance.now() - began <= turnMs) waiting.shift()?.();
      });
    setImmediate(endTurn);
  };

  return (request, response) => {
    const { socket } = request;
    // The rest of what was read with the requests before.
    if (socket.destroyed) return;
    const before = unanswered.get(socket) ?? 0;
    if (before >= mostUnanswered) return void socket.destroy();
    unanswered.set(socket, before + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (isUrgent(request.url ?? '')) return handle(request, response);
    if (turnBegan === undefined && waiting.length === 0) {
      turnBegan = performance.now();
      setImmediate(endTurn);
    }
    if (waiting.length === 0 && performance.now() - (turnBegan ?? 0) <= turnMs) return handle(request, response);
    waiting.push(() => {
      if (!socket.destroyed) handle(request, response);
    });
  };
}
