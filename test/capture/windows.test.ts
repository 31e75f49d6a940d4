// Whole pages and regions are taken through the window the page was given: at its zoom, from its own origin, and without
// a change of its size that a script could see.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effectiveRequest } from '../../src/capture/capture-request.ts';
import { encode } from '../../src/capture/image.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { distance } from '../harness/picture.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness({ concurrency: 3 });
});
afterAll(() => harness.close());

describe('a full page on a phone', () => {
  // A red corner at the bottom right, blue everywhere else: what is cut or taken at another zoom has no corner there.
  const body = (width: string, height: number) =>
    `<body style="margin:0"><div style="position:relative;width:${width};height:${height}px;background:#0000ff"><i style="position:absolute;right:0;bottom:0;width:60px;height:60px;background:#ff0000"></i><b style="position:absolute;left:0;top:0;width:60px;height:60px;background:#00ff00"></b></div>`;
  const meta = (content: string) => `<!doctype html><meta name=viewport content="${content}">`;

  it.each([
    ['without a viewport of its own', `<!doctype html>${body('980px', 4000)}`, 'iphone-14'],
    ['without a viewport of its own, at a fractional scale', `<!doctype html>${body('980px', 4001)}`, 'pixel-8'],
    ['made for 1024 px', `${meta('width=1024')}${body('100%', 3001)}`, 'iphone-14'],
    ['made for 1024 px, at a fractional scale', `${meta('width=1024')}${body('100%', 3001)}`, 'pixel-8'],
    ['that overflows sideways', `${meta('width=device-width')}${body('1500px', 5000)}`, 'iphone-14'],
    ['shown at half its size', `${meta('width=device-width,initial-scale=0.5')}${body('100%', 3333)}`, 'iphone-14'],
    ['shown at 0.7 of its size', `${meta('initial-scale=0.7')}${body('100%', 3333)}`, 'galaxy-s23'],
    ['that may not be zoomed', `${meta('width=device-width,user-scalable=no')}${body('100%', 2000)}`, 'iphone-14'],
    ['of a tablet', `<!doctype html>${body('1400px', 4000)}`, 'ipad-air'],
  ])('%s has the zoom of the phone and all of the page', async (_what, html, device) => {
    const url = harness.site.page(html);
    const [view, full] = await Promise.all([
      harness.capture(url, { device }),
      harness.capture(url, { device, fullPage: true }),
    ]);
    expect(full.warnings).toEqual([]);
    const [seen, whole] = [await pixels(view.bytes), await pixels(full.bytes)];
    expect(whole.width).toBe(seen.width);
    const side = (picture: typeof whole, colour: string) => Math.round(Math.sqrt(picture.count(colour)));
    // The same zoom as the view has, at both corners; their edges may lie between two pixels.
    expect(Math.abs(side(whole, '#00ff00') - side(seen, '#00ff00'))).toBeLessThanOrEqual(2);
    expect(Math.abs(side(whole, '#ff0000') - side(seen, '#00ff00'))).toBeLessThanOrEqual(2);
    expect(distance(whole.at(whole.width - 5, whole.height - 5), '#ff0000')).toBeLessThan(3);
    expect(distance(whole.at(5, whole.height - 5), '#0000ff')).toBeLessThan(3);
  });

  it('of a page that overflows beyond what may be zoomed shows what the phone does', async () => {
    const url = harness.site.page(
      `${meta('width=device-width,initial-scale=1,minimum-scale=1')}<body style="margin:0"><div style="width:1500px;height:3000px;background:#ff0000"><div style="width:390px;height:3000px;background:#0000ff">`,
    );
    const whole = await pixels((await harness.capture(url, { device: 'iphone-14', fullPage: true })).bytes);
    expect([whole.width, whole.height]).toEqual([1170, 9000]);
    expect(whole.count('#ff0000')).toBe(0);
  });

  it('that was joined from pieces has every piece at its own place', async () => {
    const piece = (height: number, background: string) =>
      sharp({ create: { width: 10, height, channels: 3, background } })
        .png()
        .toBuffer();
    const pieces = await Promise.all([piece(30, '#ff0000'), piece(50, '#00ff00'), piece(20, '#0000ff')]);
    const request = effectiveRequest(parse(new Map([['url', 'https://example.com']]), screenshotParameters));
    const joined = await pixels(await encode({ kind: 'image', pieces, width: 10, height: 100 }, request, 10_000));
    expect([joined.at(5, 29), joined.at(5, 30), joined.at(5, 79), joined.at(5, 80), joined.at(5, 99)]).toEqual([
      '#ff0000',
      '#00ff00',
      '#00ff00',
      '#0000ff',
      '#0000ff',
    ]);
  });
});

