// A web site on loopback for the tests to capture. Counts what was asked of it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Page =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export type Site = {
  readonly url: string;
  readonly port: number;
  /** How often a path (without its query) was asked for. */
  hits(path: string): number;
  set(path: string, page: Page): void;
  close(): Promise<void>;
};

export async function startSite(pages: Record<string, Page>): Promise<Site> {
  const all = new Map(Object.entries(pages));
  const hits = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const page = all.get(path);
    if (page === undefined)
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
    if (typeof page === 'function') return page(request, response);
    const { status = 200, headers = {}, body = '' } = typeof page === 'string' ? { body: page } : page;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    hits: (path) => hits.get(path) ?? 0,
    set: (path, page) => void all.set(path, page),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** A page of one colour with a word on it. */
export const colourPage = (colour: string, word = 'Hello'): string =>
  `<!doctype html><title>${word}</title><body style="margin:0;background:${colour};height:100vh"><h1 style="margin:0">${word}</h1>`;
