import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../src/capture/browser.ts';
import { effectiveRequest } from '../../src/capture/capture-request.ts';
import { createMarkdownConverter } from '../../src/capture/markdown/converter.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { picture, renderPage } from '../../src/capture/stages.ts';
import { createTab } from '../../src/capture/tab.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import type { Problem } from '../../src/kernel/errors.ts';
import { createLog } from '../../src/kernel/log.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { soleTurn, type Turn } from '../../src/kernel/turn.ts';
import { type CaptureHarness, findPlace, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
afterEach(() => harness.close());

// Minutes of the processor time of the thread that puts the frames of all pages together, in one frame.
const wider = '<feMorphology operator="dilate" radius="200"/>';
const slowFilters = `<svg width="0" height="0"><filter id="slow">${(wider + wider.replace('dilate', 'erode')).repeat(200)}</filter></svg>
  <div style="position: fixed; inset: 0; will-change: filter; filter: url(#slow); background: red"></div>`;
/** The same of the threads that calculate what WebGL draws. */
const slowShader = `<canvas width="1200" height="800"></canvas><script>
  const gl = document.querySelector('canvas').getContext('webgl');
  const program = gl.createProgram();
  const add = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  add(gl.VERTEX_SHADER, 'attribute vec2 at; void main() { gl_Position = vec4(at, 0, 1); }');
  add(gl.FRAGMENT_SHADER, \`precision highp float;
    void main() {
      float sum = 0.0;
      for (int i = 0; i < 20000000; i++) sum += sin(sum + gl_FragCoord.x);
      gl_FragColor = vec4(fract(sum), 0, 0, 1);
    }\`);
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
</script>`;

const green = '<title>Green</title><body style="margin:0;background:#00aa00">x';
/** It waits for an element that never comes: on a busy machine too, the page has the time to do its worst. */
const untilStopped = { waitForSelector: '#never', timeout: 60_000 };
/** For pages that may use up five seconds of processor time twice, however long those take on a busy machine. */
const patient = () => new Deadline(280_000);
const outcomeOf = ({ status, code }: Problem) => `${status} ${code}`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    if (await what()) return;
    await pause(20);
  }
  throw new Error('It did not come to that.');
}

/** This harness's browsers, by the profile in their command line, and everything in their process groups. */
function processes(kind = ''): { pid: number; group: number; args: string }[] {
  const all = execFileSync('ps', ['-eo', 'pid=,pgid=,args='], { maxBuffer: 1e8 })
    .toString()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, group, args = '']) => ({ pid: Number(pid), group: Number(group), args }));
  const groups = new Set(
    all.filter(({ args }) => args.includes(`--user-data-dir=${harness.folder}`)).map(({ group }) => group),
  );
  return all.filter(({ group, args }) => groups.has(group) && args.includes(kind));
}
/** The spare browser comes after ten renders. */
async function withSpare(): Promise<void> {
  for (let i = 0; i < 10; i++) await harness.capture(harness.site.page(green));
  await until(() => browsers().length === 2);
}

/** A render of this account, alone on the machine. */
const of = (account: string): Turn => ({ ...soleTurn, account });

