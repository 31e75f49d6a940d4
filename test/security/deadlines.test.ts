// No request outlives its timeout by more than half a second, whatever the page does. The time is the server's own, from its
// log, so that a client on a busy machine does not matter.
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostilePages } from '../harness/hostile-pages.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { type ServerProcess, startServerProcess, tintype } from '../harness/server-process.ts';
import { type Page, type Site, startSite } from '../harness/site.ts';

const graceMs = 500;
const timeout = 1000;

const script = (code: string, body = '<h1>A page</h1>') => `<!doctype html><body>${body}<script>${code}</script>`;
const pages: Record<string, Page> = {
  'a server that does not answer': () => {},
  'a document that does not end': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<h1>begun');
    const more = setInterval(() => response.write('<p>more'), 20);
    response.on('close', () => clearInterval(more));
  },
  'redirects without end': (_, response) =>
    void setTimeout(
      () => response.writeHead(302, { location: `/redirects%20without%20end?${Math.random()}` }).end(),
      300,
    ),
  'an endless loop': script('for (;;);'),
  'an endless loop that a timer begins': script('setTimeout(() => { for (;;); }, 300)'),
  'an endless loop when it is scrolled': script(
    "addEventListener('scroll', () => { for (;;); })",
    '<div style="height:9000px">x</div>',
  ),
  'an endless loop when it is printed': script(
    "matchMedia('print').onchange = () => { for (;;); }; onbeforeprint = () => { for (;;); }",
  ),
  'an endless loop in a frame': script('', '<iframe srcdoc="<script>for(;;);</script>"></iframe>'),
  'promises without end': script('(function again() { Promise.resolve().then(again) })()'),
  'a page that reloads itself': script('setTimeout(() => location.reload(), 50)'),
  'a dialog without end': script('for (;;) alert(1)'),
  'a layout that takes minutes': script(
    "document.body.innerHTML = '<table>'.repeat(300) + '<i>x</i>'.repeat(3e5); setInterval(() => { document.body.style.zoom = Math.random() + 0.5; document.body.offsetHeight }, 1)",
  ),
  'a canvas that is filled without end': script(
    "const c = document.querySelector('canvas').getContext('2d'); (function draw() { for (let i = 0; i < 3000; i++) { c.filter = 'blur(40px)'; c.fillRect(0, 0, 3000, 3000) } requestAnimationFrame(draw) })()",
    '<canvas width=3000 height=3000></canvas>',
  ),
  'a file of every picture that does not arrive': `<!doctype html>${'<img src="/a%20server%20that%20does%20not%20answer">'.repeat(50)}`,
};
for (const name of [
  'a million elements',
  'ten thousand levels',
  'one long word',
  'much CSS',
  'titles without end',
] as const)
  pages[name] = hostilePages[name];

const ways: Record<string, [path: string, parameters: Record<string, string>]> = {
  viewport: ['/v1/screenshot', {}],
  'full page': ['/v1/screenshot', { fullPage: 'true', format: 'jpg' }],
  PDF: ['/v1/screenshot', { format: 'pdf' }],
  text: ['/v1/content', {}],
};
/** Reading a text waits as a picture does, and scrolls and prints nothing. */
const ofText = ['a server that does not answer', 'an endless loop', 'a million elements', 'ten thousand levels'];

let server: ServerProcess;
let site: Site;
let key: string;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  const limits = JSON.stringify({ business: { rendersPerMinute: 1e6, rendersAtOnce: 64 } });
  [server, site] = await Promise.all([
    startServerProcess({ PLAN_LIMITS: limits }),
    startSite(Object.fromEntries(Object.entries(pages).map(([name, page]) => [`/${encodeURIComponent(name)}`, page]))),
  ]);
  const env = { DATA_DIR: server.dataDir };
  await tintype(['account', 'create', 'a@example.test', '--plan', 'business'], env);
  key = (await tintype(['key', 'create', 'a@example.test'], env)).trim().split('\n').at(-1) ?? '';
});
afterAll(async () => {
  agent.destroy();
  await server?.clean();
  await site?.close();
});

type Logged = { readonly msg: string; readonly path: string; readonly status: number; readonly ms: number };
const logged = (): Logged[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as Logged)
    .filter(({ path }) => path.startsWith('/v1/'));

describe.each(Object.entries(ways))('%s', (way, [path, parameters]) => {
  it.each(way === 'text' ? ofText : Object.keys(pages))('of %s', async (name) => {
    const before = logged().length;
    const query = new URLSearchParams({
      url: `${site.url}/${encodeURIComponent(name)}`,
      timeout: String(timeout),
      fresh: 'true',
      ...parameters,
    });
    const { status } = await rawRequest(server.url, { path: `${path}?${query}`, headers: { 'x-api-key': key } }, agent);
    expect([200, 422, 502, 504]).toContain(status);
    await expect.poll(() => logged().length).toBe(before + 1);
    const { ms } = logged().at(-1) as Logged;
    expect(ms).toBeLessThanOrEqual(timeout + graceMs);
  });
});
