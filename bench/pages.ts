// The pages that are captured, served on loopback by a process of their own: the ordinary ones, a small one, a heavy one (some
// 700 nodes, two web fonts, 40 pictures, a script), and one behind a slow network.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { analyticsScript, ordinaryPages } from './ordinary.ts';

export type Pages = { readonly url: string; close(): void };

/** Starts the process, and gives back where it listens. */
export async function startPages(): Promise<Pages> {
  const child = fork(import.meta.filename, ['serve'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)));
    child.once('exit', () => reject(new Error('the pages could not be served')));
  });
  return { url, close: () => void child.kill() };
}

if (process.argv[1] === import.meta.filename && process.argv[2] === 'serve') await serve();

async function serve(): Promise<void> {
  const fonts = ['inter', 'source-serif-4'].map((name) =>
    readFileSync(
      join(import.meta.dirname, `../node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`),
    ),
  );
  const pictures = await Promise.all(Array.from({ length: 40 }, (_, i) => picture(i)));
  const routes: Record<string, (response: ServerResponse, query: URLSearchParams) => void> = {
    '/small': (response) => send(response, 'text/html', small),
    '/heavy': (response) => send(response, 'text/html', heavy),
    '/heavy.css': (response) => send(response, 'text/css', heavyStyle),
    '/heavy.js': (response) => send(response, 'text/javascript', heavyScript),
    // The same page at once, and with a document and files that take as long as from another continent.
    '/near': (response, query) => send(response, 'text/html', fromAfar(0, Number(query.get('n')))),
    '/far': (response, query) => {
      const n = Number(query.get('n'));
      setTimeout(() => send(response, 'text/html', fromAfar(300, n)), 800 + ((n * 97) % 700));
    },
    '/after': (response, query) => {
      const bytes = pictures[Number(query.get('n')) % pictures.length] ?? '';
      setTimeout(() => send(response, 'image/jpeg', bytes), Number(query.get('ms')));
    },
    '/data': (response) => send(response, 'application/json', '{"title":"Fetched"}'),
    '/analytics.js': (response) => send(response, 'text/javascript', analyticsScript),
    '/collect': (response) => void response.writeHead(204).end(),
    '/font': (response, query) => send(response, 'font/woff2', fonts[Number(query.get('n'))] ?? ''),
    '/picture': (response, query) => send(response, 'image/jpeg', pictures[Number(query.get('n'))] ?? ''),
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const ordinary = /^\/ordinary\/([\w-]+)$/.exec(pathname)?.[1];
    const html = ordinary === undefined ? undefined : ordinaryPages[ordinary]?.html({ other });
    if (html !== undefined) return send(response, 'text/html', html);
    const library = /^\/library\/([\w./-]+)$/.exec(pathname)?.[1];
    if (library !== undefined && !library.includes('..')) return sendLibrary(response, library);
    const route = routes[pathname];
    if (route === undefined) return void response.writeHead(404).end();
    route(response, searchParams);
  };
  // Another site is at another address: a page in a frame of its own process, a script of a third party.
  const other = await listen(answer, '127.0.0.2');
  process.send?.(await listen(answer, '127.0.0.1'));
  process.on('disconnect', () => process.exit());
}

function listen(answer: RequestListener, host: string): Promise<string> {
  const server = createServer(answer);
  return new Promise((resolve) =>
    server.listen(0, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}`)),
  );
}

/** The libraries that ordinary pages use are packages of this project. */
function sendLibrary(response: ServerResponse, path: string): void {
  const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
  send(response, type, readFileSync(join(import.meta.dirname, '../node_modules', path)));
}

const send = (response: ServerResponse, type: string, body: string | Buffer) =>
  void response
    .writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' })
    .end(body);

/** Something like a photograph: smooth forms with noise on them. */
function picture(i: number): Promise<Buffer> {
  const hue = (i * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420"><defs><linearGradient id="g" x2="1" y2="1">
    <stop stop-color="hsl(${hue} 70% 70%)"/><stop offset="1" stop-color="hsl(${hue + 80} 60% 30%)"/></linearGradient>
    <filter id="n"><feTurbulence baseFrequency="0.7" numOctaves="2" seed="${i}"/><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 .25 0"/></filter></defs>
    <rect width="640" height="420" fill="url(#g)"/><circle cx="${80 + i * 12}" cy="150" r="90" fill="hsl(${hue + 160} 70% 60%)"/>
    <rect width="640" height="420" filter="url(#n)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
}

const words =
  'The quick brown fox jumps over the lazy dog while seven zealous wizards quietly mix a jar of pale honey. '.repeat(2);

const small = `<!doctype html><html lang="en"><title>Small</title><style>body{font:16px/1.5 sans-serif;margin:40px;max-width:720px}</style>
<h1>A small page</h1><p>${words}<p>${words}<ul><li>One<li>Two<li>Three</ul><a href="#">A link</a></html>`;

const heavyStyle = `
@font-face{font-family:Inter;src:url(/font?n=0) format("woff2");font-weight:100 900}
@font-face{font-family:Serif;src:url(/font?n=1) format("woff2");font-weight:200 900}
*{box-sizing:border-box}body{font:15px/1.5 Inter;margin:0;background:linear-gradient(#fff,#eef)}
header{display:flex;gap:24px;padding:20px 40px;background:#123;color:#fff;box-shadow:0 2px 12px #0005}
h1,h2{font-family:Serif;font-weight:650}main{display:grid;grid-template-columns:repeat(4,1fr);gap:24px;padding:40px}
article{background:#fff;border-radius:14px;overflow:hidden;box-shadow:0 6px 24px #1233}
article img{width:100%;height:180px;object-fit:cover;display:block}article>div{padding:16px}
.tags{display:flex;gap:6px;flex-wrap:wrap}.tags span{background:#dde8ff;border-radius:99px;padding:2px 10px;font-size:12px}
button{border:0;border-radius:8px;background:linear-gradient(90deg,#36f,#93f);color:#fff;padding:8px 14px;font:inherit}`;

const heavyScript = `for (const [i, article] of document.querySelectorAll('article').entries()) {
  const time = document.createElement('time');
  time.textContent = 'No. ' + (i + 1);
  article.querySelector('div').append(time);
}`;

const card = (
  i: number,
) => `<article><img src="/picture?n=${i}" alt="" ${i >= 24 ? 'loading="lazy"' : ''}><div><h2>Story ${i}</h2>
<p>${words.slice(0, 120)}</p><p><b>Bold</b> and <i>italic</i> and <a href="#">a link</a></p>
<p class="tags"><span>one</span><span>two</span><span>three</span><span>four</span></p><button>Read on</button></div></article>`;

const heavy = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Heavy</title><link rel="stylesheet" href="/heavy.css">
<script src="/heavy.js" defer></script></head><body><header><b>Heavy</b><a>One</a><a>Two</a><a>Three</a></header>
<main>${Array.from({ length: 40 }, (_, i) => card(i)).join('')}</main></body></html>`;

const fromAfar = (ms: number, n: number) => `<!doctype html><html lang="en"><title>From afar</title>
<style>body{font:16px/1.5 sans-serif;margin:40px}img{width:200px;height:130px}</style><h1>Page ${n}</h1><p>${words}
${[0, 1, 2, 3].map((i) => `<img src="/after?n=${n + i}&ms=${ms}" alt="">`).join('')}
<script>document.querySelector('h1').addEventListener('click', () => {})</script></html>`;
