import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';
import { svg } from './site.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
  harness.site.on('/slow.svg', (_request, response, url) => {
    const answer = () => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg('#ff0000', 300, 300));
    setTimeout(answer, Number(url.searchParams.get('ms') ?? 400));
  });
  harness.site.on('/data.json', (_request, response, url) => {
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"The data"}'),
      Number(url.searchParams.get('ms') ?? 600),
    );
  });
  harness.site.on('/never', () => {});
  harness.site.on('/stream', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write('data: tick\n\n'), 50);
    response.on('close', () => clearInterval(timer));
  });
});
afterAll(() => harness.close());

const capture = async (html: string, query: Record<string, string | number | boolean> = {}) => {
  const captured = await harness.capture(harness.site.page(html), query);
  return { captured, picture: await pixels(captured.bytes) };
};

describe('a page is ready', () => {
  it('when its images have loaded, including lazy images and those a script adds', async () => {
    const { picture } = await capture(`<img src="/slow.svg?1"><img loading=lazy width=300 height=300 src="/slow.svg?2">
      <script>const i = new Image(300, 300); i.src = '/slow.svg?3'; document.body.append(i)</script>`);
    expect(picture.count('#ff0000')).toBe(3 * 300 * 300);
  });

  it('when a script has drawn a line to its end, in a box that does not change', async () => {
    const { picture } =
      await capture(`<body style="margin:0"><svg width=600 height=200><path d="M0 20H500V180H0" fill=none stroke="#00aa00" stroke-width=40></path></svg>
      <script>const began = performance.now(), path = document.querySelector('path');
        const draw = () => { const part = Math.min(1, (performance.now() - began) / 700);
          path.style.strokeDasharray = part * 1160 + ' 1160'; if (part < 1) requestAnimationFrame(draw) }; draw()</script>`);
    expect(picture.at(10, 180)).toBe('#00aa00');
  });

  it('when a number has counted to its end', async () => {
    const { captured, picture } =
      await capture(`<style>body{margin:0;font:20px monospace} .done{background:#00aa00}</style><p>100</p>
      <script>const began = performance.now(), p = document.querySelector('p');
        const count = () => { const part = Math.min(1, (performance.now() - began) / 1900);
          p.textContent = 100 + Math.floor(part * 800); if (part < 1) requestAnimationFrame(count); else p.className = 'done' }; count()</script>`);
    expect(captured.warnings).toEqual([]);
    expect(picture.count('#00aa00')).toBeGreaterThan(1000);
  });

  it('when images that decode asynchronously are painted', async () => {
    const { picture } = await capture(
      Array.from(
        { length: 6 },
        (_, i) => `<img decoding=async width=150 height=150 src="/slow.svg?ms=100&n=${i}">`,
      ).join(''),
    );
    expect(picture.count('#ff0000')).toBe(6 * 150 * 150);
  });

  it('when its web font has loaded', async () => {
    const file = [
      '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf',
      '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf',
    ].find(existsSync);
    if (file === undefined) throw new Error('The test needs the DejaVu fonts.');
    harness.site.on('/late.ttf', (_request, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'font/ttf' }).end(readFileSync(file)), 500);
    });
    const { captured } = await capture(
      `<style>@font-face{font-family:Late;src:url(/late.ttf);font-display:swap} p{font:40px Late,serif}</style>
      <p id=p>MMMMiiii</p>`,
      { customJS: 'document.title = document.fonts.check("40px Late") + " " + [...document.fonts].map(f => f.status)' },
    );
    expect(captured.page.title).toBe('true loaded');
  });

  it('when it builds itself after load: as soon as that has paused', async () => {
    const { picture } = await capture(`<p>x<script>let n = 0; onload = function more() { if (n++ >= 8) return;
      document.body.insertAdjacentHTML('beforeend', '<div style="height:50px;background:#00aa00"></div>'); setTimeout(more, 40) }</script>`);
    expect(picture.count('#00aa00')).toBeGreaterThan(8 * 50 * 1000);
  });

  it.each([
    ['shows nothing', ''],
    ['says that it loads', 'Loading…'],
    ['shows a skeleton', '<div class="skeleton-box" style="height:200px;background:#eee"></div>'],
    [
      'shows a spinner',
      '<h1>Shop</h1><div class="spinner" style="width:40px;height:40px;border:4px solid #999"></div>',
    ],
  ])('when it is an app that %s until its data arrives: as soon as it shows the data', async (_what, placeholder) => {
    const { picture } = await capture(`<div id=root>${placeholder}</div><script>
      fetch('/data.json').then(r => r.json()).then(d => setTimeout(() => { root.innerHTML = '<h1 style="background:#00aa00">' + d.text + '</h1>' }, 50))</script>`);
    expect(picture.count('#00aa00')).toBeGreaterThan(10_000);
  });

  it.each([
    ['blink', 'i { animation: blink 2s infinite } @keyframes blink { 50% { opacity: .5 } }'],
    [
      'shimmer',
      'i { position: relative } i::after { content: ""; position: absolute; inset: 0; animation: pass 1s infinite } @keyframes pass { to { transform: translateX(100%) } }',
    ],
  ])('when its data is there in place of empty boxes that %s, even if that takes long', async (_how, css) => {
    const { picture } =
      await capture(`<style>i { display: block; height: 60px; margin: 10px; background: #eee } ${css}</style><h1>Shop</h1><div id=root>${'<i></i>'.repeat(4)}</div><script>
      fetch('/data.json?ms=3500').then(r => r.json()).then(d => { root.innerHTML = '<h1 style="background:#00aa00">' + d.text + '</h1>' })</script>`);
    expect(picture.count('#00aa00')).toBeGreaterThan(10_000);
  });

  it('even if sockets, polls and streams stay open', async () => {
    const started = performance.now();
    const { captured } =
      await capture(`<h1>Live</h1><script>new EventSource('/stream'); fetch('/never').catch(() => {});
      (function poll() { fetch('/data.json?ms=20').then(() => setTimeout(poll, 20)) })()</script>`);
    expect(captured.warnings).toEqual([]);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('even if it animates and changes without end', async () => {
    const started = performance.now();
    await capture(
      `<h1>Ticks</h1><b id=b></b><script>let n = 0; (function tick() { b.style.left = n + 'px'; b.textContent = n++; requestAnimationFrame(tick) })()</script>`,
    );
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('but a page whose script never ends is a 504', async () => {
    await expect(
      capture('<p>x<script>setTimeout(() => { for (;;); })</script>', { timeout: 1500 }),
    ).rejects.toMatchObject({ code: 'render_timeout' });
  });
});

describe('a page that stays blank', () => {
  it('is captured with a warning', async () => {
    const started = performance.now();
    const { captured } = await capture('<div id=root></div><script>1</script>');
    expect(captured.warnings).toEqual(['The page is blank.']);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe('warnings', () => {
  it.each([
    ['Cloudflare', '<title>Just a moment...</title><div id=challenge-form>Checking your browser</div>', 403],
    ['DataDome', '<script src="https://ct.captcha-delivery.com/c.js"></script><p>Please enable JS</p>', 403],
    ['PerimeterX', '<title>Access to this page has been denied.</title><div id=px-captcha></div>', 403],
    ['hCaptcha', '<title>Are you human?</title><div class=h-captcha>x</div>', 200],
  ])('name a bot wall of %s', async (who, html, status) => {
    const captured = await harness.capture(harness.site.page(html, {}, status));
    expect(captured.warnings.join()).toContain(`bot check (${who})`);
  });

  it('do not report a form with a CAPTCHA, or an article about one, as a bot wall', async () => {
    for (const html of [
      '<h1>Contact</h1><form><input name=mail><textarea></textarea><div class=g-recaptcha>x</div></form>',
      `<h1>How Cloudflare says just a moment</h1><p>${'words '.repeat(300)}</p><div class=cf-turnstile>x</div>`,
    ])
      expect((await capture(html)).captured.warnings).toEqual([]);
  });

  it('count the images and fonts that failed', async () => {
    const { captured } = await capture(
      '<style>@font-face{font-family:X;src:url(/no.ttf)} p{font-family:X}</style><p>x<img src=/no1.png><img src=/no2.png>',
    );
    expect(captured.warnings).toEqual(['2 images could not be loaded.', '1 web font could not be loaded.']);
  });
});
