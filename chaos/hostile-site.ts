// Pages that mean harm, and an honest one among them. Every one is served on loopback and is bounded by whoever asks.
import { gzipSync } from 'node:zlib';
import { type Site, startSite } from '../test/harness/site.ts';

const html = (body: string) => `<!doctype html><title>hostile</title>${body}`;

export const honestPage = html('<body style="margin:0;background:#336699"><h1>Honest</h1><p>Some words.</p>');

export const hostilePages = {
  '/endless-loop': html('<script>for(;;);</script>'),
  '/loop-after-load': html('<h1>x</h1><script>onload=()=>setTimeout(()=>{for(;;);},0)</script>'),
  '/memory-bomb': html('<script>const a=[];setInterval(()=>a.push(new Uint8Array(5e7).fill(1)),5)</script>'),
  '/many-resources': html(
    '<script>for(let i=0;i<10000;i++){const g=new Image();g.src="/pixel?"+i;document.body?.append(g)}</script>',
  ),
  '/reload': html('<script>location.reload()</script>'),
  '/alerts': html('<h1>x</h1><script>for(let i=0;i<50;i++)alert(i);onload=()=>confirm("?")</script>'),
  '/debugger': html('<h1>x</h1><script>setInterval(()=>{debugger},1)</script>'),
  '/print': html('<h1>x</h1><script>print();onload=()=>print()</script>'),
  '/popups': html('<h1>x</h1><script>for(let i=0;i<50;i++)open("/popup?"+i)</script>'),
  '/crash': html('<script>location="chrome://crash"</script>'),
} as const;

export const streamedPages = ['/slow-loris', '/gigabyte', '/endless-redirects', '/decompression-bomb'] as const;

export const hostilePaths: readonly string[] = [...Object.keys(hostilePages), ...streamedPages];

export async function startHostileSite(): Promise<Site> {
  const bomb = gzipSync(Buffer.alloc(200_000_000), { level: 9 });
  return startSite({
    '/': honestPage,
    '/pixel': { headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    ...hostilePages,
    '/slow': (_request, response) => void setTimeout(() => response.end(honestPage), 400),
    '/never': () => {},
    '/slow-loris': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const drip = setInterval(() => response.write('.'), 300);
      response.on('close', () => clearInterval(drip));
    },
    '/gigabyte': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const block = Buffer.alloc(1 << 20, 'x');
      const pour = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', pour);
      pour();
    },
    '/endless-redirects': (request, response) => {
      const step = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('n') ?? 0) + 1;
      response.writeHead(302, { location: `/endless-redirects?n=${step}` }).end();
    },
    '/decompression-bomb': { headers: { 'content-encoding': 'gzip' }, body: bomb },
  });
}
