// Origins, outlets and raw connections for the tests of the proxy. All of it is gone after each test.
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { createEgress } from '../../src/egress/egress.ts';
import type { Budget, Egress, Outlet, Resolver } from '../../src/egress/egress-types.ts';
import { plenty } from './proxy-budget.ts';

export { plenty };
export const loopback = ['127.0.0.0/8'];

export const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export const web = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  listening(createHttpServer(answer));

export function way(allowPrivate: string[], answers: Record<string, string[]> | Resolver = {}): Egress {
  const resolver: Resolver = typeof answers === 'function' ? answers : async (host) => answers[host] ?? [];
  const egress = createEgress({ allowPrivate, resolver });
  undo.push(() => egress.stop());
  return egress;
}

export async function openOutlet(egress: Egress, budget: Partial<Budget> = {}) {
  const outlet = await egress.createOutlet();
  const render = new AbortController();
  outlet.open({ ...plenty, ...budget }, render.signal);
  return { outlet, render };
}

/** One connection of a browser: writes, and tells what came back until the other side hung up. */
export function call(
  outlet: Outlet,
  text: string,
): { socket: Socket; received: Promise<string>; until(part: string): Promise<string> } {
  const socket = connect(outlet.port, '127.0.0.1');
  socket.write(text, 'latin1');
  undo.push(() => socket.destroy());
  let seen = '';
  socket.on('data', (chunk) => {
    seen += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const received = new Promise<string>((resolve) => socket.once('close', () => resolve(seen)));
  const until = async (part: string) => {
    while (!seen.includes(part)) {
      if (socket.destroyed) throw new Error(`hung up after: ${seen.slice(0, 200)}`);
      await Promise.race([once(socket, 'data'), received]);
    }
    return seen;
  };
  return { socket, received, until };
}

export const get = (url: string, ...headers: string[]) => `${[`GET ${url} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`;
export const hello = (_: IncomingMessage, response: ServerResponse) => response.end('hello');
