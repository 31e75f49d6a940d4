// Who may act with a login: only documents and workers of its origin. The pages here are those of a foreign frame, such as an
// advert, that tries to make the browser send the login along, and of the origin itself, which has it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Canaries, carried, host, bearerLogin as login, namesOf, openCanaries } from './login-canaries.ts';

let canaries: Canaries;
beforeAll(async () => {
  canaries = await openCanaries();
});
afterAll(() => canaries.close());

const secureHost = '127.0.0.1';
const escaped = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const frame = (url: string, attributes = '') => `<iframe ${attributes} src="${escaped(url)}"></iframe>`;
const later = (script: string) => `<script>setTimeout(() => { ${script} }, 200)</script>`;
const inBlob = (script: string) => `URL.createObjectURL(new Blob([${JSON.stringify(script)}]))`;

/** The address of a page with this HTML. */
const pageThat = (origin: string, html: string, more: Record<string, string> = {}) =>
  `${origin}/go?${new URLSearchParams({ how: html, ...more })}`;

/** The paths that were requested of the origin, and those that had the login. */
async function requested(own: string, url: string, more: object = {}) {
  const { own: received } = await canaries.during(own, () => canaries.capture({ url, delay: 800, ...login, ...more }));
  return { all: namesOf(received), withLogin: namesOf(carried(received)) };
}

/** What a hostile document tries, each with the paths that it requests of `own`. */
const attempts = (own: string): Readonly<Record<string, readonly [html: string, ...paths: string[]]>> => ({
  'files that need no CORS': [
    `<img src="${own}/x-image"><script src="${own}/x-script"></script><link rel=stylesheet href="${own}/x-style"><video src="${own}/x-video" preload=auto></video>
     <link rel=prefetch href="${own}/x-prefetch"><link rel=preload as=image href="${own}/x-preload">`,
    ...['x-image', 'x-script', 'x-style', 'x-video', 'x-prefetch', 'x-preload'],
  ],
  'requests of scripts': [
    `<script>for (const mode of ['cors', 'no-cors']) fetch('${own}/x-' + mode, { mode });
     fetch('${own}/x-silent', { mode: 'no-cors', referrerPolicy: 'no-referrer' });
     fetch('${own}/x-post', { mode: 'no-cors', method: 'POST', body: 'a' }); navigator.sendBeacon('${own}/x-beacon', 'a')</script>`,
    ...['x-cors', 'x-no-cors', 'x-silent', 'x-post', 'x-beacon'],
  ],
  'a form by POST': [
    `<form method=post action="${own}/x-form" target=t></form><iframe name=t></iframe>${later('document.forms[0].submit()')}`,
    'x-form',
  ],
  'a form by GET, without a referrer': [
    `<meta name=referrer content=no-referrer><form action="${own}/x-form" target=t></form><iframe name=t></iframe>${later('document.forms[0].submit()')}`,
    'x-form',
  ],
  'frames of the origin': [
    `${frame(`${own}/x-frame`)}${frame(`${own}/x-silent`, 'referrerpolicy=no-referrer')}<object data="${own}/x-object"></object>`,
    ...['x-frame', 'x-silent', 'x-object'],
  ],
  'frames without an address': [
    `<iframe srcdoc="<img src='${own}/x-srcdoc'>"></iframe><iframe id=blank></iframe><script>document.getElementById('blank').contentDocument.body.innerHTML = '<img src="${own}/x-blank">'</script>`,
    ...['x-srcdoc', 'x-blank'],
  ],
  'redirects to the origin': [
    `<img src="/redirect?to=${own}/x-image">${frame(`/redirect?to=${own}/x-frame`, 'referrerpolicy=no-referrer')}`,
    ...['x-image', 'x-frame'],
  ],
  'a worker': [`<script>new Worker(${inBlob(`fetch('${own}/x-worker', { mode: 'no-cors' })`)})</script>`, 'x-worker'],
  'a worker of a worker': [
    `<script>new Worker(${inBlob(`new Worker(${inBlob(`fetch('${own}/x-nested', { mode: 'no-cors' })`)})`)})</script>`,
    'x-nested',
  ],
  'requests of a document that leaves for the origin': [
    `<script>onpagehide = () => { fetch('${own}/x-leaving', { mode: 'no-cors', keepalive: true }); new Image().src = '${own}/x-hidden' }</script>
     ${later(`location = '${own}/x-left'`)}`,
    ...['x-leaving', 'x-left'],
  ],
  'itself and back through the history': [
    `<meta name=referrer content=no-referrer><script>const n = +sessionStorage.n || 0; sessionStorage.n = n + 1;
     if (n === 0) setTimeout(() => { location = '${own}/x-forth' }, 200)</script>`,
    'x-forth',
  ],
  'a refresh to the origin': [`<meta http-equiv=refresh content="0;url=${own}/x-refresh">`, 'x-refresh'],
  'the whole window': [later(`top.location = '${own}/x-top'`), 'x-top'],
  'the whole window, without a referrer': [
    `<meta name=referrer content=no-referrer>${later(`top.location = '${own}/x-top'`)}`,
    'x-top',
  ],
});

