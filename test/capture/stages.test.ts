import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deadline } from '../../src/kernel/deadline.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

const capture = (html: string, query: Record<string, string | number | boolean> = {}, deadline?: Deadline) =>
  harness.capture(harness.site.page(html), query, deadline);

describe('waitForSelector', () => {
  it('waits for an element that appears late', async () => {
    const captured = await capture(
      '<p>early<script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<b id=late style=\'display:block;height:400px;background:#00aa00\'>late</b>"), 700)</script>',
      { waitForSelector: '#late' },
    );
    expect((await pixels(captured.bytes)).count('#00aa00')).toBeGreaterThan(100_000);
  });

  it('that never matches is a 504 that names it', async () => {
    const shot = capture('<p>x', { waitForSelector: '#never', timeout: 5000 });
    await expect(shot).rejects.toMatchObject({ code: 'render_timeout', message: expect.stringContaining('"wait"') });
  });

  it.each(['p[', '::', '#1a', 'a >', '{}'])(
    'of %j does not parse: a 400 before the page is loaded',
    async (selector) => {
      const url = harness.site.page('<p>x');
      const before = harness.site.requests.length;
      await expect(harness.capture(url, { waitForSelector: selector })).rejects.toMatchObject({
        code: 'invalid_parameter',
        parameter: 'waitForSelector',
      });
      expect(harness.site.requests.length).toBe(before);
    },
  );
});

describe('customJS', () => {
  it('changes the page before it is captured, even with a content security policy', async () => {
    const url = harness.site.page('<p>x', { 'content-security-policy': "default-src 'none'" });
    const captured = await harness.capture(url, { customJS: 'document.body.style.background = "#00aa00"' });
    expect((await pixels(captured.bytes)).at(300, 300)).toBe('#00aa00');
  });

  it('is an async body that may await and return, and may end with a comment', async () => {
    const captured = await capture('<p>x', {
      customJS: 'await new Promise(r => setTimeout(r, 300)); document.title = "done"; return // the end',
    });
    expect(captured.page.title).toBe('done');
  });

  it.each([
    ['throw new TypeError("no such thing")', /TypeError: no such thing/],
    ['throw "just words"', /just words/],
    ['await Promise.reject(new Error("rejected"))', /Error: rejected/],
    ['this is no javascript', /SyntaxError/],
    ['missing.property', /ReferenceError: missing is not defined/],
  ])('%j fails with its own text', async (customJS, text) => {
    await expect(capture('<p>x', { customJS })).rejects.toMatchObject({
      code: 'custom_js_failed',
      status: 400,
      message: expect.stringMatching(text),
    });
  });

  it('that never ends is a 504 that names it', async () => {
    const endless = capture('<p>x', { customJS: 'for (;;);', timeout: 5000 });
    await expect(endless).rejects.toMatchObject({
      code: 'render_timeout',
      message: expect.stringContaining('"script"'),
    });
    const never = capture('<p>x', { customJS: 'await new Promise(() => {})', timeout: 1500 });
    await expect(never).rejects.toMatchObject({ code: 'render_timeout' });
  });

  it('may navigate to another page, which is captured', async () => {
    const other = harness.site.page('<title>Other</title><body style="background:#0000aa">x');
    const captured = await capture('<p>x', { customJS: `location.href = ${JSON.stringify(other)}` });
    expect(captured.page).toMatchObject({ title: 'Other', finalUrl: other });
    expect((await pixels(captured.bytes)).at(300, 300)).toBe('#0000aa');
  });
});

