// Runs inside the page: which of two boxes is painted over the other (CSS 2.2, appendix E), and which texts are covered.
import type { Box, Cover, DoubtfulText, ElementState, Layer } from './reading-types.ts';

export default function () {
  const base: Layer = { up: null, z: 0, order: 0, isContext: true };
  /** Content in the flow is painted after negative z-indexes and before positioned boxes. */
  const inFlow = -0.5;

  const makesContext = ({ style, position, parent, opacity }: ElementState, zIndex: string): boolean =>
    position === 'fixed' ||
    position === 'sticky' ||
    zIndex !== 'auto' ||
    (parent !== null && opacity < parent.opacity) ||
    style.transform !== 'none' ||
    style.translate !== 'none' ||
    style.rotate !== 'none' ||
    style.scale !== 'none' ||
    style.backdropFilter !== 'none' ||
    style.filter !== 'none' ||
    style.isolation === 'isolate' ||
    style.clipPath !== 'none' ||
    style.perspective !== 'none' ||
    style.mixBlendMode !== 'normal' ||
    /paint|content|strict|layout/.test(style.contain) ||
    /transform|opacity|filter|perspective/.test(style.willChange);

  /** Where the content of this element is painted. */
  const layerOf = (state: ElementState): Layer => {
    if (state.layer) return state.layer;
    // Upwards to the first that is known, then down again: pages nest deeper than our stack.
    const unknown: ElementState[] = [];
    let at: ElementState | null = state;
    for (; at && !at.layer; at = at.parent) unknown.push(at);
    let layer = at?.layer ?? base;
    for (const each of unknown.reverse()) {
      layer = ownLayer(each, layer);
      each.layer = layer;
    }
    return layer;
  };

  const ownLayer = (state: ElementState, around: Layer): Layer => {
    const isPositioned = state.position !== 'static';
    const isItem = state.parent !== null && /flex|grid/.test(state.parent.style.display);
    const zIndex = isPositioned || isItem ? state.style.zIndex : 'auto';
    const isContext = makesContext(state, zIndex);
    if (!isPositioned && !isContext) return around;
    return { up: contextOf(around), z: Number.parseInt(zIndex, 10) || 0, order: state.order, isContext };
  };

  const contextOf = (layer: Layer): Layer => (layer.isContext || !layer.up ? layer : contextOf(layer.up));

  const chainOf = (layer: Layer): Layer[] => {
    const chain: Layer[] = [];
    for (let at: Layer | null = layer; at; at = at.up) chain.push(at);
    return chain.reverse();
  };

  /** A page can nest and stack boxes until comparing them takes for ever; texts that are left then count as visible. */
  let comparisons = 300_000;

  /** Is the background of the cover painted over the text? */
  const isAbove = (cover: ElementState, text: ElementState): boolean => {
    if (--comparisons < 0) return false;
    const upper = chainOf(layerOf(cover));
    const lower = chainOf(layerOf(text));
    let i = 0;
    while (i < upper.length && i < lower.length && upper[i] === lower[i]) i++;
    const over = upper[i];
    const under = lower[i];
    if (!over && !under) return isLaterPicture(cover, text);
    // The background of the element that makes a context lies under everything in it.
    if (!over) return cover.layer !== cover.parent?.layer ? false : inFlow > (under?.z ?? 0);
    if (!under) return over.z > inFlow;
    return over.z === under.z ? over.order > under.order : over.z > under.z;
  };

  /** In the flow, a picture is painted over the texts before it: a negative margin can put it there. */
  const isLaterPicture = (cover: ElementState, text: ElementState): boolean =>
    reader.isPicture(cover) &&
    cover.order > text.order &&
    cover.style.float === 'none' &&
    !Node.prototype.contains.call(text.element, cover.element);

  const rowHeight = 512;
  /** A wide cover is in many rows; one in more rows than this is compared with every text. */
  const mostRows = 40;
  /** So many are compared with a text: the largest, of equal ones the last. */
  const mostCovers = 64;

  const largestFirst = (covers: Cover[]): Cover[] =>
    covers
      .sort((a, b) => reader.area(b.box) - reader.area(a.box) || b.state.order - a.state.order)
      .slice(0, mostCovers);

  /** Finds the boxes near a place without looking at all of them. */
  const indexOf = (covers: readonly Cover[]): ((box: Box) => Cover[]) => {
    const rows = new Map<number, Cover[]>();
    const tall: Cover[] = [];
    for (const cover of covers) {
      const first = Math.floor(cover.box.top / rowHeight);
      const last = Math.floor(cover.box.bottom / rowHeight);
      if (last - first > mostRows) tall.push(cover);
      else
        for (let row = first; row <= last; row++) {
          const found = rows.get(row);
          if (found) found.push(cover);
          else rows.set(row, [cover]);
        }
    }
    for (const [row, found] of rows) rows.set(row, largestFirst(found));
    const everywhere = largestFirst(tall);
    return ({ top }) => [...everywhere, ...(rows.get(Math.floor(top / rowHeight)) ?? [])];
  };

  /** The covers that matter, and a test for a text. */
  const coverTest = (covers: readonly Cover[], page: Document): ((text: DoubtfulText) => boolean) => {
    const view = reader.viewOf(page);
    const isScrolled = reader.scrollHeight(reader.rootElement(page)) > view.bottom + 1;
    // What moves with the window lies over a text only until the reader scrolls, unless it fills the window.
    const fixed = isScrolled ? covers.filter(({ state }) => state.isFixed) : [];
    const full = largestFirst(fixed.filter(({ box }) => reader.holds(box, view)));
    const nearFixed = indexOf(fixed);
    const near = indexOf(covers.filter(({ state }) => !state.isSticky && !(isScrolled && state.isFixed)));
    return ({ box, state }) => {
      const lies = ({ box: outer, state: cover, isOpaque }: Cover): boolean => {
        const part = state.scroller && state.scroller !== cover.scroller ? state.scroller : box;
        return reader.holds(outer, part) && isAbove(cover, state) && (!isOpaque || isOpaque(part));
      };
      return (
        full.some(({ state: cover, isOpaque }) => isAbove(cover, state) && (!isOpaque || isOpaque(view))) ||
        near(box).some(lies) ||
        (state.isFixed && nearFixed(box).some(lies)) ||
        isUnderAncestor(state, box)
      );
    };
  };

  /** A negative z-index puts a text behind the backgrounds of its ancestors, up to the next stacking context. */
  const isUnderAncestor = (state: ElementState, box: Box): boolean => {
    if (!state.isLayered) return false;
    const at = behindOf(state);
    const context = at && layerOf(at).up;
    for (let up = at?.parent; up && up.name !== 'body' && up.name !== 'html'; up = up.parent) {
      if (layerOf(up) === context && layerOf(up).order === up.order) return false;
      const color = reader.parseColor(up.style.backgroundColor);
      if (color && color[3] > 0.95 && reader.holds(reader.rectOf(up.element), box)) return true;
    }
    return false;
  };

  /** The nearest element with a negative z-index, from this one upwards. */
  const behindOf = (state: ElementState): ElementState | null => {
    const unknown: ElementState[] = [];
    let at: ElementState | null = state;
    for (; at && at.behind === undefined; at = at.parent) unknown.push(at);
    let behind = at?.behind ?? null;
    for (const each of unknown.reverse()) {
      if (each.position !== 'static' && Number.parseInt(each.style.zIndex, 10) < 0) behind = each;
      each.behind = behind;
    }
    return behind;
  };

  return { coverTest, indexOf };
}
