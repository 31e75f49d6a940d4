// Serves the fixtures on loopback under every name: the site itself, and the hosts of consent products and
// advertising networks, whose files lie in hosts/<name>/. `{{port}}` in a fixture becomes the server's port.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..', 'fixtures');
const siteHtml = () => readFileSync(join(root, 'site.html'), 'utf8');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
};

/** The fixtures of a folder, by name. */
export const fixturesIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.html'))
    .map((name) => name.slice(0, -'.html'.length))
    .sort();

/** What the page says of itself in its meta elements. */
export function metaOf(folder: string, name: string): Record<string, string> {
  const html = readFileSync(join(root, folder, `${name}.html`), 'utf8');
  return Object.fromEntries([...html.matchAll(/<meta name="([\w-]+)" content="([^"]*)">/g)].map((m) => [m[1], m[2]]));
}

export const titleOf = (folder: string, name: string): string =>
  /<title>([^<]*)/.exec(readFileSync(join(root, folder, `${name}.html`), 'utf8'))?.[1] ?? '';

export type FixtureSite = {
  readonly port: number;
  /** The address of a fixture, on the site's own name. */
  url(folder: string, name: string): string;
  /** Host and path of every request, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
};

export async function startFixtureSite(): Promise<FixtureSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    asked.push(`${url.hostname}${url.pathname}`);
    const to = url.pathname === '/redirect' && url.searchParams.get('to');
    if (to) return response.writeHead(302, { location: to }).end();
    const path = normalize(decodeURIComponent(url.pathname));
    const places = [
      ...['banners', 'kept-back', 'ads'].map((folder) => join(root, folder, 'hosts', url.hostname, path)),
      join(root, 'banners', 'hosts', 'site', path),
      join(root, path),
    ];
    const file = places.find((place) => existsSync(place) && statSync(place).isFile());
    if (file === undefined) return response.writeHead(404).end('There is no such fixture.');
    const text = readFileSync(file, 'utf8').replace('<!-- site -->', siteHtml).replaceAll('{{port}}', String(port));
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/javascript; charset=utf-8' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    url: (folder, name) => `http://www.harbour-weekly.com:${port}/${folder}/${name}.html`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
