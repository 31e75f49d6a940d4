// Pages that show their sections and pictures when a reader scrolls to them, by the libraries that most sites use. Where a
// licence does not allow a library here, a stand-in listens, throttles and changes styles as it does.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Captured } from '../../src/capture/capture-types.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

const fixtures = join(import.meta.dirname, '../fixtures/reveal');
const libraries = join(import.meta.dirname, '../../node_modules');

/** What every fixture has: twelve sections of 500 px, with a green box, a blue picture that takes 150 ms, or both. */
const sections = 12;
const box = { colour: '#00aa00', pixels: sections * 200 * 100 };
const picture = { colour: '#0000ff', pixels: sections * 100 * 100 };
const twoPictures = { colour: '#0000ff', pixels: 2 * picture.pixels };

const cases = [
  ['AOS, which hides what leaves the view', 'aos', [box]],
  ['AOS, once', 'aos.html?once=true', [box]],
  ['vanilla-lazyload, which cancels what leaves the view', 'vanilla-lazyload', [twoPictures]],
  ['lazysizes', 'lazysizes', [picture]],
  ['lozad', 'lozad', [twoPictures]],
  ['jquery.appear', 'jquery-appear', [box]],
  ['Swiper', 'swiper', [box, picture]],
  ['Slick', 'slick', [box, picture]],
  ['WOW (a stand-in)', 'wow-like', [box]],
  ['ScrollReveal with reset (a stand-in)', 'scrollreveal-like', [box]],
  ['GSAP ScrollTrigger (a stand-in)', 'scrolltrigger-like', [box]],
  ['a debounced listener', 'debounced', [box, picture]],
  ['a throttled listener', 'throttled', [box, picture]],
  ['an observer that hides what leaves the view', 'observer-toggle', [box]],
  ['an observer, in shadow roots', 'shadow-roots', [box, picture]],
  ['an observer, over the neighbour until then', 'over-neighbour', [box]],
  ['an observer, out of sight until then: behind a mask, clipped, scaled, outside', 'out-of-sight', [box]],
] as const;

/** Two at a time, with all the time there is: a busy machine must not be what decides. */
const lanes = [Promise.resolve(), Promise.resolve()];
let next = 0;
async function capture(url: string): Promise<Captured> {
  const lane = next++ % lanes.length;
  const captured = (lanes[lane] ?? Promise.resolve()).then(() =>
    harness.capture(url, { fullPage: true, timeout: 60_000 }),
  );
  lanes[lane] = captured.then(
    () => {},
    () => {},
  );
  return captured;
}

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness({ concurrency: 2 });
  const blue = await sharp({ create: { width: 100, height: 100, channels: 3, background: picture.colour } })
    .png()
    .toBuffer();
  harness.site.on('/slow.png', (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(blue), 150);
  });
  harness.site.fallback = async (_request, response, { pathname }) => {
    const [, folder, ...rest] = pathname.split('/');
    const root = folder === 'lib' ? libraries : folder === 'reveal' ? fixtures : undefined;
    const bytes = root && (await readFile(join(root, ...rest)).catch(() => undefined));
    if (!bytes) return void response.writeHead(404).end();
    const type = pathname.endsWith('.css') ? 'text/css' : pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type }).end(bytes);
  };
});
afterAll(() => harness.close());

describe('a full page shows all that scrolling reveals', () => {
  it.concurrent.each(cases)('by %s', { timeout: 200_000 }, async (_what, file, wanted) => {
    const path = file.includes('.') ? file : `${file}.html`;
    const captured = await capture(`${harness.site.origin}/reveal/${path}`);
    const seen = await pixels(captured.bytes);
    expect(seen.height).toBe(sections * 500);
    const shown = wanted.map(({ colour }) => [colour, seen.count(colour)]);
    expect([...shown, ...captured.warnings]).toEqual(wanted.map(({ colour, pixels }) => [colour, pixels]));
    expect(captured.verdict.codes).toEqual([]);
  });

  it.concurrent('in sections that the mouse wheel moves (like fullpage.js)', { timeout: 200_000 }, async () => {
    const captured = await capture(`${harness.site.origin}/reveal/fullpage-like.html`);
    const seen = await pixels(captured.bytes);
    expect(seen.height).toBe(6 * 800);
    expect([seen.count(box.colour), seen.count(picture.colour)]).toEqual([6 * 200 * 100, 6 * 100 * 100]);
    expect(captured.verdict.codes).toEqual([]);
  });

  it.concurrent('in a list that has only the rows in view', { timeout: 200_000 }, async () => {
    const captured = await capture(`${harness.site.origin}/reveal/virtual-list.html`);
    const seen = await pixels(captured.bytes);
    expect([seen.height, seen.count(box.colour)]).toEqual([5000, 5000 * 1280]);
    expect(captured.verdict.codes).toEqual([]);
  });
});

