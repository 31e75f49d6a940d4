// Runs inside the page: what `clip-path` leaves of an element.
import type { Box } from './reading-types.ts';

export default function () {
  const length = (value: string | undefined, whole: number) =>
    value?.endsWith('%') ? (Number.parseFloat(value) / 100) * whole : Number.parseFloat(value ?? '0');

  /** Math.min takes fewer arguments than a polygon may have points. */
  const least = (values: readonly number[]): number =>
    values.reduce((found, value) => Math.min(found, value), Number.POSITIVE_INFINITY);

  /** The box around a circle or an ellipse whose radii are lengths. */
  const roundBox = (inside: string, radii: readonly string[], box: Box, clip: Box): Box => {
    const [across, down] = [box.right - box.left, box.bottom - box.top];
    const [first = '', second = first] = radii;
    const isLength = (value: string | undefined) => value !== undefined && /^-?[\d.]+(px|%)$/.test(value);
    if (!isLength(first) || !isLength(second)) return clip;
    const [x, y] = /at (\S+) (\S+)/.exec(inside)?.slice(1) ?? ['50%', '50%'];
    if (!isLength(x) || !isLength(y)) return clip;
    const isCircle = radii.length === 1;
    const diagonal = Math.hypot(across, down) / Math.SQRT2;
    const [wide, high] = [length(first, isCircle ? diagonal : across), length(second, isCircle ? diagonal : down)];
    const [left, top] = [box.left + length(x, across), box.top + length(y, down)];
    return reader.intersection(clip, { left: left - wide, right: left + wide, top: top - high, bottom: top + high });
  };

  const cells = 64;
  const mostPath = 100_000;
  const known = new Map<string, Box | undefined>();

  /** The part of a box that path() fills, drawn small. In fractions of the box. */
  const filledPart = (path: string, across: number, down: number): Box | undefined => {
    const key = `${path} ${across} ${down}`;
    if (known.has(key)) return known.get(key);
    const [, rule, data = ''] = /^path\((nonzero|evenodd)?,?\s*"([^"]*)"/.exec(path) ?? [];
    const context = new OffscreenCanvas(cells, cells).getContext('2d', { willReadFrequently: true });
    if (!context || path.length > mostPath) return undefined;
    context.scale(cells / across, cells / down);
    context.fill(new Path2D(data), rule === 'evenodd' ? 'evenodd' : 'nonzero');
    const { data: pixels } = context.getImageData(0, 0, cells, cells);
    let [left, top, right, bottom] = [cells, cells, 0, 0];
    for (let i = 0; i < cells * cells; i++) {
      if ((pixels[4 * i + 3] ?? 0) < 64) continue;
      const [x, y] = [i % cells, Math.floor(i / cells)];
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
    const part =
      right > 0 ? { left: left / cells, top: top / cells, right: right / cells, bottom: bottom / cells } : undefined;
    if (known.size < 1000) known.set(key, part);
    return part;
  };

  const pathBox = (path: string, box: Box, clip: Box): Box => {
    const [across, down] = [box.right - box.left, box.bottom - box.top];
    const part = across > 0 && down > 0 ? filledPart(path, across, down) : undefined;
    if (!part) return reader.nowhere;
    // What sticks out of the box on a side that the path reaches may be seen too.
    return reader.intersection(clip, {
      left: part.left > 0 ? box.left + part.left * across : Number.NEGATIVE_INFINITY,
      right: part.right < 1 ? box.left + part.right * across : Number.POSITIVE_INFINITY,
      top: part.top > 0 ? box.top + part.top * down : Number.NEGATIVE_INFINITY,
      bottom: part.bottom < 1 ? box.top + part.bottom * down : Number.POSITIVE_INFINITY,
    });
  };

  /** A <clipPath> or <mask> of this page with nothing in it. */
  const isEmptyReference = (kind: 'clipPath' | 'mask', id: string): boolean => {
    const found = reader.one(document, `${kind}[id="${CSS.escape(id)}"]`);
    return found !== null && reader.oneIn(found, '*') === null;
  };

  /** What `clip-path` leaves: the box around its shape. A shape that is not known is taken for the whole box. */
  const clipPathBox = (element: Element, path: string, clip: Box): Box => {
    const box = reader.rectOf(element);
    if (path.startsWith('path(')) return pathBox(path, box, clip);
    const [, reference] = /^url\("?#([^")]+)/.exec(path) ?? [];
    if (reference !== undefined) return isEmptyReference('clipPath', reference) ? reader.nowhere : clip;
    // Lengths of nothing but zeros.
    if (path.startsWith('shape(')) return /[1-9]/.test(path) ? clip : reader.nowhere;
    const shape = /^(inset|circle|ellipse|polygon)\(([^)]*)\)/.exec(path);
    if (!shape) return clip;
    const [, kind, inside = ''] = shape;
    const size = { across: box.right - box.left, down: box.bottom - box.top };
    const values =
      inside
        .split(/ round | at /)[0]
        ?.trim()
        .split(/\s+/) ?? [];
    if (kind === 'inset') {
      const [top, right = top, bottom = top, left = right] = values;
      return reader.intersection(clip, {
        left: box.left + length(left, size.across),
        top: box.top + length(top, size.down),
        right: box.right - length(right, size.across),
        bottom: box.bottom - length(bottom, size.down),
      });
    }
    if (kind === 'circle' || kind === 'ellipse') return roundBox(inside, values, box, clip);
    if (kind === 'polygon') {
      const points = inside
        .replace(/^(nonzero|evenodd),/, '')
        .split(',')
        .map((point) => point.trim().split(/\s+/));
      const xs = points.map(([x]) => box.left + length(x, size.across));
      const ys = points.map(([, y]) => box.top + length(y, size.down));
      return reader.intersection(clip, {
        left: least(xs),
        right: -least(xs.map((x) => -x)),
        top: least(ys),
        bottom: -least(ys.map((y) => -y)),
      });
    }
    return clip;
  };

  return { clipPathBox, isEmptyReference };
}
