// Runs inside the page: what filters, masks, outlines, shadows and clipped backgrounds make of a text.
import type { Color, ElementState } from './reading-types.ts';

export default function () {
  /** Less alpha cannot be read. */
  const leastAlpha = 0.06;
  const colorPattern = '(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\\([^()]*\\)';
  /** A page can write a style of any length. */
  const mostStyle = 20_000;

  /** The colors of a computed gradient. */
  const colorsIn = (gradient: string): Color[] =>
    (gradient.slice(0, mostStyle).match(new RegExp(colorPattern, 'g')) ?? []).flatMap((text) => {
      const color = reader.parseColor(text);
      return color ? [color] : [];
    });

  const stands = (color: Color, behind: Color | null): boolean =>
    color[3] >= leastAlpha && !(behind && reader.looksLike(reader.blend(color, behind), behind));

  /** Whether a background image has something in it that can be told from this color. Pictures are taken to have it. */
  const imageDiffers = (image: string, color: Color): boolean =>
    image !== 'none' &&
    (image.includes('url(') || !image.includes('gradient(') || colorsIn(image).some((each) => stands(each, color)));

  const strokeShows = ({ style, element }: ElementState, behind: Color | null): boolean => {
    const isSvg = isDrawing(element);
    const width = Number.parseFloat(isSvg ? style.strokeWidth : style.webkitTextStrokeWidth);
    const value = isSvg ? style.stroke : style.webkitTextStrokeColor;
    if (!(width > 0.1) || value === 'none' || (isSvg && Number(style.strokeOpacity) < leastAlpha)) return false;
    const color = reader.parseColor(value);
    return !color || stands(color, behind);
  };

  /** A shadow that is not far away or spread over everything. */
  const shadowShows = ({ style }: ElementState, behind: Color | null): boolean => {
    const { textShadow } = style;
    if (textShadow === 'none') return false;
    const shadows = new RegExp(`(${colorPattern}) (-?[\\d.]+)px (-?[\\d.]+)px ([\\d.]+)px`, 'g');
    for (const [, color = '', x, y, blur] of textShadow.slice(0, mostStyle).matchAll(shadows)) {
      const own = reader.parseColor(color);
      const isNear = Math.abs(Number(x)) < 100 && Math.abs(Number(y)) < 100 && Number(blur) <= 20;
      if (isNear && (!own || stands(own, behind))) return true;
    }
    return false;
  };

  const isClippedToText = ({ style }: ElementState): boolean => style.backgroundClip.includes('text');

  /** A background that is clipped to the letters, which may be that of an ancestor. Opaque letters lie over it. */
  const clippedShows = (state: ElementState, behind: Color | null): boolean => {
    let at: ElementState | null = state;
    for (let i = 0; i < 6 && at; i++, at = at.parent) {
      if (!isClippedToText(at)) continue;
      const { backgroundImage, backgroundColor } = at.style;
      if (backgroundImage !== 'none' && (!behind || imageDiffers(backgroundImage, behind))) return true;
      const color = reader.parseColor(backgroundColor);
      if (!color || stands(color, behind)) return true;
    }
    return false;
  };

  /** Something other than the color of the letters shows them. */
  const hasOtherPaint = (state: ElementState, letters: Color, behind: Color | null): boolean =>
    strokeShows(state, behind) || shadowShows(state, behind) || (letters[3] < 0.9 && clippedShows(state, behind));

  /** In an SVG, and not in HTML inside of it. */
  const isDrawing = (element: Element): boolean => reader.namespace(element) === 'http://www.w3.org/2000/svg';

  const letterColor = ({ element, style }: ElementState): Color | undefined => {
    if (!isDrawing(element)) return reader.parseColor(style.webkitTextFillColor);
    if (style.fill === 'none') return [0, 0, 0, 0];
    const color = reader.parseColor(style.fill);
    return color && [color[0], color[1], color[2], color[3] * Number(style.fillOpacity)];
  };

  const amountOf = (value: string, percent: string): number => Number(value) / (percent ? 100 : 1);

  const filterOpacity = (filter: string): number => {
    let opacity = 1;
    for (const [, value = '1', percent = ''] of filter.slice(0, mostStyle).matchAll(/opacity\(([\d.]+)(%?)\)/g))
      opacity *= amountOf(value, percent);
    return opacity;
  };

  /** In pixels. */
  const filterBlur = (filter: string): number => {
    let blur = 0;
    for (const [, value] of filter.slice(0, mostStyle).matchAll(/blur\(([\d.]+)px\)/g)) blur += Number(value);
    return blur;
  };

  const changesColors = (filter: string): boolean => /brightness|contrast|invert/.test(filter);

  const filtered = (color: Color, filter: string): Color => {
    let [red, green, blue] = color;
    const functions = filter.slice(0, mostStyle).matchAll(/(brightness|contrast|invert)\(([\d.]+)(%?)\)/g);
    for (const [, name, value = '1', percent = ''] of functions) {
      const amount = amountOf(value, percent);
      const change = (channel: number): number => {
        if (name === 'brightness') return Math.min(255, channel * amount);
        if (name === 'contrast') return Math.min(255, Math.max(0, (channel - 127.5) * amount + 127.5));
        return channel + Math.min(1, amount) * (255 - 2 * channel);
      };
      [red, green, blue] = [change(red), change(green), change(blue)];
    }
    return [red, green, blue, color[3]];
  };

  /** `over` on top of `under`, which may both let something through. */
  const stacked = (over: Color, under: Color): Color => {
    const alpha = over[3] + under[3] * (1 - over[3]);
    const mix = (at: 0 | 1 | 2) => (over[at] * over[3] + under[at] * under[3] * (1 - over[3])) / (alpha || 1);
    return [mix(0), mix(1), mix(2), alpha];
  };

  /** The letters and what is behind them, after the filters of their ancestors. A filter changes both, if both are in it. */
  const throughFilters = (state: ElementState, letters: Color): { letters: Color; behind: Color | null } => {
    let front = letters;
    let behind: Color = [0, 0, 0, 0];
    for (let at: ElementState | null = state; at; at = at.parent) {
      const own = reader.parseColor(at.style.backgroundColor);
      if (!own) return { letters: front, behind: null };
      if (!isClippedToText(at)) behind = stacked(behind, own);
      const { filter } = at.style;
      if (at.name === 'html' || filter === 'none' || !changesColors(filter)) continue;
      front = filtered(front, filter);
      behind = filtered(behind, filter);
    }
    const canvas = reader.canvasColor();
    return { letters: front, behind: behind[3] > 0.98 ? behind : canvas && reader.blend(behind, canvas) };
  };

  /** How much of its box a gradient paints, from 0 to 1. */
  const coverage = (gradient: string): number => {
    const stops: { alpha: number; at: number | undefined }[] = [];
    const pattern = new RegExp(`(${colorPattern})((?: -?[\\d.]+(?:%|px|deg))*)`, 'g');
    for (const [, color = '', places = ''] of gradient.slice(0, mostStyle).matchAll(pattern)) {
      const alpha = reader.parseColor(color)?.[3] ?? 1;
      const found = places.trim() ? places.trim().split(' ') : [''];
      for (const place of found) {
        const whole = place.endsWith('%') ? 100 : place.endsWith('deg') ? 360 : undefined;
        stops.push({ alpha, at: whole && Number.parseFloat(place) / whole });
      }
    }
    const first = stops[0];
    if (!first || gradient.startsWith('repeating')) return Math.max(0, ...stops.map(({ alpha }) => alpha));
    let [sum, last, before] = [0, first.alpha, 0];
    for (const [i, { alpha, at }] of stops.entries()) {
      const place = Math.min(1, Math.max(before, at ?? i / Math.max(1, stops.length - 1)));
      sum += ((last + alpha) / 2) * (place - before);
      [last, before] = [alpha, place];
    }
    return sum + last * (1 - before);
  };

  const gradients = /[a-z-]{0,30}gradient\((?:[^()]|\([^()]*\))*\)/g;

  /** A mask that leaves almost nothing. One that fades the end of a text leaves most of it. */
  const isMaskedAway = ({ maskImage, maskSize, maskRepeat, maskPosition }: CSSStyleDeclaration): boolean => {
    if (maskImage === 'none' || maskImage === '') return false;
    const [width = 'auto', height = width] = (maskSize.split(',')[0] ?? '').split(' ');
    const isTiny = (side: string) => /^[\d.]+(px|%)$/.test(side) && Number.parseFloat(side) < 3;
    if (isTiny(width) || isTiny(height)) return /no-repeat/.test(maskRepeat) || /^0(px|%)/.test(width);
    if (/no-repeat/.test(maskRepeat) && /\d{4}(\.\d{1,10})?px/.test(maskPosition)) return true;
    const [, address] = /url\("([^"]*)"\)/.exec(maskImage) ?? [];
    if (address !== undefined) return reader.isEmptyPicture(address);
    const found = maskImage.slice(0, mostStyle).match(gradients);
    return found?.every((gradient) => coverage(gradient) < 0.1) ?? false;
  };

  return {
    colorsIn,
    imageDiffers,
    isClippedToText,
    hasOtherPaint,
    letterColor,
    filterOpacity,
    filterBlur,
    changesColors,
    throughFilters,
    isMaskedAway,
  };
}
