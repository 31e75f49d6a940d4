// Differences that remain, each with its reason. The report names them beside their pages.
//   always moving: no two pictures of the page are alike
//   reference is wrong: the reference shows less, or something else, than a reader would see
//   defect: Tintype's picture is wrong
// A key is a page's name, or its name and a mode.

export type Reason = 'always moving' | 'reference is wrong' | 'defect';
export type KnownDifference = { readonly reason: Reason; readonly why: string };

export const knownDifferences: Readonly<Record<string, KnownDifference>> = {
  'particles.js-2.0.0/demo/index.html': { reason: 'always moving', why: 'particles start at random places and fly on' },
  'aos-2.3.4/demo/async.html': { reason: 'always moving', why: 'a box is added every 300 ms, for 13 s' },
  'paper-dashboard-1.1.0/dashboard.html': { reason: 'always moving', why: 'a notification comes and goes' },
  'sleek-dashboard-1.0.0-beta.5/index.html': { reason: 'always moving', why: 'a notification comes and goes' },
  'startbootstrap-new-age-6.0.7/index.html': { reason: 'always moving', why: 'a video plays' },
  'startbootstrap-coming-soon-6.0.7/index.html': { reason: 'always moving', why: 'a video plays' },
  'webslides-1.5.0/demos/keynote.html': { reason: 'reference is wrong', why: 'the header is shown only while hovered' },
  'startbootstrap-business-casual-7.0.9/index.html': {
    reason: 'reference is wrong',
    why: 'a background fixed to the window has no one place in a long picture',
  },
  'soft-ui-dashboard-1.0.1/pages/dashboard.html': {
    reason: 'reference is wrong',
    why: 'its header grows while one scrolls, which moves the lower bands of the reference',
  },
  'soft-ui-dashboard-1.0.1/pages/rtl.html': { reason: 'reference is wrong', why: 'the same header' },
  'lax.js-2.0.3/docs/index.html': { reason: 'reference is wrong', why: 'every element moves with the scroll' },
  'lightslider-1.1.6/demo/index.html': { reason: 'always moving', why: 'a slider turns by itself' },
  'nivo-slider-3.2.0/demo/demo.html': { reason: 'always moving', why: 'a slider turns by itself' },
  'now-ui-kit-1.1.0/index.html': { reason: 'always moving', why: 'a slider turns by itself' },
  'granim-2.0.0/docs/index.html': { reason: 'always moving', why: 'the gradient of the background changes' },
  'textillate-0.4.1/index.html': { reason: 'always moving', why: 'words come and go, one letter after the other' },
  'in-view-0.6.1/docs/index.html': { reason: 'always moving', why: 'its dots are at random places' },
  'chart.js-2.3.0/samples/line.html': { reason: 'always moving', why: 'its data is random' },
  'chart.js-2.3.0/samples/doughnut.html': { reason: 'always moving', why: 'its data is random' },
  'rellax-1.12.1/demo.html': {
    reason: 'reference is wrong',
    why: 'its parts move with the scroll, and the reference shows some of them twice',
  },
  'scrollama-3.2.0/docs/basic/index.html': {
    reason: 'reference is wrong',
    why: 'a step is lit only while it is in the middle of the window',
  },
  'jquery-ui-1.12.1/demos/effect/show.html phone': {
    reason: 'reference is wrong',
    why: 'the reference is taller than the page',
  },
  'skrollr-0.6.26/index.html': { reason: 'defect', why: 'what a script shows by the scroll position is not shown' },
  'skrollr-0.6.26/examples/classic.html': {
    reason: 'defect',
    why: 'a fixed background that a script shows is missing',
  },
  'jarallax-1.7.1/demo/index.html': {
    reason: 'defect',
    why: 'images whose opacity follows the scroll are as dark as they are from the top of the page',
  },
  'impress.js-1.1.0/index.html full': {
    reason: 'defect',
    why: 'slides lie around the window in all directions; the picture shows what is below it',
  },
};

export const knownFor = (name: string, mode: string): KnownDifference | undefined =>
  knownDifferences[`${name} ${mode}`] ?? knownDifferences[name];