const browsers = () => processes().filter(({ args }) => !args.includes('--type='));
const kill = (pids: { pid: number }[], signal: NodeJS.Signals = 'SIGKILL') => {
  if (pids.length === 0) throw new Error('There is nothing to kill.');
  for (const { pid } of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      // One of them may have ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
};

describe('the browser', () => {
  it('runs in its sandbox, not as root', async () => {
    harness = await openCaptureHarness();
    const health = harness.capturer.health();
    expect(health).toMatchObject({ ready: true, sandbox: true });
    expect(health.browser).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    for (const { pid, args } of browsers()) {
      expect(args).not.toContain('--no-sandbox');
      expect(readFileSync(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\b/m);
    }
  });

  it('has a lower priority than the server: its process and, where the kernel supports it, its session', async () => {
    harness = await openCaptureHarness();
    await harness.capture(harness.site.page(green));
    const own = browsers().filter(({ pid, group }) => pid === group);
    expect(own.length).toBeGreaterThan(0);
    for (const { pid } of own) {
      expect(getPriority(pid)).toBe(10);
      const session = `/proc/${pid}/autogroup`;
      if (existsSync(session)) expect(readFileSync(session, 'utf8')).toMatch(/ nice 10$/m);
    }
  });

  it('leaves no files and no processes after a stop', async () => {
    harness = await openCaptureHarness();
    await harness.capture(harness.site.page(green));
    await harness.capturer.stop();
    await until(() => processes().length === 0);
    expect(await harness.leftovers()).toEqual([]);
    await expect(harness.capture(harness.site.page(green))).rejects.toMatchObject({ code: 'shutting_down' });
  });

  it('ends when the server is killed; the next start removes its profile', async () => {
    harness = await openCaptureHarness();
    const script = `import { createCapturer } from ${JSON.stringify(new URL('../../src/capture/capture.ts', import.meta.url).href)};
      import { createEgress } from ${JSON.stringify(new URL('../../src/egress/egress.ts', import.meta.url).href)};
      import { createLog } from ${JSON.stringify(new URL('../../src/kernel/log.ts', import.meta.url).href)};
      await createCapturer({ egress: createEgress({ allowPrivate: [] }), browser: { path: process.argv[1] }, concurrency: 1, log: createLog('silent'), folder: process.argv[2] });
      console.log('up'); setInterval(() => {}, 1000);`;
    const folder = join(harness.folder, 'other');
    mkdirSync(folder, { mode: 0o755 });
    const server = spawn(process.execPath, ['--input-type=module', '-e', script, (await findPlace()).path, folder]);
    await new Promise((resolve) => server.stdout.once('data', resolve));
    const theirs = () => processes(`--user-data-dir=${folder}`);
    expect(theirs().length).toBeGreaterThan(0);
    server.kill('SIGKILL');
    await until(() => theirs().length === 0);
    const { removeStaleProfiles } = await import('../../src/capture/profile.ts');
    expect(await removeStaleProfiles(folder)).toBeGreaterThan(0);
    // Those of the living are left alone.
    expect(await removeStaleProfiles(harness.folder)).toBe(0);
  });
});

describe('a render', () => {
  it('is retried on another browser when its browser is killed', async () => {
    harness = await openCaptureHarness();
    const url = harness.site.page(green);
    const shots = [harness.capture(url, { delay: 1000 }), harness.capture(url, { delay: 1000 })];
    await until(() => harness.capturer.health().pagesOpen === 2);
    await pause(300);
    kill(browsers());
    for (const captured of await Promise.all(shots)) expect((await pixels(captured.bytes)).at(9, 9)).toBe('#00aa00');
    // The spare browser counts as one only when it has started.
    await until(() => harness.capturer.health().restarts > 0);
  });

  it('is retried when its renderer is killed', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    let isHere = false;
    harness.site.on('/here', (_request, response) => {
      isHere = true;
      response.end();
    });
    const shot = harness.capture(harness.site.page(`${green}<script>fetch('/here')</script>`), { delay: 5000 });
    await until(() => isHere);
    kill(processes('--type=renderer'));
    expect((await pixels((await shot).bytes)).at(9, 9)).toBe('#00aa00');
    expect(harness.said.join()).toContain('The render is retried');
  });

  it('is retried when the network process is killed', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    let times = 0;
    const url = harness.site.on('/slow', (_request, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(green), times++ === 0 ? 5000 : 0);
    });
    const shot = harness.capture(url);
    await until(() => times === 1);
    await pause(500);
    kill(processes('NetworkService'));
    expect((await pixels((await shot).bytes)).at(9, 9)).toBe('#00aa00');
  });

  it('reports a lost network process that died before the first page as a crash of the browser', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    const log = createLog('silent');
    const egress = createEgress({ allowPrivate: ['127.0.0.0/8'], log });
    const browser = await launchBrowser(await findPlace(), harness.folder, log);
    const deadline = new Deadline(20_000);
    try {
      const tab = await createTab(browser, egress);
      const network = () => processes('NetworkService').filter(({ group }) => group === browser.pid);
      const killed = network();
      kill(killed);
      await until(() => network().some(({ pid }) => killed.every((each) => each.pid !== pid)));
      const request = effectiveRequest(parse(new Map([['url', harness.site.page(green)]]), screenshotParameters));
      const lost = renderPage(
        tab,
        request,
        deadline,
        soleTurn,
        { markdown: createMarkdownConverter() },
        picture(request),
      );
      await expect(lost).rejects.toMatchObject({ name: 'Crash', who: 'browser' });
      expect(browser.services.lost()).toBe('network');
    } finally {
      deadline.done();
      await browser.kill();
      await egress.stop();
    }
  });

  it('of a page that crashes twice is 502; other pages are not', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    // The page's renderer is killed as soon as its script runs.
    harness.site.on('/boom', () => kill(processes('--type=renderer')));
    const url = harness.site.page(`${green}<script>fetch('/boom')</script>`);
    await expect(harness.capture(url, { delay: 5000 })).rejects.toMatchObject({
      code: 'renderer_unavailable',
      status: 502,
    });
    await harness.capture(harness.site.page(green));
  });

  it.each([
    [
      "fills the browser's shared memory",
      'const all = [], b = new Uint8Array(32e6).fill(1); setInterval(() => all.push(new Blob([b])), 1)',
    ],
    [
      'allocates too much memory',
      'const all = []; setInterval(() => { const b = new Uint8Array(64e6); b.fill(1); all.push(b) }, 1)',
    ],
  ])('of a page that %s is stopped, and the others continue', async (_what, script) => {
    harness = await openCaptureHarness();
    const bomb = harness.capture(harness.site.page(`<p>x<script>${script}</script>`), untilStopped);
    bomb.catch(() => {});
    const other = await harness.capture(harness.site.page(green), { delay: 2000 });
    expect((await pixels(other.bytes)).at(9, 9)).toBe('#00aa00');
    await expect(bomb).rejects.toMatchObject({
      code: 'renderer_unavailable',
      message: expect.stringMatching(/memory/),
    });
  });

  it.each([
    ['filters', slowFilters],
    ['a shader', slowShader],
  ])(
    'of a page that keeps its browser from painting with %s ends; the others of its account are rendered by the next browser',
    async (_, slow) => {
      harness = await openCaptureHarness();
      await harness.capture(harness.site.page(green));
      const greedy = harness
        .capture(harness.site.page(`${slow}x`), { timeout: 60_000 }, patient())
        .then(() => 'captured', outcomeOf);
      await pause(1000);
      const others = await Promise.all(
        ['png', 'pdf', 'jpg'].map((format) => harness.capture(harness.site.page(green), { format }, patient())),
      );
      expect(others.map(({ bytes }) => bytes.length > 0)).toEqual([true, true, true]);
      expect(await greedy).toBe('502 renderer_unavailable');
      expect((await harness.capture(harness.site.page(green), {}, patient())).page.title).toBe('Green');
    },
    600_000,
  );

  it('is not stopped for the memory that a frame of another page takes', async () => {
    harness = await openCaptureHarness();
    const busy = '<title>Busy</title><script>const end = Date.now() + 1500; while (Date.now() < end);</script>';
    await harness.capture(harness.site.page(green));
    const blurred = '<div style="position: fixed; inset: 0; backdrop-filter: blur(200px)"></div>';
    const greedy = harness
      .capture(harness.site.page(`${blurred.repeat(300)}x`), { timeout: 60_000 }, patient())
      .then(() => 'captured', outcomeOf);
    const others = await Promise.all(
      Array.from({ length: 3 }, () => harness?.capture(harness.site.page(busy), {}, patient())),
    );
    expect(others.map((each) => each?.page.title)).toEqual(['Busy', 'Busy', 'Busy']);
    expect(await greedy).toBe('502 renderer_unavailable');
  }, 600_000);

  it('of one account is not disturbed by the memory that a page of another fills', async () => {
    harness = await openCaptureHarness();
    let release = () => {};
    const held = harness.site.on('/held', (_request, response) => {
      release = () => response.end('1');
    });
    const waiting = harness.capture(
      harness.site.page(`${green}<script>fetch('${held}').then(() => { document.body.id = 'done' })</script>`),
      { waitForSelector: '#done', timeout: 60_000 },
      undefined,
      of('honest'),
    );
    waiting.catch(() => {});
    await until(() => harness.capturer.health().pagesOpen === 1);
    const bomb = 'const all = [], b = new Uint8Array(32e6).fill(1); setInterval(() => all.push(new Blob([b])), 1)';
    await expect(
      harness.capture(harness.site.page(`<p>x<script>${bomb}</script>`), untilStopped),
    ).rejects.toMatchObject({ message: expect.stringMatching(/memory/) });
    release();
    expect((await pixels((await waiting).bytes)).at(9, 9)).toBe('#00aa00');
    expect(harness.said.filter((line) => line.includes('The render is retried'))).toEqual([]);
  });

  it('in an endless loop ends with its deadline and frees its tab', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    const started = performance.now();
    await expect(
      harness.capture(harness.site.page('<script>for (;;);</script>'), { timeout: 1500 }),
    ).rejects.toMatchObject({
      code: 'render_timeout',
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    await harness.capture(harness.site.page(green), { timeout: 10_000 });
    expect(harness.capturer.health().pagesOpen).toBe(0);
  });

  it('waits for a tab until its deadline', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    const first = harness.capture(harness.site.page(green), { delay: 1500 });
    await until(() => harness.capturer.health().pagesOpen === 1);
    await expect(harness.capture(harness.site.page(green), { timeout: 500 })).rejects.toMatchObject({
      code: 'render_timeout',
    });
    const patient = harness.capture(harness.site.page(green));
    expect(harness.capturer.health().pagesOpen).toBe(1);
    await Promise.all([first, patient]);
  });
});

