import { createServer, type Server } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';
import { svg } from './site.ts';

let harness: CaptureHarness;
let mute: Server;
beforeAll(async () => {
  harness = await openCaptureHarness();
  mute = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
});
afterAll(async () => {
  mute.close();
  await harness.close();
});

const answer = (path: string, status: number, headers: Record<string, string>, body: string | Buffer = '') =>
  harness.site.on(path, (_request, response) => {
    response.writeHead(status, headers).end(body);
  });

describe('a target that is not a page', () => {
  it.each([
    [
      'a download',
      200,
      { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename=x' },
    ],
    ['an archive', 200, { 'content-type': 'application/zip' }],
    ['a PDF', 200, { 'content-type': 'application/pdf' }],
    ['nothing (204)', 204, {}],
  ])('%s is unsupported_content', async (what, status, headers) => {
    const url = answer(
      `/no-page/${what.replace(/\W/g, '')}`,
      status,
      headers as Record<string, string>,
      status === 204 ? '' : '%PDF-1.4',
    );
    await expect(harness.capture(url)).rejects.toMatchObject({ code: 'unsupported_content', status: 400 });
  });
});

describe('a target that is a file which the browser shows', () => {
  it('is captured as an image if it is an image', async () => {
    const png = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#00aa00' } })
      .png()
      .toBuffer();
    const captured = await harness.capture(answer('/picture.png', 200, { 'content-type': 'image/png' }, png));
    expect((await pixels(captured.bytes)).count('#00aa00')).toBe(400 * 300);
    expect(captured.page.status).toBe(200);
    expect(captured.warnings).toEqual([]);
  });

  it('is captured if it is SVG, JSON or plain text', async () => {
    const drawing = await harness.capture(
      answer('/x.svg', 200, { 'content-type': 'image/svg+xml' }, svg('#0000aa', 200, 200)),
    );
    expect((await pixels(drawing.bytes)).count('#0000aa')).toBeGreaterThanOrEqual(200 * 200);
    for (const [type, body] of [
      ['application/json', '{"hello":"world"}'],
      ['text/plain', 'hello world'],
      ['application/xml', '<a><b>hello</b></a>'],
    ] as const) {
      const captured = await harness.capture(answer('/text', 200, { 'content-type': type }, body));
      expect(captured.page.status).toBe(200);
      expect((await pixels(captured.bytes)).count('#ffffff')).toBeLessThan(1280 * 800);
    }
  });

  it('can be captured as a PDF', async () => {
    const captured = await harness.capture(answer('/y.svg', 200, { 'content-type': 'image/svg+xml' }, svg('#0000aa')), {
      format: 'pdf',
    });
    expect(captured.pages).toBe(1);
    await harness.capture(answer('/z.svg', 200, { 'content-type': 'image/svg+xml' }, svg('#0000aa')), {
      fullPage: true,
    });
  });
});

describe('a target that answers with an error', () => {
  it.each([404, 500, 403, 401])('of %i is captured, and the result has its status', async (status) => {
    const url = answer(
      `/status/${status}`,
      status,
      { 'content-type': 'text/html', 'www-authenticate': 'Basic realm=x' },
      '<h1>Sorry</h1>',
    );
    const captured = await harness.capture(url);
    expect(captured.page.status).toBe(status);
    expect(captured.warnings.join()).toContain(String(status));
  });

  it('is captured even if its body is empty', async () => {
    const captured = await harness.capture(answer('/empty', 500, {}));
    expect(captured.page.status).toBe(500);
  });
});

describe('a target that cannot be reached', () => {
  it('is a 502 with the reason: connection refused', async () => {
    await expect(harness.capture('http://127.0.0.1:9123/')).rejects.toMatchObject({
      code: 'target_unreachable',
      status: 502,
      message: expect.stringMatching(/refused/),
    });
  });

  it('is a 502 with the reason: connection closed, not HTTP, TLS failure', async () => {
    const port = (mute.address() as { port: number }).port;
    await expect(harness.capture(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'target_unreachable' });
    await expect(harness.capture(harness.site.origin.replace('http:', 'https:'))).rejects.toMatchObject({
      code: 'target_unreachable',
      message: expect.stringMatching(/TLS/),
    });
  });

  it('is a 502 with the reason: unknown name', async () => {
    await expect(harness.capture('http://does-not-exist.invalid/')).rejects.toMatchObject({
      code: 'target_unreachable',
      message: expect.stringMatching(/name/),
    });
  });

  it('is a 502 with the reason: endless redirects', async () => {
    const url = answer('/loop', 302, { location: '/loop' });
    await expect(harness.capture(url)).rejects.toMatchObject({
      code: 'target_unreachable',
      message: expect.stringMatching(/redirect/),
    });
  });
});

describe('a target that leads to a private address', () => {
  const refused = { code: 'target_refused', status: 400, parameter: 'url' };

  it('is refused if url itself is private', async () => {
    await expect(harness.capture('http://10.255.255.1/')).rejects.toMatchObject(refused);
    await expect(harness.capture('https://10.255.255.1/')).rejects.toMatchObject(refused);
  });

  it('is refused if a redirect leads there, and the text names the address', async () => {
    const last = answer('/redirect-2', 307, { location: 'http://192.168.77.1/secret' });
    const url = answer('/redirect-1', 302, { location: last });
    await expect(harness.capture(url)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('192.168.77.1'),
    });
  });

  it.each([
    ['a script', '<p>x<script>onload = () => { location.href = "http://10.1.2.3/" }</script>'],
    ['a meta refresh', '<meta http-equiv=refresh content="0;url=http://10.1.2.3/"><p>x'],
  ])('is refused if %s of the page leads there; there is no picture of an error page', async (_how, html) => {
    await expect(harness.capture(harness.site.page(html))).rejects.toMatchObject(refused);
  });

  it.each(['file:///etc/passwd', 'data:text/html,x', 'chrome://version/'])(
    'is refused if it redirects to %s, which is not http or https',
    async (location) => {
      const url = answer(`/to-${location.replace(/\W/g, '')}`, 302, { location });
      await expect(harness.capture(url)).rejects.toMatchObject(refused);
    },
  );

  it('is captured without the frames and images that lead there', async () => {
    const captured = await harness.capture(
      harness.site.page(
        '<title>Page</title><p>x<img src="http://10.1.2.3/x.png"><iframe src="http://10.1.2.3/"></iframe>',
      ),
    );
    expect(captured.page.title).toBe('Page');
    expect(captured.warnings.join()).toMatch(/1 image could not be loaded/);
  });
});

