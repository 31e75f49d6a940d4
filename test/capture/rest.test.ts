import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';
import { svg } from './site.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness({ concurrency: 4 });
  const later = (response: ServerResponse, url: URL, type: string, body: string) =>
    void setTimeout(
      () => response.writeHead(200, { 'content-type': type }).end(body),
      Number(url.searchParams.get('ms') ?? 500),
    );
  harness.site.on('/red.svg', (_request, response, url) => later(response, url, 'image/svg+xml', svg('#ff0000')));
  harness.site.on('/green.svg', (_request, response, url) => later(response, url, 'image/svg+xml', svg('#00aa00')));
  harness.site.on('/part.svg', (_request, response, url) =>
    later(
      response,
      url,
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="x"><rect width="100" height="100" fill="#ff0000"/></symbol></svg>',
    ),
  );
  harness.site.on('/data.json', (_request, response, url) => later(response, url, 'application/json', '{}'));
  harness.site.on('/two.css', (_request, response, url) =>
    later(
      response,
      url,
      'text/css',
      'div{width:100px;height:100px}#a{background:url(/red.svg?ms=400)}#b{background:url(/green.svg?ms=900)}',
    ),
  );
  harness.site.on('/never', () => {});
  harness.site.on('/stream', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write('data: tick\n\n'), 500);
    response.on('close', () => clearInterval(timer));
  });
});
afterAll(() => harness.close());

const capture = async (html: string, query: Record<string, string | number | boolean> = {}) => {
  const captured = await harness.capture(harness.site.page(html), query);
  return { captured, picture: await pixels(captured.bytes) };
};

const text = `<p style="width:600px">${'Some words to read. '.repeat(20)}</p>`;
const green = '<div style="background:#00aa00;height:300px"></div>';
const allGreen = 300 * 1264;

describe('the capture waits for what is in view', () => {
  it('images of the style sheet, in a page without scripts', async () => {
    const one = async (i: number) => {
      const { captured, picture } = await capture(
        `<link rel=stylesheet href="/two.css?ms=60&${i}"><div id=a></div><div id=b></div>`,
      );
      return [picture.count('#ff0000'), picture.count('#00aa00'), captured.warnings, captured.verdict.codes];
    };
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => one(i)));
    expect(all).toEqual(all.map(() => [10_000, 10_000, [], []]));
  });

  const kinds: [what: string, css: string, html: string, script?: string][] = [
    ['a background', '.on #x{background:url(/red.svg?1)}', '<div id=x></div>'],
    ['one of a set', '.on #x{background:image-set(url(/red.svg?2) 1x, url(/red.svg?3) 2x)}', '<div id=x></div>'],
    ['a border', '.on #x{border:50px solid;width:0;height:0;border-image:url(/red.svg?4) 50}', '<div id=x></div>'],
    ['a mask', '.on #x{background:#f00;mask:url(/red.svg?5)}', '<div id=x></div>'],
    [
      'before an element',
      '.on #x::before{content:"";display:block;height:100px;background:url(/red.svg?6)}',
      '<div id=x></div>',
    ],
    ['after an element', '.on #x::after{content:url(/red.svg?7)}', '<div id=x></div>'],
    ['a bullet', '.on #x{list-style:url(/red.svg?8) inside;width:400px;line-height:0}', '<li id=x></li>'],
    [
      'of a drawing',
      '',
      '<svg width=100 height=100><image id=x width=100 height=100></svg>',
      'x.setAttribute("href", "/red.svg?9")',
    ],
    ['used by a drawing', '', '<svg width=100 height=100><use id=x></svg>', 'x.setAttribute("href", "/part.svg?10#x")'],
    ['a poster', '', '<video id=x width=100 height=100 preload=none></video>', 'x.poster = "/red.svg?11"'],
    [
      'in a shadow root',
      '',
      '<div id=x></div>',
      'x.attachShadow({mode:"open"}).innerHTML = "<p style=\'margin:0;height:100px;background:url(/red.svg?12)\'></p>"',
    ],
  ];
  it('images of every kind that are added after load', async () => {
    const one = async ([what, css, html, script = '']: (typeof kinds)[number]) => {
      const { picture } = await capture(
        `<style>div{width:100px;height:100px}${css}</style>${text}${html}<script>onload = () => { document.body.className = 'on'; ${script} }</script>`,
      );
      return picture.count('#ff0000') >= 9_000 ? [] : [what];
    };
    expect((await Promise.all(kinds.map(one))).flat()).toEqual([]);
  });

  it('data that a script fetches after other content is shown', async () => {
    const { picture, captured } = await capture(
      `${text}<div id=r></div><script>onload = () => fetch('/data.json?ms=1200').then(() => { r.innerHTML = '${green}' })</script>`,
    );
    expect(picture.count('#00aa00')).toBe(allGreen);
    expect(captured.warnings).toEqual([]);
  });
});

