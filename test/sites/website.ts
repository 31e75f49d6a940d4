// Websites over real TLS on loopback whose pages a test can change.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../security/certificate.ts';

export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => unknown);

export type Website = {
  readonly port: number;
  readonly origin: string;
  /** By path. A text is a page; everything else is a 404. */
  readonly pages: Map<string, Answer>;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  askedFor(path: string): number;
  close(): void;
};

export const hosts = ['site.test', 'www.site.test', 'other.test', 'images.test', 'journal.example.com'] as const;
const identity = selfSigned(...hosts);

export async function startWebsite(): Promise<Website> {
  const pages = new Map<string, Answer>();
  const asked: string[] = [];
  const server = createServer(identity, (request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const answer = pages.get(path);
    if (typeof answer === 'function') return void answer(request, response);
    if (answer === undefined)
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `https://site.test:${port}`,
    pages,
    asked,
    askedFor: (path) => asked.filter((each) => each === path).length,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** This process trusts the certificate of the websites until the function is called. */
export function trustWebsites(): () => void {
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, identity.cert]);
  return () => setDefaultCACertificates(usual);
}

export const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title} | Site</title><meta property="og:site_name" content="Site">${more}</head><body><h1>${title}</h1></body></html>`;
