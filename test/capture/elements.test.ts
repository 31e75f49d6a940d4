// `selector`: the box of an element, exact to the pixel, wherever it is and however it got there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureWeight } from '../../src/capture/budgets.ts';
import { distance } from '../harness/picture.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';
import { svg } from './site.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness({ concurrency: 3, pages: 6 });
  harness.site.on('/tall.svg', (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml' });
    setTimeout(() => response.end(svg('#00aa00', 300, 700)), 50);
  });
});
afterAll(() => harness.close());

const ground = '#ffee00';
const blue = '#0000ff';

const style = `<style>html{background:${ground}} body{margin:0} #e,.e{background:${blue}}</style>`;
const page = (body: string, head = '') => `<!doctype html>${head}${style}${body}`;
const box = (css: string) => `<div id=e style="${css}"></div>`;
const room = (height: number) => `<div style="height:${height}px"></div>`;
const scrolls = 'overflow:auto;width:300px;height:200px;background:#aa0000';

type Fixture = {
  readonly html: string;
  readonly size: readonly [number, number];
  readonly query?: Record<string, string | number | boolean>;
  /** The padding in output pixels: the ring around the element has the page's colour. */
  readonly ring?: number;
  /** Edges between two device pixels are blended: the corners are checked a pixel further in. */
  readonly soft?: boolean;
  /** The box is larger than what is painted in it. */
  readonly noCorners?: boolean;
  readonly fragment?: string;
};

/** The size of a box of CSS pixels whose edges are at the nearest device pixels. */
const edges = (left: number, top: number, width: number, height: number, scale: number): [number, number] => [
  Math.round((left + width) * scale) - Math.round(left * scale),
  Math.round((top + height) * scale) - Math.round(top * scale),
];

const small = box('position:absolute;left:31px;top:17px;width:201px;height:101px');
const frame = (inner: string, css: string) =>
  `<iframe srcdoc="${page(inner).replaceAll('"', '&quot;')}" style="${css}"></iframe>`;

