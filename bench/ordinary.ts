// Ordinary pages of the web, one for each kind of work that pages do after they have loaded. Each has 40 coloured sections
// and is 8,000 px high. The first six are those of the issue "The page's clock is ours"; the others are kinds that sites
// are made of: fonts, analytics, sliders, frameworks, charts.

export type OrdinaryPage = {
  readonly words: string;
  /** Something on the page is only loaded or shown when it is scrolled to. */
  readonly waits?: boolean;
  readonly hasScript?: boolean;
  /** `other` is the origin of another site. */
  readonly html: (parts: { readonly other: string }) => string;
};

const sections = Array.from({ length: 40 }, (_, i) => section(i)).join('\n');

function section(i: number, inside = ''): string {
  return `<section style="background:hsl(${i * 27} 60% ${60 + (i % 3) * 10}%)"><h2>Section ${i + 1}</h2><p>What this section says.</p>${inside}</section>`;
}

const sectionsWith = (inside: (i: number) => string): string =>
  Array.from({ length: 40 }, (_, i) => section(i, inside(i))).join('\n');

function page({ head = '', body = sections, script = '' }: { head?: string; body?: string; script?: string }): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Ordinary</title><style>body{margin:0;font:16px/1.5 sans-serif}section{height:200px;padding:20px;box-sizing:border-box;overflow:hidden;position:relative}
h2{margin:0}.fixed{position:fixed;top:0;left:0;right:0;height:48px;background:#123;color:#fff;z-index:9}</style>
${head}</head><body>${body}${script && `<script>${script}</script>`}</body></html>`;
}

const library = (path: string) => `<script src="/library/${path}"></script>`;
const style = (path: string) => `<link rel="stylesheet" href="/library/${path}">`;
const picture = (i: number, attributes = '') =>
  `<img src="/picture?n=${i}" width="180" height="118" alt="" ${attributes}>`;

/** The pages of the issue, in its order. */
export const firstPages = {
  'no-script': { words: 'no script', hasScript: false, html: () => page({}) },
  listener: {
    words: 'one click listener',
    html: () => page({ script: "document.body.addEventListener('click', () => document.title = 'clicked')" }),
  },
  timer: {
    words: 'one `setTimeout(…, 20)`',
    html: () => page({ script: "setTimeout(() => { document.querySelector('h2').textContent = 'Later' }, 20)" }),
  },
  fetch: {
    words: 'one fetch',
    html: () =>
      page({
        script:
          "fetch('/data').then((answer) => answer.json()).then(({ title }) => { document.querySelector('h2').textContent = title })",
      }),
  },
  'frame-app': {
    words: 'an app that renders in a frame',
    html: () =>
      page({
        body: '<main id="app"></main>',
        script: `requestAnimationFrame(() => { document.querySelector('#app').innerHTML = ${JSON.stringify(sections)} })`,
      }),
  },
  observer: {
    words: 'an IntersectionObserver',
    waits: true,
    html: () =>
      page({
        head: '<style>section{opacity:.1}.seen{opacity:1}</style>',
        script: `const observer = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries) if (isIntersecting) target.classList.add('seen') })
for (const section of document.querySelectorAll('section')) observer.observe(section)`,
      }),
  },
} as const satisfies Record<string, OrdinaryPage>;

export const furtherPages = {
  fonts: {
    words: 'two web fonts',
    html: () =>
      page({
        head: `<style>@font-face{font-family:A;src:url(/font?n=0) format("woff2");font-weight:100 900;font-display:swap}
@font-face{font-family:B;src:url(/font?n=1) format("woff2");font-weight:200 900;font-display:swap}body{font-family:A}h2{font-family:B}</style>`,
        script: "document.fonts.ready.then(() => document.documentElement.classList.add('fonts'))",
      }),
  },
  analytics: {
    words: 'analytics of another site: async script, beacon, pings',
    html: ({ other }) => page({ head: `<script async src="${other}/analytics.js"></script>` }),
  },
  swiper: {
    words: 'Swiper: a slider that goes on by itself',
    html: () =>
      page({
        head: style('swiper/swiper-bundle.min.css') + library('swiper/swiper-bundle.min.js'),
        body: `<div class="swiper" style="height:200px"><div class="swiper-wrapper">${[0, 1, 2, 3].map((n) => `<div class="swiper-slide">${picture(n)}</div>`).join('')}</div></div>${sections}`,
        script: "new Swiper('.swiper', { loop: true, speed: 600, autoplay: { delay: 2500 } })",
      }),
  },
  slick: {
    words: 'jQuery and slick: a slider that fades',
    html: () =>
      page({
        head:
          style('slick-carousel/slick/slick.css') +
          library('jquery/dist/jquery.min.js') +
          library('slick-carousel/slick/slick.min.js'),
        body: `<div class="slider" style="height:200px">${[0, 1, 2].map((n) => `<div>${picture(n)}</div>`).join('')}</div>${sections}`,
        script: "$('.slider').slick({ fade: true, autoplay: true, autoplaySpeed: 3000, speed: 500 })",
      }),
  },
  preact: {
    words: 'Preact: renders what it fetches',
    html: () =>
      page({
        head: '<script type="importmap">{"imports":{"preact":"/library/preact/dist/preact.mjs","preact/hooks":"/library/preact/hooks/dist/hooks.mjs"}}</script>',
        body: `<main id="app"></main><script type="module">import { h, render } from 'preact'; import { useEffect, useState } from 'preact/hooks';
