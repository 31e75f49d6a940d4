// Frames of other origins below the window: the browser does not paint them there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, type Pixels, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness({ resolver: async () => ['127.0.0.1'] });
});
afterAll(() => harness.close());

const at = (host: string, html: string) => harness.site.page(html).replace('127.0.0.1', host);
const coloured = (host: string, colour: string) => at(host, `<body style="margin:0;background:${colour}">`);

const sizes = 'width=200 height=200 style="border:0;display:block"';
const gap = '<div style="height:1500px"></div>';

/** Frames of the same site, of another site, and a lazy one, each below a gap. */
const framed = () => `<!doctype html><body style="margin:0">${gap}
  <iframe id=near src="${coloured('other.example.com', '#ff0000')}" ${sizes}></iframe>
  <iframe id=far src="${coloured('cross.example.org', '#00ff00')}" ${sizes}></iframe>${gap}
  <iframe loading=lazy src="${coloured('lazy.example.net', '#0000ff')}" ${sizes}></iframe>`;

const capture = async (html: string, query: Record<string, string | number | boolean>): Promise<Pixels> =>
  pixels((await harness.capture(at('main.example.com', html), query)).bytes);

const middles = (picture: Pixels) => [1600, 1800, 3500].map((y) => picture.at(100, y));
const all = ['#ff0000', '#00ff00', '#0000ff'];

describe('frames of other origins below the window', () => {
  it('are in a full page without scripts', async () => {
    expect(middles(await capture(framed(), { fullPage: true }))).toEqual(all);
  });

  it('are in a full page with scripts, without what is fixed to the window', async () => {
    const bar = '<div style="position:fixed;inset:0;background:#123456;opacity:.9">bar</div>';
    const script = '<script>addEventListener("scroll", () => {})</script>';
    expect(middles(await capture(`${framed()}${bar}${script}`, { fullPage: true }))).toEqual(all);
  });

  it('are in a clip and in the picture of an element', async () => {
    const clip = await capture(framed(), { clip: '0,1500,200,400' });
    expect([clip.at(100, 100), clip.at(100, 300)]).toEqual(all.slice(0, 2));
    const element = await capture(framed(), { selector: '#far' });
    expect([element.width, element.height, element.at(100, 100)]).toEqual([200, 200, '#00ff00']);
  });

  it('are missing with a warning where they are too large, or a policy of the page forbids their pictures', async () => {
    const large = `<iframe src="${coloured('large.example.org', '#ff0000')}" style="border:0;width:1200px;height:4000px"></iframe>`;
    const policy = `<meta http-equiv=Content-Security-Policy content="img-src 'none'">`;
    const warningsOf = async (html: string) =>
      (await harness.capture(at('main.example.com', html), { fullPage: true })).warnings;
    expect(await warningsOf(`${framed()}${large}`)).toContain(
      'Frames of other sites below the window that are missing: 1.',
    );
    expect(await warningsOf(`${policy}${framed()}`)).toContain(
      'Frames of other sites below the window that are missing: 3.',
    );
    expect(await warningsOf(framed())).toEqual([]);
  });

  it('leave the page at its top', async () => {
    const moved = `<style>html { background: #eeeeee } html.moved { background: #111111 }</style>
      <script>addEventListener('scroll', () => document.documentElement.classList.toggle('moved', scrollY > 0))</script>`;
    const picture = await capture(`${framed()}${moved}`, { fullPage: true });
    expect([picture.at(600, 100), ...middles(picture)]).toEqual(['#eeeeee', ...all]);
  });
});

it('a frame in view is waited for while its script waits for a response', async () => {
  const data = harness.site
    .on('/data', (_request, response) => {
      setTimeout(() => response.writeHead(200, { 'access-control-allow-origin': '*' }).end('#00ff00'), 800);
    })
    .replace('127.0.0.1', 'cross.example.org');
  const chart = at(
    'cross.example.org',
    `<body style="margin:0"><script>fetch('${data}').then((r) => r.text()).then((t) => document.body.style.background = t)</script>`,
  );
  const picture = await capture(`<!doctype html><body style="margin:0"><iframe src="${chart}" ${sizes}></iframe>`, {});
  expect(picture.at(100, 100)).toBe('#00ff00');
});

describe('a frameset', () => {
  const script = '<script>addEventListener("scroll", () => {})</script>';
  const frameset = () => {
    const main = `<body style="margin:0"><div style="height:1400px">Text${script}</div><p id=end style="margin:0;height:100px;background:#00ff00">End`;
    const frames = [coloured('main.example.com', '#ff0000'), at('main.example.com', main)];
    return at(
      'main.example.com',
      `<frameset cols="200,*">${frames.map((src) => `<frame src="${src}" frameborder=0>`).join('')}</frameset>`,
    );
  };

  it('is captured with all of its largest frame, and an element in it', async () => {
    const whole = await harness.capture(frameset(), { fullPage: true });
    const picture = await pixels(whole.bytes);
    expect([picture.height, picture.at(100, 1450), picture.at(700, 1450)]).toEqual([1500, '#ff0000', '#00ff00']);
    expect(whole.verdict?.codes).toEqual([]);
    const element = await pixels((await harness.capture(frameset(), { selector: '#end' })).bytes);
    expect([element.height, element.at(100, 50)]).toEqual([100, '#00ff00']);
  });

  it('is no blank page as a PDF, which says that it is cut where one page does not hold it', async () => {
    const codes = async (query: Record<string, string>) =>
      (await harness.capture(frameset(), { format: 'pdf', ...query })).verdict?.codes;
    expect(await codes({})).toEqual(['cut']);
    expect(await codes({ pageSize: 'a3' })).toEqual([]);
  });
});
