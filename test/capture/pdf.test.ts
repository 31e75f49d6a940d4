import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfPdf } from '../harness/pdf.ts';
import { distance } from '../harness/picture.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';
import { svg } from './site.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

const poppler = (command: string, args: string[], bytes: Buffer): Buffer =>
  execFileSync(command, args, { input: bytes, maxBuffer: 1e9 });
const infoOf = (bytes: Buffer) => poppler('pdfinfo', ['-'], bytes).toString();
const pageAsPicture = (bytes: Buffer, page = 1) =>
  pixels(poppler('pdftoppm', ['-r', '50', '-png', '-f', String(page), '-singlefile', '-'], bytes));

const print = (html: string, query: Record<string, string | number | boolean> = {}) =>
  harness.capture(harness.site.page(html), { format: 'pdf', ...query });

const report = `<!doctype html><html lang=en><title>The Report</title><h1>Chapter one</h1><p>Words <a href="https://example.com/there">there</a></p>
  <h1 style="break-before:page">Chapter two</h1><p>More words</p>`;

describe('a PDF', () => {
  it('has the text, the links, the pages, and is tagged', async () => {
    const captured = await print(report);
    expect(captured.type).toBe('application/pdf');
    expect([captured.pages, captured.width, captured.height]).toEqual([2, 612, 792]);
    expect(textOfPdf(captured.bytes)).toMatch(/Chapter one[\s\S]*Words there[\s\S]*Chapter two/);
    expect(infoOf(captured.bytes)).toMatch(/Tagged:\s+yes[\s\S]*Pages:\s+2/);
    expect(captured.bytes.toString('latin1')).toContain('https://example.com/there');
    expect(captured.bytes.toString('latin1')).toContain('/Outlines');
  });

  it('counts its pages also when there are many', async () => {
    const captured = await print('<p style="break-after:page">page</p>'.repeat(130));
    expect(captured.pages).toBe(Number(/Pages:\s+(\d+)/.exec(infoOf(captured.bytes))?.[1]));
    expect(captured.pages).toBeGreaterThanOrEqual(130);
  });

  it.each(['/Count 1 ', '/Count 9999999999', '/Type /Pages /Count 77 /MediaBox [0 0 9 9] '])(
    'has the pages and the size it has, whatever its title, language and links say: %s',
    async (words) => {
      const said = words.repeat(540_000 / words.length);
      const captured = await print(
        `<html lang="${words}"><title>${said}</title><h1 id="${words}">${words}</h1><a href="#${words}">x</a><p style="break-before:page">2`,
      );
      expect([captured.pages, captured.width, captured.height]).toEqual([2, 612, 792]);
    },
  );

  it('that is larger than a PDF may be is an error that says so, and the next one is made', async () => {
    // A JPEG goes into a PDF as it is, with what stands after its end.
    const jpeg = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
      .jpeg()
      .toBuffer();
    for (const name of ['one', 'two'])
      harness.site.on(`/${name}.jpg`, (_request, response) => {
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.concat([jpeg, Buffer.alloc(33e6, name)]));
      });
    const noise = print('<img src=/one.jpg><img src=/two.jpg>');
    await expect(noise).rejects.toMatchObject({
      code: 'unsupported_content',
      message: expect.stringContaining('larger than 64 MB'),
    });
    expect((await print('<p>x')).pages).toBe(1);
  });

  it.each([
    ['a3', 842, 1191],
    ['a4', 595, 842],
    ['a5', 420, 595],
    ['letter', 612, 792],
    ['legal', 612, 1008],
    ['tabloid', 792, 1224],
  ])('of %s has its size, upright and landscape, whatever the page wants', async (pageSize, width, height) => {
    const html = '<style>@page { size: A6 landscape; margin: 3cm }</style><p>x';
    const upright = await print(html, { pageSize });
    const turned = await print(html, { pageSize, landscape: true });
    for (const [captured, wide, tall] of [
      [upright, width, height],
      [turned, height, width],
    ] as const) {
      const [, w, h] = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(infoOf(captured.bytes)) ?? [];
      expect(Math.abs(Number(w) - wide)).toBeLessThan(1);
      expect(Math.abs(Number(h) - tall)).toBeLessThan(1);
      expect(Math.abs(captured.width - wide)).toBeLessThanOrEqual(1);
      expect(Math.abs(captured.height - tall)).toBeLessThanOrEqual(1);
    }
  });

  it('has the margins it is given, in millimetres, and none by default', async () => {
    const html =
      '<style>@page{margin:4cm} html{background:#fff} body{margin:0;background:#fff} div{height:50mm;background:#ff0000}</style><div></div>';
    // 50 dots an inch: 1 mm is 1.97 px.
    const none = await pageAsPicture((await print(html, { pageSize: 'a4' })).bytes);
    expect([none.at(2, 2), none.at(410, 2)]).toEqual(['#ff0000', '#ff0000']);
    const some = await pageAsPicture((await print(html, { pageSize: 'a4', margin: '20,10,0,30' })).bytes);
    expect([some.at(200, 36), some.at(200, 43)]).toEqual(['#ffffff', '#ff0000']);
    expect([some.at(56, 60), some.at(62, 60)]).toEqual(['#ffffff', '#ff0000']);
    expect([some.at(390, 60), some.at(397, 60)]).toEqual(['#ff0000', '#ffffff']);
  });

  it('has what the page writes into its margins only where there is room', async () => {
    const html = `<style>@page { margin: 3cm; @top-left { content: "TOP" } @bottom-center { content: "FOOT " counter(page) } }
      @page named { @right-middle { content: "RIGHT" } } p { page: named }</style><p>text`;
    expect(textOfPdf((await print(html, {})).bytes).trim()).toBe('text');
    const below = textOfPdf((await print(html, { margin: '0,0,20,0' })).bytes);
    expect(below).toMatch(/text\s+FOOT 1/);
    expect(below).not.toMatch(/TOP|RIGHT/);
  });

  it('shows header and footer with their values, at a size one can read', async () => {
    const captured = await print(report, {
      headerTemplate: 'H <span class=title></span> <span class=date></span>',
      footerTemplate: '<span class=pageNumber></span> of <span class=totalPages></span> at <span class=url></span>',
    });
    const text = textOfPdf(captured.bytes);
    expect(text).toMatch(/H The Report \d+\/\d+\/\d+/);
    expect(text).toMatch(/1 of 2 at http:\/\/127\.0\.0\.1/);
    expect(text).toMatch(/2 of 2 at/);
    const boxes = poppler('pdftotext', ['-bbox', '-', '-'], captured.bytes).toString();
    const [, top, bottom] = /yMin="([\d.]+)"[^>]*yMax="([\d.]+)">H</.exec(boxes) ?? [];
    expect(Number(bottom) - Number(top)).toBeGreaterThan(6);
    // Inside the margin of 15 mm, which is 42 points.
    expect(Number(bottom)).toBeLessThan(42);
  });

  it('with only one template has nothing in the place of the other', async () => {
    expect(textOfPdf((await print(report, { footerTemplate: 'FOOT' })).bytes)).not.toMatch(
      /\d+\/\d+\/\d+|127\.0\.0\.1/,
    );
    expect(textOfPdf((await print(report, { headerTemplate: 'HEAD' })).bytes)).not.toContain('127.0.0.1');
  });

  it('prints backgrounds unless told not to', async () => {
    const html = '<body style="margin:0;background:#00aa00;height:100vh">x';
    expect((await pageAsPicture((await print(html)).bytes)).at(200, 200)).toBe('#00aa00');
    expect((await pageAsPicture((await print(html, { printBackground: false })).bytes)).at(200, 200)).toBe('#ffffff');
  });

  it('is scaled', async () => {
    const html = '<body style="margin:0"><div style="width:100px;height:100px;background:#0000ff">';
    const width = async (scale: number) => {
      const picture = await pageAsPicture((await print(html, { scale })).bytes);
      return Array.from({ length: 200 }, (_, x) => picture.at(x, 2)).filter((colour) => colour === '#0000ff').length;
    };
    const [half, one, two] = [await width(0.5), await width(1), await width(2)];
    expect(one).toBeGreaterThan(48);
    expect(Math.abs(half * 2 - one)).toBeLessThan(4);
    expect(Math.abs(two - one * 2)).toBeLessThan(4);
    await print(html, { scale: 0.1 });
  });

  it('cuts an image off where its box does, rounds its corners, and has its file as it is', async () => {
    // Red, green and blue side by side: the box shows the green third.
    const bands = ['#f00', '#0f0', '#00f'].map(
      (fill, i) => `<rect x="${i * 300}" width="300" height="300" fill="${fill}"/>`,
    );
    const jpeg = await sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300">${bands}</svg>`),
    )
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    harness.site.on('/bands.jpg', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg);
    });
    const { bytes } = await print(
      '<body style="margin:0"><img src=/bands.jpg style="display:block;margin:48px;width:192px;height:192px;object-fit:cover;border-radius:48px">',
    );
    const picture = await pageAsPicture(bytes);
    // 50 of its pixels are 96 of the page.
    expect([25, 75, 124].map((x) => distance(picture.at(x, 75), '#00ff00') < 8)).toEqual([true, true, true]);
    expect([picture.at(22, 75), picture.at(128, 75), picture.at(27, 27), picture.at(122, 122)]).toEqual(
      Array(4).fill('#ffffff'),
    );
    expect(bytes.includes(jpeg)).toBe(true);
  });

  it('has its lazy images', async () => {
    harness.site.on('/lazy-print.svg', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg('#ff0000', 400, 400));
    });
    const captured = await print('<div style="height:5000px"></div><img loading=lazy src=/lazy-print.svg>');
    const last = await pageAsPicture(captured.bytes, captured.pages);
    expect(last.count('#ff0000')).toBeGreaterThan(1000);
  });

  it.each([
    [
      '@media',
      '<style>body{background:#fff} @media (prefers-color-scheme: dark){body{background:#101010}}</style>',
      '#101010',
    ],
    ['color-scheme', '<style>:root{color-scheme:light dark}</style>', '#121212'],
  ])('can be dark, by %s', async (_how, html, colour) => {
    const picture = await pageAsPicture((await print(`${html}<p>x`, { darkMode: true })).bytes);
    expect(picture.at(200, 300)).toBe(colour);
  });

  it.each([
    ['fills the window', 'height:100vh'],
    ['is fixed to the window', 'position:fixed;inset:0'],
    ['has a height of its own', 'height:700px'],
  ])('opens an inner scroller that holds the page and %s', async (_what, app) => {
    const rows = Array.from({ length: 100 }, (_, i) => `<p style="margin:0;height:60px">row ${i + 1}.</p>`).join('');
    const html = `<!doctype html><style>html,body{margin:0;height:100%;overflow:hidden}
      #app{${app};display:flex;flex-direction:column} nav{height:50px;flex:none} main{flex:1;min-height:0;overflow:auto}</style>
      <div id=app><nav>menu</nav><main>${rows}</main></div>`;
    for (const script of ['', '<script>document.title = 1</script>']) {
      const captured = await print(html + script);
      expect(captured.pages).toBeGreaterThan(5);
      const words = textOfPdf(captured.bytes).match(/row \d+\./g);
      expect(new Set(words).size).toBe(100);
      expect(captured.warnings).toEqual([]);
    }
  });

  it('of a page that cannot be printed ends in time, and says that it was the printing', async () => {
    const url = harness.site.page('<p>x<script>addEventListener("beforeprint", () => { for (;;); })</script>');
    const began = harness.capture(url, { format: 'pdf', timeout: 8000 });
    await expect(began).rejects.toMatchObject({
      code: 'render_timeout',
      message: expect.stringMatching(/the time ran out in the step "print"/),
    });
  });
});
