// Ways to hide a text from readers. In each, HIDDEN must not be read and VISIBLE must.

export type HiddenKind = {
  readonly name: string;
  readonly html: string;
  /** It changes the whole page, and needs one of its own. */
  readonly alone?: true;
};

const beside = '<p>VISIBLE</p>';
const style = (name: string, css: string, element = 'div'): HiddenKind => ({
  name,
  html: `<${element} style="${css}">HIDDEN</${element}>${beside}`,
});

const srOnly = 'position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap';
const tags = [...'HIDDEN'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const selectors = [...'HIDDEN'].map((letter) => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('');

export const hiddenKinds: readonly HiddenKind[] = [
  style('display: none', 'display:none'),
  {
    name: 'display: none of an ancestor',
    html: `<div style="display:none"><p style="display:block">HIDDEN</p></div>${beside}`,
  },
  style('visibility: hidden', 'visibility:hidden'),
  {
    name: 'visibility: hidden around a visible text',
    html: '<div style="visibility:hidden">HIDDEN <b style="visibility:visible">VISIBLE</b></div>',
  },
  {
    name: 'a collapsed row of a table',
    html: '<table><tr><td>VISIBLE</td></tr><tr style="visibility:collapse"><td>HIDDEN</td></tr></table>',
  },
  style('opacity: 0', 'opacity:0'),
  style('almost no opacity', 'opacity:0.01'),
  {
    name: 'opacities that multiply',
    html: `<div style="opacity:.2"><div style="opacity:.2">HIDDEN</div></div>${beside}`,
  },
  style('filter: opacity(0)', 'filter:opacity(0)'),
  { name: 'the hidden attribute', html: `<p hidden>HIDDEN</p>${beside}` },
  { name: 'hidden until found', html: `<div hidden="until-found">HIDDEN</div>${beside}` },
  style('content-visibility: hidden', 'content-visibility:hidden'),
  style('a box of no size', 'width:0;height:0;overflow:hidden'),
  style('max-height: 0', 'max-height:0;overflow:hidden'),
  style('a text below a box of padding', 'height:0;padding-top:40px;overflow:hidden'),
  style('text for screen readers, clip', `${srOnly};clip:rect(0,0,0,0)`, 'span'),
  style('text for screen readers, clip-path', `${srOnly};clip-path:inset(50%)`, 'span'),
  style('text for screen readers, one pixel', srOnly, 'span'),
  style('clip: rect()', 'position:absolute;clip:rect(1px,1px,1px,1px)'),
  style('clip-path: inset(100%)', 'clip-path:inset(100%)'),
  style('clip-path: circle(0)', 'clip-path:circle(0)'),
  style('clip-path: polygon() of one point', 'clip-path:polygon(0 0,0 0,0 0)'),
  style('text-indent far to the left', 'text-indent:-9999px'),
  style('text-indent out of the box', 'text-indent:100%;white-space:nowrap;overflow:hidden;width:200px'),
  style('position left of the page', 'position:absolute;left:-9999px'),
  style('position above the page', 'position:absolute;top:-9999px'),
  style('position far to the right', 'position:absolute;left:9999px'),
  {
    name: 'to the right of a scroller that starts there',
    html: '<div dir="rtl" style="position:relative;width:300px;overflow:auto"><p>VISIBLE</p><p style="width:900px">x</p><p style="position:absolute;left:400px;top:0">HIDDEN</p></div>',
  },
  {
    name: 'below a scroller that starts at its end',
    html: '<div style="position:relative;height:100px;overflow:auto;display:flex;flex-direction:column-reverse"><p>VISIBLE</p><p style="flex:0 0 600px">x</p><p style="position:absolute;left:0;top:200px">HIDDEN</p></div>',
  },
  { ...style('position far below the page', 'position:absolute;top:6000px'), alone: true },
  style('a drawer beside the window', 'position:fixed;left:0;top:0;width:300px;transform:translateX(-100%)'),
  style('a sheet below the window', 'position:fixed;left:0;bottom:0;width:300px;transform:translateY(110%)'),
  style('margin far to the left', 'margin-left:-9999px;width:500px'),
  style('transform far away', 'transform:translate(-9999px,0)'),
  style('transform: scale(0)', 'transform:scale(0)'),
  style('turned on its edge', 'transform:rotateY(90deg)'),
  {
    name: 'the back of a card',
    html: `<div style="position:relative;height:40px;transform-style:preserve-3d"><div style="position:absolute;backface-visibility:hidden;transform:rotateY(180deg)">HIDDEN</div><div style="position:absolute;backface-visibility:hidden">VISIBLE</div></div>`,
  },
  style('dots instead of letters', '-webkit-text-security:disc'),
  { name: 'dots in a field', html: `<input style="-webkit-text-security:disc" value="HIDDEN">${beside}` },
  style('font-size: 0', 'font-size:0'),
  style('font-size: 1px', 'font-size:1px'),
  style('white on white', 'color:#fff'),
  style('almost white on white', 'color:#fbfbfb'),
  {
    name: 'white on a white box',
    html: '<div style="background:white;color:white">HIDDEN <b style="color:black">VISIBLE</b></div>',
  },
  { name: 'black bars', html: '<p>VISIBLE <span style="color:#000;background:#000">HIDDEN</span></p>' },
  {
    name: 'the colour of a coloured box',
    html: '<div style="background:#1a2b3c;color:#fff">VISIBLE <span style="color:rgb(26 43 60)">HIDDEN</span></div>',
  },
  { name: 'the colour of a colour space', html: `<p style="color:oklch(1 0 0)">HIDDEN</p>${beside}` },
  style('color: transparent', 'color:transparent'),
  style('almost transparent', 'color:rgba(0,0,0,.02)'),
  style('-webkit-text-fill-color: transparent', '-webkit-text-fill-color:transparent'),
  { name: 'aria-hidden decoration', html: `<span aria-hidden="true">HIDDEN</span>${beside}` },
  { name: 'a comment', html: `<!-- HIDDEN -->${beside}` },
  { name: 'noscript', html: `<noscript>HIDDEN</noscript>${beside}` },
  { name: 'template', html: `<template>HIDDEN</template>${beside}` },
  { name: 'a script of data', html: `<script type="application/json">"HIDDEN"</script>${beside}` },
  { name: 'a style element', html: `<style>/* HIDDEN */</style>${beside}` },
  {
    name: 'under an opaque box',
    html: `<div style="position:relative;height:60px"><p>HIDDEN</p><div style="position:absolute;inset:0;background:#eee">VISIBLE</div></div>`,
  },
  {
    name: 'under a box that is earlier in the page, by z-index',
    html: `<div style="position:relative;height:60px"><div style="position:absolute;inset:0;background:#eee;z-index:2">VISIBLE</div><p style="position:relative;z-index:1">HIDDEN</p></div>`,
  },
  {
    name: 'behind its ancestor, by a negative z-index',
    html: `<div style="background:#dde;padding:20px"><p style="position:relative;z-index:-1">HIDDEN</p>VISIBLE</div>`,
  },
  {
    name: 'under a layer over the window',
    html: `<p>HIDDEN</p><div style="height:3000px"></div><p>HIDDEN</p><div style="position:fixed;inset:0;background:#fff;z-index:9">VISIBLE</div>`,
    alone: true,
  },
  {
    name: 'the alternative text of a hidden picture',
    html: `<img src="/none.png" alt="HIDDEN" style="display:none">${beside}`,
  },
  {
    name: 'the alternative text of a pixel',
    html: `<img src="/pixel.svg" alt="HIDDEN" width="1" height="1">${beside}`,
  },
  { name: 'attributes', html: '<p title="HIDDEN" data-note="HIDDEN" aria-description="HIDDEN">VISIBLE</p>' },
  {
    name: 'a hidden field',
    html: `<form><input type="hidden" value="HIDDEN"><input type="password" value="HIDDEN"></form>${beside}`,
  },
  { name: 'an option that is not chosen', html: '<select><option>VISIBLE<option>HIDDEN</select>' },
  {
    name: 'a list of suggestions',
    html: `<input list="d"><datalist id="d"><option>HIDDEN</option></datalist>${beside}`,
  },
  { name: 'letters made of tag characters', html: `<p>VISIBLE${tags}</p>` },
  { name: 'letters made of variation selectors', html: `<p>VISIBLE${selectors}</p>` },
  {
    name: 'another slide of a carousel',
    html: '<div style="width:300px;overflow:hidden;white-space:nowrap"><span style="display:inline-block;width:300px">VISIBLE</span><span style="display:inline-block;width:300px">HIDDEN</span></div>',
  },
  {
    name: 'below the fold of a box that does not scroll',
    html: '<div style="height:30px;overflow:hidden"><p style="margin:0;height:30px">VISIBLE</p><p>HIDDEN</p></div>',
  },
  { name: 'a closed dialog', html: `<dialog>HIDDEN</dialog>${beside}` },
  { name: 'a closed popover', html: `<div popover>HIDDEN</div>${beside}` },
  {
    name: 'children of a host without a slot',
    html: '<div><template shadowrootmode="open"><p>VISIBLE</p></template>HIDDEN</div>',
  },
  {
    name: 'a frame of no size',
    html: `<iframe srcdoc="HIDDEN" width="0" height="0" style="border:0"></iframe>${beside}`,
  },
  {
    name: 'the title of a drawing',
    html: `<svg width="50" height="20"><title>HIDDEN</title><desc>HIDDEN</desc><defs><text>HIDDEN</text></defs><rect width="9" height="9"/></svg>${beside}`,
  },
  {
    name: 'what a browser without canvas would show',
    html: `<canvas width="20" height="20">HIDDEN</canvas><video>HIDDEN</video>${beside}`,
  },
  {
    name: 'a style for paper',
    html: `<style>@media screen{.paper{display:none}}</style><p class="paper">HIDDEN</p>${beside}`,
  },
  {
    name: 'under a box with a gradient',
    html: `<div style="position:relative;height:60px"><p>HIDDEN</p><div style="position:absolute;inset:0;background:linear-gradient(#eee,#ddd)"></div></div>${beside}`,
  },
  {
    name: 'under a box with a background picture',
    html: `<div style="position:relative;height:60px"><p>HIDDEN</p><div style="position:absolute;inset:0;background:url(/picture.svg)"></div></div>${beside}`,
  },
  {
    name: 'under a picture',
    html: `<div style="position:relative;height:60px"><p>HIDDEN</p><img src="/picture.svg" alt="" style="position:absolute;left:0;top:0;width:100%;height:100%"></div>${beside}`,
  },
  {
    name: 'under a picture with a negative margin',
    html: `<p style="height:60px;margin:0">HIDDEN</p><img src="/picture.svg" alt="" style="display:block;width:400px;height:60px;margin-top:-60px">${beside}`,
  },
  {
    name: 'under a canvas',
    html: `<div style="position:relative;height:60px"><p>HIDDEN</p><canvas class="filled" width="400" height="60" style="position:absolute;left:0;top:0"></canvas></div><script>for (const each of document.querySelectorAll(".filled")) each.getContext("2d").fillRect(0, 0, 400, 60)</script>${beside}`,
  },
  {
    name: 'under a moved box',
    html: `<p style="height:60px;margin:0">HIDDEN</p><div style="height:60px;background:#fff;transform:translateY(-60px)"></div>${beside}`,
  },
  style('a mask of nothing', 'mask-image:linear-gradient(transparent,transparent)'),
  style('a mask of almost nothing', 'mask-image:linear-gradient(transparent 97%,#000)'),
  style('a mask of no size', 'mask:linear-gradient(#000,#000) no-repeat;mask-size:0 0'),
  style('a mask that does not load', 'mask-image:url(/none.png)'),
  style('clip-path: path() of no area', "clip-path:path('M0 0 L0 0 Z')"),
  style('clip-path: path() away from the text', "clip-path:path('M900 0 L999 0 L999 9 Z');width:300px"),
  style('clip-path: rect() of no size', 'clip-path:rect(0 0 0 0)'),
  style('clip-path: a small circle', 'clip-path:circle(1px at 0 0)'),
  {
    name: 'clip-path and mask of an empty element',
    html: `<svg width="0" height="0" style="position:absolute"><clipPath id="no-clip"></clipPath><mask id="no-mask"></mask></svg><p style="clip-path:url(#no-clip)">HIDDEN</p><p style="mask:url(#no-mask)">HIDDEN</p>${beside}`,
  },
  style('blurred', 'filter:blur(12px)'),
  style('made white by brightness', 'color:#888;background:#fff;filter:brightness(3)'),
  style('made black by brightness', 'color:#000;background:#fff;filter:brightness(0.02)'),
  style('without contrast', 'color:#000;background:#fff;filter:contrast(0)'),
  style('two filters that leave no opacity', 'filter:opacity(0.2) opacity(0.2)'),
  {
    name: 'a drawing without fill',
    html: `<svg width="200" height="30"><text y="20" fill="none">HIDDEN</text><text y="20" fill-opacity="0">HIDDEN</text></svg>${beside}`,
  },
  style('a transparent outline', 'color:transparent;-webkit-text-stroke:1px transparent'),
  style('white with a white shadow', 'color:#fff;text-shadow:0 0 3px #fff'),
  style('white with a shadow far away', 'color:#fff;text-shadow:5000px 0 3px #000'),
  style('a white background clipped to letters', 'color:transparent;background:#fff;background-clip:text'),
  style(
    'a white gradient clipped to letters',
    'color:transparent;background:linear-gradient(#fff,#fefefe);background-clip:text',
  ),
  style('white on a white gradient', 'color:#fff;background:linear-gradient(#fff,#fff)'),
  {
    name: 'the label of a link that shows nothing',
    html: `<a href="/label" aria-label="HIDDEN" style="display:block;width:90px;height:30px"></a>${beside}`,
  },
  { name: 'a pseudo-element', html: `<style>.before::before{content:"HIDDEN"}</style><p class="before">VISIBLE</p>` },
];

/** The kind with words of its own. */
export const wordsOf = (at: number): { hidden: string; visible: string } => ({
  hidden: `secret${at}x`,
  visible: `plain${at}x`,
});

/** A word in invisible characters would be found by its letters, so it must not be there in any spelling. */
export function pageOf({ html }: HiddenKind, at: number): string {
  const { hidden, visible } = wordsOf(at);
  return html.replaceAll('HIDDEN', hidden).replaceAll('VISIBLE', visible);
}
