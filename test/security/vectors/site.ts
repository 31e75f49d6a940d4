// The fixture site on the one public address of the namespace, over http (80, 8080) and https (443, 8443).
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { selfSigned } from '../certificate.ts';
import { changeNetwork } from './network.ts';
import { pages, workerScript } from './pages.ts';

export const publicAddress = '93.184.216.34';
export const siteNames = [
  'public.fixture.test',
  'other.fixture.test',
  'rebind.fixture.test',
  'rebind-keepalive.fixture.test',
];

export type Site = {
  /** Every request that arrived: host and path. */
  readonly seen: { host: string; path: string }[];
  /** The certificate, for the browser to trust. */
  readonly certificate: string;
  stop(): void;
};

export async function startSite(proxyPorts: () => number[]): Promise<Site> {
  const seen: Site['seen'] = [];
  const identity = selfSigned('public.fixture.test', ...siteNames.slice(1));

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const host = request.headers.host ?? '';
    const url = new URL(request.url ?? '/', `http://${host}`);
    seen.push({ host, path: url.pathname });
    // So that every request of a rebinding page is a new connection.
    if (host.startsWith('rebind')) response.setHeader('connection', 'close');
    if (url.pathname === '/redirect')
      return response
        .writeHead(Number(url.searchParams.get('code')), { location: url.searchParams.get('to') ?? '' })
        .end();
    if (url.pathname === '/worker.js' || url.pathname === '/worklet.js')
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(workerScript);
    if (url.pathname === '/attachment')
      return response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('bytes');
    if (url.pathname.startsWith('/innocent')) return innocent(url.pathname, response);
    const page = pages[host.startsWith('rebind') && url.pathname === '/' ? '/rebind' : url.pathname];
    if (!page) return response.writeHead(url.pathname === '/seen' || url.pathname === '/again' ? 200 : 404).end('seen');
    if (page.hints) response.writeEarlyHints({ link: page.hints });
    response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...page.headers });
    response.end(page.html.replace('PROXY_PORTS', JSON.stringify(proxyPorts())));
  };

  const secure = createTlsServer(identity, answer);
  const servers = [
    { server: createServer(answer), port: 80 },
    { server: createServer(answer), port: 8080 },
    { server: secure, port: 443 },
  ];
  for (const { server, port } of servers) {
    server.on('upgrade', greet);
    server.listen(port, publicAddress);
    await once(server, 'listening');
  }
  // The browser gives up what is not connected yet when the network changes: here, always the first to come.
  const restless = createTcpServer().listen(8443, publicAddress);
  restless.once('connection', () => {
    changeNetwork();
    restless.on('connection', (socket) => secure.emit('connection', socket));
  });
  await once(restless, 'listening');
  return {
    seen,
    certificate: identity.cert,
    stop() {
      restless.close();
      for (const { server } of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** A WebSocket that sends one text: the colour of the page (RFC 6455). */
function greet(request: IncomingMessage, socket: Duplex): void {
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.on('error', () => {});
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.write(Buffer.from([0x81, 7, ...Buffer.from('#00aa00')]));
}

/** A page that is green only if its style sheet, image and script came, one of them from another public host. */
function innocent(path: string, response: ServerResponse): void {
  if (path === '/innocent.css')
    return void response.writeHead(200, { 'content-type': 'text/css' }).end('body{background:#00aa00}');
  if (path === '/innocent.svg')
    return void response
      .writeHead(200, { 'content-type': 'image/svg+xml' })
      .end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#0000ff"/></svg>',
      );
  const green =
    path === '/innocent-socket'
      ? `<script>new WebSocket(location.origin.replace('http', 'ws')).onmessage = (event) => document.body.style.background = event.data</script>`
      : '<link rel=stylesheet href="//other.fixture.test/innocent.css">';
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<!doctype html><title>innocent</title>${green}<body style="margin:0">
    <img src="/innocent.svg" style="position:absolute;left:0;top:0">`);
}
