// Pages that are too much of something: long, many, deep, loud. Made by a script in the page where the text itself would
// be megabytes. Used by the tests (some of them) and by `npm run chaos` (all of them).

const page = (body: string) => `<!doctype html><title>too much</title><body><h1>A page</h1>${body}`;
const script = (code: string) => page(`<script>${code}</script>`);
const long = (words: string, length: number) => words.repeat(Math.ceil(length / words.length));

/** Addresses that the short list of our own blocks, and that are therefore never asked for. */
const blockedHost = 'https://ad.doubleclick.net';

export const hostilePages = {
  'a title of /Count 1': `<!doctype html><title>${long('/Count 1 ', 540_000)}</title><h1>x</h1>`,
  'a title of /Count 9999999999': `<!doctype html><title>${long('/Count 9999999999', 540_000)}</title><h1>x</h1>`,
  'a title of brackets': `<!doctype html><title>${long('()\\<>', 2_000_000)}</title><h1>x</h1>`,
  'attributes of megabytes': page(`<div data-a="${long('a ', 2e6)}" title="${long('/', 2e6)}"></div>`),
  'two million classes': script("document.body.className = Array.from({ length: 2e6 }, (_, at) => 'c' + at).join(' ')"),
  'a class of megabytes': page(`<p class="${long('x', 3e6)}" id="${long('y', 3e6)}">x</p>`),
  'many ids': script(
    "document.body.innerHTML = Array.from({ length: 1e5 }, (_, at) => '<i id=n' + at + '></i>').join('')",
  ),
  'many metas': script(
    "document.head.innerHTML += '<meta name=description content=\"' + 'm'.repeat(1e6) + '\">' + '<meta name=a content=b>'.repeat(5e4)",
  ),
  'many links': script(
    "document.body.innerHTML = Array.from({ length: 1e5 }, (_, at) => '<a href=\"/x' + at + 'y'.repeat(400) + '\">l</a>').join('')",
  ),
  'a long base': `<!doctype html><base href="/${long('b', 1e6)}/"><h1>x</h1><img src="x.png"><a href="y">y</a>`,
  'dialogs of megabytes': script(
    "for (let i = 0; i < 50; i++) alert('x'.repeat(1e6)); onload = () => confirm('y'.repeat(1e6))",
  ),
  'a loud console': script(
    "for (let i = 0; i < 20; i++) console.log('x'.repeat(2e7)); for (let i = 0; i < 1e4; i++) console.error(i, { i })",
  ),
  'errors of megabytes': script(
    "for (let i = 0; i < 20; i++) setTimeout(() => { throw new Error('x'.repeat(5e6)) }); for (let i = 0; i < 5000; i++) Promise.reject(new Error(i))",
  ),
  'a thousand frames': script(
    "for (let i = 0; i < 1000; i++) document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<p>We use cookies <button>Accept</button>' }))",
  ),
  'frames that come and go': script(
    "setInterval(() => { const f = document.createElement('iframe'); document.body.append(f); f.remove() }, 0)",
  ),
  'closed shadow roots':
    script(`for (let i = 0; i < 20; i++) { const host = document.createElement('x-' + i); document.body.append(host);
    host.attachShadow({ mode: 'closed' }).innerHTML = '<p>We use cookies</p>'.repeat(20000) }`),
  'ten thousand levels': script(
    "let at = document.body; for (let i = 0; i < 10000; i++) at = at.appendChild(document.createElement('div')); at.textContent = 'deep'",
  ),
  'a million elements': script("document.body.innerHTML = '<i></i>'.repeat(1e6)"),
  'one long word': script("document.body.append('w'.repeat(2e6))"),
  'much CSS': script(
    "const s = document.createElement('style'); s.textContent = Array.from({ length: 1e5 }, (_, at) => '.r' + at + '{color:red}').join(''); document.head.append(s)",
  ),
  'many fonts': script(
    "const s = document.createElement('style'); s.textContent = Array.from({ length: 1000 }, (_, at) => '@font-face{font-family:f' + at + ';src:url(/f' + at + ')}').join(''); document.head.append(s); for (let i = 0; i < 1000; i++) { const p = document.createElement('p'); p.style.fontFamily = 'f' + i; p.textContent = 'x'; document.body.append(p) }",
  ),
  'many cookies': script(
    "for (let i = 0; i < 2000; i++) document.cookie = 'c' + i + '=' + 'v'.repeat(4000); fetch('/x')",
  ),
  'data addresses of megabytes': script(
    "for (let i = 0; i < 10; i++) { const g = new Image(); g.src = 'data:image/png;base64,' + 'A'.repeat(8e6); document.body.append(g) }",
  ),
  'requests of megabytes': script("for (let i = 0; i < 100; i++) new Image().src = '/' + i + '/a-b?c=d&'.repeat(2e5)"),
  'a long hash': script("location.hash = 'h'.repeat(1.5e6)"),
  'a busy history': script("setInterval(() => history.pushState(0, '', '/p' + Math.random() + 'p'.repeat(1e5)), 1)"),
  'many workers': script(
    "for (let i = 0; i < 100; i++) new Worker(URL.createObjectURL(new Blob(['setInterval(() => postMessage(1), 1)'])))",
  ),
  'titles without end': script(
    "setInterval(() => { for (let i = 0; i < 1000; i++) document.title = 't'.repeat(1e4) + i }, 1)",
  ),
  'messages without end': script(
    "onmessage = () => postMessage('x'.repeat(1e4), '*'); for (let i = 0; i < 100; i++) postMessage('x', '*')",
  ),
  'blocked requests without end': script(
    `let i = 0; setInterval(() => { for (let j = 0; j < 500; j++) new Image().src = '${blockedHost}/' + i++ }, 1)`,
  ),
  'posts of megabytes': script(
    "for (let i = 0; i < 3; i++) fetch('/sink', { method: 'POST', body: 'x'.repeat(3e7) }).catch(() => {})",
  ),
} as const;

export type HostilePage = keyof typeof hostilePages;
export const hostileNames = Object.keys(hostilePages) as HostilePage[];

/** Each page is asked for in these ways. */
export const hostileWays = {
  png: {},
  pdf: { format: 'pdf' },
  cleaned: { blockAds: 'true', blockCookies: 'true' },
} as const;
