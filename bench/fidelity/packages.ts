// Sites and demos on npm that bring their pages along, with exact versions: every run measures the same pages.
// They are unpacked into a temporary folder, their install scripts never run, and none is a dependency of Tintype.

export type SitePackage = {
  readonly spec: string;
  /** The folder of the package that is the site's root. */
  readonly root?: string;
  readonly pages: readonly string[];
};

const site = (spec: string, root: string, ...pages: string[]): SitePackage => ({ spec, root, pages });

export const sitePackages: readonly SitePackage[] = [
  // Websites.
  site('startbootstrap-agency@7.0.12', 'dist', 'index.html'),
  site('startbootstrap-agency@5.2.2', '', 'index.html'),
  site('startbootstrap-freelancer@5.1.3', '', 'index.html'),
  site('startbootstrap-freelancer@7.0.7', 'dist', 'index.html'),
  site('startbootstrap-creative@5.1.8', '', 'index.html'),
  site('startbootstrap-creative@7.0.7', 'dist', 'index.html'),
  site('startbootstrap-clean-blog@5.0.9', '', 'index.html', 'post.html'),
  site('startbootstrap-grayscale@5.0.8', '', 'index.html'),
  site('startbootstrap-grayscale@7.0.6', 'dist', 'index.html'),
  site('startbootstrap-landing-page@5.0.8', '', 'index.html'),
  site('startbootstrap-new-age@6.0.7', 'dist', 'index.html'),
  site('startbootstrap-resume@5.0.8', '', 'index.html'),
  site('startbootstrap-stylish-portfolio@5.0.8', '', 'index.html'),
  site('startbootstrap-one-page-wonder@6.0.6', 'dist', 'index.html'),
  site('startbootstrap-coming-soon@6.0.7', 'dist', 'index.html'),
  site('startbootstrap-business-casual@7.0.9', 'dist', 'index.html'),
  site('startbootstrap-full-slider@4.1.1', '', 'index.html'),
  site('startbootstrap-simple-sidebar@6.0.6', 'dist', 'index.html'),
  site('startbootstrap-personal@1.0.1', 'dist', 'index.html'),
  // Dashboards.
  site('startbootstrap-sb-admin-2@4.1.4', '', 'index.html', 'charts.html'),
  site('startbootstrap-sb-admin@5.1.1', '', 'index.html'),
  site('admin-lte@2.4.18', '', 'index2.html', 'pages/charts/chartjs.html'),
  site('gentelella@1.4.0', '', 'production/index.html'),
  site('sleek-dashboard@1.0.0-beta.5', 'dist', 'index.html'),
  site('star-admin-free@2.0.0', '', 'index.html'),
  site('black-dashboard@1.0.0', '', 'examples/dashboard.html', 'examples/rtl.html'),
  site('paper-dashboard@1.1.0', '', 'dashboard.html'),
  site('soft-ui-dashboard@1.0.1', '', 'pages/dashboard.html', 'pages/rtl.html'),
  site('tabler-ui@0.0.32', 'dist', 'index.html', 'gallery.html'),
  site('adminator-admin-dashboard@4.3.0', 'dist', 'index.html'),
  // Design systems: heroes, sliders, reveals.
  site('now-ui-kit@1.1.0', '', 'index.html', 'examples/landing-page.html'),
  site('argon-design-system-free@1.2.0', '', 'index.html', 'examples/landing.html'),
  site('blk-design-system@1.0.2', '', 'index.html', 'examples/landing-page.html'),
  site('material-kit@2.0.4', '', 'index.html'),
  site('shards-ui@3.0.0', 'dist', 'agency-landing.html', 'app-promo.html'),
  site('notus-js@1.1.0', '', 'pages/landing.html'),
  site('semantic-ui@2.5.0', '', 'examples/homepage.html', 'examples/sticky.html', 'examples/fixed.html'),
  // Lazy loading and what appears while one scrolls.
  site('aos@2.3.4', '', 'demo/simple.html', 'demo/async.html'),
  site('wow.js@1.2.2', '', 'demo.html'),
  site('vanilla-lazyload@8.17.0', '', 'demos/fade_in.html', 'demos/background_images.html', 'demos/hundreds.html'),
  site('lazyloadxt@1.1.0', '', 'demo/bg.htm', 'demo/fadein.htm'),
  site('layzr.js@1.4.3', '', 'layzr-test.html'),
  site('in-view@0.6.1', '', 'docs/index.html'),
  site('scrollama@3.2.0', '', 'docs/basic/index.html', 'docs/sticky-side/index.html'),
  // What moves with the scroll.
  site('skrollr@0.6.26', '', 'index.html', 'examples/classic.html'),
  site('rellax@1.12.1', '', 'demo.html'),
  site('lax.js@2.0.3', '', 'docs/index.html'),
  site('jarallax@1.7.1', '', 'demo/index.html'),
  // Slides and carousels.
  site('reveal.js@3.9.2', '', 'demo.html'),
  site('impress.js@1.1.0', '', 'index.html'),
  site('webslides@1.5.0', '', 'index.html', 'demos/keynote.html'),
  site('pagepiling.js@1.5.6', '', 'examples/demoPage.html'),
  site('multiscroll.js@0.2.3', '', 'examples/example.html'),
  site('owl.carousel@2.3.4', '', 'docs/index.html', 'docs/demos/animate.html'),
  site('flexslider@2.7.2', '', 'demo/index.html'),
  site('nivo-slider@3.2.0', '', 'demo/demo.html'),
  site('lightslider@1.1.6', '', 'demo/index.html'),
  site('wallop@2.4.1', '', 'examples/animations.html'),
  // Preloaders, text and numbers that move for a while.
  site('fakeloader@1.0.0', '', 'demo/demo1.html', 'demo/demo5.html'),
  site('typed.js@2.0.9', '', 'index.html'),
  site('textillate@0.4.1', '', 'index.html'),
  site('countup.js@2.10.1', '', 'index.html'),
  site('easy-pie-chart@2.1.7', '', 'demo/index.html'),
  site('vivus@0.4.6', '', 'index.html'),
  site('particles.js@2.0.0', '', 'demo/index.html'),
  site('granim@2.0.0', '', 'docs/index.html'),
  // Charts.
  site('chart.js@2.3.0', '', 'samples/line.html', 'samples/doughnut.html'),
  site('dc@2.1.10', '', 'web/index.html'),
  site('dygraphs@2.2.2', '_site', 'index.html'),
  site('jquery-flot@0.8.3', '', 'examples/visitors/index.html'),
  site('morris.js@0.5.0', '', 'examples/area.html'),
  // Apps and widgets.
  site('jquery-mobile@1.4.1', '', 'dist/demos/index.html'),
  site('jquery-ui@1.12.1', '', 'demos/effect/show.html', 'demos/accordion/default.html'),
  site('mixitup@3.3.2', '', 'demos/basic/index.html'),
  site('simplelightbox@2.14.3', '', 'demo/index.html'),
  site('mathjax@2.7.9', '', 'test/sample.html'),
  site('hover.css@2.3.2', '', 'index.html'),
  site('material-design-lite@1.3.0', 'dist', 'index.html'),
];

