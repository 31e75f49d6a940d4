// Servers on loopback that answer for every name and keep all that they receive: the origin that a login is for, and others.
// Their pages make every kind of request that a page can make, to their own origin, to others, and by redirects.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** All that a server received of one request: the request line, the headers and the body. */
export type Received = { readonly origin: string; readonly path: string; readonly text: string };

export type Origins = {
  /** The origins of one host name or address: on the first server and on the second. */
  of(host: string): readonly [string, string];
  readonly received: Received[];
  close(): Promise<void>;
};

export async function startOrigins(): Promise<Origins> {
  const received: Received[] = [];
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    const note = (request: IncomingMessage): { text: string; origin: string; path: string } => {
      const origin = `http://${request.headers.host}`;
      const entry = {
        origin,
        path: request.url ?? '',
        text: `${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n`,
      };
      received.push(entry);
      return entry;
    };
    server.on('request', (request, response) => {
      const entry = note(request);
      request.on('data', (chunk: Buffer) => {
        entry.text += chunk.toString('latin1');
      });
      request.on('end', () => answer(new URL(request.url ?? '/', entry.origin), response, request));
    });
    server.on('upgrade', (request, socket) => {
      note(request);
      socket.destroy();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ports.push((server.address() as AddressInfo).port);
  }
  return {
    of: (host) => [`http://${host}:${ports[0]}`, `http://${host}:${ports[1]}`],
    received,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'cache-control': 'no-store' };

type Answer = { status?: number; type?: string; headers?: Record<string, string>; body?: string };

function answer(url: URL, response: ServerResponse, request: IncomingMessage): void {
  const { status = 200, type = 'text/html', headers = {}, body = '' } = pageAt(url, request);
  response.writeHead(status, { 'content-type': type, ...open, ...headers }).end(body);
}

function pageAt(url: URL, { headers }: IncomingMessage): Answer {
  const to = url.searchParams.get('to') ?? '';
  const others = to.split(',');
  const status = Number(url.searchParams.get('status') ?? 302);
  const script = (body: string): Answer => ({ type: 'text/javascript', body });
  if (url.pathname.startsWith('/redirect')) return { status, headers: { location: to } };
  if (url.pathname.endsWith('.js') && url.pathname.startsWith('/own-')) return script('self.loaded = 1');
  switch (url.pathname) {
    case '/everything':
      return { body: everything(url.origin, others) };
    case '/frame':
      return { body: `<iframe src="${to}/nested"></iframe>${images(to, url.origin)}` };
    case '/go':
      return { body: (url.searchParams.get('how') ?? '').replaceAll('TO', to) };
    case '/worker.js':
      return script(requestsOfWorker(url.origin, others, 'worker'));
    case '/shared.js':
      return script(requestsOfWorker(url.origin, others, 'shared'));
    case '/service.js':
      return script(serviceWorker(others));
    case '/headers':
      return { body: `<title>${JSON.stringify(headers).replaceAll('<', '')}</title>` };
    default:
      return { body: '<title>page</title>x' };
  }
}

const redirected = (own: string, name: string, to: string) =>
  `${own}/redirect-${name}?to=${encodeURIComponent(`${to}/redirected-${name}`)}`;

const images = (own: string, other: string) =>
  `<img src="${own}/frame-image"><img src="${redirected(own, 'frame-image', other)}">`;

/** A page that makes every kind of request to its own origin, to the others, and to the others by a redirect of its own. */
const everything = (
  own: string,
  others: readonly string[],
): string => `<!doctype html><title>everything</title><body><script>
const own = ${JSON.stringify(own)}, others = ${JSON.stringify(others)};
const via = (name, to) => own + '/redirect-' + name + '?to=' + encodeURIComponent(to + '/redirected-' + name);
const add = (tag, attributes) => document.body.appendChild(Object.assign(document.createElement(tag), attributes));
const link = (rel, href, as) => { const e = document.createElement('link'); e.rel = rel; if (as) e.as = as; e.href = href; document.head.append(e) };
const ways = {
  image: (url) => add('img', { src: url }),
  script: (url) => add('script', { src: url + '#.js' }),
  module: (url) => add('script', { type: 'module', src: url }),
  style: (url) => link('stylesheet', url),
  icon: (url) => link('icon', url),
  prefetch: (url) => link('prefetch', url),
  preload: (url) => link('preload', url, 'image'),
  modulepreload: (url) => link('modulepreload', url),
  manifest: (url) => link('manifest', url),
  frame: (url) => add('iframe', { src: url }),
  sandboxed: (url) => { const e = document.createElement('iframe'); e.sandbox = 'allow-scripts'; e.src = url; document.body.append(e) },
  object: (url) => add('object', { data: url }),
  embed: (url) => add('embed', { src: url }),
  video: (url) => add('video', { src: url, preload: 'auto' }),
  audio: (url) => add('audio', { src: url, preload: 'auto' }),
  font: (url) => new FontFace('x', 'url(' + url + ')').load(),
  fetch: (url) => fetch(url),
  credentials: (url) => fetch(url, { credentials: 'include' }),
  nocors: (url) => fetch(url, { mode: 'no-cors' }),
  preflight: (url) => fetch(url, { method: 'PUT', headers: { 'x-own': '1' }, body: 'b' }),
  keepalive: (url) => fetch(url, { keepalive: true, method: 'POST', body: 'b' }),
  xhr: (url) => { const x = new XMLHttpRequest(); x.open('POST', url); x.send('b') },
  beacon: (url) => navigator.sendBeacon(url, 'b'),
  events: (url) => new EventSource(url),
  socket: (url) => new WebSocket(url.replace('http', 'ws')),
  css: (url) => add('p', { style: 'background:url(' + url + ')' }),
  form: (url) => { const f = add('iframe', { name: 'f' + Math.random() }); const e = add('form', { action: url, method: 'post', target: f.name }); e.submit() },
};
for (const [name, request] of Object.entries(ways)) {
  const attempt = (url) => { try { Promise.resolve(request(url)).catch(() => {}) } catch {} };
  attempt(own + '/own-' + name);
  for (const other of others) { attempt(other + '/direct-' + name); attempt(via(name, other)) }
}
const list = encodeURIComponent(others.join());
try { new Worker('/worker.js?to=' + list) } catch {}
try { new SharedWorker('/shared.js?to=' + list) } catch {}
add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ source: 'list', urls: ['/own-speculation', ...others.map((o) => via('speculation', o)), ...others.map((o) => o + '/direct-speculation')] }] }) });
for (const other of others) add('iframe', { src: other + '/frame?to=' + encodeURIComponent(own) });
navigator.serviceWorker?.register('/service.js?to=' + list).then(() => navigator.serviceWorker.ready).then(() => {
  add('iframe', { src: '/controlled' });
  for (const other of others) { add('iframe', { src: via('service', other) }); add('img', { src: via('serviceimage', other) }) }
});
</script>`;

const requestsOfWorker = (own: string, others: readonly string[], kind: string): string => `
fetch('${own}/own-${kind}');
${others.map((other) => `fetch('${other}/direct-${kind}').catch(() => {}); fetch('${redirected(own, kind, other)}').catch(() => {});`).join('\n')}
try { importScripts('${own}/own-${kind}-script.js') } catch {}
`;

const serviceWorker = (others: readonly string[]): string => `
oninstall = () => skipWaiting();
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => event.respondWith(fetch(event.request));
fetch('/own-service');
${others.map((other) => `fetch('${other}/direct-service').catch(() => {});`).join('\n')}
`;
