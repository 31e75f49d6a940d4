// The server of `tintype templates dev`: on the loopback address, for the browser of this machine only. It sends its own page
// and painted cards, never a file of the folder.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchFolder } from '../../cards/watch-folder.ts';
import type { Config } from '../../config.ts';
import { createLog } from '../../kernel/log.ts';
import { createPreviews, type Previews } from './previews.ts';

const assets: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['page.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
};

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; img-src blob:; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export async function startPreview(folder: string, port: number, config: Config) {
  const log = createLog('silent');
  const previews = await createPreviews(folder, config, log);
  const readers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      if (!response.headersSent) send(response, 500, 'text/plain', error.message);
      else response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, (server.address() as AddressInfo).port);
    if (refusal !== undefined) return send(response, 403, 'text/plain', refusal);
    if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Only GET is allowed.');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const asset = Object.hasOwn(assets, pathname) ? assets[pathname] : undefined;
    if (asset) {
      const [file, type] = asset;
      return send(response, 200, type, await readFile(new URL(file, import.meta.url)));
    }
    if (pathname === '/state') return send(response, 200, 'application/json', JSON.stringify(await previews.state()));
    if (pathname === '/changes') return follow(response);
    if (pathname === '/card') return sendCard(previews, searchParams, response);
    send(response, 404, 'text/plain', 'There is nothing here.');
  }

  /** A line for every change, as server-sent events. */
  function follow(response: ServerResponse): void {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' }).write(': ready\n\n');
    readers.add(response);
    response.once('close', () => readers.delete(response));
  }

  const watcher = watchFolder(
    folder,
    async () => {
      for (const reader of readers) reader.write('data: changed\n\n');
    },
    log,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch(async (error) => {
    watcher.stop();
    await previews.stop();
    throw error;
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      watcher.stop();
      server.close();
      server.closeAllConnections();
      await previews.stop();
    },
  };
}

/** A page on the web can send requests to this machine, also under a name of its own that leads here. */
function refusalOf({ headers: sent }: IncomingMessage, port: number): string | undefined {
  if (sent.host !== `127.0.0.1:${port}` && sent.host !== `localhost:${port}`)
    return `Open http://127.0.0.1:${port}/: another host name is not allowed.`;
  const from = sent['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin' && from !== 'none') return 'Only this page may ask for this.';
  return undefined;
}

async function sendCard(previews: Previews, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const card = await previews.paint({
    name: query.get('template') ?? '',
    shape: query.get('shape') ?? '',
    values: query.get('values') ?? '',
  });
  if (typeof card === 'string') return send(response, 422, 'text/plain', card);
  send(response, 200, 'image/png', card);
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  const text = type.startsWith('image/') ? type : `${type}; charset=utf-8`;
  response.writeHead(status, { ...headers, 'content-type': text }).end(body);
}
