// PDFs of pages whose layout depends on the window, on scrolling or on print styles.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureOfPdf, textOfPdf } from '../harness/pdf.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';
import { svg } from './site.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
  harness.site.on('/slow.svg', (_request, response, url) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg(url.searchParams.get('c') ?? '', 300, 300));
    }, 300);
  });
});
afterAll(() => harness.close());

const pageAsPicture = (bytes: Buffer, page = 1) => pixels(pictureOfPdf(bytes, page));

const print = (html: string, query: Record<string, string | number | boolean> = {}) =>
  harness.capture(harness.site.page(`<!doctype html>${html}`), { format: 'pdf', timeout: 60_000, ...query });

describe('a PDF', () => {
  it('has panes that scroll beside each other, not on top of each other', async () => {
    const { bytes } =
      await print(`<style>html,body{margin:0;height:100%} .pane{position:absolute;top:0;bottom:0;overflow:auto}</style>
      <div class=pane style="left:0;width:300px;background:#00aa00">menu</div>
      <div class=pane style="left:300px;right:0">${'<p style="height:300px;margin:0;background:#0000aa"></p>'.repeat(8)}</div><script>1</script>`);
    const first = await pageAsPicture(bytes);
    expect([first.at(50, 300), first.at(400, 300)]).toEqual(['#00aa00', '#0000aa']);
    expect((await pageAsPicture(bytes, 2)).at(400, 300)).toBe('#0000aa');
  });

  it.each([false, true])('has the pictures that only its print styles use (singlePage=%s)', async (singlePage) => {
    const { bytes } = await print(
      `<style>.logo{height:200px} img{display:none} @media print{.logo{background:url("/slow.svg?c=%23ff0000")} img{display:block;height:200px}}</style>
      <div class=logo></div><img loading=lazy src="/slow.svg?c=%230000ff"><p>text`,
      { singlePage },
    );
    const picture = await pageAsPicture(bytes);
    expect(picture.count('#ff0000')).toBeGreaterThan(5000);
    expect(picture.count('#0000ff')).toBeGreaterThan(5000);
  });

  it('gives scripts the time to fit their charts to the paper', async () => {
    const { bytes } = await print(`<body style="margin:0"><canvas height=200 style="display:block"></canvas><script>
      const canvas = document.querySelector('canvas');
      new ResizeObserver(() => { canvas.width = innerWidth; const c = canvas.getContext('2d'); c.fillStyle = '#00aa00'; c.fillRect(0, 0, canvas.width, 200);
        c.fillStyle = '#aa0000'; c.fillRect(canvas.width - 40, 0, 40, 200) }).observe(document.documentElement)</script>`);
    expect((await pageAsPicture(bytes)).count('#aa0000')).toBeGreaterThan(1000);
  });

  it('has a bar that is sticky at the bottom after what it belongs to', async () => {
    const { bytes, pages } = await print(
      `<body style="margin:0">${'<p style="height:100px;margin:0">row</p>'.repeat(15)}<div style="position:sticky;bottom:0;height:50px;background:#00aa00">Sum</div>`,
    );
    expect(pages).toBe(2);
    expect((await pageAsPicture(bytes)).count('#00aa00')).toBe(0);
    expect((await pageAsPicture(bytes, 2)).count('#00aa00')).toBeGreaterThan(5000);
  });

  it.each([
    ['lazy images', (i: number) => `<img loading=lazy width=300 height=300 src="/slow.svg?c=%2300aa00&n=${i}">`],
    ['observed sections', () => '<b></b>'],
  ])('of a page of 70 windows has all of its %s', async (_what, part) => {
    const { bytes, pages, warnings } =
      await print(`<style>body{margin:0} section{height:800px;break-inside:avoid} b{display:block;height:300px} .in{background:#00aa00}</style>
      ${Array.from({ length: 70 }, (_, i) => `<section>${part(i)} part</section>`).join('')}
      <script>const io = new IntersectionObserver(es => es.forEach(e => e.isIntersecting && (e.target.className = 'in'))); document.querySelectorAll('b').forEach(b => io.observe(b))</script>`);
    expect(warnings).toEqual([]);
    expect(pages).toBe(70);
    for (const page of [2, 60, 69])
      expect((await pageAsPicture(bytes, page)).count('#00aa00'), `page ${page}`).toBeGreaterThan(5000);
  });

  it('of one page has all rows of a list that exists only in view', async () => {
    const { bytes } = await print(
      `<style>body{margin:0} p{margin:0;height:40px;width:100%;position:absolute}</style><main style="height:8000px;position:relative"></main><script>
      const draw = () => { const rows = []; for (let i = Math.floor(scrollY / 40); i < Math.min(200, (scrollY + innerHeight) / 40); i++) rows.push('<p style="top:' + i * 40 + 'px">row ' + i + '.</p>');
        document.querySelector('main').innerHTML = rows.join('') };
      draw(); addEventListener('scroll', draw); addEventListener('resize', draw)</script>`,
      { singlePage: true },
    );
    expect(new Set(textOfPdf(bytes).match(/row \d+\./g)).size).toBe(200);
  });

  it('of one page is as tall as its content without a doctype, too', async () => {
    const captured = await harness.capture(harness.site.page('<h3>Receipt</h3><p>Total 3.00'), {
      format: 'pdf',
      singlePage: true,
    });
    expect(captured.height).toBeLessThan(120);
  });

  it('of one page has what the page opens before it is printed', async () => {
    const { bytes, warnings } = await print(
      `${'<details><summary>q</summary><p style="height:200px">answer</p></details>'.repeat(20)}
      <script>addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(d => { d.open = true }))</script>`,
      { singlePage: true },
    );
    expect(textOfPdf(bytes).match(/answer/g)).toHaveLength(20);
    expect(warnings).toEqual([]);
  });

  it('says that the page is wider than the paper', async () => {
    const { warnings } = await print('<div style="width:2000px">wide</div>');
    expect(warnings.join()).toMatch(/20\d\d px wide and the paper has room for 1224/);
  });

  it.each([false, true])('has fixed backgrounds in all of their sections (singlePage=%s)', async (singlePage) => {
    const { bytes } = await print(
      `<style>body{margin:0} section{height:500px;background:url("/slow.svg?c=%2300aa00") fixed center/cover} p{height:800px;margin:0}
      .later::before{content:'';display:block;height:500px;background:linear-gradient(#0000ff,#0000ff) fixed no-repeat 0 0/100% 300px}</style>
      <p>text</p><section></section><p>text</p><section></section><div class=later></div>`,
      { singlePage, height: 600 },
    );
    const pictures = await Promise.all((singlePage ? [1] : [1, 2, 3]).map((page) => pageAsPicture(bytes, page)));
    const count = (color: string) => pictures.reduce((sum, picture) => sum + picture.count(color), 0);
    // Points: 612 wide, and 375 tall of 500 CSS pixels.
    expect(count('#00aa00')).toBeGreaterThan(612 * 375 * 2 * 0.95);
    expect(count('#0000ff')).toBeGreaterThan(612 * 225 * 0.95);
  });

  it('has the background of the page itself on all of its paper', async () => {
    const { bytes } = await print(
      '<style>body{margin:0;background:linear-gradient(#00aa00,#00aa00) fixed}</style><p style="height:1500px">text',
    );
    for (const page of [1, 2])
      expect((await pageAsPicture(bytes, page)).count('#00aa00')).toBeGreaterThan(612 * 792 * 0.9);
  });

  it.each([
    ['bottom:0;transform:translateY(100%)', false],
    ['bottom:-60px', false],
    ['bottom:0', true],
  ])('has a bar that is fixed by %s only if it is visible', async (place, isPrinted) => {
    const { bytes } = await print(
      `<body style="margin:0">${'<p style="height:100px;margin:0">row</p>'.repeat(25)}<div style="position:fixed;left:0;right:0;height:60px;background:#00aa00;${place}"></div>`,
    );
    for (const page of [1, 2, 3]) {
      const isThere = (await pageAsPicture(bytes, page)).count('#00aa00') > 0;
      expect(isThere, `page ${page}`).toBe(isPrinted);
    }
  });

  const rows = '<p style="height:40px;margin:0;background:#aa0000"></p>'.repeat(50);

  /** The area of all rows that is visible in the PDF, as a share. */
  const shownOfRows = async (bytes: Buffer, pages: number) => {
    let shown = 0;
    for (let page = 1; page <= pages; page++) shown += (await pageAsPicture(bytes, page)).count('#aa0000');
    return shown / (612 * 40 * 0.75 * 50);
  };

  it.each([
    ['at the top', '<div class=bar style="top:0"></div><div style="height:60px"></div>'],
    [
      'at the top of a page that makes room for it',
      '<style>body{padding-top:60px}</style><div class=bar style="top:0">',
    ],
    ['at the bottom', '<div class=bar style="bottom:0"></div>'],
    [
      'at both ends',
      '<div class=bar style="top:0"></div><div class=bar style="bottom:0"></div><div style="height:60px">',
    ],
  ])('has no text behind a bar that is fixed %s', async (_where, bars) => {
    for (const script of ['', '<script>1</script>']) {
      const { bytes, pages } = await print(
        `<style>body{margin:0} .bar{position:fixed;left:0;right:0;height:60px;background:#00aa00}</style>${bars}</div>${rows}${script}`,
      );
      expect(pages).toBe(3);
      expect(await shownOfRows(bytes, 3)).toBeGreaterThan(0.99);
      for (const page of [1, 2, 3]) expect((await pageAsPicture(bytes, page)).count('#00aa00')).toBeGreaterThan(20_000);
    }
  });

  it('has no more room for a bar than a page that repeats the head of a table for it', async () => {
    const { pages } = await print(
      `<style>body{margin:0} table{border-spacing:0;width:100%} td{padding:0} .bar{position:fixed;top:0;width:100%;height:60px}</style>
      <table><thead><tr><td style="height:60px"></thead><tbody><tr><td>${'<p style="height:83px;margin:0">row</p>'.repeat(36)}</table><div class=bar>Report</div>`,
    );
    // Twelve rows a page.
    expect(pages).toBe(3);
  });

  it('has a page for each section that fills the window, below a fixed bar', async () => {
    const { pages } = await print(
      `<style>body{margin:0} nav{position:fixed;top:0;width:100%;height:60px}</style><nav>menu</nav>${'<section style="height:100vh">text</section>'.repeat(4)}<script>1</script>`,
    );
    expect(pages).toBe(4);
  });

  it.each([
    ['a dialog', '<dialog><p>Subscribe</p></dialog><script>document.querySelector("dialog").showModal()</script>'],
    ['a popover', '<div popover>Subscribe</div><script>document.querySelector("[popover]").showPopover()</script>'],
    [
      'a dialog of a library',
      '<div class=cover role=dialog style="z-index:2">Subscribe</div><div class=cover style="background:#00aa00"></div>',
    ],
    ['a cover without a role', '<div class=cover style="background:#00aa00"><form>Subscribe <input></form></div>'],
    [
      'a cover that appears on scrolling',
      `<div class=cover style="display:none"><div style="height:100%;background:#00aa00">Subscribe</div></div>
      <script>addEventListener('scroll', () => { document.querySelector('.cover').style.display = 'block' })</script>`,
    ],
  ])('has %s on its first page only', async (_what, dialog) => {
    const { bytes, pages } = await print(
      `<style>body{margin:0} .cover{position:fixed;inset:0} ::backdrop{background:#00aa00}</style>${rows}${dialog}`,
    );
    expect(textOfPdf(bytes).match(/Subscribe/g)).toHaveLength(1);
    expect(textOfPdf(bytes).split('\f')[0]).toContain('Subscribe');
    expect((await pageAsPicture(bytes, pages)).count('#00aa00')).toBe(0);
  });

  it.each(['opacity:0.2;pointer-events:none', 'color:#dddddd', 'opacity:0.2;background:#dddddd'])(
    'has a watermark on every page (%s)',
    async (style) => {
      const { bytes, pages } = await print(
        `<body style="margin:0"><div style="position:fixed;inset:0;z-index:2;${style}">DRAFT</div>${rows}`,
      );
      expect(textOfPdf(bytes).match(/DRAFT/g)).toHaveLength(pages ?? 0);
    },
  );

  it('does not warn of a width that it has only until its code is broken into lines', async () => {
    const { warnings } = await print(
      `<div style="display:grid;grid-template-columns:200px 1fr"><nav>menu</nav><article><pre style="overflow:auto">${'word '.repeat(400)}</pre></article></div><script>1</script>`,
    );
    expect(warnings).toEqual([]);
  });

  it('has the visible handle of a drawer that is outside, and what is fixed to an element further down', async () => {
    const { bytes } =
      await print(`<div style="position:fixed;left:-300px;width:300px;top:50px;height:100px"><b style="position:absolute;left:310px">Handle</b></div>
      <div style="margin-top:900px;height:100px;transform:scale(1)"><div style="position:fixed;top:0">Fixed inside</div></div>`);
    expect(textOfPdf(bytes)).toMatch(/Handle[\s\S]*Fixed inside/);
  });

  it.each(['', '<script>1</script>'])('has no answers of questions that are folded %s', async (script) => {
    const { bytes } =
      await print(`<style>.q{display:grid;grid-template-rows:auto 0fr} .q>div{overflow:hidden} .open{grid-template-rows:auto 1fr}</style>
      <div class=q><b>One?</b><div>First answer <i style="position:relative"><u style="position:absolute">mark</u></i></div></div>
      <div class=q><b>Two?</b><div>Second answer</div></div><div class="q open"><b>Three?</b><div>Open answer</div></div>${script}`);
    const text = textOfPdf(bytes);
    expect(text).toMatch(/One\?[\s\S]*Two\?[\s\S]*Open answer/);
    expect(text).not.toMatch(/First|Second|mark/);
  });

  it('has what a box of no height does not clip, and what is unfolded for print', async () => {
    const { bytes } =
      await print(`<style>.q{display:grid;grid-template-rows:auto 0fr} .q>div{overflow:hidden} @media print{.printed{grid-template-rows:auto 1fr}}</style>
      <div style="height:0;overflow:hidden"><p style="position:absolute;top:300px">Positioned text</p>x</div>
      <div style="height:0;overflow-x:clip">Overflowing text</div><div style="height:0">Visible text</div><br>
      <div class="q printed"><b>One?</b><div>Answer by styles</div></div><div class="q scripted"><b>Two?</b><div>Answer by script</div></div>
      <script>addEventListener('beforeprint', () => { document.querySelector('.scripted').style.gridTemplateRows = 'auto 1fr' })</script>`);
    const text = textOfPdf(bytes);
    for (const part of ['Positioned', 'Overflowing', 'Visible', 'Answer by styles', 'Answer by script'])
      expect(text).toContain(part);
  });

  const wideTable = (columns: number) =>
    `<table><tr>${Array.from({ length: columns }, (_, i) => `<td style="white-space:nowrap;padding:8px">Column number ${i + 1}.`).join('')}</table>`;

  it.each([false, true])(
    'has tables and code that scroll sideways, to their end (singlePage=%s)',
    async (singlePage) => {
      const { bytes, warnings } = await print(
        `<div style="overflow:hidden"><div style="overflow-x:auto">${wideTable(8)}</div></div>
      <pre style="overflow:auto"><code style="white-space:pre">${'a long line of code '.repeat(12)} END_OF_LINE</code></pre>`,
        { singlePage },
      );
      expect(textOfPdf(bytes)).toMatch(/Column number 8\.[\s\S]*END_OF_LINE/);
      expect(warnings).toEqual([]);
    },
  );

  it('says that a table that scrolls sideways is wider than the paper', async () => {
    const { warnings } = await print(`<div style="overflow-x:auto">${wideTable(20)}</div>`);
    expect(warnings.join()).toMatch(/px wide and the paper has room for 1224/);
  });

  it.each([
    [
      'a row of cards',
      `<div style="display:flex;overflow-x:auto">${'<p style="flex:none;width:300px">card <code>x</code></p>'.repeat(6)}</div>`,
      false,
    ],
    [
      'a table beside a menu',
      `<div style="width:500px;overflow:auto">${wideTable(8)}</div><nav style="position:absolute;top:100px;left:600px">Menu</nav>`,
      true,
    ],
  ])('is not made smaller by %s that scrolls sideways, and says if a table is cut', async (_what, row, isCut) => {
    const { bytes, verdict } = await print(
      `<body style="margin:0"><div style="height:100px;background:#00aa00"></div>${row}`,
    );
    // 100 CSS pixels are 75 points.
    expect((await pageAsPicture(bytes)).count('#00aa00')).toBe(612 * 75);
    expect(verdict?.codes.includes('cut')).toBe(isCut);
  });

  it('of one page keeps paddings, margins, gaps and letters that depend on the height of the window', async () => {
    const sections = Array.from({ length: 10 }, (_, i) => `<section>Section ${i + 1}</section>`).join('');
    const { bytes, height } = await print(
      `<style>body{margin:0} h1{margin:0;font:5vh/2 sans-serif} .c{margin-top:60vh;display:grid;row-gap:10vh} section{padding:20vh 0;line-height:20px}</style>
      <h1>Start</h1><div class=c>${sections}</div><footer style="line-height:20px">THE END</footer>`,
      { singlePage: true, height: 600 },
    );
    // 60 + 360 + 10 × 260 + 9 × 60 + 20 CSS pixels; a pixel is 0.75 points.
    expect(Math.abs(height - 3580 * 0.75)).toBeLessThan(4);
    expect(textOfPdf(bytes)).toMatch(/Start[\s\S]*Section 10[\s\S]*THE END/);
  });

  it('of one page keeps what is centred in the window, and percentages of the width', async () => {
    const { bytes, height } = await print(
      `<style>body{margin:0} .hero{height:100vh;display:flex} .hero div{margin:auto;width:200px;height:200px;background:#00aa00} .wide{padding-top:50%;background:#0000ff}</style>
      <div class=hero><div></div></div><div class=wide></div>`,
      { singlePage: true, height: 600 },
    );
    expect(Math.abs(height - (600 + 408) * 0.75)).toBeLessThan(4);
    const picture = await pageAsPicture(bytes);
    expect([picture.at(306, 160), picture.at(306, 225), picture.at(306, 290)]).toEqual(Array(3).fill('#00aa00'));
    expect([picture.at(306, 140), picture.at(306, 310), picture.at(306, 600)]).toEqual([
      '#ffffff',
      '#ffffff',
      '#0000ff',
    ]);
  });

  it('has what WebGL draws, without what lies over it and behind it, once or in every frame', async () => {
    const policy = `<meta http-equiv="content-security-policy" content="img-src 'self'">`;
    const { bytes, warnings, verdict } = await print(
      `${policy}<style>body{margin:0;background:#eeeeee} div{position:relative;height:200px;background:#ffff00} canvas{display:block;width:300px;height:200px} b{position:absolute;top:80px;left:0;width:40px;height:40px;background:#0000ff}</style>
      <div><canvas></canvas><b></b></div><canvas class=loop style="break-before:page"></canvas><script>
      const paint = (canvas, again) => {
        const gl = canvas.getContext('webgl');
        const flat = gl ? undefined : canvas.getContext('2d');
        const { width, height } = canvas;
        const clear = (x, color) => { gl.scissor(x, 0, width / 3, height); gl.clearColor(...color); gl.clear(gl.COLOR_BUFFER_BIT) };
        const draw = () => {
          if (gl) { gl.enable(gl.SCISSOR_TEST); clear(0, [1, 0, 0, 1]); clear(width / 3, [0, 1, 0, 1]) }
          else { flat.fillStyle = '#ff0000'; flat.fillRect(0, 0, width / 3, height); flat.fillStyle = '#00ff00'; flat.fillRect(width / 3, 0, width / 3, height) }
          if (again) requestAnimationFrame(draw);
        };
        draw();
      };
      for (const canvas of document.querySelectorAll('canvas')) paint(canvas, canvas.className === 'loop');</script>`,
    );
    expect([warnings, verdict?.codes]).toEqual([[], []]);
    const first = await pageAsPicture(bytes);
    const second = await pageAsPicture(bytes, 2);
    // A CSS pixel is 0.75 points. The colors of a picture in a PDF may be a little off.
    const row = (picture: typeof first, y: number) =>
      [15, 55, 112, 187].map((x) => picture.at(x, y).replaceAll(/(\w)\w/g, '$1'));
    expect(row(first, 75)).toEqual(['#00f', '#f00', '#0f0', '#ff0']);
    expect(row(second, 75)).toEqual(['#f00', '#f00', '#0f0', '#eee']);
  });

  it.each([
    [
      'a page without a body',
      `<style>html{height:100%;overflow:hidden} div{height:100vh;overflow:auto}</style><script>
      onload = () => { document.body.remove(); const pane = document.createElement('div'); pane.innerHTML = '<p style="height:3000px">START<p>END'; document.documentElement.append(pane) }</script>`,
    ],
    [
      'a page that is a form with a field named style',
      `<style>html,body,form{margin:0;height:100%;overflow:hidden} div{height:100%;overflow:auto}</style>
      <form><div><p>START <select name=style></select><p style="margin-top:3000px">END</div></form><script>1</script>`,
    ],
  ])('has all of the pane that holds %s', async (_what, html) => {
    for (const singlePage of [false, true]) {
      const { bytes } = await print(html, { singlePage });
      expect(textOfPdf(bytes)).toMatch(/START[\s\S]*END/);
    }
  });

  const halves = `const gl = document.querySelector('canvas').getContext('webgl', { preserveDrawingBuffer: true });
    gl.enable(gl.SCISSOR_TEST);
    for (const [y, red, green] of [[0, 1, 0], [75, 0, 1]]) { gl.scissor(0, y, 300, 75); gl.clearColor(red, green, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT) }`;

  it.each([
    ['opacity:0.5', '#80ff80', '#ff8080'],
    ['filter:invert(1)', '#ff00ff', '#00ffff'],
    ['transform:scaleY(-1)', '#ff0000', '#00ff00'],
    ['scale:1 -1', '#ff0000', '#00ff00'],
    ['rotate:180deg', '#ff0000', '#00ff00'],
    ['transform:translate(100px) scale(0.5)', '#00ff00', '#ff0000'],
  ])('has what WebGL draws in the styles of its page, once: %s', async (style, top, bottom) => {
    // The colors of a picture in a PDF may be a little off.
    const isNear = (color: string, other: string) =>
      [1, 3, 5].every(
        (at) =>
          Math.abs(Number.parseInt(color.slice(at, at + 2), 16) - Number.parseInt(other.slice(at, at + 2), 16)) < 8,
      );
    for (const styled of ['div', 'canvas']) {
      const { bytes } = await print(
        `<style>body{margin:0} div{width:300px;height:200px} canvas{display:block;width:300px;height:200px} ${styled}{${style}}</style>
        <div><canvas></canvas></div><script>${halves}</script>`,
      );
      const picture = await pageAsPicture(bytes);
      // With the scale of a half, the canvas is from 50 to 150 CSS pixels, which are 37 to 112 points.
      const seen = [picture.at(150, 45), picture.at(150, 105)] as const;
      expect([styled, ...seen, isNear(seen[0], top) && isNear(seen[1], bottom)]).toEqual([styled, ...seen, true]);
    }
  });

  it('has what WebGL draws in a canvas that is first used when the page is laid out for the paper', async () => {
    const { bytes } = await print(
      `<style>body{margin:0} canvas{display:block;width:300px;height:200px}</style><canvas></canvas><script>
      new ResizeObserver(() => { if (innerWidth < 900) { ${halves} } }).observe(document.documentElement)</script>`,
    );
    expect((await pageAsPicture(bytes)).count('#ff0000')).toBeGreaterThan(5000);
  });
});