describe('the fleet', () => {
  it('starts a browser on the first request after the cause of failed starts is gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tintype-late-'));
    // As root the browser is started by another user, who must be able to go there.
    chmodSync(folder, 0o755);
    const path = join(folder, 'browser');
    harness = await openCaptureHarness({ browserPath: path });
    expect(harness.capturer.health().ready).toBe(false);
    await expect(harness.capture(harness.site.page(green))).rejects.toMatchObject({ code: 'renderer_unavailable' });
    writeFileSync(path, `#!/bin/sh\nexec ${(await findPlace()).path} "$@"\n`, { mode: 0o755 });
    const captured = await harness.capture(harness.site.page(green));
    expect((await pixels(captured.bytes)).at(9, 9)).toBe('#00aa00');
    expect(harness.capturer.health().ready).toBe(true);
    rmSync(folder, { recursive: true });
  });

  it('replaces a browser that crashes page after page', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    await withSpare();
    const before = browsers().map(({ pid }) => pid);
    // Without its zygote a browser cannot make renderers any more.
    kill(processes('--type=zygote').filter(({ args }) => !args.includes('--no-zygote-sandbox')));
    for (let i = 0; i < 4; i++) await harness.capture(harness.site.page(green), { timeout: 8000 }).catch(() => {});
    await until(async () => {
      const shot = await harness.capture(harness.site.page(green), { timeout: 5000 }).catch(() => undefined);
      return shot !== undefined;
    }, 20_000);
    expect(browsers().some(({ pid }) => !before.includes(pid))).toBe(true);
  });

  it('replaces a browser after its number of renders, without a failed render', async () => {
    harness = await openCaptureHarness({ concurrency: 2, rotateAfter: 4 });
    await withSpare();
    const before = browsers().map(({ pid }) => pid);
    const shots = Array.from({ length: 14 }, () => harness.capture(harness.site.page(green)));
    for (const captured of await Promise.all(shots)) expect((await pixels(captured.bytes)).at(9, 9)).toBe('#00aa00');
    await until(() => browsers().length === 2 && browsers().some(({ pid }) => !before.includes(pid)), 20_000);
  });

  it('kills a browser that is stopped and does not respond', async () => {
    harness = await openCaptureHarness({ concurrency: 1 });
    await withSpare();
    kill(browsers(), 'SIGSTOP');
    const captured = await harness.capture(harness.site.page(green), { timeout: 25_000 });
    expect((await pixels(captured.bytes)).at(9, 9)).toBe('#00aa00');
  });
});