const fixtures: Record<string, Fixture> = {
  'in view': { html: page(small), size: [201, 101] },
  'the body': {
    html: page('<body id=e style="height:500px">'),
    size: [1280, 500],
  },
  'an image': {
    html: page(`${room(50)}<img id=e src="/tall.svg" style="background:none;filter:none">`),
    size: [300, 700],
    noCorners: true,
  },
  'at fractions of a pixel': {
    html: page(box('position:absolute;left:10.5px;top:20.25px;width:100.5px;height:50.25px')),
    size: [100, 51],
  },
  'below the window': {
    html: page(`${room(3000)}${box('width:300px;height:200px')}${room(500)}`),
    size: [300, 200],
  },
  'absolute, far below and to the right': {
    html: page(box('position:absolute;left:2000px;top:4000px;width:77px;height:33px')),
    size: [77, 33],
  },
  'taller than the window': { html: page(box('width:100px;height:2500px')), size: [100, 2500] },
  'wider than the window': { html: page(box('width:2000px;height:100px')), size: [2000, 100] },
  'larger than the window both ways, further down': {
    html: page(`${room(1000)}${box('width:1500px;height:1800px')}`),
    size: [1500, 1800],
  },
  fixed: {
    html: page(`${box('position:fixed;right:10px;top:10px;width:90px;height:60px')}${room(3000)}`),
    size: [90, 60],
  },
  'fixed to the bottom of a long page': {
    html: page(`${box('position:fixed;left:0;right:0;bottom:0;height:60px')}${room(3000)}`),
    size: [1280, 60],
  },
  'sticky at the top': {
    html: page(`${room(30)}${box('position:sticky;top:0;height:50px')}${room(3000)}`),
    size: [1280, 50],
  },
  'sticky at the bottom, far below': {
    html: page(`${room(2000)}${box('position:sticky;bottom:0;height:50px')}${room(1000)}`),
    size: [1280, 50],
  },
  'under a fixed header once it is scrolled to': {
    html: page(
      `<div style="position:fixed;inset:0 0 auto;height:100px;background:#aa0000"></div>${room(2000)}${box('height:80px')}${room(2000)}`,
    ),
    size: [1280, 80],
  },
  'under a bar that is fixed to the bottom': {
    html: page(
      `<div style="position:fixed;inset:auto 0 0;height:100px;background:#aa0000"></div>${room(650)}${box('height:300px')}${room(2000)}`,
    ),
    size: [1280, 300],
  },
  scaled: {
    html: page(`<div style="transform:scale(1.5);transform-origin:0 0">${small}</div>`),
    // Of 46.5 to 348 and 25.5 to 177.
    size: [301, 151],
    soft: true,
  },
  moved: { html: page(box('transform:translate(100px,1200px);width:50px;height:40px')), size: [50, 40] },
  'turned, by its bounding box': {
    html: page(box('position:absolute;left:100px;top:100px;width:100px;height:100px;transform:rotate(45deg)')),
    // From 150 - 70.71 to 150 + 70.71.
    size: [142, 142],
    noCorners: true,
  },
  'in a zoomed parent': {
    html: page(`<div style="zoom:2">${room(1000)}${box('width:100px;height:50px')}</div>`),
    size: [200, 100],
  },
  'in a zoomed page': {
    html: page(`${room(500)}${box('width:120px;height:40px')}`, '<style>html{zoom:1.5}</style>'),
    size: [180, 60],
  },
  'with a layer of its own': {
    html: page(`${room(1500)}${box('will-change:transform;width:100px;height:100px')}`),
    size: [100, 100],
  },
  'in open shadow DOM': {
    html: page(
      `<x-a><template shadowrootmode=open>${style}${room(900)}${box('width:150px;height:70px')}</template></x-a>`,
    ),
    size: [150, 70],
  },
  'in nested shadow DOM made by a script': {
    html: page(`<x-a></x-a><script>
      const root = document.querySelector('x-a').attachShadow({ mode: 'open' }); root.innerHTML = '<x-b></x-b>';
      root.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<p id=e style="width:150px;height:70px;background:${blue}"></p>'</script>`),
    size: [150, 70],
  },
  'slotted into shadow DOM that scrolls': {
    html: page(
      `<x-a><template shadowrootmode=open><div style="${scrolls}">${room(700)}<slot></slot>${room(700)}</div></template>${box('width:100px;height:60px')}</x-a>`,
    ),
    size: [100, 60],
  },
  'in a frame': {
    html: page(`${room(40)}${frame(small, 'width:400px;height:300px;border:7px solid red;padding:5px 3px')}`),
    size: [201, 101],
  },
  'in a frame, further down in it and in the page': {
    html: page(
      `${room(1500)}${frame(room(2000) + box('width:100px;height:60px') + room(500), 'width:400px;height:300px;border:0')}${room(500)}`,
    ),
    size: [100, 60],
  },
  'in a frame that is shown at half its size': {
    html: page(
      frame(
        box('position:absolute;left:20px;top:40px;width:200px;height:100px'),
        'width:400px;height:300px;border:10px solid red;transform:scale(0.5);transform-origin:0 0',
      ),
    ),
    size: [100, 50],
  },
  'on a page from right to left': {
    html: page(
      `<html dir=rtl><a style="position:absolute;left:-3000px;top:0">skip</a>${room(1200)}${box('width:300px;height:90px')}`,
    ),
    size: [300, 90],
  },
  'left of the window on a page from right to left': {
    html: page(`<html dir=rtl>${box('position:absolute;left:-700px;top:50px;width:300px;height:90px')}`),
    size: [300, 90],
  },
  'on a phone': {
    html: page(
      `${room(1500)}${box('margin-left:11px;width:103px;height:51px')}`,
      '<meta name=viewport content="width=device-width">',
    ),
    query: { device: 'iphone-14' },
    size: [309, 153],
  },
  'on a phone that shows a desktop page': {
    html: page(`${room(1500)}${box('margin-left:98px;width:490px;height:196px')}`),
    query: { device: 'iphone-14' },
    size: edges(98, 1500, 490, 196, (390 / 980) * 3),
    soft: true,
  },
  'on a phone with a fractional scale': {
    html: page(
      `${room(1501)}${box('margin-left:13px;width:101px;height:51px')}`,
      '<meta name=viewport content="width=device-width">',
    ),
    query: { device: 'pixel-8' },
    size: edges(13, 1501, 101, 51, 2.625),
    soft: true,
  },
  'on a phone that starts zoomed in': {
    html: page(
      `${room(1500)}${box('margin-left:11px;width:103px;height:51px')}`,
      '<meta name=viewport content="width=device-width,initial-scale=2">',
    ),
    query: { device: 'iphone-14' },
    size: [618, 306],
  },
  'far below, at scale 2': {
    html: page(`${room(60_000)}${box('width:103px;height:51px')}`),
    query: { deviceScale: 2 },
    size: [206, 102],
  },
  'at scale 1.5': { html: page(small), query: { deviceScale: 1.5 }, size: edges(31, 17, 201, 101, 1.5) },
  'at scale 2': { html: page(small), query: { deviceScale: 2 }, size: [402, 202] },
  'at scale 2.625': {
    html: page(small),
    query: { deviceScale: 2.625 },
    size: edges(31, 17, 201, 101, 2.625),
    soft: true,
  },
  'at scale 3': { html: page(small), query: { deviceScale: 3 }, size: [603, 303] },
  'at scale 2 and fractions of a pixel': {
    html: page(box('position:absolute;left:10.5px;top:1020.5px;width:100.5px;height:50px')),
    query: { deviceScale: 2 },
    // The browser draws it from 11 to 111 and from 1021 to 1071.
    size: [200, 100],
  },
  'in an inner scroller': {
    html: page(`<div style="${scrolls}">${room(1000)}${box('width:100px;height:60px')}${room(300)}</div>${room(2000)}`),
    size: [100, 60],
  },
  'in an inner scroller that is zoomed': {
    html: page(`<div style="${scrolls};zoom:2">${room(1000)}${box('width:100px;height:60px')}${room(300)}</div>`),
    size: [200, 120],
  },
  'in a carousel': {
    html: page(
      `<div style="${scrolls};display:flex;overflow-y:hidden"><div style="flex:none;width:900px"></div><div id=e style="flex:none;width:200px;height:90px"></div></div>`,
    ),
    size: [200, 90],
  },
  'larger than the box it scrolls in': {
    html: page(
      `${room(30)}<div style="${scrolls}"><div style="padding:20px">${box('width:900px;height:1200px')}</div></div>${room(2000)}`,
    ),
    size: [900, 1200],
  },
  'in two scrollers': {
    html: page(
      `${room(1000)}<div style="${scrolls}">${room(500)}<div style="overflow:scroll;height:150px">${room(800)}${box('width:70px;height:70px')}</div></div>`,
    ),
    size: [70, 70],
  },
  'in the element that scrolls instead of the page': {
    html: page(
      `<div style="position:fixed;inset:0;overflow:auto">${room(4000)}${box('width:100px;height:60px')}${room(300)}</div>`,
    ),
    size: [100, 60],
  },
  'taller than the element that scrolls instead of the page': {
    html: page(
      `<div style="position:fixed;inset:0;overflow:auto">${room(1000)}${box('width:100px;height:1500px')}</div>`,
    ),
    size: [100, 1500],
  },
  'below lazy images that move it': {
    html: page(
      `${room(1000)}${'<img loading=lazy src="/tall.svg"><br>'.repeat(3)}${room(900)}${'<img loading=lazy src="/tall.svg"><br>'.repeat(2)}${box('width:100px;height:60px')}`,
    ),
    size: [100, 60],
  },
  'below content that a script adds where it is scrolled to': {
    html: page(`${room(1500)}<p class=lazy>${room(1500)}<p class=lazy>${box('width:100px;height:60px')}<script>
      const seen = new IntersectionObserver((all) => { for (const { isIntersecting, target } of all)
        if (isIntersecting) { seen.unobserve(target); setTimeout(() => { target.style.height = '900px' }, 150) } });
      for (const lazy of document.querySelectorAll('.lazy')) seen.observe(lazy)</script>`),
    size: [100, 60],
  },
  'hidden until it is scrolled to': {
    html: page(`${room(2000)}${box('width:100px;height:60px;opacity:0;transition:opacity 0.3s')}<script>
      new IntersectionObserver(([one]) => { if (one.isIntersecting) e.style.opacity = 1 }).observe(e)</script>`),
    size: [100, 60],
  },
  'of which the first match is hidden': {
    html: page(
      `<div class=e style="display:none"></div><div class=e style="opacity:0;height:9px"></div><div class=e style="visibility:hidden;height:9px"></div><div class=e></div><div class=e style="position:absolute;clip-path:inset(50%);width:9px;height:9px"></div><div class=e style="position:absolute;left:-9999px;height:9px;width:9px"></div><div style="overflow:hidden;position:relative;height:10px"><div class=e style="position:absolute;top:50px;height:9px;width:9px"></div></div><div class=e style="width:44px;height:22px"></div>`,
    ),
    query: { selector: '.e' },
    size: [44, 22],
  },
  'that appears after two seconds': {
    html: page(
      `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div id=e style="width:60px;height:60px"></div>'), 2000)</script>`,
    ),
    size: [60, 60],
  },
  'that is shown after a second': {
    html: page(
      `${box('width:60px;height:60px;display:none')}<script>setTimeout(() => { e.style.display = 'block' }, 1000)</script>`,
    ),
    size: [60, 60],
  },
  'that an animation brings to its place': {
    html: page(
      `${box('width:60px;height:60px;animation:slide 5s both')}`,
      '<style>@keyframes slide { from { margin-left: 0; opacity: 0 } to { margin-left: 500px } }</style>',
    ),
    size: [60, 60],
  },
  'that is still on its way when the page has settled': {
    html: page(`${box('position:absolute;left:0;top:0;width:60px;height:60px')}<script>
      let n = 0; const timer = setInterval(() => { e.style.left = (n += 20) + 'px'; if (n > 800) clearInterval(timer) }, 50)</script>`),
    size: [60, 60],
  },
  'in an open disclosure': {
    html: page(`<details open><summary>x</summary>${box('width:60px;height:60px')}</details>`),
    size: [60, 60],
  },
  'an open dialog': {
    html: page(
      `${room(3000)}<dialog id=e style="border:0;padding:0;outline:0;width:222px;height:111px"></dialog><script>e.showModal()</script>`,
    ),
    size: [222, 111],
  },
  'in a drawing': {
    html: page(
      `${room(900)}<svg width=400 height=300 style="background:none"><rect id=e x=50 y=60 width=120 height=80 fill="${blue}"/></svg>`,
    ),
    size: [120, 80],
  },
  'a row of a table': {
    html: page(
      `${room(900)}<table style="border-collapse:collapse"><tr><td>a<tr id=e><td style="padding:0;width:150px;height:30px"><td style="padding:0;width:50px"></table>`,
    ),
    size: [200, 30],
  },
  'below sections that are not rendered until they are near': {
    html: page(
      `${'<section style="content-visibility:auto;contain-intrinsic-size:10px"><div style="height:700px"></div></section>'.repeat(6)}${box('width:100px;height:60px')}`,
    ),
    size: [100, 60],
  },
  'on a page that starts further down': {
    html: page(`${box('width:100px;height:60px')}${room(2000)}<p id=below>${room(2000)}`),
    fragment: '#below',
    size: [100, 60],
  },
  'on a page in quirks mode': {
    html: `${style}${room(2000)}${box('width:100px;height:60px')}`,
    size: [100, 60],
  },
  'on a page whose scrolling is locked': {
    html: page(`<body style="overflow:hidden">${room(2000)}${box('width:100px;height:60px')}`),
    size: [100, 60],
  },
  'although the whole page is asked for too': { html: page(small), query: { fullPage: true }, size: [201, 101] },
  'with padding': { html: page(small), query: { padding: 15 }, size: [231, 131], ring: 15 },
  'with padding, below the window': {
    html: page(`${room(2000)}${box('margin-left:40px;width:100px;height:60px')}${room(40)}`),
    query: { padding: 20 },
    size: [140, 100],
    ring: 20,
  },
  'with padding at scale 2': { html: page(small), query: { padding: 10, deviceScale: 2 }, size: [442, 242], ring: 20 },
  'with padding at scale 2.625': {
    html: page(small),
    query: { padding: 8, deviceScale: 2.625 },
    size: edges(23, 9, 217, 117, 2.625),
    ring: 21,
    soft: true,
  },
};

