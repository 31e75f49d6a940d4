// The pages of the fixture site: each tries one way to reach what is not public, at every canary. The paths of the
// shared list (ssrf-urls.json, layer "egress") come first, then ways that the list does not name.
import { privateAddresses } from './canaries.ts';

export type Page = {
  readonly html: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as 103 Early Hints before the answer. */
  readonly hints?: string[];
  /** Only a secure context has the interface: captured over https. */
  readonly secure?: true;
};

const hosts = privateAddresses.map((address) => (address.includes(':') ? `[${address}]` : address));
const plain = hosts.flatMap((host) => [`http://${host}/`, `http://${host}:8080/`]);
const both = [
  ...plain,
  ...hosts.map((host) => `https://${host}/`),
  'http://spoofed.fixture.test/',
  'http://localhost/',
];
const metadata = 'http://169.254.169.254/latest/meta-data/';

const body = (content: string): Page => ({
  html: `<!doctype html><title>vector</title><body><h1>vector</h1>${content}`,
});
const each = (urls: string[], make: (url: string) => string): Page => body(urls.map(make).join('\n'));
/** `url` runs over every canary; a throw in one must not spare the others. */
const script = (code: string, urls = both): Page =>
  body(`<script>for (const url of ${JSON.stringify(urls)}) { try { ${code} } catch {} }</script>`);
const secure = (page: Page): Page => ({ ...page, secure: true });

