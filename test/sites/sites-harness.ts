// A service, and websites over real TLS on loopback whose pages a test can change.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { OpenStore } from '../../src/store/open.ts';
import type { Site } from '../../src/store/sites.ts';
import { type Customer, type Service, startService } from '../harness/service.ts';
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

export const hosts = ['site.test', 'www.site.test', 'other.test', 'images.test'] as const;
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

export type SitesHarness = {
  readonly service: Service;
  readonly store: OpenStore;
  readonly website: Website;
  /** The TXT records of every host. */
  readonly records: Map<string, string[]>;
  /** A verified site of this customer, on an origin of its own unless one is given. */
  verifiedSite(customer: Customer, settings?: Partial<Site>): Promise<Site>;
  card(site: Pick<Site, 'id'>, path: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
};

let sites = 0;

export async function openSitesHarness(): Promise<SitesHarness> {
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, identity.cert]);
  const website = await startWebsite();
  const records = new Map<string, string[]>();
  const resolver = async (host: string) =>
    host === 'private.test' ? ['10.0.0.1'] : (hosts as readonly string[]).includes(host) ? ['127.0.0.1'] : [];
  const service = await startService({}, resolver, async (host) => records.get(host) ?? []);
  const store = service.store as OpenStore;
  return {
    service,
    store,
    website,
    records,
    async verifiedSite({ account }, settings = {}) {
      const at = Date.now();
      const site: Site = {
        ...{ id: `site_test${++sites}`, accountId: account.id, origin: website.origin, token: 'token' },
        ...{ name: '', description: '', template: 'blog-post', values: {}, mapping: {}, createdAt: at, changedAt: at },
        ...{ verifiedAt: at, verifiedBy: 'file' as const, checkedAt: at, lostAt: null },
        ...settings,
      };
      await store.sites.create(site, 1000);
      return site;
    },
    card: ({ id }, path, headers = {}) => service.get(`/v1/sites/${id}${path}`, undefined, headers),
    async close() {
      await service.stop();
      website.close();
      setDefaultCACertificates(usual);
    },
  };
}

export const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title} | Site</title><meta property="og:site_name" content="Site">${more}</head><body><h1>${title}</h1></body></html>`;
