// A target whose behaviour changes while it is captured: good, failing in every way a site fails, and back again.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from './ports.ts';
import { colourPage } from './site.ts';

export type TargetState = 'good' | 'error' | 'blank' | 'wall' | 'hanging' | 'held' | 'refusing';

// As Cloudflare's is, with its marks.
const wallHeaders = { server: 'cloudflare', 'cf-mitigated': 'challenge', 'cf-ray': '0-AAA' };
const wall = `<!doctype html><title>Just a moment...</title><body><div id="challenge-running"><form id="challenge-form">
<h2>Verifying you are human. This may take a few seconds.</h2></form></div>
<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>`;

export type ChangingTarget = Awaited<ReturnType<typeof startChangingTarget>>;

export async function startChangingTarget() {
  let state: TargetState = 'good';
  let colour = 'rgb(0 90 0)';
  let hits = 0;
  let held: (() => void)[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/?')) return void response.writeHead(404).end();
    hits++;
    if (state === 'hanging') return void held.push(() => response.destroy());
    if (state === 'held') return void held.push(() => reply(response));
    reply(response);
  };
  const reply = (response: ServerResponse) => {
    const headers = { 'content-type': 'text/html', ...(state === 'wall' && wallHeaders) };
    response.writeHead(state === 'error' ? 500 : 200, headers);
    if (state === 'blank') response.end('<body></body>');
    else if (state === 'wall') response.end(wall);
    else response.end(colourPage(state === 'error' ? '#900' : colour, state));
  };
  let server: Server | undefined;
  const port = await freePort();
  const listen = async () => {
    const opened = createServer(answer);
    await new Promise<void>((done, failed) => opened.once('error', failed).listen(port, '127.0.0.1', done));
    server = opened;
  };
  const close = async () => {
    const closing = server;
    server = undefined;
    closing?.closeAllConnections();
    if (closing) await new Promise((done) => closing.close(done));
  };
  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    get hits() {
      return hits;
    },
    paint(next: string) {
      colour = next;
    },
    async be(next: TargetState) {
      state = next;
      for (const release of held) release();
      held = [];
      if (next === 'refusing') await close();
      else if (server === undefined) await listen();
    },
    close,
  };
}