describe('the capture waits for', () => {
  it.each([
    [
      'a curtain that a script fades out a while after the load',
      `<div id=preloader style="position:fixed;inset:0;background:#fff"></div>${text}${green}<script>
      onload = () => setTimeout(() => { let o = 1; (function fade() { preloader.style.opacity = o -= 0.03;
        if (o > 0) requestAnimationFrame(fade); else preloader.remove() })() }, 700)</script>`,
    ],
    [
      'what lies behind a cover that counts up to 100',
      `<div id=cover style="position:fixed;inset:0;background:#fff">0 %</div>${text}${green}<script>
      let n = 0; const timer = setInterval(() => { cover.textContent = (n += 2) + ' %';
        if (n === 100) { clearInterval(timer); cover.remove() } }, 50)</script>`,
    ],
    [
      'what lies behind a cover with nothing but a spinner, which a timer takes away',
      `<style>@keyframes turn{to{rotate:1turn}} #x i{position:absolute;inset:45%;border:4px dotted;animation:turn 1s linear infinite}</style>
      <div id=x style="position:fixed;inset:0;background:#fff"><i></i></div>${text}${green}<script>
      onload = () => setTimeout(() => x.remove(), 1200)</script>`,
    ],
    [
      'what lies behind a cover with a logo that stands still, which is pushed away',
      `<style>#x{position:fixed;inset:0;background:#111;color:#fff;transition:transform .3s} .out{transform:translateY(-100%)}</style>
      <div id=x><svg width=100 height=50></svg><p>Studio</p></div>${text}${green}<script>
      onload = () => setTimeout(() => { x.className = 'out' }, 1800)</script>`,
    ],
    [
      'what a transition brings in',
      `<style>#x{opacity:0;transition:opacity .7s}.in #x{opacity:1}</style>${text}<div id=x>${green}</div><script>
      onload = () => setTimeout(() => { document.body.className = 'in' }, 100)</script>`,
    ],
    [
      'what is shown when an animation has ended',
      `<style>#x{animation:x .6s}@keyframes x{from{opacity:0}}</style>${text}<b id=x>Now</b><div id=r></div><script>
      x.onanimationend = () => { r.innerHTML = '${green}' }</script>`,
    ],
    [
      'what a script moves in from the side',
      `<style>body{margin:8px;overflow:hidden}</style>${text}<div id=x style="position:relative;left:1280px">${green}</div><script>
      onload = () => setTimeout(function move() { const left = Math.max(0, parseInt(x.style.left) - 40);
        x.style.left = left + 'px'; if (left > 0) setTimeout(move, 16) }, 100)</script>`,
    ],
    [
      'a chart that is drawn bit by bit',
      `${text}<canvas id=x width=1264 height=300></canvas><script>const pen = x.getContext('2d'); pen.fillStyle = '#00aa00'; let w = 0;
      onload = function draw() { pen.fillRect(0, 0, w += 32, 300); if (w < 1264) setTimeout(draw, 16) }</script>`,
    ],
  ])('%s', async (_what, html) => {
    expect((await capture(html)).picture.count('#00aa00')).toBe(allGreen);
  });

  it('a redirect shortly after load, which it follows', async () => {
    const end = harness.site.page(`<title>There</title>${green}`);
    const { captured } = await capture(
      `<p>You are being redirected.</p><script>setTimeout(() => { location.href = ${JSON.stringify(end)} }, 700)</script>`,
    );
    expect(captured.page.title).toBe('There');
  });

  it('a page that is hidden until a script or its timeout shows it', async () => {
    const { picture, captured } = await capture(
      `<style>.async-hide{opacity:0!important}</style><script>document.documentElement.className = 'async-hide';
      setTimeout(() => { document.documentElement.className = '' }, 2500)</script>${text}${green}`,
    );
    expect(picture.count('#00aa00')).toBe(allGreen);
    expect(captured.warnings).toEqual([]);
  });
});