function App() { const [title, setTitle] = useState('Loading'); useEffect(() => { fetch('/data').then((answer) => answer.json()).then((data) => setTitle(data.title)) }, []);
return Array.from({ length: 40 }, (_, i) => h('section', { style: { background: 'hsl(' + i * 27 + ' 60% 70%)' }, onClick: () => setTitle('clicked') }, h('h2', null, title + ' ' + (i + 1)), h('p', null, 'What this section says.'))) }
render(h(App), document.querySelector('#app'))</script>`,
      }),
  },
  hydrated: {
    words: 'rendered by its server, then hydrated with 200 listeners',
    html: () =>
      page({
        body: `${sections}<script id="data" type="application/json">${JSON.stringify({ rows: Array.from({ length: 400 }, (_, i) => ({ id: i, text: `Row ${i}` })) })}</script>
<script type="module">const { rows } = JSON.parse(document.querySelector('#data').textContent); for (const section of document.querySelectorAll('section')) for (const name of ['click', 'pointerenter', 'pointerleave', 'focusin', 'keydown']) section.addEventListener(name, () => rows.length);
(window.requestIdleCallback ?? setTimeout)(() => document.documentElement.dataset.hydrated = 'true')</script>`,
      }),
  },
  components: {
    words: 'web components with shadow roots',
    html: () =>
      page({
        body: sectionsWith(() => '<x-card>A card</x-card>'),
        script: `customElements.define('x-card', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<style>div{padding:8px;background:#fff;border-radius:8px;width:200px}</style><div><slot></slot></div>' } })`,
      }),
  },
  chart: {
    words: 'a chart on a canvas that grows for a second',
    html: () =>
      page({
        body: `<canvas width="800" height="200"></canvas>${sections}`,
        script: `const pen = document.querySelector('canvas').getContext('2d'), began = performance.now(); (function draw(now) { const share = Math.min(1, Math.max(0, now - began) / 1000);
pen.clearRect(0, 0, 800, 200); for (let i = 0; i < 12; i++) { pen.fillStyle = 'hsl(' + i * 30 + ' 70% 50%)'; const height = share * (40 + (i * 53) % 140); pen.fillRect(20 + i * 64, 190 - height, 48, height) } if (share < 1) requestAnimationFrame(draw) })(began)`,
      }),
  },
  'svg-chart': {
    words: 'a chart of SVG with transitions',
    html: () =>
      page({
        head: '<style>rect{transform-origin:bottom;transform-box:fill-box;transform:scaleY(0);transition:transform .8s}.drawn rect{transform:none}</style>',
        body: `<svg width="800" height="200">${Array.from({ length: 12 }, (_, i) => `<rect x="${20 + i * 64}" y="${150 - ((i * 53) % 140)}" width="48" height="${50 + ((i * 53) % 140)}" fill="hsl(${i * 30} 70% 50%)"/>`).join('')}</svg>${sections}`,
        script: "setTimeout(() => document.querySelector('svg').classList.add('drawn'), 100)",
      }),
  },
  counter: {
    words: 'a number that counts up for 1.5 s',
    html: () =>
      page({
        script:
          "const title = document.querySelector('h2'), began = performance.now(); (function count() { const share = Math.min(1, (performance.now() - began) / 1500); title.textContent = Math.round(share * 12345) + ' customers'; if (share < 1) requestAnimationFrame(count) })()",
      }),
  },
  hero: {
    words: 'a hero that appears 250 ms after the load',
    html: () =>
      page({
        head: '<style>section:first-of-type h2{opacity:0;transform:translateY(20px);transition:all .6s}.loaded section:first-of-type h2{opacity:1;transform:none}</style>',
        script: "addEventListener('load', () => setTimeout(() => document.body.classList.add('loaded'), 250))",
      }),
  },
  'css-animation': {
    words: 'CSS animations that end after 0.8 s, and a listener',
    html: () =>
      page({
        head: '<style>@keyframes appear{from{opacity:0;transform:translateY(40px)}}section h2{animation:appear .8s both}</style>',
        script: "addEventListener('resize', () => document.title = String(innerWidth))",
      }),
  },
  marquee: {
    words: 'an endless CSS animation, and a listener',
    html: () =>
      page({
        head: '<style>@keyframes pass{to{transform:translateX(-50%)}}section:first-of-type h2{width:200%;animation:pass 12s linear infinite}</style>',
        script: "addEventListener('resize', () => document.title = String(innerWidth))",
      }),
  },
  'three-seconds': {
    words: '3 s of timers and animations',
    html: () =>
      page({
        head: '<style>@keyframes grow{from{width:0}to{width:100%}}p{animation:grow 3s linear both;background:#fff8;overflow:hidden;white-space:nowrap}</style>',
        script:
          "let steps = 0; const going = setInterval(() => { document.querySelector('h2').textContent = 'Step ' + ++steps; if (steps === 30) clearInterval(going) }, 100)",
      }),
  },
  typed: {
    words: 'text that types itself for a second',
    html: () =>
      page({
        script:
          "const title = document.querySelector('h2'), text = 'What we do for you'; title.textContent = ''; let at = 0; const typing = setInterval(() => { title.textContent = text.slice(0, ++at); if (at === text.length) clearInterval(typing) }, 60)",
      }),
  },
  polling: {
    words: 'asks its server every second',
    html: () =>
      page({
        script:
          "setInterval(() => fetch('/data').then((answer) => answer.json()).then(({ title }) => { document.title = title }), 1000)",
      }),
  },
  preloader: {
    words: 'a cover that leaves half a second after the load',
    html: () =>
      page({
        head: '<style>#cover{position:fixed;inset:0;background:#fff;z-index:99;transition:opacity .4s}</style>',
        body: `<div id="cover">Loading …</div>${sections}`,
        script:
          "addEventListener('load', () => setTimeout(() => { const cover = document.querySelector('#cover'); cover.style.opacity = 0; cover.addEventListener('transitionend', () => cover.remove()) }, 500))",
      }),
  },
  'sticky-header': {
    words: 'a header that changes when scrolled',
    waits: true,
    html: () =>
      page({
        body: `<header class="fixed">The site</header>${sections}`,
        script:
          "addEventListener('scroll', () => document.querySelector('header').classList.toggle('small', scrollY > 100), { passive: true })",
      }),
  },
  parallax: {
    words: 'parallax by a scroll listener',
    waits: true,
    html: () =>
      page({
        script:
          "addEventListener('scroll', () => requestAnimationFrame(() => { document.querySelector('h2').style.transform = 'translateY(' + scrollY * 0.2 + 'px)' }), { passive: true })",
      }),
  },
  'lazy-pictures': {
    words: '40 pictures with `loading="lazy"`, and a listener',
    waits: true,
    html: () =>
      page({
        body: sectionsWith((i) => picture(i, 'loading="lazy"')),
        script: "addEventListener('resize', () => document.title = String(innerWidth))",
      }),
  },
  lazysizes: {
    words: 'lazysizes: 40 pictures',
    waits: true,
    html: () =>
      page({
        head: '<script async src="/library/lazysizes/lazysizes.min.js"></script>',
        body: sectionsWith((i) => `<img class="lazyload" data-src="/picture?n=${i}" width="180" height="118" alt="">`),
      }),
  },
  aos: {
    words: 'AOS: every section fades in when it is reached',
    waits: true,
    html: () =>
      page({
        head: style('aos/dist/aos.css') + library('aos/dist/aos.js'),
        body: sectionsWith(() => '<p data-aos="fade-up">Appears</p>'),
        script: 'AOS.init({ once: true })',
      }),
  },
  embed: {
    words: 'a frame of another site, and a listener',
    html: ({ other }) =>
      page({
        body: `<iframe src="${other}/ordinary/listener" width="480" height="200" style="border:0;display:block"></iframe>${sections}`,
        script: "addEventListener('message', () => document.title = 'a message')",
      }),
  },
} as const satisfies Record<string, OrdinaryPage>;

export const ordinaryPages: Readonly<Record<string, OrdinaryPage>> = { ...firstPages, ...furtherPages };

/** Loaded from another site by the page `analytics`. */
export const analyticsScript = `(() => {
  const here = new URL(document.currentScript.src).origin;
  const tell = (what) => fetch(here + '/collect?' + what, { method: 'POST', mode: 'no-cors', keepalive: true, body: what });
  tell('view');
  addEventListener('click', () => tell('click'));
  document.addEventListener('visibilitychange', () => navigator.sendBeacon(here + '/collect', 'left'));
  setTimeout(() => tell('engaged'), 5000);
  new PerformanceObserver((list) => list.getEntries().length).observe({ type: 'largest-contentful-paint', buffered: true });
})();`;