describe('a full page', () => {
  it.concurrent('gets a warning and cut if a list never has more rows than a window', {
    timeout: 200_000,
  }, async () => {
    const url = `${harness.site.origin}/reveal/virtual-list.html?stubborn`;
    const captured = await capture(url);
    expect(captured.warnings.join()).toMatch(/only while they are in view/);
    expect(captured.verdict.codes).toEqual(['cut']);
    expect([captured.width, captured.height]).toEqual([1280, 5000]);
  });

  it.concurrent('gets no code for elements that are shown only on hover', { timeout: 200_000 }, async () => {
    const cards = '<div>x<b></b></div>'.repeat(200);
    const html = `<!doctype html><style>body{margin:0} div{height:30px;overflow:hidden;background:#0000ff} b{display:block;height:30px;margin-top:-20px;background:#cc0000;opacity:0} div:hover b{opacity:1}</style>${cards}<script>addEventListener('scroll', () => {})</script>`;
    const captured = await capture(harness.site.page(html));
    const seen = await pixels(captured.bytes);
    expect([seen.height, seen.count('#cc0000')]).toEqual([6000, 0]);
    expect(captured.verdict.codes).toEqual([]);
  });

  it.concurrent('is captured even if the height of the page changes every frame', {
    timeout: 60_000,
  }, async () => {
    const html = `<!doctype html><body style="margin:0;background:#0000ff">x<script>let n = 0; const turn = () => { document.body.style.height = 3000 + (n++ % 2) * 700 + 'px'; requestAnimationFrame(turn) }; turn(); addEventListener('scroll', () => {})</script>`;
    const captured = await capture(harness.site.page(html));
    expect([3000, 3700]).toContain(captured.height);
  });

  it.concurrent('shows what slides in where it comes to rest, even if it has faded in before', {
    timeout: 60_000,
  }, async () => {
    const html = `<!doctype html><style>body{margin:0} main{height:2000px} i{display:block;width:200px;height:100px;background:#00aa00;opacity:0;transform:translateX(-150px)}</style><main></main><i></i><main></main>
      <script>const e = document.querySelector('i'); let fade, began;
        const slide = () => { if (!began) return; const part = Math.min(1, (performance.now() - began) / 600);
          e.style.transform = 'translateX(' + (part - 1) * 150 + 'px)'; if (part < 1) requestAnimationFrame(slide) };
        new IntersectionObserver(([{ isIntersecting }]) => {
          fade?.cancel(); e.style.transform = ''; began = isIntersecting ? performance.now() : undefined;
          if (isIntersecting) { fade = e.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 600, fill: 'both' }); slide() }
        }).observe(e)</script>`;
    const seen = await pixels((await capture(harness.site.page(html))).bytes);
    expect([seen.height, seen.count('#00aa00')]).toEqual([4100, 200 * 100]);
  });

  it.concurrent('keeps what a library hides again with an animation that it starts anew', {
    timeout: 60_000,
  }, async () => {
    const html = `<!doctype html><style>body{margin:0} main{height:2000px} i{display:block;width:200px;height:100px;background:#00aa00;opacity:0}</style><main></main><i></i><main></main>
      <script>const e = document.querySelector('i'); let running;
        const hide = () => { running = e.animate([{ opacity: 0 }, { opacity: 0 }], { duration: 5000, fill: 'both' }); running.onfinish = hide };
        new IntersectionObserver(([{ isIntersecting }]) => {
          running?.cancel(); if (isIntersecting) e.style.opacity = 1; else hide() }).observe(e)</script>`;
    const seen = await pixels((await capture(harness.site.page(html))).bytes);
    expect([seen.height, seen.count('#00aa00')]).toEqual([4100, 200 * 100]);
  });

  it.concurrent('shows one slide of a carousel, not all at once', {
    timeout: 60_000,
  }, async () => {
    const html = `<!doctype html><style>body{margin:0} main{height:2000px} #c{position:relative;height:100px} #c i{position:absolute;inset:0;opacity:0;background:#00aa00} #c i+i{background:#aa0000;left:50%} #c .on{opacity:1}</style><main></main><div id=c><i class=on></i><i></i></div><main></main>
      <script>let n = 0; setInterval(() => { const [a, b] = c.children; n = 1 - n; a.className = n ? '' : 'on'; b.className = n ? 'on' : '' }, 300); addEventListener('scroll', () => {})</script>`;
    const seen = await pixels((await capture(harness.site.page(html))).bytes);
    const [green, red] = [seen.count('#00aa00'), seen.count('#aa0000')];
    expect([green, red]).toEqual(green > 0 ? [1280 * 100, 0] : [0, 640 * 100]);
  });

  it.concurrent('gets cut if sections are hidden and cannot be scrolled to, and not if scrolling is only locked', {
    timeout: 200_000,
  }, async () => {
    const html = (style: string) =>
      `<!doctype html><style>${style} section{height:100vh}</style><div><section>a</section><section>b</section><section>c</section></div><script>addEventListener('wheel', () => {})</script>`;
    const stuck = await capture(harness.site.page(html('html,body,div{height:100%;overflow:hidden;margin:0}')));
    expect(stuck.verdict.codes).toEqual(['cut']);
    const locked = await capture(harness.site.page(html('body{overflow:hidden;margin:0}')));
    expect([locked.height, locked.verdict.codes]).toEqual([2400, []]);
  });
});
