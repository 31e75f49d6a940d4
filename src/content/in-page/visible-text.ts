// Runs inside the page: can this text be read?
import type { Box, Color, Cover, DoubtfulText, ElementState } from './reading-types.ts';

export default function () {
  const range = document.createRange();
  /** Text of fewer pixels is not read. */
  const leastHeight = 3;

  /** So much blur makes letters of this size unreadable. */
  const isBlurred = ({ blur, style }: ElementState): boolean =>
    blur > 0 && blur >= Math.max(6, Number.parseFloat(style.fontSize) / 3);

  /** Dots instead of letters. */
  const isMasked = (style: CSSStyleDeclaration): boolean =>
    !/^(none)?$/.test(style.getPropertyValue('-webkit-text-security'));

  /** Nothing, if it cannot be read. `color` is set if only its color makes it doubtful. */
  const seenText = (node: Text, state: ElementState): { box: Box; last: Box; color?: Color } | undefined => {
    const { isFolded, clip } = state;
    const isShown = isFolded ? state.style.visibility === 'visible' : isRendered(state);
    if (!isShown || isMasked(state.style) || (!state.isInline && state.style.contentVisibility === 'hidden'))
      return undefined;
    const boxes = isFolded ? { box: reader.nowhere, last: reader.nowhere } : boxesOf(node, clip);
    if (!boxes || isBlurred(state)) return undefined;
    const letters = reader.letterColor(state);
    if (!letters) return boxes;
    const { letters: color, behind } = state.isFiltered
      ? reader.throughFilters(state, letters)
      : { letters, behind: reader.backgroundOf(state) };
    const isFaint = color[3] * state.opacity < 0.06;
    if (!isFaint && !(behind && reader.looksLike(reader.blend(color, behind), behind))) return boxes;
    if (reader.hasOtherPaint(state, color, behind)) return boxes;
    return isFaint ? undefined : { ...boxes, color };
  };

  /** An element with `display: contents` has no box of its own: those around it count. */
  const isRendered = (state: ElementState): boolean => {
    if (state.isBoxless && state.style.visibility !== 'visible') return false;
    let at = state;
    while (at.isBoxless && at.parent) at = at.parent;
    return reader.isRendered(at.element, { visibilityProperty: at === state, opacityProperty: true });
  };

  /** The first line of the text that can be seen, and its last one. */
  const boxesOf = (node: Text, clip: Box): { box: Box; last: Box } | undefined => {
    range.selectNodeContents(node);
    const boxes = range.getClientRects();
    for (let i = 0; i < boxes.length; i++) {
      const box = boxes[i];
      if (box && box.height >= leastHeight && box.width > 0.5 && reader.shows(box, clip))
        return { box, last: boxes[boxes.length - 1] ?? box };
    }
    return undefined;
  };

  /**
   * Text in the color of its ancestors' background is readable if something else is painted behind it: an image or another
   * background of an ancestor, or a box that is no ancestor.
   */
  const backdropTest = (states: readonly ElementState[]): ((text: DoubtfulText) => boolean) => {
    let near: ((box: Box) => Cover[]) | undefined;
    return ({ state, box, color }) => {
      if (!color) return true;
      const ancestors = new Set<ElementState>();
      let isBehind = true;
      for (let at: ElementState | null = state; at; at = at.parent) {
        ancestors.add(at);
        if (reader.isClippedToText(at)) continue;
        if (isBehind && reader.imageDiffers(at.style.backgroundImage, color)) return true;
        isBehind &&= (reader.parseColor(at.style.backgroundColor)?.[3] ?? 0) < 0.98;
      }
      near ??= reader.indexOf(states.flatMap(painted));
      return near(box).some(
        ({ box: outer, state: other }) =>
          !ancestors.has(other) &&
          reader.area(reader.intersection(outer, box)) > reader.area(box) / 2 &&
          differs(other, color),
      );
    };
  };

  const pictures = new Set(['img', 'svg', 'video', 'canvas', 'iframe', 'object', 'embed']);

  /** A box that paints something, if it is large enough to be behind a text. */
  const painted = (state: ElementState): Cover[] => {
    if (state.isInline && !pictures.has(state.name)) return [];
    const { backgroundColor, backgroundImage } = state.style;
    const isPainted =
      pictures.has(state.name) || backgroundImage !== 'none' || (reader.parseColor(backgroundColor)?.[3] ?? 0) > 0.2;
    const box = isPainted ? reader.rectOf(state.element) : undefined;
    return box && reader.area(box) > 200 ? [{ box, state }] : [];
  };

  const differs = ({ name, style }: ElementState, color: Color): boolean => {
    const own = reader.parseColor(style.backgroundColor);
    const isPicture = pictures.has(name) || reader.imageDiffers(style.backgroundImage, color);
    return isPicture || !own || (own[3] > 0.2 && !reader.looksLike(own, color));
  };

  return { seenText, backdropTest, hasSeenBox, isMasked };

  /** For pictures and controls. */
  function hasSeenBox(state: ElementState, least: number): boolean {
    const box = reader.rectOf(state.element);
    if (state.isFolded) return true;
    return (
      box.width >= least &&
      box.height >= least &&
      reader.isRendered(state.element, { visibilityProperty: true, opacityProperty: true }) &&
      reader.shows(box, state.clip)
    );
  }
}