/** Corners and the centre of a rectangle that is `inset` pixels inside of the picture. */
const points = (width: number, height: number, inset: number): [number, number][] => [
  [inset, inset],
  [width - 1 - inset, inset],
  [inset, height - 1 - inset],
  [width - 1 - inset, height - 1 - inset],
];

describe('the picture of an element', () => {
  it.concurrent.each(Object.entries(fixtures))('%s is exactly its box', async (name, fixture) => {
    const { html, size, query = {}, ring = 0, soft, noCorners, fragment = '' } = fixture;
    const captured = await harness.capture(harness.site.page(html) + fragment, { selector: '#e', ...query });
    const picture = await pixels(captured.bytes);
    expect([picture.width, picture.height]).toEqual(size);
    expect([captured.width, captured.height]).toEqual(size);
    expect(captured.warnings.filter((warning) => !/blank/.test(warning))).toEqual([]);
    const [width, height] = size;
    if (name === 'an image') return expect(picture.count('#00aa00')).toBe(width * height);
    expect(picture.at(width >> 1, height >> 1)).toBe(blue);
    if (!noCorners)
      for (const [x, y] of points(width, height, ring + (soft ? 1 : 0)))
        expect([x, y, picture.at(x, y)]).toEqual([x, y, blue]);
    if (ring > 0) for (const [x, y] of points(width, height, ring - 1)) expect(picture.at(x, y)).toBe(ground);
    if (ring > 0) for (const [x, y] of points(width, height, 0)) expect(picture.at(x, y)).toBe(ground);
  });

  it.each([
    ['at its top left', `${box('width:100px;height:60px')}${room(900)}`, [130, 90], [0, 0]],
    ['at its bottom right', `${room(900)}${box('width:100px;height:60px;margin-left:auto')}`, [130, 90], [129, 89]],
  ])('with padding is cut to the page %s', async (_where, html, size, corner) => {
    const captured = await harness.capture(harness.site.page(page(html)), { selector: '#e', padding: 30 });
    expect([captured.width, captured.height]).toEqual(size);
    const picture = await pixels(captured.bytes);
    expect(picture.at(corner[0] ?? 0, corner[1] ?? 0)).toBe(blue);
    expect(picture.count(blue)).toBe(100 * 60);
  });

  it('that is an inline text which wraps is its bounding box', async () => {
    const html = page(
      `<p style="margin:50px;width:300px">one two three four five <span id=e>${'six '.repeat(40)}</span><script>document.title = JSON.stringify(e.getBoundingClientRect())</script>`,
    );
    const captured = await harness.capture(harness.site.page(html), { selector: '#e' });
    const { left, top, right, bottom } = JSON.parse(captured.page.title) as Record<string, number>;
    const side = (end = 0, start = 0) => Math.round(end) - Math.round(start);
    expect([captured.width, captured.height]).toEqual([side(right, left), side(bottom, top)]);
    expect(captured.height).toBeGreaterThan(50);
  });

  it('is cut where it sticks out of the page', async () => {
    const html = page(box('position:absolute;left:-30px;top:-20px;width:100px;height:60px'));
    const captured = await harness.capture(harness.site.page(html), { selector: '#e', padding: 5 });
    expect([captured.width, captured.height]).toEqual([75, 45]);
  });

  it('that never stops moving is given, with a warning', async () => {
    const html = page(`<p>x${box('position:absolute;width:60px;height:60px')}<script>
      let n = 0; const move = () => { e.style.left = (n++ % 300) + 'px'; requestAnimationFrame(move) }; move()</script>`);
    const captured = await harness.capture(harness.site.page(html), { selector: '#e' });
    expect([captured.width, captured.height]).toEqual([60, 60]);
    expect(captured.warnings).toContain('The element moved while its picture was taken.');
  });

  it('larger than a format holds is cut with a warning, or refused', async () => {
    const url = harness.site.page(page(`<p>x${box('width:40000px;height:20px')}`));
    const captured = await harness.capture(url, { selector: '#e', format: 'jpg' });
    expect([captured.width, captured.height]).toEqual([32_000, 20]);
    expect(captured.verdict.codes).toEqual(['cut']);
    await expect(harness.capture(url, { selector: '#e', format: 'webp' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      parameter: 'format',
    });
  });

  it('says which pictures in it are missing, and is silent about others', async () => {
    const broken = '<img src="/none.png" width=50 height=50>';
    const [inside, outside] = await Promise.all(
      [page(`<p>x<div id=e>${broken}</div>`), page(`<p>x${broken}${box('height:50px')}`)].map((html) =>
        harness.capture(harness.site.page(html), { selector: '#e' }),
      ),
    );
    expect(inside?.verdict.codes).toEqual(['images_failed']);
    expect(outside?.verdict.codes).toEqual([]);
  });
});

describe('without such an element', () => {
  const late = '<script>setInterval(() => {}, 100)</script>';

  it.concurrent.each([
    ['nothing matches', '<p>x'],
    ['nothing matches within five seconds', `<p>x${late}`],
    ['it is in a closed shadow root', '<x-a><template shadowrootmode=closed><p id=e>x</template></x-a>'],
    ['it is in a frame of another origin', '<iframe sandbox srcdoc="<p id=e>x"></iframe>'],
  ])('the error is element_not_found: %s', async (_what, html) => {
    const began = performance.now();
    await expect(harness.capture(harness.site.page(page(html)), { selector: '#e' })).rejects.toMatchObject({
      code: 'element_not_found',
      status: 400,
      parameter: 'selector',
    });
    if (html.includes(late)) expect(performance.now() - began).toBeGreaterThan(4900);
  });

  // Alone: the others would take its time.
  it('the error comes before the timeout', async () => {
    const wish = { selector: '#e', delay: 8000, timeout: 12_000 };
    const shot = harness.capture(harness.site.page(page(`<p>x${late}`)), wish);
    await expect(shot).rejects.toMatchObject({ code: 'element_not_found' });
  });

  it.concurrent.each([
    ['display: none', box('display:none;height:9px')],
    ['visibility: hidden', box('visibility:hidden;height:9px')],
    ['opacity: 0', box('opacity:0;height:9px')],
    ['opacity: 0 of a parent', `<div style="opacity:0">${box('height:9px')}</div>`],
    ['no size', box('height:0')],
    ['display: contents', '<div id=e style="display:contents"><p>x</p></div>'],
    ['a closed disclosure', `<details><summary>x</summary>${box('height:9px')}</details>`],
    ['a closed dialog', '<dialog id=e>x</dialog>'],
    ['left of the page', box('position:absolute;left:-9999px;width:50px;height:50px')],
    ['above the page', box('position:absolute;top:-9999px;width:50px;height:50px')],
    [
      'outside of what its parent shows',
      `<div style="overflow:hidden;position:relative;width:50px;height:50px">${box('position:absolute;left:70px;width:9px;height:9px')}</div>`,
    ],
    ['a text for screen readers', box('position:absolute;clip:rect(0,0,0,0);width:1px;height:1px')],
    ['a hidden frame', frame(small, 'visibility:hidden')],
  ])('that can be seen the error is element_not_visible: %s', async (_what, html) => {
    const shot = harness.capture(harness.site.page(page(html)), { selector: '#e' });
    await expect(shot).rejects.toMatchObject({
      code: 'element_not_visible',
      status: 400,
      parameter: 'selector',
    });
  });

  it.each(['p[', '::', '#1a', 'a >', '{}', 'a { color: red }'])(
    'a selector that does not parse is told before the page is loaded: %j',
    async (selector) => {
      const url = harness.site.page('<p>x');
      const before = harness.site.requests.length;
      for (const name of ['selector', 'hide'])
        await expect(harness.capture(url, { [name]: selector })).rejects.toMatchObject({
          code: 'invalid_parameter',
          parameter: name,
        });
      expect(harness.site.requests.length).toBe(before);
    },
  );
});

describe('an element', () => {
  it('weighs as much as a full page, because it may be as large', () => {
    const plain = { width: 1280, height: 800, deviceScale: 3, fullPage: false, format: 'png' };
    expect(captureWeight({ ...plain, selector: 'main' })).toBe(captureWeight({ ...plain, fullPage: true }));
    expect(captureWeight(plain)).toBe(1);
  });

  it('has the colours of the page as jpg and webp', async () => {
    for (const format of ['jpg', 'webp']) {
      const captured = await harness.capture(harness.site.page(page(small)), { selector: '#e', format, quality: 100 });
      const picture = await pixels(captured.bytes);
      expect([picture.width, picture.height]).toEqual([201, 101]);
      expect(distance(picture.at(100, 50), blue)).toBeLessThan(4);
    }
  });
});
