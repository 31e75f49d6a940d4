// Runs inside the page: what is drawn by WebGL is on the screen only. The browser prints such a canvas empty.
import type { PageBox } from '../in-page-types.ts';

export default function () {
  const smallestSide = 10;
  /** More than are kept, so that their number is known. */
  const mostListed = 100;

  let canvases: HTMLCanvasElement[] = [];
  let alone: { readonly sheet: CSSStyleSheet; readonly canvas: HTMLCanvasElement; readonly style: string } | undefined;

  /** A canvas has one kind of context for good. */
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

  /** Hides everything else, so that the picture has nothing that lies over the canvas or behind it. */
  const showOnlyCanvas = async (index: number): Promise<void> => {
    const canvas = canvases[index];
    if (!canvas) return;
    const sheet = tintype.adopt(`*, ::before, ::after { visibility: hidden !important; transition: none !important }
      html, body { background: none !important }`);
    alone = { sheet, canvas, style: canvas.style.cssText };
    tintype.setAll(canvas, { visibility: 'visible', transition: 'none', background: 'none' });
    await tintype.twoFrames();
  };

  const showAllAgain = (): void => {
    if (!alone) return;
    const { sheet, canvas, style } = alone;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    canvas.style.cssText = style;
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
