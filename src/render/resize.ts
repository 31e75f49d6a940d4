// Makes a picture smaller, in its own format.
import sharp from 'sharp';
import type { CaptureRequest } from '../capture/capture-request.ts';
import { formatOf, formats } from '../kernel/formats.ts';

export type Size = { readonly width: number; readonly height: number };

export type Resize = {
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Without effect unless both sides are given. */
  readonly fit: CaptureRequest['fit'];
};

export type ResizedPicture = Size & { readonly bytes: Buffer };

type ResizeParameters = Pick<CaptureRequest, 'resizeWidth' | 'resizeHeight' | 'fit'>;

/** What the request asks for; undefined if the picture keeps its size. */
export const resizeOf = ({ resizeWidth: width, resizeHeight: height, fit }: ResizeParameters): Resize | undefined =>
  width === undefined && height === undefined ? undefined : { width, height, fit };

/** The same request for the picture in its own size. */
export const withoutResize = <T extends ResizeParameters>(request: T): T => ({
  ...request,
  resizeWidth: undefined,
  resizeHeight: undefined,
  fit: 'inside',
});

/**
 * The size of the output. A picture is never enlarged: a box that is too large for that is made smaller, and keeps its
 * aspect ratio.
 */
export function outputSize(picture: Size, { width, height, fit }: Resize): Size {
  const [across, down] = [(width ?? Infinity) / picture.width, (height ?? Infinity) / picture.height];
  if (width === undefined || height === undefined || fit === 'inside')
    return scaled(picture, Math.min(1, across, down));
  // What the picture is scaled by to fill the box, or to fit into it.
  const scale = fit === 'cover' ? Math.max(across, down) : Math.min(across, down);
  return scaled({ width, height }, Math.min(1, 1 / scale));
}

export const scaled = ({ width, height }: Size, by: number): Size => ({
  width: Math.max(1, Math.round(width * by)),
  height: Math.max(1, Math.round(height * by)),
});

const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/** `ms` is the time until the deadline. */
export async function resizePicture(
  picture: Size & { readonly bytes: Buffer; readonly type: string },
  resize: Resize,
  quality: number,
  ms: number,
): Promise<ResizedPicture> {
  const { alpha, encodePage } = formats[formatOf(picture.type)];
  if (encodePage === undefined) throw new Error(`${picture.type} cannot be resized.`);
  const size = outputSize(picture, resize);
  if (size.width === picture.width && size.height === picture.height) return { ...size, bytes: picture.bytes };
  const isBox = resize.width !== undefined && resize.height !== undefined;
  const image = sharp(picture.bytes, { limitInputPixels: false })
    .timeout({ seconds: Math.max(1, Math.ceil(ms / 1000)) })
    // The size has the picture's aspect ratio already, but for rounding.
    .resize({
      ...size,
      fit: isBox && resize.fit !== 'inside' ? resize.fit : 'fill',
      background: alpha ? transparent : 'white',
      // 16 to 19 % faster than sharp's lanczos3, for 1280 × 800 to 400 px.
      kernel: 'lanczos2',
    });
  return { ...size, bytes: await encodePage(image, quality).toBuffer() };
}