/** Libraries that pages below `library/` use, or that pages would fetch from a CDN: there is no network here. */
export const libraries = {
  'jquery-1': 'jquery@1.12.4',
  'jquery-3': 'jquery@3.7.1',
  'bootstrap-5': 'bootstrap@5.2.3',
  'bootstrap-icons': 'bootstrap-icons@1.5.0',
  'font-awesome': 'font-awesome@4.7.0',
  raphael: 'raphael@2.1.4',
  aos: 'aos@2.3.4',
  animejs: 'animejs@3.2.2',
  'vanilla-lazyload': 'vanilla-lazyload@19.1.3',
  lazysizes: 'lazysizes@5.3.2',
  lozad: 'lozad@1.16.0',
  scrollreveal: 'scrollreveal@4.0.9',
  gsap: 'gsap@3.13.0',
  'jquery.appear': 'jquery.appear@1.0.1',
  swiper: 'swiper@11.2.10',
  slick: 'slick-carousel@1.8.1',
  'fullpage.js': 'fullpage.js@4.0.37',
  wow: 'wow.js@1.2.2',
  'animate.css': 'animate.css@3.7.2',
  'sal.js': 'sal.js@0.8.5',
  masonry: 'masonry-layout@4.2.2',
  isotope: 'isotope-layout@3.0.6',
  'chart.js': 'chart.js@2.9.4',
  echarts: 'echarts@5.6.0',
} as const;

/** Where a page names a CDN, and the file that is served instead. */
export const cdnStandIns: readonly (readonly [RegExp, string])[] = [
  [/(?:https?:)?\/\/[^"'\s]*jquery[/-]1[^"'\s]*\.js/g, '/@library/jquery-1/dist/jquery.min.js'],
  [/(?:https?:)?\/\/[^"'\s]*jquery[/-][23]\.[^"'\s]*\.js/g, '/@library/jquery-3/dist/jquery.min.js'],
  [
    /(?:https?:)?\/\/[^"'\s]*bootstrap@5[^"'\s]*bundle(?:\.min)?\.js/g,
    '/@library/bootstrap-5/dist/js/bootstrap.bundle.min.js',
  ],
  [/(?:https?:)?\/\/[^"'\s]*bootstrap-icons\.css/g, '/@library/bootstrap-icons/font/bootstrap-icons.css'],
  [/(?:https?:)?\/\/[^"'\s]*font-awesome(?:\.min)?\.css/g, '/@library/font-awesome/css/font-awesome.min.css'],
  [/(?:https?:)?\/\/[^"'\s]*raphael-min\.js/g, '/@library/raphael/raphael-min.js'],
];
