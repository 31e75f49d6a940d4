// Runs inside the page: which boxes hide what is painted under them. A picture hides it where it is opaque, which is looked
// up only for pictures that lie over a text.
import type { Box, Cover, ElementState } from './reading-types.ts';

export default function () {
  const side = 32;
  /** Pictures are decoded for this; those that are left then count as opaque. */
  const mostMs = 2000;
  const end = { at: 0 };
  const opaque = 0.95;

  type Picture = HTMLImageElement | HTMLVideoElement | HTMLCanvasElement;
  const pictureNames = new Set(['img', 'video', 'canvas']);

  /** The alpha of a picture in `side` × `side` cells. Nothing, if it is of another origin and may not be read. */
  const alphaOf = (picture: Picture): Uint8ClampedArray | undefined => {
    end.at ||= performance.now() + mostMs;
    if (performance.now() > end.at) return undefined;
    try {
      const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
      context?.drawImage(picture, 0, 0, side, side);
      return context?.getImageData(0, 0, side, side).data;
    } catch {
      return undefined;
    }
  };

  /** A picture that the page has loaded is there at once. Masks are loaded as `anonymous`. */
  const loaded = (address: string, crossOrigin: 'anonymous' | null = null): HTMLImageElement | undefined => {
    const image = new Image();
    image.crossOrigin = crossOrigin;
    image.src = address;
    return image.complete && image.naturalWidth > 0 ? image : undefined;
  };

  /** For masks: a mask that did not load, or that has nothing in it, hides everything. */
  const isEmptyPicture = (address: string): boolean => {
    if (address.startsWith('#')) return reader.isEmptyReference('mask', address.slice(1));
    const image = loaded(address, 'anonymous') ?? loaded(address);
    if (!image) return true;
    return alphaOf(image)?.every((value, i) => i % 4 !== 3 || value < 16) ?? false;
  };

  /** Is nearly all of this part of the picture opaque? `box` is where the whole picture is. */
  const isOpaqueIn = (alpha: Uint8ClampedArray, box: Box, part: Box): boolean => {
    const cell = (place: number, from: number, to: number) =>
      Math.min(side - 1, Math.max(0, Math.floor(((place - from) / Math.max(1, to - from)) * side)));
    let cells = 0;
    let filled = 0;
    const [right, bottom] = [cell(part.right, box.left, box.right), cell(part.bottom, box.top, box.bottom)];
    for (let y = cell(part.top, box.top, box.bottom); y <= bottom; y++)
      for (let x = cell(part.left, box.left, box.right); x <= right; x++) {
        cells++;
        if ((alpha[4 * (y * side + x) + 3] ?? 0) > 240) filled++;
      }
    return filled >= 0.9 * cells;
  };

  const pictureOf = ({ element, name }: ElementState): Picture | undefined => {
    if (name === 'img')
      return (element as HTMLImageElement).naturalWidth > 0 ? (element as HTMLImageElement) : undefined;
    if (name !== 'video') return element as HTMLCanvasElement;
    const video = element as HTMLVideoElement;
    return video.readyState >= 2 ? video : video.poster ? loaded(video.poster) : undefined;
  };

  const layers = /url\("(?:[^"\\]|\\.)*"\)|[a-z-]{0,30}gradient\((?:[^()]|\([^()]*\))*\)/g;

  /** The picture of a background; 'gradient' for an opaque gradient. Only one that fills its box hides something. */
  const backgroundPicture = ({ element, style }: ElementState): HTMLImageElement | 'gradient' | undefined => {
    const sizes = style.backgroundSize.split(', ');
    const repeats = style.backgroundRepeat.split(', ');
    const { width, height } = reader.rectOf(element);
    for (const [i, layer] of (style.backgroundImage.slice(0, 100_000).match(layers) ?? []).slice(0, 8).entries()) {
      const isGradient = !layer.startsWith('url');
      if (isGradient && !reader.colorsIn(layer).every(([, , , alpha]) => alpha >= opaque)) continue;
      const image = isGradient ? undefined : loaded(layer.slice(5, -2));
      if (!isGradient && !image) continue;
      const size = sizes[i % sizes.length] ?? 'auto';
      const [across = 'auto', down = 'auto'] = size.split(' ');
      const fills = (value: string, whole: number, own: number) =>
        value.endsWith('%')
          ? Number.parseFloat(value) >= 95
          : (value === 'auto' ? own : Number.parseFloat(value)) >= 0.95 * whole;
      const isWhole =
        !/no-repeat|repeat-/.test(repeats[i % repeats.length] ?? '') ||
        size === 'cover' ||
        (fills(across, width, image?.naturalWidth ?? width) && fills(down, height, image?.naturalHeight ?? height));
      if (isWhole) return image ?? 'gradient';
    }
    return undefined;
  };

  /** Whether what the element paints is opaque there, found out once. */
  const opacityTest = (state: ElementState, box: Box): ((part: Box) => boolean) => {
    let known: Uint8ClampedArray | boolean | undefined;
    const find = (): Uint8ClampedArray | boolean => {
      const background = reader.isClippedToText(state) ? undefined : backgroundPicture(state);
      if (background === 'gradient') return true;
      const picture = background ?? (pictureNames.has(state.name) ? pictureOf(state) : undefined);
      return picture ? (alphaOf(picture) ?? true) : false;
    };
    return (part) => {
      known ??= find();
      return typeof known === 'boolean' ? known : isOpaqueIn(known, box, part);
    };
  };

  /** Nothing, if the element cannot hide anything. */
  const coverOf = (state: ElementState): Cover | undefined => {
    const { style, isFolded, isSticky, isInline } = state;
    const isPicture = pictureNames.has(state.name);
    if (isFolded || isSticky || (!isPicture && (!state.isLayered || isInline)) || state.opacity < opaque)
      return undefined;
    const isPlain =
      !reader.isClippedToText(state) && (reader.parseColor(style.backgroundColor)?.[3] ?? 0) * state.opacity >= opaque;
    if (!isPlain && !isPicture && style.backgroundImage === 'none') return undefined;
    if (style.mixBlendMode !== 'normal' || (style.maskImage && style.maskImage !== 'none')) return undefined;
    if (!reader.isRendered(state.element, { visibilityProperty: true })) return undefined;
    const whole = reader.rectOf(state.element);
    const box = reader.intersection(whole, state.clip);
    if (reader.area(box) <= 200) return undefined;
    return isPlain ? { box, state } : { box, state, isOpaque: opacityTest(state, whole) };
  };

  const isPicture = ({ name }: ElementState): boolean => pictureNames.has(name);

  return { coverOf, isEmptyPicture, isPicture };
}
