// `hide`: elements that match are invisible from the first paint on, and keep their room.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfPdf } from '../harness/pdf.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

const red = '#ff0000';
const body = (inner: string) =>
  `<!doctype html><body style="margin:0;background:#ffffff">${inner}<div style="height:50px;background:#0000ff"></div>`;
const banner = (css = '') => `<div class=b style="height:100px;background:${red};${css}"></div>`;

/** How many pixels are red, and where the first blue row is. */
async function look(url: string, query: Record<string, string | number | boolean> = {}) {
  const captured = await harness.capture(url, { hide: '.b', width: 200, height: 300, ...query });
  const picture = await pixels(captured.bytes);
  const blueFrom = Array.from({ length: picture.height }, (_, y) => picture.at(0, y)).indexOf('#0000ff');
  return { red: picture.count(red), blueFrom, title: captured.page.title };
}
const lookAt = (html: string, query: Record<string, string | number | boolean> = {}) =>
  look(harness.site.page(html), query);

describe('what is hidden', () => {
  it.each([
    ['is invisible', banner()],
    [
      'takes its children along, also those that set their own visibility',
      `<div class=b><div style="height:100px;background:${red};visibility:visible;opacity:1">x</div></div>`,
    ],
    [
      'stays so against important rules of the page',
      `<style>div.b.b { opacity: 1 !important; visibility: visible !important }</style>${banner()}`,
    ],
    [
      'stays so against animations',
      `<style>@keyframes in { from, to { opacity: 1; visibility: visible } }</style>${banner('animation:in 1s infinite')}`,
    ],
    [
      'may come late',
      '<div style="height:100px"></div><script>setTimeout(() => { document.querySelector("div").outerHTML = `' +
        banner() +
        '` }, 300)</script>',
    ],
    [
      'may match late',
      `<div style="height:100px;background:${red};transition:all 20s"></div><script>setTimeout(() => { document.querySelector("div").className = "b" }, 100)</script>`,
    ],
    ['is one of several selectors', banner()],
  ])('%s, and keeps its room', async (_what, html) => {
    const seen = await lookAt(body(html), { hide: '#none, .b', ...(html.includes('300') && { delay: 400 }) });
    expect(seen).toMatchObject({ red: 0, blueFrom: 100 });
  });

  it('is hidden under a strict content security policy, and where the page sets its own style sheets', async () => {
    const strict = harness.site.page(body(banner()), {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    });
    expect(await look(strict)).toMatchObject({ red: 0, blueFrom: 100 });
    const replaced = body(`${banner()}<script>document.adoptedStyleSheets = []</script>`);
    expect(await lookAt(replaced)).toMatchObject({ red: 0 });
  });

  it('is a dialog with its backdrop', async () => {
    const html = body(
      `<section><dialog style="background:${red}">x</dialog></section><style>::backdrop{background:${red}}</style><script>document.querySelector('dialog').showModal()</script>`,
    );
    expect((await lookAt(html, { hide: 'dialog' })).red).toBe(0);
    expect((await lookAt(html, { hide: 'section' })).red).toBe(0);
  });

  it('is so before the first script of the page runs, and in a full page and an element', async () => {
    const first = body(
      `${banner()}<script>document.title = getComputedStyle(document.querySelector('.b')).opacity</script>`,
    );
    expect((await lookAt(first)).title).toBe('0');
    const long = body(`<div style="height:1500px"></div>${banner()}`);
    expect(await lookAt(long, { fullPage: true })).toMatchObject({ red: 0, blueFrom: 1600 });
    expect(await lookAt(long, { selector: 'body' })).toMatchObject({ red: 0, blueFrom: 1600 });
    await expect(lookAt(long, { selector: '.b' })).rejects.toMatchObject({ code: 'element_not_visible' });
  });

  it('is not in a PDF either', async () => {
    const url = harness.site.page(body('<p class=b>Secret</p><p>Open</p>'));
    const { bytes } = await harness.capture(url, { hide: '.b', format: 'pdf' });
    const text = textOfPdf(bytes);
    expect(text).toContain('Open');
    expect(text).not.toContain('Secret');
  });
});

describe('hide is no way to bring CSS', () => {
  it.each([
    '.b {} * { background: red',
    '.b } * { background: red }',
    '.b { color: red }',
    '.b; @import "x"',
    '@media all { .b',
    '',
  ])('%j is refused', async (hide) => {
    await expect(lookAt(body(banner()), { hide })).rejects.toMatchObject({ parameter: 'hide' });
  });

  it('a comment or an escape stays a part of the selector', async () => {
    expect((await lookAt(body(banner()), { hide: '/* } * {} */ .b' })).red).toBe(0);
    expect((await lookAt(body(banner()), { hide: '.\\62 /* } * { background: red }' })).red).toBe(0);
    expect((await lookAt(body(banner()), { hide: '[title="} * { background: red }"]' })).red).toBe(200 * 100);
  });
});
