// The page's clock: after the load its time goes forward as fast as its work allows, and then stands still.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
  harness.site.on('/never', () => {});
  harness.site.on('/late', (_request, response) => {
    setTimeout(() => response.end('late'), 700);
  });
});
afterAll(() => harness.close());

const green = '#00aa00';
const box = '<i id=x style="display:block;width:200px;height:100px;background:#aa0000"></i>';
const show = `x.style.background = '${green}'`;

const capture = async (html: string, query: Record<string, string | number | boolean> = {}) => {
  const captured = await harness.capture(harness.site.page(`<!doctype html>${html}`), query);
  const picture = await pixels(captured.bytes);
  return { captured, picture, greens: picture.count(green) };
};

describe('the picture shows', () => {
  it.each([
    ['what a timer shows 250 ms after the load', `setTimeout(() => { ${show} }, 250)`],
    [
      'what timers show one after the other, 2.4 s in all',
      `let n = 0; setTimeout(function next() { ++n < 12 ? setTimeout(next, 200) : ${show} }, 200)`,
    ],
    [
      'what a counter shows that goes by the timestamps of its frames',
      `let began; requestAnimationFrame(function count(time) { began ??= time; time - began < 1500 ? requestAnimationFrame(count) : ${show} })`,
    ],
    [
      'what a counter shows that compares those timestamps with its own clock',
      `setTimeout(() => { const began = performance.now(); requestAnimationFrame(function count(time) {
        if (time < began - 50) x.remove(); time - began < 800 ? requestAnimationFrame(count) : ${show} }) }, 1500)`,
    ],
    [
      'what is shown 33 frames after that',
      `setTimeout(() => { let n = 0; (function frame() { x.style.opacity = 1 - ++n / 40; n < 33 ? requestAnimationFrame(frame) : (x.style.opacity = 1, ${show}) })() }, 700)`,
    ],
    [
      'what comes with a response that a timer asks for',
      `setTimeout(() => fetch('/late').then(() => { ${show} }), 900)`,
    ],
    [
      'what follows the end of an animation',
      `x.animate([{ opacity: 0 }, { opacity: 1 }], 2000).onfinish = () => { ${show} }`,
    ],
  ])('%s', async (_what, script) => {
    const { captured, greens } = await capture(`${box}<script>${script}</script>`);
    expect([greens, captured.verdict.codes]).toEqual([200 * 100, []]);
  });

  it('one moment, although timers change the page all the time', async () => {
    const stripes = Array.from({ length: 40 }, () => '<i></i>').join('');
    const { captured, picture } = await capture(
      `<style>body{margin:0} i{display:block;height:500px}</style>${stripes}<script>let n = 0;
       setInterval(() => { n = (n + 1) % 200; for (const at of document.querySelectorAll('i')) at.style.background = 'rgb(0, ' + n + ', 0)' }, 20)</script>`,
      { fullPage: true },
    );
    expect(captured.height).toBe(20_000);
    const shades = new Set(Array.from({ length: 40 }, (_, i) => picture.at(640, i * 500 + 250)));
    expect(shades.size).toBe(1);
  });
});

describe('a page is captured that', () => {
  it('goes to another page by a timer: that page, with its timers', async () => {
    const next = harness.site.page(`<!doctype html>${box}<script>setTimeout(() => { ${show} }, 1200)</script>`);
    const { captured, greens } = await capture(
      `<p>Wait</p><script>setTimeout(() => { location = '${next}' }, 2000)</script>`,
    );
    expect([captured.page.finalUrl, greens]).toEqual([next, 200 * 100]);
  });

  it('reloads itself every second, and says so', async () => {
    const { captured } = await capture(`${box}<script>setTimeout(() => location.reload(), 1000)</script>`);
    expect(captured.verdict.codes).toEqual(['unfinished']);
  });

  it('renews a timer of 0 ms for ever', async () => {
    const { greens } = await capture(
      `${box}<script>(function again() { setTimeout(again, 0) })(); setTimeout(() => { ${show} }, 1000)</script>`,
    );
    expect(greens).toBe(200 * 100);
  });

  it('waits for its clock in a loop', async () => {
    const { captured } = await capture(
      `${box}<script>setTimeout(() => { const end = Date.now() + 200; while (Date.now() < end); }, 100)</script>`,
      { timeout: 60_000 },
    );
    expect(captured.height).toBe(800);
  });

  it('shows only that it is loading, because its data never comes: with the code unfinished', async () => {
    const { captured } = await capture(
      `<div class=spinner style="width:99px;height:99px">…</div><script>fetch('/never')</script>`,
    );
    expect(captured.verdict.codes).toEqual(['unfinished']);
  });

  it('polls for ever beside its content, without the code unfinished', async () => {
    const { captured } = await capture(
      `<h1>News</h1>${'<p>Words to read.'.repeat(80)}<script>fetch('/never')</script>`,
    );
    expect(captured.verdict.codes).toEqual([]);
  });
});

describe('the waits of a request', () => {
  it('waitForSelector finds what a timer adds after ten seconds of the page', async () => {
    const { greens } = await capture(
      `${box}<script>setTimeout(() => { x.className = 'ready'; ${show} }, 10_000)</script>`,
      {
        waitForSelector: '.ready',
        timeout: 60_000,
      },
    );
    expect(greens).toBe(200 * 100);
  });

  it('customJS may wait for timers of its own', async () => {
    const { greens } = await capture(box, {
      customJS: `await new Promise((done) => setTimeout(done, 300)); document.querySelector('#x').style.background = '${green}'`,
    });
    expect(greens).toBe(200 * 100);
  });

  it('delay passes for the page, too', async () => {
    const { greens } = await capture(`${box}<script>setTimeout(() => { ${show} }, 4200)</script>`, { delay: 2000 });
    expect(greens).toBe(200 * 100);
  });

  it('waitUntil=load shows the page before its timers', async () => {
    const { greens } = await capture(`${box}<script>setTimeout(() => { ${show} }, 1500)</script>`, {
      waitUntil: 'load',
    });
    expect(greens).toBe(0);
  });
});