it('shows the end of an SVG that draws itself', async () => {
  const { bytes } = await harness.capture(
    harness.site.page(`<!doctype html><body style="margin:0"><svg width=400 height=100><path d="M0 50H400" stroke="#00aa00" stroke-width=100 stroke-dasharray=400 stroke-dashoffset=400>
      <animate id=a attributeName=stroke-dashoffset to=200 dur=20s fill=freeze /><animate begin="a.end" attributeName=stroke-dashoffset to=0 dur=20s fill=freeze /></path></svg>`),
  );
  expect((await pixels(bytes)).count('#00aa00')).toBe(400 * 100);
});

it('shows what an SVG turns, moves and scales at its end, if it stays there', async () => {
  const { bytes } = await harness.capture(
    harness.site.page(`<!doctype html><body style="margin:0"><svg width=400 height=100>
      <rect width=20 height=20 fill="#00aa00" transform="scale(9)"><animateTransform attributeName=transform type=translate from="0 0" to="100 0" dur=20s fill=freeze />
        <animateTransform attributeName=transform type=scale additive=sum values="0;3;2" dur=20s fill=freeze /></rect>
      <rect width=20 height=20 fill="#ff0000"><animateTransform attributeName=transform type=rotate values="0 150 50; 180 150 50" dur=20s fill=freeze /></rect>
      <rect width=20 height=20 fill="#0000ff"><animateTransform attributeName=transform type=translate to="200 0" dur=20s /></rect></svg>`),
  );
  const picture = await pixels(bytes);
  expect([picture.at(101, 1), picture.at(139, 39), picture.at(141, 1)]).toEqual(['#00aa00', '#00aa00', '#ffffff']);
  expect([picture.at(281, 81), picture.at(299, 99)]).toEqual(['#ff0000', '#ff0000']);
  expect([picture.at(1, 1), picture.at(201, 1)]).toEqual(['#0000ff', '#ffffff']);
});

it.each([
  '<animateTransform attributeName=transform type=translate from="0 0" to="-300 0" dur=20s fill=freeze repeatCount=indefinite />',
  '<animate attributeName=opacity values="1;0" dur=20s fill=freeze repeatCount=indefinite />',
  '<animate attributeName=x values="0;-300" dur=20s fill=freeze repeatDur=indefinite />',
  '<animateMotion path="M0,0 L-300,0" dur=20s fill=freeze repeatCount=indefinite />',
])('shows what an SVG repeats for ever where it begins: %s', async (motion) => {
  const { bytes } = await harness.capture(
    harness.site.page(
      `<!doctype html><svg width=400 height=100><rect width=100 height=100 fill="#00aa00">${motion}</rect></svg>`,
    ),
  );
  expect((await pixels(bytes)).count('#00aa00')).toBe(100 * 100);
});