describe('a target that navigates', () => {
  it('is followed through redirects, scripts and refreshes to its last page', async () => {
    const end = harness.site.page('<title>The end</title><body style="background:#00aa00">x');
    const third = harness.site.page(`<meta http-equiv=refresh content="0;url=${end}">`);
    const second = harness.site.page(`<script>location.replace(${JSON.stringify(third)})</script>`);
    const captured = await harness.capture(answer('/moved', 301, { location: second }));
    expect(captured.page).toEqual({ status: 200, finalUrl: end, title: 'The end' });
    expect((await pixels(captured.bytes)).at(300, 300)).toBe('#00aa00');
  });

  it('is a 504 if it reloads itself without end', async () => {
    const shot = harness.capture(harness.site.page('<p>x<script>location.reload()</script>'), { timeout: 1500 });
    await expect(shot).rejects.toMatchObject({ code: 'render_timeout' });
  });

  it('is captured before a navigation that comes much later', async () => {
    const captured = await harness.capture(
      harness.site.page('<title>Now</title><meta http-equiv=refresh content="30;url=/later"><p>x'),
    );
    expect(captured.page.title).toBe('Now');
  });

  it('during its capture is captured at the page it leads to', async () => {
    const end = harness.site.page('<title>Arrived</title><p>x');
    const captured = await harness.capture(
      harness.site.page(
        `<body style="height:20000px"><script>setTimeout(() => location.href = ${JSON.stringify(end)}, 350)</script>`,
      ),
      { fullPage: true },
    );
    expect(captured.page.title).toBe('Arrived');
  });
});
