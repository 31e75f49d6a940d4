// Runs inside the page: what is drawn by WebGL is on the screen only. The browser prints such a canvas empty.
import type { PageBox } from '../in-page-types.ts';

export default function () {
  const smallestSide = 10;
  /** More than are kept, so that their number is known. */
  const mostListed = 100;

  let canvases: HTMLCanvasElement[] = [];
  type Styled = readonly [style: CSSStyleDeclaration, before: string];
  let alone:
    | { readonly sheet: CSSStyleSheet; readonly canvas: HTMLCanvasElement; readonly styled: Styled[] }
    | undefined;

  /** A canvas has one kind of context for good, and one without any gets this one: the page cannot use WebGL in it any more. */
  const isFlat = (canvas: HTMLCanvasElement) => {
    try {
      return canvas.getContext('2d') !== null;
    } catch {
      // A worker draws it.
      return false;
    }
  };

  /** Without borders and padding, in whole pixels of the page. */
  const contentBox = (canvas: HTMLCanvasElement): PageBox => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const style = getComputedStyle(canvas);
    const side = (name: 'Left' | 'Top' | 'Right' | 'Bottom') =>
      Number.parseFloat(style[`border${name}Width`]) + Number.parseFloat(style[`padding${name}`]);
    const scaleX = width / canvas.offsetWidth || 1;
    const scaleY = height / canvas.offsetHeight || 1;
    return {
      x: Math.round(left + scrollX + side('Left') * scaleX),
      y: Math.round(top + scrollY + side('Top') * scaleY),
      width: Math.round(width - (side('Left') + side('Right')) * scaleX),
      height: Math.round(height - (side('Top') + side('Bottom')) * scaleY),
    };
  };

  const isUnprintable = (element: Element): element is HTMLCanvasElement => {
    if (!(element instanceof HTMLCanvasElement)) return false;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const { width, height } = contentBox(element);
    return Math.min(width, height) >= smallestSide && !isFlat(element);
  };

  /** The canvases that the PDF would lack. */
  const unprintableCanvases = (): PageBox[] => {
    canvases = tintype.allElements().filter(isUnprintable).slice(0, mostListed);
    return canvases.map(contentBox);
  };

  /** Ancestors that are looked at for what changes the picture of a canvas. */
  const mostAncestors = 100;

  /** Elements of other kinds of XML have no style. */
  const isStyled = (element: Element) => element instanceof HTMLElement || element instanceof SVGElement;

  const withAncestors = (canvas: HTMLElement): HTMLElement[] => {
    const found = [canvas];
    for (let at = tintype.parentOf(canvas); at && found.length <= mostAncestors; at = tintype.parentOf(at))
      found.push(at);
    return found.filter(isStyled);
  };

  /** At the same place in the same size, but neither turned nor mirrored. */
  const upright = ({ transform, rotate, scale }: CSSStyleDeclaration): Readonly<Record<string, string>> => {
    const isMirrored = scale.includes('-');
    if (transform === 'none' && rotate === 'none' && !isMirrored) return {};
    const { a, b, c, d, e, f, is2D } = new DOMMatrix(transform);
    const isUpright = is2D && b === 0 && c === 0 && a > 0 && d > 0;
    return {
      ...(rotate !== 'none' && { rotate: 'none' }),
      ...(isMirrored && { scale: scale.replaceAll('-', '') }),
      ...(!isUpright && { transform: `matrix(${Math.hypot(a, b)}, 0, 0, ${Math.hypot(c, d)}, ${e}, ${f})` }),
    };
  };

  /**
   * Hides everything else, so that the picture has nothing that lies over the canvas or behind it. What makes it fainter, colors
   * or turns it is left to the page, which does the same to the picture. Returns where the canvas is now.
   */
  const showOnlyCanvas = async (index: number): Promise<PageBox | undefined> => {
    const canvas = canvases[index];
    if (!canvas) return undefined;
    const plain = { opacity: '1', filter: 'none', 'mix-blend-mode': 'normal', mask: 'none', transition: 'none' };
    const changes = withAncestors(canvas).map((at) => [at, { ...plain, ...upright(getComputedStyle(at)) }] as const);
    const sheet = tintype.adopt(`*, ::before, ::after { visibility: hidden !important; transition: none !important }
      html, body { background: none !important }`);
    const styled = changes.map(([at]) => [tintype.styleOf(at), tintype.styleOf(at).cssText] as const);
    alone = { sheet, canvas, styled };
    for (const [at, declarations] of changes) tintype.setAll(at, declarations);
    tintype.setAll(canvas, { visibility: 'visible', background: 'none' });
    await tintype.twoFrames();
    return contentBox(canvas);
  };

  const showAllAgain = (): void => {
    if (!alone) return;
    const { sheet, styled } = alone;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    for (const [style, before] of styled) style.cssText = before;
    alone = undefined;
  };

  /** A canvas that can be printed takes its place, with its attributes. A policy of the page could forbid an image. */
  const keepCanvas = async (png: string): Promise<boolean> => {
    const canvas = alone?.canvas;
    showAllAgain();
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' })).catch(() => undefined);
    if (!canvas || !picture) return false;
    const { width, height } = getComputedStyle(canvas);
    const copy = canvas.cloneNode() as HTMLCanvasElement;
    copy.width = picture.width;
    copy.height = picture.height;
    copy.getContext('2d')?.drawImage(picture, 0, 0);
    tintype.setAll(copy, { width, height, 'object-fit': 'fill' });
    canvas.replaceWith(copy);
    return true;
  };

  return { unprintableCanvases, showOnlyCanvas, showAllAgain, keepCanvas };
}
