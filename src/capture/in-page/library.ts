// Our in-page library, piece by piece. Each piece is a function that is sent into the page as text: it must not use
// anything outside of itself but the page and `tintype`, and what it returns becomes part of `tintype`.
import type { PageFunctions } from '../in-page-types.ts';
import appearance from './appearance.ts';
import base from './base.ts';
import canvases from './canvases.ts';
import element from './element.ts';
import elements from './elements.ts';
import extent from './extent.ts';
import facts from './facts.ts';
import family from './family.ts';
import findElement from './find-element.ts';
import fixedOnPaper from './fixed-on-paper.ts';
import folded from './folded.ts';
import frames from './frames.ts';
import freeze from './freeze.ts';
import fullPage from './full-page.ts';
import hiddenElements from './hidden-elements.ts';
import inView from './in-view.ts';
import inViewOnly from './in-view-only.ts';
import innerScroller from './inner-scroller.ts';
import motion from './motion.ts';
import outOfSight from './out-of-sight.ts';
import parallax from './parallax.ts';
import placeFixed from './place-fixed.ts';
import print from './print.ts';
import reveal from './reveal.ts';
import sideways from './sideways.ts';
import unfinished from './unfinished.ts';
import unpin from './unpin.ts';
import walls from './walls.ts';

export {
  appearance,
  base,
  canvases,
  element,
  elements,
  extent,
  facts,
  family,
  findElement,
  fixedOnPaper,
  folded,
  frames,
  freeze,
  fullPage,
  hiddenElements,
  innerScroller,
  inView,
  inViewOnly,
  motion,
  outOfSight,
  parallax,
  placeFixed,
  print,
  reveal,
  sideways,
  unfinished,
  unpin,
  walls,
};

/** An error here: a piece does not return what the server expects of it. */
type HasPageFunctions<T extends PageFunctions> = T;

type Library = HasPageFunctions<
  ReturnType<typeof appearance> &
    ReturnType<typeof element> &
    ReturnType<typeof elements> &
    ReturnType<typeof extent> &
    ReturnType<typeof canvases> &
    ReturnType<typeof facts> &
    ReturnType<typeof family> &
    ReturnType<typeof findElement> &
    ReturnType<typeof fixedOnPaper> &
    ReturnType<typeof folded> &
    ReturnType<typeof frames> &
    ReturnType<typeof freeze> &
    ReturnType<typeof fullPage> &
    ReturnType<typeof hiddenElements> &
    ReturnType<typeof inView> &
    ReturnType<typeof innerScroller> &
    ReturnType<typeof inViewOnly> &
    ReturnType<typeof motion> &
    ReturnType<typeof outOfSight> &
    ReturnType<typeof parallax> &
    ReturnType<typeof placeFixed> &
    ReturnType<typeof print> &
    ReturnType<typeof reveal> &
    ReturnType<typeof base> &
    ReturnType<typeof sideways> &
    ReturnType<typeof unfinished> &
    ReturnType<typeof unpin> &
    ReturnType<typeof walls>
>;

declare global {
  var tintype: Library;
  /** The selector of the elements that the caller hides (before-load.ts). */
  var hideSelector: string | undefined;
}
