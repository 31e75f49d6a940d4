import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, type Pixels, pixels } from './capture-harness.ts';
import { svg } from './site.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

const fullPage = async (html: string, query: Record<string, string | number | boolean> = {}) => {
  const captured = await harness.capture(harness.site.page(html), { fullPage: true, ...query });
  return { captured, picture: await pixels(captured.bytes) };
};

/** Runs of one colour down a column: [colour, rows]. */
function runs(picture: Pixels, x: number): [string, number][] {
  const found: [string, number][] = [];
  for (let y = 0; y < picture.height; y++) {
    const colour = picture.at(x, y);
    const last = found.at(-1);
    if (last?.[0] === colour) last[1]++;
    else found.push([colour, 1]);
  }
  return found;
}

const colourOf = (i: number) => `#${((i + 1) * 0x1f3a7).toString(16).padStart(6, '0').slice(-6)}`;
const bands = (count: number, height = 100) =>
  Array.from({ length: count }, (_, i) => `<p style="margin:0;height:${height}px;background:${colourOf(i)}"></p>`).join(
    '',
  );

describe('a full page', () => {
  it('has a carousel below the window with one slide in its place, not between two', async () => {
    // It moves on when the page is back at its top, right before the picture.
    const { picture } = await fullPage(`<body style="margin:0"><p style="height:1600px">text</p>
      <div style="overflow:hidden"><div id=track style="display:flex;transform:translateX(0%)">
        <div style="flex:0 0 100%;height:300px;background:#00aa00"></div><div style="flex:0 0 100%;height:300px;background:#0000aa"></div></div></div>
      <script>
        let began
        const move = () => {
          const part = Math.min(1, (performance.now() - began) / 900)
          track.style.transform = 'translateX(' + -100 * part + '%)'
          if (part < 1) requestAnimationFrame(move)
        }
        addEventListener('scroll', () => { if (scrollY === 0) { began = performance.now(); move() } })
      </script>`);
    expect([picture.at(5, 1800), picture.at(640, 1800), picture.at(1275, 1800)]).toEqual(Array(3).fill('#0000aa'));
  });

  it('fills the boxes of pictures that move with the scrolling, and leaves a picture that is half out of its box by design', async () => {
    harness.site.on('/green.svg', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg('#00aa00', 1280, 700));
    });
    const { picture } =
      await fullPage(`<!doctype html><style>body{margin:0} p{height:1800px;margin:0} section{position:relative;height:400px;overflow:hidden}
      img,i{position:absolute;inset:-100px 0 auto;width:100%;height:600px} .half{transform:translateY(300px)}</style>
      <p>text</p><section><img src="/green.svg"></section><section><i style="background:url(/green.svg)"></i></section>
      <section><img class=half src="/green.svg"></section><p></p>
      <script>
        const move = () => document.querySelectorAll('section > :not(.half)').forEach((each) => {
          each.style.transform = 'translateY(' + each.parentElement.getBoundingClientRect().top * 0.2 + 'px)'
        })
        addEventListener('scroll', move)
        move()
      </script>`);
    expect(picture.count('#00aa00')).toBe((400 + 400 + 200) * 1280);
  });

  it.each(['png', 'pdf'])('has the box of a virtual list as a reader sees it (%s)', async (format) => {
    const url = harness.site.page(`<!doctype html><body style="margin:0"><h1>Messages</h1>
      <div id=box style="height:500px;overflow:auto"><div id=list style="position:relative;height:16000px"></div></div><p>After the list
      <script>
        const draw = () => {
          const first = Math.floor(box.scrollTop / 40)
          list.innerHTML = Array.from({ length: 15 }, (_, i) => '<div style="position:absolute;width:100%;height:40px;background:#00aa00;top:' + (first + i) * 40 + 'px">Message ' + (first + i) + '</div>').join('')
        }
        box.addEventListener('scroll', draw)
        draw()
      </script>`);
    const captured = await harness.capture(url, { fullPage: true, format, timeout: 60_000 });
    expect(captured.warnings.join()).toMatch(/only while they are in view/);
    if (format === 'pdf') return expect(captured.pages).toBe(1);
    expect(captured.height).toBe(800);
    expect((await pixels(captured.bytes)).at(1270, 400)).toBe('#00aa00');
  });

  it('has every band once and in its place', async () => {
    const { picture, captured } = await fullPage(`<body style="margin:0">${bands(60)}`);
    expect([captured.width, captured.height]).toEqual([1280, 6000]);
    expect(runs(picture, 640).map(([, rows]) => rows)).toEqual(Array(60).fill(100));
  });

  it('of a short page is as tall as the window', async () => {
    const { picture } = await fullPage('<body style="background:#abcdef">short');
    expect([picture.width, picture.height]).toEqual([1280, 800]);
  });

  it('has its lazy images, by attribute, by observer and as backgrounds', async () => {
    harness.site.on('/lazy.svg', (_request, response, url) => {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg(url.searchParams.get('c') ?? 'black'));
    });
    const { picture } =
      await fullPage(`<!doctype html><style>body{margin:0} div{height:900px} img,i{display:block;width:100px;height:100px}</style>
      ${Array.from({ length: 12 }, (_, i) => `<div><img loading=lazy src="/lazy.svg?c=%23ff0000&n=${i}"></div><div><i data-n=${i}></i></div>`).join('')}
      <script>const o = new IntersectionObserver(es => es.forEach(e => { if (e.isIntersecting) {
        e.target.style.backgroundImage = 'url(/lazy.svg?c=%230000ff&n=' + e.target.dataset.n + ')'; o.unobserve(e.target) } }));
        document.querySelectorAll('i').forEach(i => o.observe(i));</script>`);
    expect(picture.count('#ff0000')).toBe(12 * 100 * 100);
    expect(picture.count('#0000ff')).toBe(12 * 100 * 100);
  });

  it('has its slow lazy images and backgrounds in shadow roots, without scripts', async () => {
    harness.site.on('/slow.svg', (_request, response, url) => {
      const image = svg(url.searchParams.get('c') ?? 'black');
      setTimeout(() => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(image), 2500);
    });
    const { picture } = await fullPage(`<!doctype html><body style="margin:0"><p style="height:4000px">text</p>
      <div><template shadowrootmode=open><style>img,i{display:block;width:100px;height:100px}</style>
        <img loading=lazy src="/slow.svg?c=%23ff0000"><i style="background:url(/slow.svg?c=%230000ff)"></i></template></div>`);
    expect([picture.count('#ff0000'), picture.count('#0000ff')]).toEqual([100 * 100, 100 * 100]);
  });

  it('has a picture of a slide show below the window that begins empty, and of what pulses there', async () => {
    const page = `<!doctype html><style>body{margin:0} div{height:100px;position:relative} i{position:absolute;inset:0;opacity:0;animation:show 9s infinite}
      i+i{animation-delay:3s} b{display:block;height:100px;background:#00aa00;opacity:0;animation:pulse 4s infinite}
      @keyframes show{0%{opacity:0} 8%,33%{opacity:1} 41%{opacity:0}} @keyframes pulse{10%,60%{opacity:1}}</style>
      <h1>Slides</h1><p style="height:1500px"><div><i style="background:#aa0000"></i><i style="background:#0000aa"></i></div><b></b>`;
    for (const html of [page, `${page}<script>setTimeout(() => {}, 10)</script>`]) {
      const { picture } = await fullPage(html);
      expect([picture.count('#aa0000'), picture.count('#00aa00')]).toEqual([1280 * 100, 1280 * 100]);
    }
  });

  it('shows what appears on scrolling and what content-visibility skips, on a page that scrolls smoothly', async () => {
    const { picture } = await fullPage(`<!doctype html><style>html{scroll-behavior:smooth} body{margin:0}
      section{height:600px} b{display:block;height:100px;background:#00aa00;opacity:0;transition:opacity 1s} b.in{opacity:1}
      u{display:block;content-visibility:auto;contain-intrinsic-size:auto 100px} u span{display:block;height:100px;background:#aa00aa}</style>
      ${'<section><b></b><u><span></span></u></section>'.repeat(10)}
      <script>const o = new IntersectionObserver(es => es.forEach(e => e.isIntersecting && e.target.classList.add('in')));
      document.querySelectorAll('b').forEach(b => o.observe(b))</script>`);
    expect(picture.count('#00aa00')).toBe(10 * 100 * 1280);
    expect(picture.count('#aa00aa')).toBe(10 * 100 * 1280);
  });

  it('renders sections that content-visibility skips, in shadow roots and added on scrolling too; what it hides stays hidden', async () => {
    const section =
      '<section style="content-visibility:auto;contain-intrinsic-size:10px"><div style="height:500px;background:#aa00aa"></div></section>';
    const { picture } = await fullPage(`<!doctype html><style>body{margin:0} .other{content-visibility:hidden}</style>
      ${section.repeat(4)}<div class=other>Hidden<div style="height:300px;background:#00aa00"></div></div>
      <div id=host></div><div id=more></div><p id=end style="height:100px;margin:0;background:#111111">
      <script>host.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(section.repeat(4))};
      new IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); more.innerHTML = ${JSON.stringify(section.repeat(4))} } }).observe(end)</script>`);
    expect(picture.height).toBe(12 * 500 + 100);
    expect(picture.count('#aa00aa')).toBe(12 * 500 * 1280);
    expect(picture.count('#00aa00')).toBe(0);
  });

  it('shows what appears only in the middle of a window, by scroll timelines, and numbers that count up', async () => {
    const { picture, captured } = await fullPage(`<!doctype html><style>body{margin:0} section{height:330px}
      b{display:block;height:100px;background:#00aa00;opacity:0;transform:translateY(40px)} b.in{opacity:1;transform:none;transition:.6s}
      @keyframes come { from { opacity: 0 } to { opacity: 1 } }
      u{display:block;height:100px;background:#aa00aa;animation:come linear both;animation-timeline:view();animation-range:entry}</style>
      ${'<section><b></b><u></u></section>'.repeat(15)}<i id=n>0</i>
      <script>const middle = new IntersectionObserver(es => es.forEach(e => e.isIntersecting && e.target.classList.add('in')), { rootMargin: '-15% 0px' });
      document.querySelectorAll('b').forEach(b => middle.observe(b));
      new IntersectionObserver(([e]) => { if (e.isIntersecting) { let i = 0; const t = setInterval(() => { document.title = n.textContent = ++i; if (i === 40) clearInterval(t) }, 20) } }).observe(n)</script>`);
    expect(picture.count('#00aa00')).toBe(15 * 100 * 1280);
    expect(picture.count('#aa00aa')).toBe(15 * 100 * 1280);
    expect(captured.page.title).toBe('40');
  });

  it('keeps heroes and sections of 100vh at the height of the window', async () => {
    const { picture } = await fullPage(`<body style="margin:0"><div style="height:100vh;background:#111111"></div>
      <div style="height:500px;background:#222222"></div><div style="min-height:100vh;background:#333333"></div>`);
    expect(runs(picture, 600)).toEqual([
      ['#111111', 800],
      ['#222222', 500],
      ['#333333', 800],
    ]);
  });

  it('shows a fixed header once at the top, a fixed bar once at the bottom, sticky ones in their places', async () => {
    const { picture } = await fullPage(`<!doctype html><style>body{margin:0;background:#fff}
      header{position:fixed;top:0;height:50px;width:100%;background:#aa0000} footer{position:fixed;bottom:0;height:40px;width:100%;background:#0000aa}
      .top{position:sticky;top:50px;height:30px;background:#00aa00} .low{position:sticky;bottom:0;height:20px;background:#aa00aa}</style>
      <header></header><div style="height:1000px"></div><div class=top></div><div style="height:2000px"></div><div class=low></div>
      <div style="height:950px"></div><footer></footer>`);
    expect(runs(picture, 640)).toEqual([
      ['#aa0000', 50],
      ['#ffffff', 950],
      ['#00aa00', 30],
      ['#ffffff', 2000],
      ['#aa00aa', 20],
      ['#ffffff', 910],
      ['#0000aa', 40],
    ]);
  });

  it('paints backgrounds that are fixed to the window all the way down', async () => {
    const { picture } = await fullPage(
      `<body style="margin:0;height:3000px;background:linear-gradient(#ff0000,#ff0000) fixed">`,
    );
    expect(picture.count('#ff0000')).toBe(1280 * 3000);
  });

  it.each([0.25, 0.5])('shows what is hidden again when less than %d of it is in view', async (threshold) => {
    const { picture } =
      await fullPage(`<!doctype html><style>.r{opacity:0;transition:opacity .5s;height:340px;margin:20px;background:#00aa00} .r.in{opacity:1}</style>
      ${'<div class=r></div>'.repeat(8)}<script>const io = new IntersectionObserver(es => es.forEach(e =>
        e.target.classList.toggle('in', e.isIntersecting)), { threshold: ${threshold} }); document.querySelectorAll('.r').forEach(r => io.observe(r))</script>`);
    expect(runs(picture, 640).filter(([colour]) => colour === '#00aa00')).toEqual(Array(8).fill(['#00aa00', 340]));
  });

  it('has the parts of a list that are fetched at its end, and what its sections fetch when they come into view', async () => {
    // Answers come while the page is still scrolled, on the way back to its top, and after that.
    harness.site.on('/part', (_request, response, url) => {
      setTimeout(() => response.end('part'), 300 + 80 * Number(url.searchParams.get('n')));
    });
    const { picture, captured } = await fullPage(
      `<!doctype html><style>body{margin:0} p{height:150px;margin:0;background:#00aa00} b{display:block;height:20px}</style>
      <main>${'<p></p>'.repeat(8)}</main><b>End</b><script>let parts = 1; new IntersectionObserver(async ([e]) => { if (!e.isIntersecting || parts++ > 6) return;
        await fetch('/part?n=' + parts); document.querySelector('main').insertAdjacentHTML('beforeend', '<p></p>'.repeat(4)) }).observe(document.querySelector('b'))</script>`,
      { timeout: 60_000 },
    );
    expect(picture.count('#00aa00')).toBe(1280 * 150 * (8 + 6 * 4));
    expect(captured.verdict.codes).toEqual([]);
    const sections = await fullPage(
      `<!doctype html><style>body{margin:0} p{height:500px;margin:0;background:#aaaaaa} .in{background:#00aa00}</style>
      ${'<p></p>'.repeat(6)}<script>const io = new IntersectionObserver(es => es.forEach(async e => { if (!e.isIntersecting) return; io.unobserve(e.target);
        await fetch('/part?n=5&' + Math.random()); e.target.className = 'in' })); document.querySelectorAll('p').forEach(p => io.observe(p))</script>`,
      { timeout: 60_000 },
    );
    expect(sections.picture.count('#00aa00')).toBe(1280 * 500 * 6);
  });

  it('is not called cut because its numbers have counted up', async () => {
    const { captured } =
      await fullPage(`<!doctype html><style>p{height:500px;margin:0;text-align:center;font-size:300px}</style>
      ${'<p>0</p>'.repeat(8)}<script>const io = new IntersectionObserver(es => es.forEach(e => { if (!e.isIntersecting) return; io.unobserve(e.target);
        let n = 0; const t = setInterval(() => { e.target.textContent = n += 37; if (n > 1000) clearInterval(t) }, 40) })); document.querySelectorAll('p').forEach(p => io.observe(p))</script>`);
    expect(captured.verdict.codes).toEqual([]);
  });

  it('is not called cut because its header is smaller while it is scrolled', async () => {
    const { captured } = await fullPage(`<!doctype html><style>body{margin:0} p{height:600px;margin:0}
      header{position:sticky;top:0;height:200px} header.small{height:60px}</style><header>Top</header>${'<p>Part</p>'.repeat(5)}
      <script>addEventListener('scroll', () => document.querySelector('header').classList.toggle('small', scrollY > 100))</script>`);
    expect(captured.verdict.codes).toEqual([]);
    expect(captured.height).toBe(3200);
  });

  it.each([
    ['a section that goes sideways', '400vh', '300vw', ['cut']],
    ['a line that goes sideways while it passes', '100px', '300vw', []],
    ['a section whose content only shifts', '400vh', '110vw', []],
  ])('says that it lacks the end of %s by a view timeline', async (_what, height, width, codes) => {
    const { captured } =
      await fullPage(`<!doctype html><style>body{margin:0} @keyframes go{to{translate:calc(100vw - 100%)}}
      .track{height:${height};view-timeline:--track} .pin{position:sticky;top:0;height:100px;overflow:hidden}
      .row{width:${width};height:100px;background:linear-gradient(90deg,#00aa00,#0000ff);animation:go linear both;animation-timeline:--track;animation-range:contain}</style>
      <p style="height:900px">text</p><div class=track><div class=pin><div class=row>Row</div></div></div><p style="height:900px">text</p>`);
    expect(captured.verdict?.codes).toEqual(codes);
  });

  it('shows what only a view timeline makes visible', async () => {
    const { picture } = await fullPage(`<!doctype html><style>body{margin:0} @keyframes in{to{opacity:1;translate:0 0}}
      .r{opacity:0;translate:0 40px;height:300px;background:#00aa00;animation:in linear forwards;animation-timeline:view();animation-range:entry}</style>
      ${'<div class=r></div>'.repeat(8)}`);
    expect(picture.count('#00aa00')).toBe(1280 * 2400);
  });

  it.each([
    ['an element', '<i style="position:fixed;inset:0;z-index:-1;background:#112233"></i>'],
    [
      'a layer that lets clicks through',
      '<i style="position:fixed;inset:0;pointer-events:none;background:#112233"></i>',
    ],
    [
      'a part of the body',
      '<style>body::before{content:"";position:fixed;inset:0;z-index:-1;background:#112233}</style>',
    ],
  ])('has what lies behind the whole window all the way down: %s', async (_what, backdrop) => {
    const { picture } = await fullPage(`<!doctype html><body style="margin:0;height:3000px">${backdrop}`);
    expect(picture.count('#112233')).toBe(1280 * 3000);
  });

  it('shows a cover of the window, which has no place further down, once', async () => {
    const { picture } = await fullPage(
      '<!doctype html><body style="margin:0;height:3000px"><div style="position:fixed;inset:0;background:#112233">A dialog</div>',
    );
    expect(picture.at(640, 700)).toBe('#112233');
    expect(picture.at(640, 900)).toBe('#ffffff');
  });

  it('has bars at its bottom that are centered by translate, lie in each other, or are fixed to a part of the page', async () => {
    const bar = 'position:fixed;bottom:0;height:40px;width:100px';
    const { picture } = await fullPage(`<!doctype html><body style="margin:0">
      <div style="${bar};left:50%;translate:-50% 0;background:#aa0000"></div>
      <div style="${bar};right:0;background:#00aa00"><i style="${bar};right:200px;background:#0000aa"></i></div>
      <div style="transform:translateX(0);height:3000px"><div style="${bar};left:0;background:#aa00aa"></div></div>`);
    for (const [x, colour] of [
      [640, '#aa0000'],
      [1230, '#00aa00'],
      [1030, '#0000aa'],
      [50, '#aa00aa'],
    ] as const)
      expect(runs(picture, x)).toEqual([
        ['#ffffff', 2960],
        [colour, 40],
      ]);
  });

  it.each([
    ['fills the window', 'height:100vh'],
    ['has a height of its own', 'height:700px'],
  ])('opens an inner scroller that holds the page and %s', async (_what, height) => {
    const { picture } = await fullPage(`<!doctype html><style>html,body{margin:0;height:100%;overflow:hidden}
      #app{${height};display:flex;flex-direction:column} nav{height:50px;flex:none;background:#123456} main{flex:1;min-height:0;overflow:auto}</style>
      <div id=app><nav></nav><main>${bands(60)}</main></div>`);
    const found = runs(picture, 640).filter(([colour]) => colour !== '#ffffff');
    expect(found[0]).toEqual(['#123456', 50]);
    expect(found.slice(1).map(([, rows]) => rows)).toEqual(Array(60).fill(100));
  });

  it.each([
    ['fills the window', 'height:100%'],
    ['has a height of its own', 'height:700px'],
  ])(
    'opens an inner scroller in a shadow root that %s, and moves a bar in another to the bottom',
    async (_what, height) => {
      const { picture } = await fullPage(`<!doctype html><style>html,body{margin:0;height:100%;overflow:hidden}</style>
      <x-bar><template shadowrootmode=open><div style="position:fixed;bottom:0;height:40px;width:100px;background:#123456"></div></template></x-bar>
      <x-app style="display:block;${height}"><template shadowrootmode=open><div style="height:100%;overflow:auto"><slot></slot></div></template>${bands(60)}</x-app>`);
      expect(runs(picture, 640).map(([, rows]) => rows)).toEqual(Array(60).fill(100));
      expect(runs(picture, 50).at(-1)).toEqual(['#123456', 40]);
    },
  );

  it('opens an inner scroller whose margins make the document a little taller than the window', async () => {
    const { picture } = await fullPage(`<!doctype html><style>body{margin:8px} main{height:100vh;overflow:auto}</style>
      <main>${bands(60)}</main>`);
    const found = runs(picture, 640).filter(([colour]) => colour !== '#ffffff');
    expect(found.map(([, rows]) => rows)).toEqual(Array(60).fill(100));
  });

  it.each(['rl', 'lr'])('has all columns of a page with vertical lines (%s)', async (side) => {
    const { picture } = await fullPage(
      `<!doctype html><html style="writing-mode:vertical-${side}"><body style="margin:0">${bands(30).replaceAll('height', 'width')}`,
    );
    expect([picture.width, picture.height]).toEqual([3000, 800]);
    const columns = Array.from({ length: 30 }, (_, i) =>
      picture.at(side === 'rl' ? 2950 - i * 100 : i * 100 + 50, 400),
    );
    expect(columns).toEqual(Array.from({ length: 30 }, (_, i) => colourOf(i)));
    const fraction = await fullPage(
      `<!doctype html><html style="writing-mode:vertical-${side}"><body style="margin:0"><p style="margin:0;width:2999.7px;background:#00aa00">`,
    );
    expect([fraction.picture.width, fraction.picture.at(10, 400), fraction.picture.at(2990, 400)]).toEqual([
      3000,
      '#00aa00',
      '#00aa00',
    ]);
  });

  it('of a page with vertical lines that is wider than 32,000 px has its beginning, which is at the right', async () => {
    const { picture, captured } = await fullPage(
      `<!doctype html><html style="writing-mode:vertical-rl"><body style="margin:0">${bands(340).replaceAll('height', 'width')}`,
      { height: 100 },
    );
    expect(picture.width).toBe(32_000);
    expect(picture.at(31_950, 50)).toBe(colourOf(0));
    expect(picture.at(50, 50)).toBe(colourOf(319));
    expect(captured.warnings.join()).toContain('cut at 32000 px of a width of 34000 px');
  });

  it('of an endless page stops at a bound and says so', async () => {
    const { captured } = await fullPage(
      `<!doctype html><body style="margin:0"><script>
      const add = () => { for (let i = 0; i < 20; i++) { const p = document.createElement('p'); p.style.cssText = 'margin:0;height:100px;background:' + (i % 2 ? '#eee' : '#ccc'); document.body.append(p); } };
      add(); addEventListener('scroll', () => { if (scrollY + innerHeight > document.documentElement.scrollHeight - 500) add(); });</script>`,
      { width: 300 },
    );
    expect(captured.height).toBeGreaterThan(10_000);
    expect(captured.height).toBeLessThanOrEqual(40_000);
    expect(captured.warnings.join()).toMatch(/cut at \d+ px/);
  });

  it('of 32,000 px comes out whole, with every colour', async () => {
    const { picture, captured } = await fullPage(`<body style="margin:0">${bands(320)}`, { width: 800 });
    expect(captured.warnings).toEqual([]);
    expect(picture.height).toBe(32_000);
    expect(runs(picture, 400)).toEqual(Array.from({ length: 320 }, (_, i) => [colourOf(i), 100]));
  });

  it('at scale 3 is put together from pieces without a seam', async () => {
    const { picture, captured } = await fullPage(`<body style="margin:0">${bands(60)}`, {
      width: 700,
      deviceScale: 3,
      timeout: 60_000,
    });
    expect([captured.width, captured.height]).toEqual([2100, 18_000]);
    expect(runs(picture, 1000).map(([, rows]) => rows)).toEqual(Array(60).fill(300));
  });

  it('that is joined from pieces is transparent in each of them where the page paints nothing', async () => {
    const html = '<body style="margin:0"><p style="margin:0;width:100px;height:20000px;background:#204060"></p>';
    const captured = await harness.capture(harness.site.page(html), { fullPage: true, omitBackground: true });
    const { data, info } = await sharp(captured.bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([1280, 20_000, 4]);
    const at = (x: number, y: number) => data.toString('hex', (y * 1280 + x) * 4, (y * 1280 + x) * 4 + 4);
    for (let y = 0; y < 20_000; y++) expect([y, at(99, y), at(100, y)]).toEqual([y, '204060ff', '00000000']);
  });

  it.each(['png', 'jpg'])('without content is blank, however tall: %s', async (format) => {
    const { captured } = await fullPage('<body style="margin:0;height:20000px;background:#fff">', { format });
    expect([captured.height, captured.verdict.codes]).toEqual([20_000, ['blank']]);
  });

  it('shows what is fixed to the window inside of a section that clips it in that section', async () => {
    const { picture } = await fullPage(`<!doctype html><style>body{margin:0} section{position:relative;height:400px}
      .clips{position:absolute;inset:0;overflow:hidden;clip-path:inset(0)} i{position:fixed;top:0;left:0;width:100%;height:600px}</style>
      ${bands(20)}<section><div class=clips><i style="background:#a01020"></i></div></section>
      ${bands(5)}<section><div class=clips><i style="background:#20a010"></i></div></section>`);
    expect([picture.at(640, 2010), picture.at(640, 2390)]).toEqual(['#a01020', '#a01020']);
    expect([picture.at(640, 2910), picture.at(640, 3290)]).toEqual(['#20a010', '#20a010']);
  });

  it.each(['transform:translateY(100%)', 'bottom:-300px'])(
    'does not show a bar that waits below the window: %s',
    async (how) => {
      const bar = `<div style="position:fixed;bottom:0;left:0;right:0;height:60px;background:#ff00ff;${how}"></div>`;
      const { picture } = await fullPage(`<!doctype html><body style="margin:0">${bands(30)}${bar}`);
      expect(runs(picture, 640).map(([, rows]) => rows)).toEqual(Array(30).fill(100));
    },
  );

  it('shows the words of a first section that the others slide over', async () => {
    const { picture } = await fullPage(`<!doctype html><style>body{margin:0} main{margin-top:100vh;background:#fff}
      header{position:fixed;inset:0;z-index:-1;background:#224477;display:grid;place-items:center;color:#fff}
      b{width:400px;height:200px;background:#20a010;color:#20a010}</style>
      <header><b>The headline</b></header><main>${bands(20)}</main>`);
    expect([picture.at(640, 400), picture.at(20, 20), picture.at(20, 780)]).toEqual(['#20a010', '#224477', '#224477']);
    expect(
      runs(picture, 20)
        .slice(1)
        .map(([, rows]) => rows),
    ).toEqual(Array(20).fill(100));
  });

  it('with a layer that scrolling opens, or one that is open, is no page whose texts are only in view', async () => {
    const layer = `<style>body{margin:0;font:20px Inter} p{height:100px;margin:0} #layer{position:fixed;inset:0;background:#0008;place-items:center}</style>
      ${Array.from({ length: 40 }, (_, i) => `<p>Paragraph ${i} of a story</p>`).join('')}`;
    const late = `${layer}<div id=layer style="display:none"><h2>Join our newsletter!</h2></div>
      <script>addEventListener('scroll', () => { if (scrollY > 1500) layer.style.display = 'grid' })</script>`;
    const open = `${layer}<div id=layer style="display:grid"><h2>Join our newsletter!</h2></div><script>1</script>`;
    for (const html of [late, open]) {
      const { captured, picture } = await fullPage(`<!doctype html>${html}`);
      expect([captured.height, captured.warnings.join()]).toEqual([4000, '']);
      // Dark in the first window only.
      expect([picture.at(1270, 10), picture.at(1270, 3900)]).toEqual(['#777777', '#ffffff']);
    }
  });

  it('on a phone is as wide as the phone, with and without a viewport of its own', async () => {
    const meta = '<meta name=viewport content="width=device-width,initial-scale=1">';
    const made = await fullPage(`${meta}<body style="margin:0">${bands(20)}`, { device: 'iphone-14' });
    expect([made.captured.width, made.captured.height]).toEqual([1170, 6000]);
    expect(runs(made.picture, 600).map(([, rows]) => rows)).toEqual(Array(20).fill(300));
    const desktop = await fullPage(`<body style="margin:0;width:980px">${bands(40)}`, { device: 'iphone-14' });
    expect(desktop.captured.width).toBe(1170);
    // 980 px of the page on 390 px of the phone.
    expect(Math.abs(desktop.captured.height - (4000 * 390 * 3) / 980)).toBeLessThan(4);
  });

  it('of a jpg taller than the format is cut and says so', async () => {
    const { captured } = await fullPage(`<body style="margin:0">${bands(300)}`, {
      format: 'jpg',
      width: 100,
      deviceScale: 3,
    });
    expect(captured.height).toBeLessThanOrEqual(65_500);
    expect(captured.warnings.join()).toMatch(/cut at/);
  });
});
