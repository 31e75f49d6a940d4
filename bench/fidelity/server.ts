// The sites on loopback, each at an origin of its own, so that absolute paths work. Files take as long as they might from
// a near server: the same time for the same address in every run.

import { readFile, realpath } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import { sleep } from '../../src/kernel/deadline.ts';
import { libraryPage, libraryPicture } from './library-pages.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.md': 'text/plain',
  '.csv': 'text/csv',
};

export type SiteServer = { readonly origin: string; close(): void };

export type SiteOptions = {
  /** Where `/@library/<name>/` leads. */
  readonly libraries: Record<string, string>;
  readonly standIns: readonly (readonly [RegExp, string])[];
  /** Multiplies every delay; 0 answers at once. */
  readonly latency: number;
};

export async function serveSite(root: string, options: SiteOptions): Promise<SiteServer> {
  const server = createServer(async (request, response) => {
    try {
      await answer(root, options, new URL(request.url ?? '/', 'http://site').pathname, response);
    } catch {
      if (!response.headersSent) response.writeHead(404);
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(root: string, options: SiteOptions, path: string, response: ServerResponse): Promise<void> {
  const name = decodeURIComponent(path);
  const type = types[extname(name).toLowerCase()] ?? (name.endsWith('/') ? types['.html'] : 'application/octet-stream');
  const bytes = await bytesOf(root, options, name);
  await sleep(options.latency * delayOf(name, type));
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(type?.startsWith('text/html') ? rewritten(bytes.toString('utf8'), options) : bytes);
}

async function bytesOf(root: string, options: SiteOptions, name: string): Promise<Buffer> {
  const library = /^\/@library\/([^/]+)(\/.*)$/.exec(name);
  if (library) return readWithin(options.libraries[library[1] ?? ''] ?? '', library[2] ?? '');
  const own = /^\/@page\/(.+)\.html$/.exec(name);
  if (own) return Buffer.from(libraryPage(own[1] ?? ''));
  const picture = /^\/@picture\/(\d+)\.svg$/.exec(name);
  if (picture) return Buffer.from(libraryPicture(Number(picture[1])));
  return readWithin(root, name.endsWith('/') ? `${name}index.html` : name);
}

async function readWithin(folder: string, name: string): Promise<Buffer> {
  const path = await realpath(join(folder, name));
  if (!path.startsWith((await realpath(folder)) + sep)) throw new Error('outside the site');
  return readFile(path);
}

const rewritten = (html: string, { standIns }: SiteOptions): string =>
  standIns.reduce((text, [pattern, path]) => text.replaceAll(pattern, path), html);

/** 20 to 150 ms for pictures, less for the rest. */
function delayOf(name: string, type = ''): number {
  let hash = 2166136261;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
  const share = (hash % 1000) / 1000;
  return type.startsWith('image/') ? 20 + 130 * share : 5 + 25 * share;
}