export const pages: Readonly<Record<string, Page>> = {
  '/js-location': body(`<script>location = ${JSON.stringify(metadata)}</script>`),
  '/iframe': each(both, (url) => `<iframe src="${url}"></iframe>`),
  '/iframe-unc': body('<iframe src="\\\\localhost/etc/passwd"></iframe><iframe src="\\\\10.0.0.1/c$"></iframe>'),
  '/img': each(both, (url) => `<img src="${url}x.png" srcset="${url}y.png 2x"><input type=image src="${url}z.png">`),
  '/css-url': body(
    `<style>${both.map((url, i) => `@import url(${url}i.css);@font-face{font-family:f${i};src:url(${url}f.woff2)}`).join('')}
     ${both.map((url, i) => `.c${i}{background:url(${url}b.png);font-family:f${i};cursor:url(${url}c.cur),auto;list-style-image:url(${url}l.png)}`).join('')}</style>
     ${both.map((_, i) => `<li class=c${i}>text`).join('')}`,
  ),
  '/fetch': script(`for (const method of ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'])
    fetch(url, { method, mode: /GET|POST|HEAD/.test(method) ? 'no-cors' : 'cors', keepalive: true }).catch(() => {});
    const x = new XMLHttpRequest(); x.open('GET', url); x.send();`),
  '/beacon': script('navigator.sendBeacon(url, "data")'),
  '/eventsource': script('new EventSource(url)'),
  '/shared-worker': body('<script>new SharedWorker("/worker.js"); new Worker("/worker.js")</script>'),
  '/worklet': secure(
    body(`<script>for (const url of ${JSON.stringify(both)}) {
      CSS.paintWorklet?.addModule(url).catch(() => {});
      new OfflineAudioContext(1, 1, 44100).audioWorklet?.addModule(url).catch(() => {});
    }
    CSS.paintWorklet?.addModule('/worklet.js').catch(() => {});</script>`),
  ),
  '/webtransport': secure(
    script(
      'const t = new WebTransport(url); t.ready.catch(() => {}); t.closed.catch(() => {});',
      hosts.map((host) => `https://${host}:443/`),
    ),
  ),
  '/prefetch': each(both, (url) =>
    [
      'prefetch',
      'preconnect',
      'dns-prefetch',
      'modulepreload',
      'preload',
      'prerender',
      'icon',
      'manifest',
      'stylesheet',
    ]
      .map((rel) => `<link rel="${rel}" href="${url}" as="script" crossorigin>`)
      .join(''),
  ),
  '/early-hints': {
    ...body('early hints'),
    hints: plain.flatMap((url) => [`<${url}h.css>; rel=preload; as=style`, `<${url}>; rel=preconnect`]),
    headers: { link: plain.map((url) => `<${url}l.css>; rel=preload; as=style`).join(', ') },
  },
  '/media': each(
    both,
    (url) =>
      `<video src="${url}v.mp4" poster="${url}p.png" preload=auto autoplay muted><track default src="${url}t.vtt"></video><audio src="${url}a.mp3" preload=auto></audio>`,
  ),
  '/form': body(
    '<form method=post action="http://127.0.0.1/"><input name=a value=b></form><script>document.forms[0].submit()</script>',
  ),
  '/ping': {
    ...each(both, (url) => `<a ping="${url}" href="#x">a</a>`),
    html: `${each(both, (url) => `<a ping="${url}" href="#x">a</a>`).html}<img src="data:image/png,x"><script>for (const a of document.links) a.click()</script>`,
    headers: {
      'content-security-policy': `img-src 'none'; report-uri ${plain.join(' ')}`,
      'reporting-endpoints': `default="${plain[0]}"`,
      nel: '{"report_to":"default","max_age":86400,"success_fraction":1}',
    },
  },
  '/pdf-embed': { html: '%PDF-1.4\n%EOF', headers: { 'content-type': 'application/pdf' } },
  // The site puts the ports of our own proxies in place of the word.
  '/proxy-self': body(`<script>for (const port of PROXY_PORTS) {
    fetch('http://127.0.0.1:' + port + '/', { mode: 'no-cors' }).catch(() => {});
    new WebSocket('ws://localhost:' + port + '/');
  }</script>`),
  '/host-mismatch': body(
    `<script>fetch('/seen', { headers: { Host: '169.254.169.254', 'X-Forwarded-Host': '10.0.0.1' } })</script>`,
  ),
  '/rebind': body(
    `<script>setInterval(() => { fetch('/again'); new WebSocket('ws://' + location.host + '/') }, 1100)</script>`,
  ),
  '/custom-css': body('<script>document.title = "customCSS"</script>'),
  '/custom-js': body('customJS'),
  '/pdf-template': body('headerTemplate, footerTemplate'),

  '/meta-refresh': body(`<meta http-equiv=refresh content="0;url=${metadata}">`),
  '/js-replace-later': body(`<script>setTimeout(() => location.replace('http://10.0.0.1/'), 200)</script>`),
  '/websocket': script('new WebSocket(url.replace(/^http/, "ws"))'),
  '/webrtc': body(`<script>
    const hosts = ${JSON.stringify(hosts)};
    const urls = hosts.flatMap((host) => ['stun:' + host + ':3478', 'stun:' + host + ':19302']);
    const turn = hosts.flatMap((host) => ['turn:' + host + ':3478?transport=udp', 'turn:' + host + ':8080?transport=tcp', 'turns:' + host + ':443?transport=tcp']);
    for (const servers of [[{ urls: urls.slice(0, 8) }], [{ urls: urls.slice(8) }], ...turn.map((url) => [{ urls: url, username: 'u', credential: 'c' }])]) {
      const peer = new RTCPeerConnection({ iceServers: servers });
      peer.createDataChannel('x');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    }
    // A candidate of the page's own making: connectivity checks go where it says.
    const a = new RTCPeerConnection(); a.createDataChannel('y');
    const b = new RTCPeerConnection();
    (async () => {
      await a.setLocalDescription(await a.createOffer());
      await b.setRemoteDescription(a.localDescription);
      await b.setLocalDescription(await b.createAnswer());
      await a.setRemoteDescription(b.localDescription);
      for (const host of hosts) for (const [type, port] of [['udp', 3478], ['tcp', 8080]])
        a.addIceCandidate({ sdpMid: '0', candidate: 'candidate:1 1 ' + type + ' 2122260223 ' + host.replace(/[\\[\\]]/g, '') + ' ' + port + ' typ host' + (type === 'tcp' ? ' tcptype passive' : '') }).catch(() => {});
    })();
  </script>`),
  '/blob-worker': script(
    `const code = 'fetch(' + JSON.stringify(url) + ', { mode: "no-cors" }).catch(() => {}); try { importScripts(' + JSON.stringify(url) + ') } catch {}';
     new Worker(URL.createObjectURL(new Blob([code])))`,
  ),
  '/service-worker': secure(
    body(
      '<script>navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => fetch("/seen"))</script>',
    ),
  ),
  '/popup': body(`<a id=a target=_blank href="http://10.0.0.1/">a</a><script>
    for (const url of ${JSON.stringify(both)}) { open(url); open(url, 'w', 'noopener') }
    document.getElementById('a').click();
    document.body.insertAdjacentHTML('beforeend', '<form id=f target=_blank action="http://192.168.1.1/">'); document.getElementById('f').submit();
  </script>`),
  '/download': body(
    `${each(both, (url) => `<a download href="${url}file.bin">d</a>`).html}<iframe src="/attachment"></iframe>
     <script>for (const a of document.links) a.click()</script>`,
  ),
  '/object': each(
    both,
    (url) =>
      `<object data="${url}"></object><embed src="${url}"><svg><image href="${url}i.png"/><use href="${url}u.svg#a"/></svg>`,
  ),
  '/frameset': { html: `<!doctype html><frameset>${both.map((url) => `<frame src="${url}">`).join('')}</frameset>` },
  '/nested': each(
    plain,
    (url) =>
      `<iframe srcdoc='<iframe src="${url}"></iframe><img src="${url}">'></iframe><iframe src="data:text/html,<img src=${url}>"></iframe>`,
  ),
  '/sub-redirect': each(both, (url) => {
    const to = `/redirect?code=302&to=${encodeURIComponent(url)}`;
    return `<img src="${to}"><iframe src="${to}"></iframe><script src="${to}"></script><link rel=stylesheet href="${to}">`;
  }),
  '/module': body(`<script type=importmap>{"imports":{"x":"http://10.0.0.1/x.js"}}</script><script type=module>
    import('x').catch(() => {}); for (const url of ${JSON.stringify(both)}) import(url).catch(() => {})</script>`),
  '/speculation': body(
    `<script type=speculationrules>${JSON.stringify({
      prefetch: [{ source: 'list', urls: both, eagerness: 'immediate' }],
      prerender: [{ source: 'list', urls: both, eagerness: 'immediate' }],
    })}</script>`,
  ),
  '/file': body(`<iframe src="file:///etc/passwd"></iframe><img src="file:///etc/passwd"><script>
    for (const url of ['file:///etc/passwd', 'view-source:file:///etc/passwd', 'chrome://version', 'ftp://10.0.0.1/', 'filesystem:http://127.0.0.1/'])
      { fetch(url).catch(() => {}); try { open(url) } catch {} try { location = url } catch {} }</script>`),
  '/spellings': script(
    'fetch(url, { mode: "no-cors" }).catch(() => {}); new Image().src = url; new WebSocket(url.replace("http", "ws"))',
    [
      ...[
        '2130706433',
        '0x7f000001',
        '0x7f.1',
        '0177.0.0.1',
        '017700000001',
        '127.1',
        '127.0.1',
        '0',
        '0.0.0.0',
        '127.0.0.1.',
      ],
      ...[
        'localhost',
        'LOCALHOST',
        'localhost.',
        'app.localhost',
        'ip6-localhost',
        '①②⑦.⓪.⓪.①',
        '127。0。0。1',
        '%31%32%37.0.0.1',
      ],
      ...[
        '[::]',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::127.0.0.1]',
        '[0:0:0:0:0:0:0:1]',
        '[64:ff9b::7f00:1]',
      ],
      ...[
        '[::ffff:169.254.169.254]',
        '2852039166',
        '0xa9fea9fe',
        '167772161',
        '[fd00:0::1]',
        'metadata.google.internal',
      ],
    ].map((host) => `http://${host}/`),
  ),
  '/cookies-and-auth': script(
    'const u = new URL(url); u.username = "a"; u.password = "b"; new Image().src = u; fetch(url, { credentials: "include", mode: "no-cors" }).catch(() => {})',
  ),
};

/** What the caller may put into the page, used for the same end. */
export const parameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/custom-js': {
    customJS: `for (const url of ${JSON.stringify(both)}) fetch(url, { mode: 'no-cors' }).catch(() => {})`,
  },
  '/pdf-template': {
    format: 'pdf',
    headerTemplate: both.map((url) => `<img src="${url}h.png">`).join(''),
    footerTemplate: both
      .map((url) => `<iframe src="${url}"></iframe><div style="background:url(${url})">x</div>`)
      .join(''),
  },
};

/** For every kind of worker: reaches out when it starts, and when it is asked. */
export const workerScript = `
const reach = () => { for (const url of ${JSON.stringify(both)}) {
  fetch(url, { mode: 'no-cors' }).catch(() => {});
  try { new WebSocket(url.replace(/^http/, 'ws')) } catch {}
  try { const x = new XMLHttpRequest(); x.open('GET', url); x.send() } catch {}
} };
reach();
addEventListener('fetch', (event) => { reach(); event.respondWith(fetch('http://10.0.0.1/', { mode: 'no-cors' }).catch(() => new Response('x'))) });
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
`;