it.each([false, true])(
  'shows a page that is in a view transition as it is at the end of it (fullPage=%s)',
  async (fullPage) => {
    const { bytes } = await harness.capture(
      harness.site.page(`<!doctype html><style>body{margin:0} ::view-transition-group(*){animation-duration:60s}
      div{width:100px;height:100px;background:#ff0000;view-transition-name:box} .to{width:300px;height:300px;margin-left:200px;background:#00aa00}</style><div></div><p style="height:900px">text
      <script>document.startViewTransition(() => document.querySelector('div').classList.add('to'))</script>`),
      { fullPage },
    );
    const picture = await pixels(bytes);
    expect([picture.at(50, 50), picture.at(210, 10), picture.at(490, 290)]).toEqual(['#ffffff', '#00aa00', '#00aa00']);
    expect(picture.count('#00aa00')).toBe(300 * 300);
  },
);

it('shows what moves along a path of an SVG at its beginning, or at its end if it stays there', async () => {
  const { bytes } = await harness.capture(
    harness.site.page(`<!doctype html><body style="margin:0"><svg width=400 height=100><path id=way d="M20 0H300V60"/>
      <rect width=20 height=20 fill="#00aa00"><animateMotion dur=20s path="M200 40H300" repeatCount=indefinite /></rect>
      <rect width=20 height=20 fill="#ff0000"><animateMotion dur=20s fill=freeze><mpath href="#way"/></animateMotion></rect>
      <rect width=20 height=20 fill="#0000ff"><animateMotion begin=click dur=20s path="M200 40H300"/></rect></svg>`),
  );
  const picture = await pixels(bytes);
  expect([picture.at(201, 41), picture.at(219, 59)]).toEqual(['#00aa00', '#00aa00']);
  expect([picture.at(301, 61), picture.at(319, 79)]).toEqual(['#ff0000', '#ff0000']);
  expect(picture.at(1, 1)).toBe('#0000ff');
});

describe('an endless animation', () => {
  it('is stopped where most of it is visible: a slide show shows its first slide', async () => {
    const slides = ['#ff0000', '#00aa00', '#0000ff'].map(
      (colour, i) => `<div style="background:${colour};animation-delay:${i * 4}s"></div>`,
    );
    const { picture } = await capture(`<style>div{position:absolute;inset:0;opacity:0;animation:show 12s infinite}
      @keyframes show{0%{opacity:0}8%{opacity:1}33%{opacity:1}41%{opacity:0}}</style>${slides.join('')}`);
    expect(picture.count('#ff0000')).toBe(1280 * 800);
  });

  it('is in the picture, the same every time: spinners, and banners that start outside the window', async () => {
    const html = `<style>i{display:block;width:200px;height:200px;background:#00aa00;animation:turn 1s linear infinite}
      b{position:absolute;top:400px;left:0;width:400px;height:50px;background:#ff0000;animation:run 5s linear infinite}
      @keyframes turn{to{transform:rotate(1turn)}}@keyframes run{from{transform:translateX(1280px)}to{transform:translateX(-400px)}}
      body{overflow:hidden}</style><i></i><b></b>`;
    const [first, second] = await Promise.all([capture(html), capture(`${html}<script>1</script>`)]);
    expect(first.picture.count('#00aa00')).toBe(200 * 200);
    expect(first.picture.count('#ff0000')).toBeGreaterThan(350 * 50);
    expect(second.captured.bytes.equals(first.captured.bytes)).toBe(true);
  });

  it.each([
    [
      'one pixel every frame',
      'let n = 0; (function t() { x.style.left = n++ % 900 + "px"; requestAnimationFrame(t) })()',
    ],
    [
      'its elements',
      'setInterval(() => { x.insertAdjacentHTML("afterbegin", "<u>x</u>"); if (x.children.length > 50) x.lastChild.remove() }, 10)',
    ],
    ['the opacity of ten thousand elements', 'x.innerHTML = "<i></i>".repeat(10000)'],
  ])('does not prevent the capture of a page that changes %s without end', async (_what, script) => {
    const { captured, picture } = await capture(
      `<style>b{position:absolute}i{float:left;width:2px;height:2px;animation:x 1s infinite}@keyframes x{50%{opacity:0}}</style>
      ${text}${green}<b id=x></b><script>${script}</script>`,
    );
    expect(captured.warnings).toEqual([]);
    expect(picture.count('#00aa00')).toBeGreaterThan(allGreen * 0.9);
  });
});

