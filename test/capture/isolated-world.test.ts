import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCleaner } from '../../src/capture/clean/cleaner.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness({ cleaner: createCleaner({ dir: join(import.meta.dirname, 'no-lists') }) });
});
afterAll(() => harness.close());

/** Looks for our globals from the page's own world and reports to the site: at once, after load, and repeatedly. */
const spy = `<script>
  const sees = () => typeof tintype !== 'undefined' || typeof builtAt !== 'undefined';
  const tell = () => { new Image().src = '/' + (sees() ? 'something' : 'nothing') + '?' + Math.random(); };
  tell();
  addEventListener('load', tell);
  setInterval(() => sees() && tell(), 5);
  requestAnimationFrame(tell);
</script>`;

const whole = [{}, { fullPage: true }, { format: 'pdf' }] as const;

describe('our scripts in a page', () => {
  it.each(whole)('are invisible to the scripts of the page (%j)', async (query) => {
    const before = harness.site.requests.length;
    const url = harness.site.page(`${spy}<p>text<iframe srcdoc="<script>1</script>frame"></iframe>`);
    await harness.capture(url, query);
    const told = harness.site.requests.slice(before).map(({ path }) => /^\/\w*thing/.exec(path)?.[0]);
    expect(new Set(told.filter(Boolean))).toEqual(new Set(['/nothing']));
  });

  it('read the main frame even if an iframe runs the first script', async () => {
    const frames =
      '<iframe srcdoc="<title>frame</title><script>parent.document.body.append(1)</script>"></iframe>'.repeat(3);
    for (let i = 0; i < 4; i++) {
      const { page } = await harness.capture(harness.site.page(`<title>page</title>${frames}<p>text`), whole[i % 3]);
      expect(page.title).toBe('page');
    }
  });

  it('work in a page that has replaced built-in functions', async () => {
    const url = harness.site.page(`<title>as it is</title><script>
      Object.defineProperty(window, 'customElements', { get: () => null });
      Promise.prototype.then = () => { throw new Error('no promises here'); };
      Document.prototype.querySelector = () => document.body;
    </script><body style="background:#00aa00;height:100vh;margin:0"><p>text`);
    const { page, bytes, warnings } = await harness.capture(url, { fullPage: true });
    expect([page.title, warnings, (await pixels(bytes)).at(600, 400)]).toEqual(['as it is', [], '#00aa00']);
  });

  it.each(whole)('are not confused by SVG and XML elements with the names of HTML elements (%j)', async (query) => {
    const names = [
      'video',
      'img',
      'iframe',
      'object',
      'canvas',
      'input',
      'details',
      'template',
      'slot',
      'style',
      'body',
    ];
    const url =
      harness.site.page(`<title>as it is</title><p>text<svg><video src="/film" poster="/poster"></video></svg><script>
      for (const namespace of ['http://www.w3.org/2000/svg', null]) for (const name of ${JSON.stringify(names)}) {
        const element = document.createElementNS(namespace, name);
        for (const attribute of ['src', 'loading', 'autofocus', 'style']) element.setAttribute(attribute, 'lazy');
        document.body.append(element);
      }
    </script>`);
    const { page, warnings } = await harness.capture(url, query);
    expect([page.title, warnings]).toEqual(['as it is', []]);
  });

  it.each([...whole, { selector: 'main' }, { blockCookies: true }])(
    'are not misled by fields with the names of properties of their form (%j)',
    async (query) => {
      const names = ['parentElement', 'parentNode', 'nextElementSibling', 'children', 'contains', 'id', 'name'];
      const fields = names.map((name) => `<input name="${name}">`).join('');
      const url = harness.site.page(`<title>as it is</title><body style="margin:0"><form>
        <main style="height:3000px;background:#00aa00">${fields}</main>
        <p style="position:absolute;top:1500px;opacity:0">It appears.
        <div class="cookie-consent" style="position:fixed;bottom:0;width:100%;height:90px">We use cookies.</div></form>
        <form style="position:fixed;top:0;width:100%;height:100%;background:#0000aa">${fields}Where to?</form>
        <p>text<script>setTimeout(() => document.querySelector('p').append('s'))</script>`);
      const { page, warnings } = await harness.capture(url, query);
      expect([page.title, warnings]).toEqual(['as it is', []]);
    },
  );

  it('work in the next document after a navigation, with scripts or without', async () => {
    const last = harness.site.page('<title>last</title><body style="background:#00aa00"><p>here');
    const next = harness.site.page(`<title>next</title><meta http-equiv="refresh" content="0;url=${last}">`);
    const first = harness.site.page(`<title>first</title><script>location.replace(${JSON.stringify(next)})</script>`);
    for (const query of whole) {
      const { page } = await harness.capture(first, query);
      expect([page.title, page.finalUrl]).toEqual(['last', last]);
    }
  });
});

describe('a page without scripts', () => {
  const bar = '<div style="position:fixed;bottom:0;width:100%;height:40px;background:#aa0000"></div>';

  it('is expanded and frozen in one call', async () => {
    const url =
      harness.site.page(`<style>@keyframes in{from{opacity:0}}p{animation:in 60s;background:#00aa00;height:3000px;margin:0}
      body{margin:0}</style><p>${bar}`);
    const picture = await pixels((await harness.capture(url, { fullPage: true })).bytes);
    expect([picture.height, picture.at(600, 20), picture.at(600, 780), picture.at(600, 2980)]).toEqual([
      3000,
      '#00aa00',
      '#00aa00',
      '#aa0000',
    ]);
  });

  it.each([
    [
      'in motion',
      '<style>@keyframes in{from{background:#aa0000}to{background:#00aa00}}body{animation:in 60s both}</style>',
    ],
    [
      'that fades in',
      '<style>body{background:#00aa00;transition:background 60s}@starting-style{body{background:#aa0000}}</style>',
    ],
    ['without motion', '<style>body{background:#00aa00}</style>'],
    ['with a field that has the focus', '<style>body{background:#00aa00}</style><input autofocus>'],
  ])('%s gives the same picture every time, at every scale', async (_how, style) => {
    const url = harness.site.page(`${style}<p>text`);
    const shots = [await harness.capture(url), await harness.capture(url), await harness.capture(url)];
    const large = await pixels((await harness.capture(url, { deviceScale: 2 })).bytes);
    expect([large.width, large.height, large.at(40, 1500), large.at(2500, 1500)]).toEqual([
      2560,
      1600,
      '#00aa00',
      '#00aa00',
    ]);
    for (const { bytes } of shots) expect((await pixels(bytes)).at(600, 400)).toBe('#00aa00');
    expect(new Set(shots.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
  });

  it('has its inner scroller expanded', async () => {
    const url = harness.site.page(`<style>html,body{height:100%;margin:0;overflow:hidden}main{height:100%;overflow:auto}
      p{height:2000px;margin:0;background:linear-gradient(#00aa00 1900px,#aa0000 1900px)}</style><main><p></main>`);
    const picture = await pixels((await harness.capture(url, { fullPage: true })).bytes);
    expect([picture.height, picture.at(600, 1950)]).toEqual([2000, '#aa0000']);
  });
});
