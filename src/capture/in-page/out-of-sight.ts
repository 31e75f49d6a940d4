// Runs inside the page: is an element moved, scaled or clipped out of sight, as pages do with what they reveal later?

export default function () {
  const isZero = (value: string) => /^-?0(px|%)?$/.test(value);

  /** Does a clip-path leave nothing of the element? Only shapes in percentages are known, as reveals have them. */
  const isClippedAway = (path: string): boolean => {
    const [, kind, inside = ''] = /^(inset|circle|ellipse|polygon)\(([^()]*)\)$/.exec(path) ?? [];
    const [shape = ''] = inside.split(/ round | ?at /);
    const points = shape
      .replace(/^(nonzero|evenodd),/, '')
      .split(',')
      .map((point) => point.trim().split(/\s+/));
    const values = points.flat();
    if (kind === 'circle' || kind === 'ellipse') return values.some(isZero);
    if (!kind || !values.every((value) => isZero(value) || value.endsWith('%'))) return false;
    if (kind === 'inset') {
      const [top = 0, right = top, bottom = top, left = right] = values.map(Number.parseFloat);
      return top + bottom > 99 || left + right > 99;
    }
    const isFlat = (side: 0 | 1) => {
      const along = points.slice(0, 100).map((point) => Number.parseFloat(point[side] ?? '0'));
      return Math.max(...along) - Math.min(...along) < 1;
    };
    return isFlat(0) || isFlat(1);
  };

  /** How far up a box that masks the element may be. */
  const mostAround = 3;

  const isMasked = (element: Element, box: DOMRect): boolean => {
    let around = tintype.parentElement(element);
    for (
      let left = mostAround;
      around && around !== document.body && left > 0;
      left--, around = tintype.parentElement(around)
    ) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (!/hidden|clip/.test(`${overflowX} ${overflowY}`)) continue;
      const { top, bottom, left: start, right } = around.getBoundingClientRect();
      const width = Math.min(box.right, right) - Math.max(box.left, start);
      const height = Math.min(box.bottom, bottom) - Math.max(box.top, top);
      if (width < 1 || height < 1) return true;
    }
    return false;
  };

  type Place = Pick<CSSStyleDeclaration, 'transform' | 'translate' | 'scale' | 'clipPath'>;

  const isOutOfSight = (element: Element, { transform, translate, scale, clipPath }: Place): boolean => {
    const isMoved = transform !== 'none' || translate !== 'none' || scale !== 'none';
    if (!isMoved && clipPath === 'none') return false;
    const { offsetWidth, offsetHeight } = element as HTMLElement;
    if (!(offsetWidth * offsetHeight >= 100)) return false;
    if (isClippedAway(clipPath)) return true;
    if (!isMoved) return false;
    const box = element.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return true;
    return box.right <= 0 || box.left >= innerWidth || isMasked(element, box);
  };

  return { isOutOfSight };
}