describe('a file that never arrives', () => {
  const stillLoading = /The page was still loading after \d+ s and was captured as it was/;

  it('is named in a warning after five seconds without traffic; the load event fires and the page is captured', async () => {
    const pages = [
      '<img src="/never?image"><script async src="/never?script"></script><iframe src="/never?frame"></iframe>',
      '<link rel=stylesheet href="/never?style">',
      '<script src="/never?text"></script>',
      '<div id=cover style="position:fixed;inset:0;background:#fff"></div><img src="/never?2"><script>onload = () => cover.remove()</script>',
    ];
    const shots = await Promise.all(pages.map((html) => capture(`${text}${green}${html}`, { timeout: 60_000 })));
    for (const { captured, picture } of shots) {
      expect(captured.warnings[0]).toMatch(stillLoading);
      expect(captured.warnings[0]).toContain(`${harness.site.origin}/never?`);
      expect(picture.count('#00aa00')).toBe(allGreen);
    }
  });

  it('is not waited for when the reserved time begins, even if there is other traffic', async () => {
    const { captured, picture } = await capture(
      `${text}${green}<img src=/never><script>new EventSource('/stream')</script>`,
      { timeout: 15_000 },
    );
    expect(captured.warnings[0]).toMatch(stillLoading);
    expect(picture.count('#00aa00')).toBe(allGreen);
  });

  it('is a 504 in the step "load" if it is the page itself or blocks all of it', async () => {
    const timeout = { code: 'render_timeout', message: expect.stringContaining('"load"') };
    const waiting = [
      harness.capture(`${harness.site.origin}/never`, { timeout: 5000 }),
      capture(`<head><script src=/never></script></head>${text}`, { timeout: 5000 }),
    ];
    for (const shot of waiting) await expect(shot).rejects.toMatchObject(timeout);
  });

  it('is an error at once if the response cannot be decoded or is a stream of images', async () => {
    const gzip = harness.site.page(text, { 'content-encoding': 'gzip' });
    await expect(harness.capture(gzip)).rejects.toMatchObject({ code: 'target_unreachable' });
    const stream = harness.site.on('/camera', (_request, response) => {
      response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=x' });
      response.write('--x\r\ncontent-type: text/html\r\n\r\n<p>One</p>\r\n--x\r\n');
    });
    await expect(harness.capture(stream)).rejects.toMatchObject({ code: 'unsupported_content' });
  });
});

describe('waitUntil', () => {
  const late = (ms: number) =>
    `${text}<div id=r></div><script>onload = () => fetch('/data.json?ms=${ms}').then(() => { r.innerHTML = '${green}' })</script>`;

  it('load takes the picture right after the load event', async () => {
    const { picture } = await capture(late(8000), { waitUntil: 'load' });
    expect(picture.count('#00aa00')).toBe(0);
  });

  it('networkidle waits for every request', async () => {
    const { picture } = await capture(late(3200), { waitUntil: 'networkidle' });
    expect(picture.count('#00aa00')).toBe(allGreen);
  });

  it('networkidle warns if the network is never idle', async () => {
    const { captured } = await capture(`${text}<script>fetch('/never')</script>`, {
      waitUntil: 'networkidle',
      timeout: 20_000,
    });
    expect(captured.warnings).toEqual(['The network was not idle before the capture had to begin.']);
  });
});
