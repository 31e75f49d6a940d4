import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

/** What a page's script sees, brought out through its title. */
async function ask<T>(expression: string, query: Record<string, string | number | boolean> = {}): Promise<T> {
  const url = harness.site.page(`<meta name=viewport content="width=device-width"><p>x<script>(async () => {
    document.title = JSON.stringify(await (${expression})) })()</script>`);
  return JSON.parse((await harness.capture(url, query)).page.title) as T;
}

const colourAt = async (html: string, query: Record<string, string | number | boolean> = {}) =>
  (await pixels((await harness.capture(harness.site.page(html), query)).bytes)).at(300, 300);

describe('the viewport', () => {
  it('is what the page sees, from its first script on', async () => {
    expect(await ask('[innerWidth, innerHeight, devicePixelRatio, screen.width]')).toEqual([1280, 800, 1, 1280]);
    expect(
      await ask('[innerWidth, innerHeight, devicePixelRatio]', { width: 500, height: 900, deviceScale: 2 }),
    ).toEqual([500, 900, 2]);
  });
});

describe('a device', () => {
  const phones = ['iphone-14', 'iphone-14-pro-max', 'galaxy-s23', 'iphone-15', 'pixel-8', 'galaxy-s24'];

  it.each([
    ['iphone-14', 390, 844, 3, /iPhone.*Safari/],
    ['iphone-14-pro-max', 430, 932, 3, /iPhone.*Safari/],
    ['ipad-air', 820, 1180, 2, /iPad.*Safari/],
    ['galaxy-s23', 360, 780, 3, /Android.*Mobile Safari/],
    ['macbook-pro', 1440, 900, 2, /Macintosh.*Chrome/],
    ['iphone-15', 393, 852, 3, /iPhone.*Safari/],
    ['ipad-pro', 1024, 1366, 2, /iPad.*Safari/],
    ['pixel-8', 412, 915, 2.625, /Android.*Mobile Safari/],
    ['galaxy-s24', 360, 780, 3, /Android.*Mobile Safari/],
  ])('%s has its size, scale, touch and user agent', async (device, width, height, scale, agent) => {
    const seen = await ask<{ size: number[]; touch: number; agent: string; coarse: boolean; scale: number }>(
      '({ size: [innerWidth, innerHeight], scale: devicePixelRatio, touch: navigator.maxTouchPoints, agent: navigator.userAgent, coarse: matchMedia("(pointer: coarse)").matches })',
      { device },
    );
    expect(seen.size).toEqual([width, height]);
    expect(seen.scale).toBeCloseTo(scale, 3);
    expect(seen.agent).toMatch(agent);
    expect(seen.touch > 0).toBe(device !== 'macbook-pro');
    if (phones.includes(device)) expect(seen.coarse).toBe(true);
    expect(harness.site.requests.at(-1)?.headers['user-agent']).toBe(seen.agent);
  });

  it('gives a picture of its size times its scale; width, height and deviceScale override it', async () => {
    const url = harness.site.page('<meta name=viewport content="width=device-width"><p>x');
    expect(await harness.capture(url, { device: 'iphone-14' })).toMatchObject({ width: 1170, height: 2532 });
    expect(await harness.capture(url, { device: 'pixel-8' })).toMatchObject({ width: 1082, height: 2402 });
    expect(await harness.capture(url, { device: 'iphone-14', width: 400, deviceScale: 1 })).toMatchObject({
      width: 400,
      height: 844,
    });
  });

  it('lays a page out for a phone, even a page made for a desktop', async () => {
    expect(await ask('innerWidth', { device: 'iphone-14' })).toBe(390);
    const url = harness.site.page('<p>x<script>document.title = document.documentElement.clientWidth</script>');
    expect((await harness.capture(url, { device: 'iphone-14' })).page.title).toBe('980');
  });

  it('sends client hints that agree with the preset and with the real version of the browser', async () => {
    const real = harness.capturer.health().browser.split('.')[0];
    const hints = 'navigator.userAgentData.getHighEntropyValues(["model", "platformVersion", "fullVersionList"])';
    const pixel = await ask<Record<string, unknown>>(hints, { device: 'pixel-8' });
    expect(pixel).toMatchObject({ model: 'Pixel 8', platform: 'Android', mobile: true });
    expect(JSON.stringify(pixel.fullVersionList)).toContain(harness.capturer.health().browser);
    const sent = harness.site.requests.at(-1)?.headers ?? {};
    expect(sent['user-agent']).toContain(`Chrome/${real}.`);
    expect(sent['sec-ch-ua']).toContain(`"Chromium";v="${real}"`);
    expect(sent['sec-ch-ua-mobile']).toBe('?1');
    expect(sent['sec-ch-ua-platform']).toBe('"Android"');
    await ask('1', { device: 'iphone-14' });
    expect(harness.site.requests.at(-1)?.headers['sec-ch-ua']).toBeUndefined();
  });

  it('left out gives the user agent of a desktop Chrome, not a headless one', async () => {
    await ask('1');
    const sent = harness.site.requests.at(-1)?.headers ?? {};
    expect(sent['user-agent']).toMatch(/X11; Linux x86_64.*Chrome\/\d+\.0\.0\.0 Safari/);
    expect(JSON.stringify(sent)).not.toMatch(/headless/i);
    expect(sent['accept-language']).toMatch(/^en-US/);
  });
});

describe('dark mode', () => {
  it.each([
    [
      '@media',
      '<style>body{background:#fff} @media (prefers-color-scheme: dark){body{background:#111111}}</style>',
      '#111111',
    ],
    ['color-scheme', '<style>:root{color-scheme:light dark}</style>', '#121212'],
    ['<meta name=color-scheme>', '<meta name=color-scheme content="light dark">', '#121212'],
    [
      'light-dark()',
      '<style>:root{color-scheme:light dark} body{background:light-dark(#ffffff,#222222)}</style>',
      '#222222',
    ],
    [
      'matchMedia',
      '<body><script>document.body.style.background = matchMedia("(prefers-color-scheme: dark)").matches ? "#333333" : "#ffffff"</script>',
      '#333333',
    ],
  ])('is visible to a page that uses %s, and only with darkMode=true', async (_how, html, dark) => {
    expect(await colourAt(html, { darkMode: true })).toBe(dark);
    expect(await colourAt(html)).toBe('#ffffff');
  });
});

describe('customCSS', () => {
  const css = 'body { background: #00aa00 !important }';

  it('applies before the first script of the page runs', async () => {
    expect(await ask('getComputedStyle(document.body).backgroundColor', { customCSS: css })).toBe('rgb(0, 170, 0)');
  });

  it('applies despite a content security policy and a page that replaces its style sheets', async () => {
    const strict = harness.site.page('<p>x', { 'content-security-policy': "default-src 'none'" });
    expect((await pixels((await harness.capture(strict, { customCSS: css })).bytes)).at(300, 300)).toBe('#00aa00');
    const replaced = harness.site.page('<p>x<script>document.adoptedStyleSheets = []</script>');
    expect((await pixels((await harness.capture(replaced, { customCSS: css })).bytes)).at(300, 300)).toBe('#00aa00');
  });

  it('may import a style sheet', async () => {
    harness.site.on('/imported.css', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/css' }).end('body { background: #0000aa }');
    });
    const customCSS = `@import url("${harness.site.origin}/imported.css");`;
    const strict = harness.site.page('<p>x', { 'content-security-policy': "default-src 'none'" });
    expect((await pixels((await harness.capture(strict, { customCSS })).bytes)).at(300, 300)).toBe('#0000aa');
  });
});