describe('pages of two accounts', () => {
  /** Captures that stay until `end` is called, one for each account. */
  async function held(accounts: readonly string[]) {
    const responses: { end(text: string): void }[] = [];
    const url = harness.site.on('/held', (_request, response) => responses.push(response));
    const shots = accounts.map((account) => harness.capture(url, { timeout: 60_000 }, undefined, of(account)));
    await until(() => responses.length === accounts.length);
    return async () => {
      for (const response of responses) response.end(green);
      return Promise.all(shots);
    };
  }

  it('are never in one browser at the same time; those of one account are', async () => {
    harness = await openCaptureHarness({ concurrency: 4 });
    const ofOne = await held(['a', 'a', 'a']);
    // A process that is being started has the browser's command line for a moment.
    await until(() => browsers().length === 1);
    await ofOne();
    const ofThree = await held(['a', 'b', 'c', 'b']);
    await until(() => browsers().length === 3);
    for (const { page } of await ofThree()) expect(page.title).toBe('Green');
  });

  it('take turns in the same browsers', async () => {
    harness = await openCaptureHarness();
    for (let i = 0; i < 12; i++) await harness.capture(harness.site.page(green), {}, undefined, of(`account ${i}`));
    await until(() => browsers().length === 2);
    for (let i = 0; i < 6; i++) await harness.capture(harness.site.page(green), {}, undefined, of(`account ${i}`));
    expect(browsers().length).toBe(2);
  });

  it('one costs its browser: the others notice nothing, and the pages of its account come one after the other', async () => {
    harness = await openCaptureHarness({ concurrency: 4 });
    await withSpare();
    const greedy = harness.capture(harness.site.page(`${slowFilters}x`), { timeout: 60_000 }, undefined, of('greedy'));
    const refused = expect(greedy).rejects.toMatchObject({ code: 'renderer_unavailable' });
    const opened: number[] = [];
    const counting = setInterval(() => opened.push(harness.capturer.health().pagesOpen), 50);
    const shot = (account: string) => harness.capture(harness.site.page(green), {}, undefined, of(account));
    let honest = 0;
    let isRefused = false;
    const watching = refused.finally(() => {
      isRefused = true;
    });
    while (!isRefused) honest += (await shot('honest')).bytes.length > 0 ? 1 : 0;
    await watching;
    expect(honest).toBeGreaterThan(1);
    opened.length = 0;
    const later = await Promise.all([shot('greedy'), shot('greedy'), shot('greedy')]);
    clearInterval(counting);
    expect(later.map(({ page }) => page.title)).toEqual(['Green', 'Green', 'Green']);
    expect(Math.max(...opened)).toBe(1);
    expect((await shot('honest')).page.title).toBe('Green');
    expect(harness.said.filter((line) => line.includes('The render is retried'))).toEqual([]);
  }, 180_000);
});

