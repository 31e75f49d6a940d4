// A web site on loopback for captures to look at: pages given as HTML, or anything a handler answers.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

export type Site = {
  readonly origin: string;
  /** Serves the HTML at a path of its own and gives back its address. */
  page(html: string, headers?: Record<string, string>, status?: number): string;
  /** Answers at this path as the handler does. */
  on(path: string, handler: Handler): string;
  /** Answers where nothing else does. */
  fallback: Handler;
  /** Every request so far. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
};

export async function openSite(): Promise<Site> {
  const handlers = new Map<string, Handler>();
  const requests: Site['requests'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    requests.push({ path: url.pathname, headers: request.headers });
    const handler = handlers.get(url.pathname);
    if (handler) handler(request, response, url);
    else site.fallback(request, response, url);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;

  const on = (path: string, handler: Handler) => {
    handlers.set(path, handler);
    return origin + path;
  };
  const site: Site = {
    origin,
    fallback: (_request, response) =>
      void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>'),
    requests,
    on,
    page: (html, headers = {}, status = 200) =>
      on(`/page-${++count}`, (_request, response) => {
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return site;
}

/** A solid picture as a PNG data URL would be cached by nobody; this is a real file of one colour. */
export const svg = (colour: string, width = 100, height = 100): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/></svg>`;
