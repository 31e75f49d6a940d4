// A few pages of the world outside, for captures in tests and in the gallery of the dashboard.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const page = (title: string, style: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>*{box-sizing:border-box;margin:0}body{font:16px/1.55 Inter,system-ui,sans-serif;min-height:100vh}${style}</style>${body}</html>`;

const roastery = page(
  'Halden Coffee Roasters',
  `body{background:#f4eee4;color:#2b1d14}header{display:flex;justify-content:space-between;padding:28px 56px;font-weight:600}
   main{display:grid;grid-template-columns:1.1fr .9fr;gap:48px;padding:56px;align-items:center}h1{font:500 68px/1.02 Georgia,serif;letter-spacing:-.03em}
   p{margin:24px 0;font-size:19px;max-width:34ch}a{display:inline-block;background:#2b1d14;color:#f4eee4;padding:14px 26px;border-radius:99px}
   figure{height:460px;border-radius:24px;background:radial-gradient(circle at 50% 44%,#3a2114 0 24%,#6b4226 25% 30%,#e8d9c3 31% 44%,#c8a67e 45%)}`,
  '<header><span>Halden</span><span>Beans &nbsp; Brewing &nbsp; Visit</span></header><main><div><h1>Coffee roasted on Tuesdays</h1><p>Small batches from six farms, in your letterbox by Thursday.</p><a>Choose a bag</a></div><figure></figure></main>',
);

const handbook = page(
  'Release checklist · Handbook',
  `body{display:grid;grid-template-columns:260px 1fr;background:#fff;color:#1d2430}nav{background:#f6f7f9;padding:32px;border-right:1px solid #e5e8ec;color:#566173;line-height:2.2}
   nav b{color:#1d2430}article{padding:56px 72px;max-width:860px}h1{font-size:40px;letter-spacing:-.02em;margin-bottom:20px}p{margin:16px 0;color:#3b4656}
   pre{background:#10151d;color:#cfe3ff;padding:22px;border-radius:10px;margin:24px 0}li{margin:10px 0}`,
  '<nav><b>Handbook</b><br>Start here<br><b>Release checklist</b><br>On call<br>Writing</nav><article><h1>Release checklist</h1><p>Every Thursday, one person, one hour. If a step fails, stop and say so.</p><ol><li>Read the changes since the last tag</li><li>Run the long tests</li><li>Tag, and wait for the green mark</li></ol><pre>git tag -a v2.4.0 -m "Quiet fonts"\ngit push --follow-tags</pre><p>Then tell the others, and have lunch.</p></article>',
);

const status = page(
  'All systems normal',
  `body{background:#0d1117;color:#e6edf3;display:grid;place-items:center}main{width:720px}h1{font-size:34px;margin-bottom:28px}
   div{display:flex;justify-content:space-between;padding:20px 0;border-top:1px solid #222b36}i{width:10px;height:26px;background:#2ea043;display:inline-block;margin-left:4px;border-radius:2px}`,
  `<main><h1>All systems normal</h1>${['API', 'Rendering', 'Dashboard', 'Storage'].map((name) => `<div><span>${name}</span><span>${'<i></i>'.repeat(30)}</span></div>`).join('')}</main>`,
);

const documents: Readonly<Record<string, string>> = { '/': roastery, '/handbook': handbook, '/status': status };

export type Site = { readonly port: number; close(): Promise<void> };

export async function openSite(): Promise<Site> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    // Never answers: for renders that are stopped.
    if (path === '/slow') return;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.statusCode = path in documents ? 200 : 404;
    response.end(documents[path] ?? page('Not found', '', '<h1>Not found</h1>'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