describe('a page from right to left', () => {
  const html = (where: string) =>
    `<!doctype html>${where}<a style="position:absolute;left:-9999px;top:0">skip</a><div style="height:2000px;background:#00aa00"><div style="width:100px;height:100px;background:#aa0000"></div></div>`;

  it.each([
    ['of the document', '<html dir=rtl><body style="margin:0">'],
    ['of its body', '<body dir=rtl style="margin:0">'],
  ])('with a link far to the left is captured from where it begins: direction %s', async (_what, where) => {
    const url = harness.site.page(html(where));
    const captured = await harness.capture(url, { fullPage: true });
    const whole = await pixels(captured.bytes);
    expect([whole.width, whole.height]).toEqual([1280, 2000]);
    expect(whole.count('#aa0000')).toBe(100 * 100);
    expect(whole.count('#00aa00')).toBe(1280 * 2000 - 100 * 100);
    expect(captured.warnings).toEqual([]);
    const clip = await pixels((await harness.capture(url, { clip: '1180,0,100,100' })).bytes);
    expect(clip.count('#aa0000')).toBe(100 * 100);
    const below = await pixels((await harness.capture(url, { clip: '0,1500,300,300' })).bytes);
    expect(below.count('#00aa00')).toBe(300 * 300);
  });

  it('on a phone, made for a desktop, is captured from where it begins', async () => {
    const url = harness.site.page(html('<html dir=rtl><body style="margin:0">'));
    const whole = await pixels((await harness.capture(url, { fullPage: true, device: 'iphone-14' })).bytes);
    // The phone shows it as small as it can, at the right edge of its window.
    expect(whole.at(whole.width - 3, 3)).toBe('#aa0000');
    expect(whole.at(whole.width - 200, 3)).toBe('#00aa00');
    const url2 = harness.site.page(
      `<meta name=viewport content="width=device-width,initial-scale=1">${html('<html dir=rtl><body style="margin:0">')}`,
    );
    const made = await pixels((await harness.capture(url2, { fullPage: true, device: 'iphone-14' })).bytes);
    expect([made.width, made.height]).toEqual([1170, 6000]);
    expect(made.count('#00aa00') + made.count('#aa0000')).toBe(1170 * 6000);
  });
});

describe('while a region is taken', () => {
  // Everything by which a script can see that its window has changed is told to the site.
  const watching = (tell: string) => `<script>
    addEventListener('load', () => setTimeout(() => {
      const tell = (what) => navigator.sendBeacon('${tell}?' + what);
      addEventListener('resize', () => tell('resize'));
      visualViewport.addEventListener('resize', () => tell('visual'));
      screen.orientation?.addEventListener('change', () => tell('orientation'));
      for (const query of ['(max-width:1000px)', '(max-height:500px)', '(orientation:landscape)', '(max-width:10px)'])
        matchMedia(query).addEventListener('change', () => tell('media'));
      let sizes = 0; new ResizeObserver(() => sizes++ && tell('observer')).observe(document.documentElement);
      let last = innerWidth + ' ' + innerHeight; const look = () => { const now = innerWidth + ' ' + innerHeight; if (now !== last) tell('inner'); last = now; requestAnimationFrame(look) }; look();
    }))</script>`;

  it.each([
    ['a full page', { fullPage: true }],
    ['a full page on a phone', { fullPage: true, device: 'iphone-14' }],
    ['a region in view', { clip: '10,10,100,100' }],
    ['a region below the fold', { clip: '10,2000,100,100' }],
  ])('no script sees a change of the window: %s', async (what, query) => {
    const tell = harness.site.on(`/tell-${encodeURIComponent(what)}`, (_request, response) => void response.end());
    const { pathname } = new URL(tell);
    const page = `<!doctype html><style>body{margin:0} aside{width:200px;height:4000px;background:#0000ff;transition:width 1s} @media (max-width:300px) { aside{width:0} }</style><aside></aside>${watching(pathname)}`;
    const taken = await Promise.all(
      [1, 2, 3].map(() => harness.capture(harness.site.page(page), { ...query, delay: 100 })),
    );
    expect(harness.site.requests.filter(({ path }) => path.startsWith(pathname))).toEqual([]);
    for (const { bytes } of taken) expect(distance((await pixels(bytes)).at(5, 5), '#0000ff')).toBeLessThan(3);
  });

  it('a page that loads itself anew when its window changes is loaded once', async () => {
    const html = `<!doctype html><body style="margin:0;height:3000px;background:#0000ff"><script>addEventListener('resize', () => location.reload())</script>`;
    const url = harness.site.page(html);
    const captured = await harness.capture(url, { fullPage: true });
    expect((await pixels(captured.bytes)).count('#0000ff')).toBe(1280 * 3000);
    expect(harness.site.requests.filter(({ path }) => path === new URL(url).pathname)).toHaveLength(1);
  });
});