describe.each([
  ['another site', 'login.example.org'],
  ['a sub-domain', 'sub.login.example.com'],
])('a frame of %s', (_what, name) => {
  it.each(Object.keys(attempts('')))('gets no login by %s', async (kind) => {
    const [own] = canaries.origins.of(host);
    const [foreign] = canaries.origins.of(name);
    const [html = '', ...paths] = attempts(own)[kind] ?? [];
    const inside = frame(pageThat(foreign, html));
    const { all, withLogin } = await requested(own, pageThat(own, `${inside}<img src="/own-image">`));
    // A sub-domain may lead the whole window to its site; another site may not, so then nothing is requested.
    if (kind.startsWith('the whole') && name !== 'sub.login.example.com') expect([...all]).toContain('go');
    else expect([...all]).toEqual(expect.arrayContaining(paths));
    expect([...withLogin].filter((path) => path.startsWith('x-'))).toEqual([]);
    expect([...withLogin]).toEqual(expect.arrayContaining(['go', 'own-image']));
  });

  it('gets no login with blocking on', async () => {
    const [own] = canaries.origins.of(host);
    const [html] = attempts(own)['requests of scripts'] ?? [''];
    const url = pageThat(own, frame(pageThat(canaries.origins.of(name)[0], html)));
    const { all, withLogin } = await requested(own, url, { blockAds: true, blockCookies: true });
    expect(all).toContain('x-no-cors');
    expect([...withLogin]).toEqual(['go']);
  });
});

it.each([
  [
    'a sandboxed document without an address',
    (html: string) => `<iframe sandbox="allow-scripts allow-forms" srcdoc="${escaped(html)}"></iframe>`,
  ],
  [
    'a sandboxed document of the origin',
    (html: string, own: string) => frame(pageThat(own, html), 'sandbox="allow-scripts allow-forms"'),
  ],
  ['a document in a data: URL', (html: string) => frame(`data:text/html,${encodeURIComponent(html)}`)],
])('%s gets no login', async (_what, put) => {
  const [own] = canaries.origins.of(host);
  const kinds = [
    'files that need no CORS',
    'requests of scripts',
    'a form by POST',
    'frames of the origin',
    'a worker',
  ];
  const tried = kinds.map((kind) => attempts(own)[kind] ?? ['']);
  const html = tried.map(([part]) => part).join('');
  const { all, withLogin } = await requested(own, pageThat(own, put(html, own)));
  for (const path of ['x-image', 'x-no-cors', 'x-post', 'x-form', 'x-frame', 'x-worker']) expect(all).toContain(path);
  expect([...withLogin].filter((path) => path.startsWith('x-'))).toEqual([]);
});

it('a frame that another site led to the origin through its service worker gets no login', async () => {
  const [own] = canaries.origins.of(secureHost);
  const [foreign] = canaries.origins.of('login.example.org');
  const inside = frame(pageThat(foreign, attempts(own)['frames of the origin']?.[0] ?? ''));
  const html = `<script>navigator.serviceWorker.register('/service.js?to=').then(() => navigator.serviceWorker.ready).then(() => {
    document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(`${inside}<iframe src="/own-controlled"></iframe>`)}) })</script>`;
  const { all, withLogin } = await requested(own, pageThat(own, `<body>${html}`), { delay: 2000 });
  expect([...all]).toEqual(expect.arrayContaining(['x-frame', 'x-silent']));
  expect([...withLogin].filter((path) => path.startsWith('x-'))).toEqual([]);
  expect([...withLogin]).toEqual(expect.arrayContaining(['own-service', 'own-controlled']));
});

it('another site that the window was led to gets no login for what it requests, and none to come back with', async () => {
  const [own] = canaries.origins.of(host);
  const [foreign] = canaries.origins.of('login.example.org');
  const html = `<img src="${own}/x-image"><meta http-equiv=refresh content="1;url=${own}/x-refresh">`;
  const { all, withLogin } = await requested(
    own,
    pageThat(own, `<script>location = ${JSON.stringify(pageThat(foreign, html))}</script>`),
    { delay: 2500 },
  );
  expect([...all]).toEqual(expect.arrayContaining(['go', 'x-image', 'x-refresh']));
  expect([...withLogin]).toEqual(['go']);
});

it('documents of the origin have the login, without addresses of their own or referrers too', async () => {
  const [own] = canaries.origins.of(host);
  const html = `<meta name=referrer content=no-referrer><link rel=preload as=image href="/own-preload">
    <img src="/own-image"><iframe srcdoc="<img src=/own-srcdoc>"></iframe><iframe id=blank></iframe>
    <script>const written = (f, html) => { f.contentDocument.open(); f.contentDocument.write(html); f.contentDocument.close() };
    document.getElementById('blank').contentDocument.body.innerHTML = '<img src="/own-blank">';
    const f = document.body.appendChild(document.createElement('iframe')); written(f, '<img src="/own-written">');
    new Worker(${inBlob(`fetch('${own}/own-worker')`)})</script>
    <iframe src="/own-frame"></iframe><script>if (!sessionStorage.n) { sessionStorage.n = 1; setTimeout(() => location = '/own-second', 600) }</script>`;
  const { withLogin } = await requested(own, pageThat(own, html), { delay: 1500 });
  const names = ['preload', 'image', 'srcdoc', 'blank', 'written', 'worker', 'frame', 'second'];
  expect([...withLogin]).toEqual(expect.arrayContaining(names.map((name) => `own-${name}`)));
});

it('a page of the origin with a long data: URL is captured with its login', async () => {
  const [own] = canaries.origins.of(host);
  const html = `<script>new Image().src = 'data:image/png;base64,' + 'A'.repeat(9_000_000); fetch('/own-fetch')</script>`;
  const { withLogin } = await requested(own, pageThat(own, html));
  expect([...withLogin]).toEqual(expect.arrayContaining(['go', 'own-fetch']));
});