describe('two renders', () => {
  it('share no cookies, storage, cache, service workers or passwords', async () => {
    harness = await openCaptureHarness();
    let served = 0;
    harness.site.on('/cached.js', (_request, response) => {
      served++;
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' }).end('1');
    });
    harness.site.on('/worker.js', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end('onfetch = e => e.respondWith(new Response("from worker"))');
    });
    const url = harness.site.page(`<p>x<script src="/cached.js"></script><script>
      (async () => {
        const seen = [document.cookie, localStorage.me, sessionStorage.me, (await indexedDB.databases()).length, (await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length];
        document.cookie = 'me=1; max-age=1000'; localStorage.me = 1; sessionStorage.me = 1; indexedDB.open('me'); await caches.open('me');
        await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready;
        document.title = JSON.stringify(seen); document.body.id = 'done';
      })()</script>`);
    for (const round of [1, 2]) {
      const captured = await harness.capture(url, { waitForSelector: '#done' });
      expect(JSON.parse(captured.page.title)).toEqual(['', null, null, 0, 0, 0]);
      expect(served).toBe(round);
    }
  });
});

describe('the network budget', () => {
  it('captures a page that makes more than 2,000 requests, with a warning', async () => {
    harness = await openCaptureHarness();
    let asked = 0;
    harness.site.on('/n.gif', (_request, response) => {
      asked++;
      response.writeHead(200, { 'content-type': 'image/gif', 'cache-control': 'no-store' }).end();
    });
    const captured = await harness.capture(
      harness.site.page(
        '<title>Many</title><h1>x</h1><script>for (let i = 0; i < 3000; i++) new Image().src = "/n.gif?" + i</script>',
      ),
      { timeout: 60_000 },
    );
    expect(captured.page.title).toBe('Many');
    expect(asked).toBeLessThanOrEqual(2000);
    expect(captured.warnings.join()).toMatch(/limit of 2,000 requests/);
  });

  it('closes all connections of a page that sends more than 10 MB, with a warning', async () => {
    harness = await openCaptureHarness();
    let arrived = 0;
    harness.site.on('/sink', (request, response) => {
      request.on('data', (chunk: Buffer) => {
        arrived += chunk.length;
      });
      request.on('error', () => {}).on('end', () => response.end());
    });
    const captured = await harness.capture(
      harness.site.page(`<h1>x</h1><script>
        const send = () => fetch('/sink', { method: 'POST', body: new Uint8Array(4e6) }).then(send, () => document.title = 'cut'); send();
        </script>`),
      { waitForSelector: 'title', timeout: 30_000 },
    );
    expect(captured.warnings).toContain('The page is incomplete: it exceeded the limit of 10 MB sent.');
    expect(arrived).toBeLessThan(12e6);
  });

  it('names a response that is too large, even if it is the page itself', async () => {
    harness = await openCaptureHarness();
    const endless = harness.site.on('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<h1>Endless</h1>');
      const chunk = `<!-- ${'x'.repeat(1 << 20)} -->`;
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const captured = await harness.capture(endless, { timeout: 30_000 }).then(
      ({ warnings }) => warnings.join(),
      (error: Error) => error.message,
    );
    expect(captured).toMatch(/one of its files is larger than 64 MiB|limit of 256 MiB received/);
  });
});

it('a deadline that has passed takes no tab', async () => {
  harness = await openCaptureHarness();
  const deadline = new Deadline(1);
  await pause(20);
  await expect(harness.capture(harness.site.page(green), {}, deadline)).rejects.toMatchObject({
    code: 'render_timeout',
  });
});
