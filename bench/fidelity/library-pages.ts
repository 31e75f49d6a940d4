// A page for each library that brings no demo: eight sections with pictures that appear in the library's own way.

type LibraryPage = {
  readonly head: string;
  /** One section's content; `picture` is its address. */
  readonly section: (index: number, picture: string) => string;
  readonly script?: string;
  /** Around all sections, where the library wants one. */
  readonly frame?: readonly [string, string];
};

const js = (path: string) => `<script src="/@library/${path}"></script>`;
const css = (path: string) => `<link rel="stylesheet" href="/@library/${path}">`;
const blank = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const img = (picture: string, attributes = '') => `<img src="${picture}" width="360" height="240" ${attributes}>`;
const lazy = (picture: string, attributes = '') =>
  `<img src="${blank}" data-src="${picture}" width="360" height="240" ${attributes}>`;

const pages: Record<string, LibraryPage> = {
  'aos-once': {
    head: css('aos/dist/aos.css') + js('aos/dist/aos.js'),
    section: (i, picture) => `<div data-aos="${i % 2 ? 'fade-left' : 'zoom-in'}">${img(picture)}</div>`,
    script: 'AOS.init({ once: true })',
  },
  'aos-again': {
    head: css('aos/dist/aos.css') + js('aos/dist/aos.js'),
    section: (_, picture) => `<div data-aos="fade-up" data-aos-duration="800">${img(picture)}</div>`,
    script: 'AOS.init({ once: false })',
  },
  'vanilla-lazyload': {
    head: js('vanilla-lazyload/dist/lazyload.min.js'),
    section: (_, picture) => lazy(picture, 'class="lazy"'),
    script: 'new LazyLoad()',
  },
  lazysizes: {
    head: js('lazysizes/lazysizes.min.js'),
    section: (_, picture) => lazy(picture, 'class="lazyload"'),
  },
  lozad: {
    head: js('lozad/dist/lozad.min.js'),
    section: (i, picture) =>
      i % 2 ? lazy(picture, 'class="lozad"') : `<div class="lozad box" data-background-image="${picture}"></div>`,
    script: 'lozad().observe()',
  },
  scrollreveal: {
    head: js('scrollreveal/dist/scrollreveal.min.js'),
    section: (_, picture) => `<div class="reveal">${img(picture)}</div>`,
    script: "ScrollReveal().reveal('.reveal', { delay: 150, duration: 800, distance: '60px' })",
  },
  'gsap-scrolltrigger': {
    head: js('gsap/dist/gsap.min.js') + js('gsap/dist/ScrollTrigger.min.js'),
    section: (_, picture) => `<div class="reveal">${img(picture)}</div>`,
    script:
      "for (const box of document.querySelectorAll('.reveal')) gsap.from(box, { scrollTrigger: box, opacity: 0, y: 80, duration: 1 })",
  },
  'jquery-appear': {
    head: js('jquery-1/dist/jquery.min.js') + js('jquery.appear/jquery.appear.js'),
    section: (_, picture) => `<div class="box appearing" style="opacity:0">${img(picture)}</div>`,
    script:
      "$('.appearing').appear(); $(document.body).on('appear', '.appearing', function () { $(this).fadeTo(600, 1) }); $.force_appear()",
  },
  wow: {
    head: css('animate.css/animate.min.css') + js('wow/dist/wow.min.js'),
    section: (i, picture) => `<div class="wow ${i % 2 ? 'fadeInLeft' : 'bounceIn'}">${img(picture)}</div>`,
    script: 'new WOW().init()',
  },
  sal: {
    head: css('sal.js/dist/sal.css') + js('sal.js/dist/sal.js'),
    section: (_, picture) => `<div data-sal="slide-up" data-sal-duration="700">${img(picture)}</div>`,
    script: 'sal({ once: false })',
  },
  anime: {
    head: js('animejs/lib/anime.min.js'),
    section: (_, picture) => `<div class="word">${img(picture)}</div>`,
    script:
      "anime({ targets: '.word', translateX: [-200, 0], opacity: [0, 1], delay: anime.stagger(100), duration: 900 })",
  },
  'swiper-lazy': {
    head: css('swiper/swiper-bundle.min.css') + js('swiper/swiper-bundle.min.js'),
    section: (i, picture) =>
      `<div class="swiper" style="width:600px;max-width:100%"><div class="swiper-wrapper">${[0, 1, 2].map((n) => `<div class="swiper-slide"><img loading="lazy" src="${picture.replace(/\d+/, String(i * 3 + n))}" width="360" height="240"><div class="swiper-lazy-preloader"></div></div>`).join('')}</div></div>`,
    script:
      "new Swiper('.swiper', { effect: 'fade' }); for (const e of document.querySelectorAll('.swiper')) e.swiper ?? new Swiper(e)",
  },
  'slick-lazy': {
    head: css('slick/slick/slick.css') + js('jquery-1/dist/jquery.min.js') + js('slick/slick/slick.min.js'),
    section: (i, picture) =>
      `<div class="slider" style="width:600px;max-width:100%">${[0, 1, 2].map((n) => `<div><img data-lazy="${picture.replace(/\d+/, String(i * 3 + n))}" width="360" height="240"></div>`).join('')}</div>`,
    script: "$('.slider').slick({ lazyLoad: 'ondemand', speed: 500 })",
  },
  fullpage: {
    head: css('fullpage.js/dist/fullpage.min.css') + js('fullpage.js/dist/fullpage.min.js'),
    section: (_, picture) => lazy(picture),
    frame: ['<div id="fullpage">', '</div>'],
    script:
      "for (const s of document.querySelectorAll('section')) s.classList.add('section'); new fullpage('#fullpage', { licenseKey: 'gplv3-license', scrollBar: true })",
  },
  masonry: {
    head: js('masonry/dist/masonry.pkgd.min.js'),
    section: (i, picture) => `<img src="${picture}" width="280" height="${160 + ((i * 53) % 140)}">`,
    frame: ['<div class="grid">', '</div>'],
    script:
      "addEventListener('load', () => setTimeout(() => new Masonry('.grid', { itemSelector: 'section', columnWidth: 300 }), 200))",
  },
  isotope: {
    head: js('isotope/dist/isotope.pkgd.min.js'),
    section: (_, picture) => `<img src="${picture}" width="280" height="190">`,
    frame: ['<div class="grid">', '</div>'],
    script:
      "addEventListener('load', () => { const grid = new Isotope('.grid', { itemSelector: 'section' }); setTimeout(() => grid.arrange({ filter: ':nth-child(odd)' }), 100) })",
  },
  chart: {
    head: js('chart.js/dist/Chart.min.js'),
    section: (i) => `<canvas id="chart${i}" width="500" height="260"></canvas>`,
    script:
      "for (const [i, c] of [...document.querySelectorAll('canvas')].entries()) new Chart(c, { type: ['bar', 'line', 'doughnut'][i % 3], options: { responsive: false }, data: { labels: ['a', 'b', 'c', 'd'], datasets: [{ data: [3, 7, 4, 9], backgroundColor: ['#c33', '#3c3', '#33c', '#cc3'] }] } })",
  },
  echarts: {
    head: js('echarts/dist/echarts.min.js'),
    section: () => '<div class="box chart" style="width:600px;max-width:100%;height:300px"></div>',
    script:
      "for (const e of document.querySelectorAll('.chart')) echarts.init(e).setOption({ xAxis: { data: ['a', 'b', 'c'] }, yAxis: {}, series: [{ type: 'bar', data: [3, 8, 5] }] })",
  },
};

export const libraryPageNames = Object.keys(pages);

export function libraryPage(name: string): string {
  const page = pages[name];
  if (!page) throw new Error(`no library page ${name}`);
  const [before = '', after = ''] = page.frame ?? [];
  const sections = Array.from(
    { length: 8 },
    (_, i) =>
      `<section><h2>Section ${i + 1}</h2>${page.section(i, `/@picture/${i}.svg`)}<p>What stands below the picture.</p></section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title><style>body{margin:0;font:18px/1.4 sans-serif}section{padding:40px 20px;min-height:360px;box-sizing:border-box}
section:nth-child(even){background:#eef}.box{width:360px;height:240px;background-size:cover}img{max-width:100%}</style>${page.head}</head>
<body>${before}${sections.join('\n')}${after}${page.script ? `<script>${page.script}</script>` : ''}</body></html>`;
}

/** A picture that is told from every other one. */
export function libraryPicture(index: number): string {
  const hue = (index * 47) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480"><rect width="720" height="480" fill="hsl(${hue} 70% 45%)"/>
<circle cx="${120 + ((index * 71) % 480)}" cy="240" r="160" fill="hsl(${(hue + 150) % 360} 70% 60%)"/></svg>`;
}