describe('the stages', () => {
  it('run in their order: CSS, load, selector, script, delay, capture', async () => {
    const started = performance.now();
    const captured = await capture(
      `<body><script>document.body.dataset.css = getComputedStyle(document.body).color;
        setTimeout(() => { const b = document.createElement('b'); b.id = 'ready'; document.body.append(b) }, 300)</script>`,
      {
        customCSS: 'body { color: rgb(1, 2, 3) }',
        waitForSelector: '#ready',
        customJS:
          'document.title = document.body.dataset.css + (document.querySelector("#ready") ? " ready" : " early"); setTimeout(() => document.body.style.background = "#00aa00", 100)',
        delay: 1500,
      },
    );
    expect(performance.now() - started).toBeGreaterThan(1700);
    expect(captured.page.title).toBe('rgb(1, 2, 3) ready');
    expect((await pixels(captured.bytes)).at(300, 300)).toBe('#00aa00');
  });

  it('are the phases of the deadline', async () => {
    const deadline = new Deadline(20_000);
    await capture('<p>x', { waitForSelector: 'p', customJS: '1', delay: 50, format: 'webp' }, deadline);
    const phases = deadline.phases();
    expect(Object.keys(phases)).toEqual(
      expect.arrayContaining(['connect', 'load', 'settle', 'wait', 'script', 'delay', 'capture', 'encode']),
    );
    expect(phases.delay).toBeGreaterThanOrEqual(49);
  });

  it('end when the caller disconnects, and the slot is free again', async () => {
    const deadline = new Deadline(20_000);
    const shot = capture('<p>x', { delay: 10_000 }, deadline);
    shot.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 500));
    const cancelledAt = performance.now();
    deadline.cancel();
    await expect(shot).rejects.toMatchObject({ name: 'Cancelled' });
    expect(performance.now() - cancelledAt).toBeLessThan(5000);
    expect(harness.capturer.health().pagesOpen).toBe(0);
  });

  it('do not start when the time is over', async () => {
    await expect(capture('<p>x', { timeout: 1 })).rejects.toMatchObject({ code: 'render_timeout' });
  });
});

describe('a page with dialogs, popups and downloads', () => {
  it('has its dialogs dismissed', async () => {
    const captured = await capture(
      '<p>x<script>alert(1); document.title = String(confirm("?")) + prompt("?", "no"); onbeforeunload = () => "stay"</script>',
    );
    expect(captured.page.title).toBe('falsenull');
  });

  it('opens no popups', async () => {
    harness.site.on('/popup', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('popup');
    });
    const before = harness.site.requests.filter(({ path }) => path === '/popup').length;
    const captured = await capture(
      `<a href="/popup" target="_blank" id=a>x</a><script>window.open("/popup"); a.click(); document.title = "on"</script>`,
      { delay: 300 },
    );
    expect(captured.page.title).toBe('on');
    expect(harness.site.requests.filter(({ path }) => path === '/popup').length).toBe(before);
  });

  it('is captured; its downloads are refused', async () => {
    harness.site.on('/file.bin', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
        .end('bytes');
    });
    const captured = await capture('<title>Still here</title><p>x<script>location.href = "/file.bin"</script>');
    expect(captured.page.title).toBe('Still here');
  });

  it('is captured even if it calls print() and debugger', async () => {
    const captured = await capture('<p>x<script>print(); debugger; document.title = "on"</script>');
    expect(captured.page.title).toBe('on');
  });
});

describe('a page without HTML', () => {
  const sheet = (body: string) =>
    `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">${body}</xsl:template></xsl:stylesheet>`;
  const styled = (href: string) =>
    harness.site.page(`<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${href}"?><r>x</r>`, {
      'content-type': 'text/xml',
    });
  const ways: Record<string, string | number | boolean>[] = [
    {},
    { fullPage: true },
    { format: 'pdf' },
    { clip: '0,0,9,9' },
    { customCSS: 'p{}' },
  ];

  it.each(ways)('that a style sheet in XSL turns into HTML is captured as that HTML, at once: %j', async (query) => {
    const green = sheet('<html><body style="background:#00aa00"><p>green</p></body></html>');
    const href = harness.site.page(green, { 'content-type': 'text/xsl' });
    const before = harness.said.length;
    const { bytes } = await harness.capture(styled(href), query);
    if (query.format !== 'pdf') expect((await pixels(bytes)).at(5, 5)).toBe('#00aa00');
    expect(harness.said.slice(before).filter((line) => line.includes('retried'))).toEqual([]);
  });

  it.each(ways)('that has no element at all is an empty page: %j', async (query) => {
    const removed = harness.site.page('<script>document.documentElement.remove()</script>');
    const missing = styled('/no-such-sheet.xsl');
    for (const url of [removed, missing]) {
      const { bytes } = await harness.capture(url, query);
      if (query.format !== 'pdf') expect((await pixels(bytes)).at(5, 5)).toBe('#ffffff');
    }
  });
});
